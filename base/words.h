/* Lists of words in messages. */
#ifndef BASE_WORDS_H
#define BASE_WORDS_H

#include <stddef.h>

/* The one of `count` words that is nearest to `word` and close enough to be meant: a few
 * letters are wrong, or it is a short form, vort_mag for vorticity_magnitude. Else NULL.
 */
const char *base_words_nearest(const char *word, int count, const char *const *words);

/* Writes "a, b, c" into text of `size` bytes; where that is too long, the words that fit
 * and "…". */
void base_words_list(int count, const char *const *words, size_t size, char *text);

/* Writes " (did you mean 'b'?)" for the nearest of `count` words into text of `size`
 * bytes; nothing where none is near. */
void base_words_hint(const char *word, int count, const char *const *words, size_t size,
                     char *text);

/* Puts spaces in the place of line breaks and other control characters. */
void base_words_flatten(char *text);

#endif
