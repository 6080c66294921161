/* Lists of words in messages. */
#ifndef BASE_WORDS_H
#define BASE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* The nearest of `count` words to `word`, if it is close enough to be meant. It may have
 * a few wrong letters, or be a short form such as vort_mag for vorticity_magnitude. Else
 * NULL. */
const char *base_words_nearest(const char *word, int count, const char *const *words);

/* The nearest words, at most `most`, the nearest first; returns their number. */
int base_words_near(const char *word, int count, const char *const *words, int most,
                    const char **near);

/* Writes "'a', 'b' or 'c'" into text of `size` bytes. */
void base_words_choice(int count, const char *const *words, size_t size, char *text);

/* Writes "a, b, c" into text of `size` bytes. If the list is too long, the words that fit
 * are followed by "…". */
void base_words_list(int count, const char *const *words, size_t size, char *text);

/* Writes " (did you mean 'b'?)" for the nearest of `count` words, or those that are as
 * near, into text of `size` bytes; writes "" if none is near. */
void base_words_hint(const char *word, int count, const char *const *words, size_t size,
                     char *text);

/* Copies a text with malloc; NULL stays NULL. False without memory. */
bool base_words_copy(const char *from, char **to);

/* Writes "1.25 GiB" into text of `size` bytes, and returns it. */
const char *base_words_bytes(double bytes, size_t size, char *text);

/* Replaces line breaks and other control characters by spaces. */
void base_words_flatten(char *text);

#endif
