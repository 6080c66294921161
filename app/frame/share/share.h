/* Who draws what: the parts of space or of the picture that ranks own, and their bricks.
 */
#ifndef APP_FRAME_SHARE_SHARE_H
#define APP_FRAME_SHARE_SHARE_H

#include "app/frame/job.h"
#include "composite/run/execute.h"
#include "io/picture/png_strip.h"

/*
 * Cuts space into a home for every rank, from which particles are traced and edges are
 * read. Sets job->partition, home and box, which is the home with partition: object. The
 * job has its layout. Collective. Errors: STATUS_MEMORY.
 */
status app_share_create(app_job *job);

/*
 * With partition: screen, cuts the picture by what its pixels are expected to cost: sets
 * job->screen, and camera.window to this rank's rectangle. Then compares what the bricks
 * of each rank take with the config's memory. The job has its camera and its layers.
 * Collective. Errors: STATUS_USAGE (they take more: the message says how many ranks
 * would do), STATUS_MEMORY.
 */
status app_share_divide(app_job *job);

void app_share_destroy(app_job *job);

/* Numbers of the bricks that this rank draws, malloc'ed, ascending; or of those that
 * meet its home. Local. Errors: STATUS_MEMORY. */
status app_share_bricks(const app_job *job, int64_t *count, int64_t **numbers);
status app_share_home_bricks(const app_job *job, int64_t *count, int64_t **numbers);

/* Both. */
status app_share_all_bricks(const app_job *job, int64_t *count, int64_t **numbers);

/*
 * With balance: cost: takes what drawing the last picture cost, and where it pays over
 * the frames that are left gives ranks other rectangles or boxes. Then *moved, the same
 * on every rank, and whoever holds bricks must get those of the new ones. Collective.
 * Errors: STATUS_MEMORY.
 */
status app_share_correct(app_job *job, int frames_left, bool *moved);

/* Whether this rank draws the same part of space in all pictures. The same on every rank.
 * Local. */
bool app_share_stays(const app_job *job);

/* Seconds that giving ranks other bricks is expected to take, beyond what loading a
 * field takes in any case. The same on every rank. Local. */
double app_share_move_seconds(const app_job *job);

/*
 * Whether bricks that move are sent by ranks that have them (io_load_moved), or read once
 * more: whichever took less time before; sent at first. Where memory is limited they are
 * read, as an exchange holds old and new ones for a while. The same on every rank. Local.
 */
bool app_share_exchanges(const app_job *job);

/*
 * Puts the picture together out of the rectangles of all ranks, without blending: with
 * output.float at rank 0, which gets the floats; else as bytes, which `pixels` makes of
 * this rank's rectangle, in equal bands of rows. `rendered`: what became of drawing. What
 * is returned may differ from rank to rank, and is to be agreed on before
 * app_share_pixels reads anything. Adds what was sent to *counters. Collective. Errors:
 * `rendered`, STATUS_MEMORY.
 */
status app_share_put_together(app_job *job, status rendered, io_png_pixels *pixels,
                              composite_counters *counters);

/* This rank's band, and its bytes afterwards: io_png_pixels with the job as context.
 * Local. */
io_png_range app_share_range(const app_job *job);
void app_share_pixels(const void *context, int64_t pix0, int64_t npix, uint8_t *rgb);

#endif
