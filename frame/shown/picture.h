/* A picture in memory. */
#ifndef FRAME_SHOWN_PICTURE_H
#define FRAME_SHOWN_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A picture. On ranks other than 0 `bytes` stays NULL. */
typedef struct frame_shown {
    bool wants_pixels; /* else the bytes of a PNG file, */
    bool wants_both;   /* or both */
    int width, height;
    int pixel_bytes; /* of pixels: 3, or 4 with opacity; twice as many of 16 bits */
    uint8_t *bytes;  /* malloc'ed; pixels: [height][width][pixel_bytes] */
    size_t size;
    uint8_t *file; /* malloc'ed: the PNG file beside the pixels, of wants_both */
    size_t file_size;
} frame_shown;

#endif
