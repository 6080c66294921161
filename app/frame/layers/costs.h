/* What tiles of a picture cost on this rank, for the timings (output.tile_costs). */
#ifndef APP_FRAME_LAYERS_COSTS_H
#define APP_FRAME_LAYERS_COSTS_H

#include "io/timings/timings.h"
#include "layer.h"

/*
 * The first frame that a job draws and the last one are looked at; nothing is done in the
 * others, and none of the functions below does anything where costs are NULL. Times are
 * processor seconds.
 *
 *     volume, isosurfaces  by a clock, tile by tile
 *     surfaces and lines   by a clock, layer by layer; its tiles share what a layer took
 *                          by what their fragments take (app_layer_cost): surfaces are
 *                          drawn in several loops over tiles, in all of which clocks
 *                          would cost more than colouring a tile
 *     the rest             without a volume it is blending, and shared out in the same
 *                          way; else it is of no tile, as setting up a view
 */
typedef struct app_costs app_costs;

/* For a picture of that size, of so many layers. Local. Errors: STATUS_MEMORY. */
status app_costs_create(int width, int height, int nlayers, app_costs **out);
void app_costs_destroy(app_costs **costs);

/* Around drawing a frame, which `is_on` says to look at: meanwhile tiles of the scene are
 * clocked. Local. */
void app_costs_begin(app_costs *costs, bool is_on, app_scene *scene);
void app_costs_end(app_costs *costs, app_scene *scene);

/* Around drawing layer `number`. Local. */
void app_costs_begin_layer(app_costs *costs);
void app_costs_end_layer(app_costs *costs, int number);

/* Adds to the timings of the frame what it took; `render`: what its stage took.
 * Collective. Errors: STATUS_MEMORY. */
status app_costs_record(const app_scene *scene, const app_layers *layers,
                        const io_stage_time *render, io_timings *timings);

#endif
