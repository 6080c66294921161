/* Files of lines that grow while they are read: frames.jsonl and the like. */
#ifndef APP_LIVE_LINES_H
#define APP_LIVE_LINES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* At most so much comes out at once; a longer line is passed over in pieces. */
enum { LIVE_LINES_MOST = 1 << 20 };

typedef struct live_lines {
    char *text; /* [length], whole lines, each with its line break; to be freed */
    size_t length;
    int64_t next; /* where to go on reading */
} live_lines;

/*
 * Reads the whole lines of folder/name that begin at byte `since`, LIVE_LINES_MOST bytes
 * at most; a last line without its line break is left for the next time. A file that is
 * not there yet is an empty one. Where a line is longer than can come out, next is beyond
 * the piece of it, and length is 0. Returns false where `since` is beyond the end: the
 * file is another one by now; or for want of memory.
 */
bool live_lines_read(const char *folder, const char *name, int64_t since,
                     live_lines *out);

/* The line that begins at byte `at`, as JSON: a new reference. NULL where no line begins
 * there, or it is longer than 4 KiB, unfinished or no JSON. */
json_t *live_lines_at(const char *folder, const char *name, int64_t at);

#endif
