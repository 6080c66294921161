/* Lists of words in messages. */
#ifndef BASE_WORDS_H
#define BASE_WORDS_H

#include <stddef.h>

/* The one of `count` words that is nearest to `word` and close enough to be meant, or
 * NULL. */
const char *base_words_nearest(const char *word, int count, const char *const *words);

/* Writes "a, b, c" into text of `size` bytes, cut where it is too long. */
void base_words_list(int count, const char *const *words, size_t size, char *text);

/* Puts spaces in the place of line breaks and other control characters. */
void base_words_flatten(char *text);

#endif
