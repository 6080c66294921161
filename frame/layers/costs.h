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
 *                          costs of their fragments (app_layer_cost): surfaces are drawn
 *                          in several loops over tiles, and clocks in all of them would
 *                          cost more than colouring a tile
 *     the rest             without a volume: blending, divided in the same way; with one:
 *                          set-up of a view, which belongs to no tile
 */
typedef struct app_costs app_costs;

/* Makes costs for a picture of width x height with nlayers layers. Local. Errors:
 * STATUS_MEMORY. */
status app_costs_create(int width, int height, int nlayers, app_costs **out);
void app_costs_destroy(app_costs **costs);

/* Called around drawing a frame's first sample. `is_on`: measure this frame; then the
 * request asks for the seconds of tiles. Local. */
void app_costs_begin(app_costs *costs, bool is_on, draw_request *request);
void app_costs_end(app_costs *costs, const draw_request *request);

/* Called around drawing layer `number`. Local. */
void app_costs_begin_layer(app_costs *costs);
void app_costs_end_layer(app_costs *costs, int number);

/* Divides what no tile has measured, while layers have the fragments of the first sample.
 * `render`: the time of drawing it. Local. */
void app_costs_share(const app_scene *scene, const app_layers *layers,
                     const io_stage_time *render);

/* Adds the frame's costs to its timings: those of the first sample, in proportion to the
 * time of all. `render`: time of the render stage. Collective. Errors: STATUS_MEMORY. */
status app_costs_record(app_costs *costs, const io_stage_time *render,
                        io_timings *timings);

#endif
