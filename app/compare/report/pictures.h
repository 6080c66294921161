/* karman compare: pictures that must be the same, and what differs. */
#ifndef APP_COMPARE_REPORT_PICTURES_H
#define APP_COMPARE_REPORT_PICTURES_H

#include "base/status.h"

#include <stdint.h>

/* A picture in memory: rgb is [height][width][3]; zero is none. */
typedef struct compare_picture {
    int width, height;
    uint8_t *rgb;
} compare_picture;

/* How two pictures differ. */
typedef struct compare_difference {
    int most;       /* of any channel, in counts of 255; 255 where sizes differ */
    int64_t pixels; /* that differ at all */
} compare_difference;

/* Reads a PNG file. Local. Errors: STATUS_INPUT, STATUS_MEMORY. */
status compare_picture_read(const char *path, compare_picture *out);

/* Frees the pixels; zero is fine. */
void compare_picture_clear(compare_picture *picture);

compare_difference compare_picture_differ(const compare_picture *a,
                                          const compare_picture *b);

/*
 * Writes a PNG file of how two pictures of the same size differ: the largest difference
 * is white. Local. Errors: STATUS_OUTPUT, STATUS_MEMORY.
 */
status compare_picture_write_difference(const char *path, const compare_picture *a,
                                        const compare_picture *b);

/* A file's bytes as a data URI of type image/png, malloc'ed. Local. Errors: STATUS_INPUT,
 * STATUS_MEMORY. */
status compare_picture_encode(const char *path, char **uri);

#endif
