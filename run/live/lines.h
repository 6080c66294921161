/* Reads files of lines while they grow, such as frames.jsonl. */
#ifndef RUN_LIVE_LINES_H
#define RUN_LIVE_LINES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Most bytes of one read. A longer line is skipped in pieces. */
enum { LIVE_LINES_MOST = 1 << 20 };

typedef struct live_lines {
    char *text; /* [length]: whole lines, each with its line break; the caller frees it */
    size_t length;
    int64_t next; /* offset of the next read */
} live_lines;

/*
 * Reads the whole lines of folder/name that begin at byte `since`, LIVE_LINES_MOST bytes
 * at most. An incomplete last line is left for the next read. A missing file counts as
 * empty. If a line is longer than LIVE_LINES_MOST, length is 0 and next is behind its
 * piece. Returns false if `since` is beyond the end, as the file has been replaced, or
 * without memory.
 */
bool live_lines_read(const char *folder, const char *name, int64_t since,
                     live_lines *out);

/* Reads the line that begins at byte `at` as JSON: a new reference. NULL if no line
 * begins there, or if it is longer than 4 KiB, incomplete or not JSON. */
json_t *live_lines_at(const char *folder, const char *name, int64_t at);

#endif
