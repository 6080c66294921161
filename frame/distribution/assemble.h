/* Assembles one picture from the rectangles of all ranks. */
#ifndef FRAME_DISTRIBUTION_ASSEMBLE_H
#define FRAME_DISTRIBUTION_ASSEMBLE_H

#include "io/picture/png_strip.h"
#include "picture.h"
#include "render/screen.h"

/* This rank's part in assembling a picture. */
typedef struct distribution_assembly {
    const frame_scene *scene;    /* borrowed */
    frame_picture *picture;      /* borrowed */
    const render_screen *screen; /* borrowed: the rectangles */
    uint8_t *band;               /* bytes of the rows that this rank compresses */
    pixel_rect
        window_before; /* rectangle that it wrote into the previous shared picture */
    pixel_rect
        shown_before; /* part of that rectangle that differed from the background */
} distribution_assembly;

/*
 * Assembles the picture without blending. With output.float, rank 0 receives the floats.
 * Otherwise each rank receives bytes (frame_picture_pixels) of a band; bands have equally
 * many rows. `rendered`: the status of drawing on this rank. The returned status may
 * differ among ranks: they must agree on it before distribution_assembly_pixels reads a
 * pixel. Adds messages and bytes sent to *counters. Collective. Errors: `rendered`,
 * STATUS_MEMORY.
 */
status distribution_assemble(distribution_assembly *assembly, status rendered,
                             composite_counters *counters);

/* This rank's band, and its bytes once the picture is assembled: io_png_pixels with the
 * assembly as context. Local. */
io_png_range distribution_assembly_range(const distribution_assembly *assembly);
void distribution_assembly_pixels(const void *context, int64_t pix0, int64_t npix,
                                  uint8_t *bytes);

/* Local. */
void distribution_assembly_clear(distribution_assembly *assembly);

#endif
