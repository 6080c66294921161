/* Sentences without standard output: the checker runs in a browser, too. Private to
 * messages/collective/. */
#ifndef MESSAGES_COLLECTIVE_TEXT_H
#define MESSAGES_COLLECTIVE_TEXT_H

#include <stddef.h>
#include <stdint.h>

/*
 * Writes a format into `text` of `size` bytes, cut off at its end: %d is the next number,
 * %s the next text. Local.
 */
void collective_text_write(char *text, size_t size, const char *format,
                           const int64_t *numbers, const char *const *texts);

#endif
