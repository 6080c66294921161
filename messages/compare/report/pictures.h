/* karman compare: comparing pictures, which must be the same. */
#ifndef MESSAGES_COMPARE_REPORT_PICTURES_H
#define MESSAGES_COMPARE_REPORT_PICTURES_H

#include "base/status.h"

#include <stdint.h>

/* A picture in memory: rgb is [height][width][3]. Zero: no picture. */
typedef struct compare_picture {
    int width, height;
    uint8_t *rgb;
} compare_picture;

/* The difference of two pictures. */
typedef struct compare_difference {
    int most;       /* largest difference of a channel, 0 to 255; 255 if the sizes
                       differ */
    int64_t pixels; /* number of pixels that differ */
} compare_difference;

/* Reads a PNG file. Local. Errors: STATUS_INPUT, STATUS_MEMORY. */
status compare_picture_read(const char *path, compare_picture *out);

/* Frees the pixels; zero is fine. */
void compare_picture_clear(compare_picture *picture);

compare_difference compare_picture_differ(const compare_picture *a,
                                          const compare_picture *b);

/*
 * Writes the difference of two pictures of the same size as a PNG file, in which the
 * largest difference is white. Local. Errors: STATUS_OUTPUT, STATUS_MEMORY.
 */
status compare_picture_write_difference(const char *path, const compare_picture *a,
                                        const compare_picture *b);

/* A file's bytes as a data URI of type image/png, malloc'ed. Local. Errors: STATUS_INPUT,
 * STATUS_MEMORY. */
status compare_picture_encode(const char *path, char **uri);

#endif
