/* Pictures out of rectangles that lie side by side. */
#ifndef APP_FRAME_DISTRIBUTION_ASSEMBLE_H
#define APP_FRAME_DISTRIBUTION_ASSEMBLE_H

#include "io/picture/png_strip.h"
#include "picture.h"
#include "render/screen.h"

/* The rectangles of all ranks on their way. */
typedef struct distribution_assembly {
    const app_scene *scene;      /* borrowed */
    app_picture *picture;        /* borrowed */
    const render_screen *screen; /* borrowed: the rectangles */
    uint8_t *band;               /* bytes of the rows that this rank compresses */
    pixel_rect window_before;    /* what it wrote into the last picture of all ranks, */
    pixel_rect shown_before;     /* and what of that is not just background */
} distribution_assembly;

/*
 * Puts the picture together without blending: with output.float at rank 0, which gets the
 * floats; else as bytes (app_picture_pixels) in equal bands of rows. `rendered`: the
 * status of drawing here. The status that it returns may differ from rank to rank: ranks
 * agree on it before distribution_assembly_pixels reads anything. Adds what was sent to
 * *counters. Collective. Errors: `rendered`, STATUS_MEMORY.
 */
status distribution_assemble(distribution_assembly *assembly, status rendered,
                             composite_counters *counters);

/* This rank's band, and its bytes afterwards: io_png_pixels with the gather as context.
 * Local. */
io_png_range distribution_assembly_range(const distribution_assembly *assembly);
void distribution_assembly_pixels(const void *context, int64_t pix0, int64_t npix,
                                  uint8_t *rgb);

/* Local. */
void distribution_assembly_clear(distribution_assembly *assembly);

#endif
