/* The picture in progress: this rank's image, and its compositing. */
#ifndef FRAME_DISTRIBUTION_PICTURE_H
#define FRAME_DISTRIBUTION_PICTURE_H

#include "composite/run/execute.h"
#include "frame/layers/annotations.h"
#include "frame/scene/scene.h"
#include "io/picture/png_strip.h"
#include "samples.h"

typedef struct frame_picture {
    const frame_scene *scene;             /* borrowed */
    const composite_algorithm *algorithm; /* NULL: the executor chooses */
    composite_params params;
    bool by_nodes; /* ranks of a node merge first */
    int segment;   /* most pixels of a message; 0: the executor chooses */
    composite_encoding encoding;
    composite_rules rules;        /* of the tuning file, for a job without an algorithm */
    int64_t composited, followed; /* images; those by a rule */
    composite_executor *executor;
    image *img;                       /* borrowed from the executor */
    composite_executor *set_executor; /* blends sets of samples; NULL: there was none */
    image *set_img;                   /* borrowed from it: a set is packed into it */
    pixel_rect drawn_in[2]; /* rectangles of the image with pixels of the last picture;
                               both empty: its active rectangle has them */
    frame_samples samples;  /* of the current picture */
    frame_annotations *annotations; /* NULL: none */
    base_events *events; /* receives the events of compositing on this rank; NULL: none
                            are recorded */
} frame_picture;

/* Whether the floats of the whole picture go to rank 0 (io_config_wants_floats). The same
 * on all ranks. Local. */
bool frame_picture_is_gathered(const frame_picture *picture);

/* Warns of a tuning file that the config names, and that no picture followed. Local, on
 * rank 0, after the last picture. */
void frame_picture_warn(const frame_picture *picture);

/* The place where pixels of the picture are finished (frame_tuning_target). The same on
 * all ranks. Local. */
composite_target frame_picture_target(const frame_picture *picture);

/* Writes output.figure. Local, on rank 0, once it has the whole picture.
 * Errors: those of frame_annotations_write. */
status frame_picture_write_figure(const frame_picture *picture);

/*
 * Adds the current sample, which has been blended: all of it on rank 0 if the picture is
 * gathered, otherwise these ranges of this rank's image, [count]. Local. Errors: those of
 * frame_samples_take.
 */
status frame_picture_take_sample(frame_picture *picture, int count,
                                 const io_png_range *ranges);

/* The pixels of the file, and their size in bytes. Local. */
io_png_format frame_picture_format(const frame_picture *picture);
int frame_picture_pixel_bytes(const frame_picture *picture);

/* Takes the algorithm and its parameters from the config, before the grid is known.
 * Local. Errors: STATUS_USAGE. */
status frame_picture_configure(const frame_scene *scene, frame_picture *picture);

/* Makes the executor and the image, and finds the rules. Collective. Errors:
 * STATUS_MEMORY, on which ranks still have to agree. */
status frame_picture_create(frame_picture *picture);

/* Makes the executor and the image of sets, unless they are there. Collective. Errors,
 * the same on all ranks: STATUS_MEMORY. */
status frame_picture_reserve_set(frame_picture *picture);

/* Gives memory back until the next picture. Local. */
void frame_picture_rest(frame_picture *picture);

/* Collective. */
void frame_picture_destroy(frame_picture *picture);

/* A request to composite the image in this visibility order, [ranks]. Local. */
composite_request frame_picture_request(const frame_picture *picture, const int *order,
                                        composite_target target);

/* Makes the image transparent again. After compositing it has pixels in two rectangles,
 * which may lie far apart: this rank's own drawing, and its part of the picture.
 * `keeps_drawn`: leaves the former to a caller that draws over most of it. Local. */
void frame_picture_clear(frame_picture *picture, bool keeps_drawn);

/* The picture as bytes in the memory that all ranks share, or NULL. A rank finds its
 * finished pieces there. Pictures of 16 bits have none. Local. */
uint8_t *frame_picture_shared_bytes(const frame_picture *picture);

/* Counts the visible pixels of this rank's image. Stops after the row in which the number
 * reaches `many`. Local. */
int64_t frame_picture_count_visible(const frame_picture *picture, int64_t many);

/* Draws the annotations of a step. Local. Errors: those of frame_annotations_draw. */
status frame_picture_annotate(const frame_picture *picture, const io_step *step);

/* io_png_pixels of the image: blends with the background, converts to the format,
 * adds annotations. The context is the picture. */
void frame_picture_pixels(const void *context, int64_t pix0, int64_t npix,
                          uint8_t *bytes);

/*
 * This rank's band of a picture with floats, which lies on rank 0: empty on ranks that
 * cannot read the image of rank 0. Rank 0 has none if others can: it makes the file of
 * floats meanwhile. Local.
 */
io_png_range frame_picture_root_band(const frame_picture *picture);

/* The same as frame_picture_pixels, of the image of rank 0: for pixels of this rank's
 * band, once all ranks have agreed that the picture is complete. */
void frame_picture_root_pixels(const void *context, int64_t pix0, int64_t npix,
                               uint8_t *bytes);

/* composite_convert: blends with the background, converts to the format. The context is
 * the picture. */
void frame_picture_convert(const void *context, int64_t count, const float *rgba,
                           uint8_t *bytes);

#endif
