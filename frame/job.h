/* A render job: all state from the config to the last frame. */
#ifndef FRAME_JOB_H
#define FRAME_JOB_H

#include "base/image.h"
#include "base/status.h"
#include "config_load.h"
#include "frame/auto/auto.h"
#include "frame/scene/missing.h"
#include "io/source.h"
#include "io/timings/timings.h"

#include <mpi.h>
#include <stdint.h>

typedef struct frame_job frame_job;

/* The outcome of one frame; the same on every rank. */
typedef struct frame_result {
    int64_t step;
    double time;
    const char *picture; /* path; borrowed until the next frame */
    bool was_complete;   /* --resume found it complete: nothing was drawn */
    bool is_plain;       /* the first frame of a volume, and it shows hardly more than one
                            colour */
    bool is_blank; /* it was drawn and shows only background, although its fields have
                      finite values */
    int64_t crossings, lost_rays, nan_cells;
    double seconds;
    double stages[IO_STAGES]; /* seconds of each stage on this rank */
    int64_t bytes_sent;       /* by compositing on this rank */
} frame_result;

/*
 * Reads the config, opens the source, cuts space, loads this rank's bricks, and finds all
 * errors that can be known before the first frame. Collective. Errors: any status, the
 * same on every rank.
 */
status frame_job_create(MPI_Comm comm, const char *config_path,
                        const frame_job_options *options, frame_job **out);

/* Finds the errors that a job of so many ranks would find in its config alone. Local.
 * Errors: STATUS_USAGE with the place of the key. */
status frame_job_check(const io_config *config, int ranks);

/* A running program, as a job draws it. All of it is borrowed. */
typedef struct frame_job_memory {
    io_source *source;                 /* a memory source with one step */
    struct frame_particles *particles; /* of the program; NULL: layers trace their own */
    int threads;                       /* these three: of frame_job_options */
    bool is_shown;
    const char *field;
} frame_job_memory;

/*
 * Creates a job from a ready config and a running program. The job takes *config and sets
 * it to NULL, also on failure. Values that the config leaves open are found from the
 * current step, unless they are `known` (may be NULL). comm is borrowed: a session uses
 * one for all its work. Collective. Errors: as frame_job_create.
 */
status frame_job_create_from_memory(MPI_Comm comm, io_config **config,
                                    const frame_job_memory *memory,
                                    const frame_auto_values *known, frame_job **out);

/*
 * Gives a job another config for its next picture: then the job takes *config and sets it
 * to NULL. Otherwise *config stays, and the caller must replace the job.
 *
 * A job of files takes any config of the same data whose ranks draw boxes of space that
 * stay. A job of a running program does so if a new view or new colours of the same
 * volume suffice: not if the picture has layers beside the volume, ranks own parts of the
 * picture, or another key differs.
 *
 * Collective; configs are the same on every rank. Errors: those of frame_job_create: then
 * the caller must destroy the job, unless *config is still there.
 */
status frame_job_change(frame_job *job, io_config **config);

/*
 * Replaces the job by a new one, as frame_job_create_from_memory makes it; *job may be
 * NULL. A range of a volume's field that both configs leave open is kept. The new job
 * takes *config; *job is NULL after a failure. Collective. Errors: those of
 * frame_job_create_from_memory.
 */
status frame_job_replace(MPI_Comm comm, io_config **config,
                         const frame_job_memory *memory, frame_job **job);

/* Replaces *config, which leaves its layers open, by one with the layers and annotations
 * that the job has found. Any other config stays. Local. Errors: STATUS_MEMORY. */
status frame_job_adopt_layers(const frame_job *job, io_config **config);

/* Releases memory that the next picture allocates again. Local. */
void frame_job_rest(frame_job *job);

/* Waits until all pictures are written, and returns the first failure. The job remains
 * usable. Collective. Errors: STATUS_OUTPUT. */
status frame_job_wait(frame_job *job);

/* Collective; NULL is fine. */
void frame_job_destroy(frame_job **job);

/* The number of pictures: frames, or several pictures of each frame. */
int frame_job_frame_count(const frame_job *job);

/* The number of pictures of a frame. */
int frame_job_pictures(const frame_job *job);

/* Whether the job's choice (--frames) has picture `frame`, 0 to count - 1. Local. */
bool frame_job_is_chosen(const frame_job *job, int frame);

/* Whether picture `frame` ends a file: cells but the last one do not. Local. */
bool frame_job_makes_file(const frame_job *job, int frame);

/* The config of several pictures, with the layers and ranges found for them; of one, that
 * with all values found for it. Borrowed. Local. */
const io_config *frame_job_whole_config(const frame_job *job);

/* The config with all values found for it. Borrowed. Local. */
const io_config *frame_job_config(const frame_job *job);

/* The step of frame `frame`, 0 to count - 1. Local. */
const io_step *frame_job_step(const frame_job *job, int frame);

/*
 * Detach takes the record of warnings about missing values from a job; attach gives it to
 * another job with the same fields, which then does not repeat them. NULL is fine. Local.
 */
frame_missing *frame_job_detach_missing(frame_job *job);
void frame_job_attach_missing(frame_job *job, frame_missing **missing);

/* Renders frame `frame`, 0 to count - 1. Its picture is written during the next frame.
 * Collective. Errors: any status, the same on every rank. */
status frame_job_render(frame_job *job, int frame, frame_result *out);

/* Takes the image of a part at a position in visibility order, which is borrowed. Ends
 * the drawing by a status other than STATUS_OK. */
typedef status frame_take_part(const image *img, int position, void *context);

/*
 * Draws the images that so many ranks would composite for the last step, one after
 * another: each shows a box of space with an equal number of cells. The job has one rank.
 * Local. Errors: those of frame_job_render and `take`; STATUS_USAGE if ranks own parts of
 * the picture; STATUS_MEMORY.
 */
status frame_job_draw_parts(frame_job *job, int parts, frame_take_part *take,
                            void *context);

/* Waits for the pictures, writes the timings. Collective. Errors: STATUS_OUTPUT. */
status frame_job_finish(frame_job *job);

#endif
