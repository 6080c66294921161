/* The costs of a picture's tiles on this rank, for the timings (output.tile_costs). */
#ifndef FRAME_LAYERS_COSTS_H
#define FRAME_LAYERS_COSTS_H

#include "io/timings/timings.h"
#include "layer.h"

/*
 * The first and the last frame that a job draws are measured. In other frames, and if
 * `costs` is NULL, the functions below do nothing. Times are processor seconds.
 *
 *     volume, isosurfaces  measured tile by tile
 *     surfaces and lines   measured layer by layer; tiles divide a layer's time by the
 *                          costs of their fragments (frame_layer_cost): surfaces are
 * drawn in several loops over tiles, and clocks in all of them would cost more than
 * colouring a tile the rest             without a volume: blending, divided in the same
 * way; with one: set-up of a view, which belongs to no tile
 */
typedef struct frame_costs frame_costs;

/* Makes costs for a picture of width x height with nlayers layers. Local. Errors:
 * STATUS_MEMORY. */
status frame_costs_create(int width, int height, int nlayers, frame_costs **out);
void frame_costs_destroy(frame_costs **costs);

/* Called around drawing a frame's first sample. `is_on`: measure this frame; then the
 * request asks for the seconds of tiles. Local. */
void frame_costs_begin(frame_costs *costs, bool is_on, draw_request *request);
void frame_costs_end(frame_costs *costs, const draw_request *request);

/* Called around drawing layer `number`. Local. */
void frame_costs_begin_layer(frame_costs *costs);
void frame_costs_end_layer(frame_costs *costs, int number);

/* Divides what no tile has measured, while layers have the fragments of the first sample.
 * `render`: the time of drawing it. Local. */
void frame_costs_share(const frame_scene *scene, const frame_layers *layers,
                       const io_stage_time *render);

/* Adds the frame's costs to its timings: those of the first sample, in proportion to the
 * time of all. `render`: time of the render stage. Collective. Errors: STATUS_MEMORY. */
status frame_costs_record(frame_costs *costs, const io_stage_time *render,
                          io_timings *timings);

#endif
