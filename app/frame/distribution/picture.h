/* The picture in the making: the image that this rank draws, and its compositing. */
#ifndef APP_FRAME_DISTRIBUTION_PICTURE_H
#define APP_FRAME_DISTRIBUTION_PICTURE_H

#include "app/frame/layers/annotations.h"
#include "app/frame/scene/scene.h"
#include "composite/run/execute.h"

typedef struct app_picture {
    const app_scene *scene;               /* borrowed */
    const composite_algorithm *algorithm; /* NULL, before app_picture_create: any */
    composite_params params;
    composite_executor *executor;
    image *img;             /* the executor's */
    pixel_rect drawn_in[2]; /* where the last picture has left something in it; where
                               that is not known, in its active rectangle */
    app_annotations *annotations; /* NULL: none */
    base_events *events; /* what this rank does while the picture is put together is added
                            to them; NULL: nobody wants to know */
} app_picture;

/* Takes the algorithm and its parameters from the config, before there is a grid. Local.
 * Errors: STATUS_USAGE. */
status app_picture_configure(const app_scene *scene, app_picture *picture);

/* Makes the executor and the image. Collective. Errors: STATUS_MEMORY, which ranks have
 * to agree on. */
status app_picture_create(app_picture *picture);

/* Collective. */
void app_picture_destroy(app_picture *picture);

/* Makes the image transparent again. What it shows after compositing is this rank's part
 * of space and its part of the picture, which may lie far apart. The former stays for
 * somebody (`keeps_drawn`) who draws over most of it. Local. */
void app_picture_clear(app_picture *picture, bool keeps_drawn);

/* The picture as bytes in memory that all ranks share, or NULL: there a rank finds the
 * pieces that it has finished. Local. */
uint8_t *app_picture_room(const app_picture *picture);

/* Draws what is written over the picture of a step. Local. Errors: those of
 * app_annotations_draw. */
status app_picture_annotate(const app_picture *picture, const io_step *step);

/* io_png_pixels of the image: background, 8 bits, annotations. The context is the
 * picture. */
void app_picture_pixels(const void *context, int64_t pix0, int64_t npix, uint8_t *rgb);

/* composite_convert: background, 8 bits. The context is the picture. */
void app_picture_convert(const void *context, int64_t count, const float *rgba,
                         uint8_t *rgb);

#endif
