/* What tiles of a picture cost on this rank, for the timings (output.tile_costs). */
#ifndef APP_FRAME_COSTS_H
#define APP_FRAME_COSTS_H

#include "job.h"

/*
 * The first frame that a job draws and the last one are looked at; nothing is done in the
 * others, and none of the functions below does anything for a job whose config does not
 * ask. Times are processor seconds.
 *
 *     volume, isosurfaces  by a clock, tile by tile
 *     surfaces and lines   by a clock, layer by layer; its tiles share what a layer took
 *                          by what their fragments take (app_layers_cost): surfaces are
 *                          drawn in several loops over tiles, in all of which clocks
 *                          would cost more than colouring a tile
 *     the rest             without a volume it is blending, and shared out in the same
 *                          way; else it is of no tile, as setting up a view
 */
typedef struct app_costs app_costs;

/* Sets job->costs where the config asks for it. The job has its timings, and its picture
 * has a size. Local. Errors: STATUS_MEMORY. */
status app_costs_create(app_job *job);
void app_costs_destroy(app_job *job);

/* Around drawing a frame, of which `frames_left` are to come with this one. Local. */
void app_costs_begin(app_job *job, int frames_left);
void app_costs_end(app_job *job);

/* Where layers whose rays march add what tiles take ([rows][columns]); NULL where nobody
 * wants to know. Local. */
double *app_costs_tiles(const app_job *job);

/* Around drawing layer `number`. Local. */
void app_costs_begin_layer(app_job *job);
void app_costs_end_layer(app_job *job, int number);

/* Adds to the timings of the frame what it took; `render`: what its stage took.
 * Collective. Errors: STATUS_MEMORY. */
status app_costs_record(app_job *job, const io_stage_time *render);

#endif
