/* The private parts of an in-situ session, shared by the files of this folder. */
#ifndef LIBRARY_STATE_H
#define LIBRARY_STATE_H

#include "frame/job.h"
#include "frame/particles/particles.h"
#include "frame/scene/missing.h"
#include "io/config/in_situ.h"
#include "io/sources/memory/memory.h"
#include "run/settings/settings.h"
#include "run/steer/run.h"
#include "session.h"

/* ---- The grid (describe.c, grid.c) ------------------------------------------------- */

typedef struct insitu_field {
    grid_field field;
    io_memory_array values;
    int before[3], after[3]; /* layers of ghosts in its array */
} insitu_field;

typedef struct insitu_part {
    grid_block block;     /* the whole block: name, n, has_iblank */
    io_memory_part place; /* its block and fields are not set */
    int nfields;
    insitu_field *fields; /* [nfields], by ascending name */
} insitu_part;

/* The descriptions of this rank, and the source that all ranks make from theirs. */
typedef struct insitu_grid {
    int nparts;
    insitu_part *parts; /* [nparts]: of this rank */
    status described;   /* the first failure of a description on this rank */
    char *complaint;    /* the message of that failure */
    bool is_stale;      /* there is no source, or it has another grid */
    io_source *source;
    int nfields;
    grid_field *fields;    /* [nfields]: of the source */
    bool is_told;          /* there is no source, but the fields of one are known */
    grid_layout *declared; /* blocks without a source (insitu_check); else NULL */
    bool has_warned[2];    /* of shared coordinates, and of fields, that disagree */
} insitu_grid;

/* Takes note of layers of ghosts around a part: those of the array that has most count.
 * Local. */
void insitu_part_surround(io_memory_part *place, const int before[3], const int after[3]);

/* Index of the part's field with that name, or -1. Local. */
int insitu_part_find(const insitu_part *part, const char *name);

/*
 * Makes the memory source from the descriptions of all ranks. Collective. Errors:
 * STATUS_USAGE (descriptions contradict each other), STATUS_INPUT, STATUS_MEMORY.
 */
status insitu_grid_open(insitu_session *session);
/* Warns once in a session if parts disagree about the coordinates, or the fields, of
 * vertices that they share. Collective. Errors: STATUS_MEMORY. */
status insitu_grid_compare(insitu_session *session, bool fields);
void insitu_grid_close(insitu_session *session);
void insitu_grid_free(insitu_session *session);

/* ---- Triggers (trigger.c) ---------------------------------------------------------- */

typedef struct insitu_trigger {
    const io_trigger *config; /* borrowed */
    bool has_begun;
    int next_time;        /* index into config->times of the next time */
    double next_interval; /* number of the interval that ends next */
} insitu_trigger;

/* Whether a picture is due at a step, apart from its condition. Call it once for every
 * step. Local; the same on every rank. */
bool insitu_trigger_is_due(insitu_trigger *trigger, int64_t cycle, double time);

/* Whether a value fulfils the condition. shown: that at the last picture, or NaN. Local.
 */
bool insitu_condition_holds(const io_condition *condition, double value, double shown);

/* ---- Pauses (pause.c) -------------------------------------------------------------- */

/* Failures of a picture. After a failure the picture is tried again when it is next due.
 * From the third failure in a row on, it pauses first; each further failure doubles the
 * pause. Zero is the initial state. */
typedef struct insitu_pause {
    int failed;      /* failures in a row */
    int64_t missing; /* pictures that were due since the first of these failures */
    double until;    /* end of the pause by insitu_clock; 0: not in a pause */
} insitu_pause;

/* Seconds of the pause after `failed` failures in a row: 0 to 300. Local. */
double insitu_pause_seconds(int failed);

/* _is_over: whether the picture may be tried now. _rests: whether it has failed so often
 * that its memory is freed. Local. */
bool insitu_pause_is_over(const insitu_pause *pause, double now);
bool insitu_pause_rests(const insitu_pause *pause);

/* Counts a failure. Local. */
void insitu_pause_fail(insitu_pause *pause, double now);

/* Rank 0's clock, because all ranks must decide alike. Collective. */
double insitu_clock(const insitu_session *session);

/* ---- Pictures (picture.c) ---------------------------------------------------------- */

typedef struct insitu_picture {
    const char *name; /* borrowed from the config */
    insitu_trigger trigger;
    io_config *config; /* with all changes by orders; values may be open */
    bool is_stale;     /* the job has an older config */
    frame_job *job;    /* NULL until the first picture */
    char *frames;      /* output.frames, for the list of pictures */
    bool has_warned;   /* of a picture that shows only background */
    bool is_changed;   /* by an order, since it was drawn */
    bool is_due;       /* at the step, by its trigger */
    insitu_pause pause;
    double value, shown; /* of its condition: now, and at the last picture (or NaN) */
} insitu_picture;

/* Makes all pictures, with configs but without jobs. Local. Errors: those of
 * io_in_situ_config. */
status insitu_pictures_create(insitu_session *session);
void insitu_pictures_destroy(insitu_session *session);

/* Frees all jobs; the next drawing makes them anew. Collective. */
void insitu_pictures_drop(insitu_session *session);

/* Whether the source has, or can derive, all fields that the pictures show. Local, the
 * same on every rank. Errors: STATUS_INPUT, STATUS_MEMORY. */
status insitu_pictures_check(const insitu_session *session);

/*
 * (draw.c) Draws one picture from the source's step, and waits until it is written. With
 * `checks`, it is drawn only if its condition holds. *drawn: whether it was drawn.
 * Collective. Errors: any, the same on every rank; the next picture may still succeed.
 */
status insitu_picture_draw(insitu_session *session, insitu_picture *picture, bool checks,
                           bool *drawn);

/*
 * Count a failure: of one picture that was due, or of the grid, for all pictures;
 * due[npictures] tells which of them were due. The first failure in a row is printed on
 * standard error. Each is written to status.json. base_fail_message is the reason.
 * Collective.
 */
void insitu_picture_fail(insitu_session *session, insitu_picture *picture);
void insitu_pictures_fail(insitu_session *session, const bool *due);

/* Ends a row of failures after a success: reports it, with the number of missing
 * pictures. Local. */
void insitu_picture_recover(insitu_session *session, insitu_picture *picture);

/* Shows in status.json which pictures wait to be drawn after a change. Local. */
void insitu_pictures_publish(insitu_session *session);

/* Frees the memory of pictures that have failed three times in a row or more.
 * Collective. */
void insitu_pictures_rest(insitu_session *session);

/*
 * _plan changes a copy of the section with the times ([count] texts for
 * io_in_situ_change), and makes the picture's config if it differs, else NULL. _take
 * gives it to the picture, from its next drawing on; takes *config. Local, the same on
 * all ranks. Errors: those of io_in_situ_change, a picture that is too large, a field
 * that is not there; then the picture has not changed.
 */
status insitu_picture_plan(const insitu_session *session, int index,
                           struct io_document *section, int count,
                           const char *const *changes, io_config **config);
void insitu_picture_take(insitu_session *session, insitu_picture *picture,
                         io_config **config);

/* Whether a picture, which has a name and a config, can be one of the session; finishes
 * it. _clear frees its members (collective, if it has a job). Errors: STATUS_USAGE,
 * STATUS_MEMORY. */
status insitu_picture_check_new(insitu_session *session, insitu_picture *picture);
void insitu_picture_clear(insitu_picture *picture);

/* Whether the grid has the fields and places of all conditions. Local. */
status insitu_times_check(const insitu_session *session, const io_in_situ *times);

/*
 * _room makes room for more pictures. _swap takes a new section of the config: removes
 * pictures, adds new ones behind the others, and gives all their times. The section
 * becomes the session's. Collective. Errors of _room: STATUS_MEMORY.
 */
status insitu_pictures_room(insitu_session *session, int count);
void insitu_pictures_swap(insitu_session *session, const bool *is_removed, int nadded,
                          const insitu_picture *added, io_in_situ **section);

/* ---- Parameters (parameters.c) and orders (steer.c, change.c) ---------------------- */

/* A setting of a picture, or a value of the program. Orders may set it. */
typedef struct insitu_parameter {
    insitu_session *session;
    int picture; /* index of the picture; -1: a value of the program */
    char *name;  /* of a setting: its name for orders */
    char *key;   /* in the picture's config: "camera.fov" */
    steer_type type;
    int count;
    bool may_lack; /* as of steer_parameter */
    double *target;
    karman_set_value *set;
    void *context;
} insitu_parameter;

/*
 * Registers the settings of all pictures: every number, text and list of steerable keys
 * in their configs, with the values that were found for open keys, once there are some.
 * _relist does so again after a change of configs, fields or found values; a failure is a
 * warning, and settings are missing. Local. Errors: STATUS_MEMORY, STATUS_USAGE.
 */
status insitu_parameters_register(insitu_session *session);
void insitu_parameters_relist(insitu_session *session);
void insitu_parameters_free(insitu_session *session);

/* The order change: a steer_change of a session (parameters.c). It lists the settings
 * anew. */
status insitu_change(void *session, const char *texts, size_t size, char *message);

/* Finds the errors of such texts, and changes nothing (change.c). Local. */
status insitu_change_check(insitu_session *session, const char *texts);

/* What clients check changes by: a steer_describe of a session (client.c). */
json_t *insitu_client_describe(void *session);

/* The same without the list: by the texts of an order, which end with an empty one; and
 * of one picture by one text, such as "camera.fov=20" (change.c). Collective. */
status insitu_change_texts(insitu_session *session, const char *texts, size_t size,
                           char *message);
status insitu_change_picture(insitu_session *session, int index, const char *text);

/* Draws all pictures on the order redraw: the steer_redraw of a session. */
status insitu_steer_redraw(void *session, int64_t cycle, double time);

/* Lets the run begin halted: sends the order halt, which the first poll finds.
 * Collective. Errors: STATUS_OUTPUT, STATUS_MEMORY. */
status insitu_steer_halt(insitu_session *session);

/* Adds a parameter, and returns it, borrowed; NULL without memory. */
insitu_parameter *insitu_parameter_add(insitu_session *session);

/* ---- Particles (particles.c) ------------------------------------------------------- */

/*
 * Moves the particles of all pictures to the session's step, and publishes their numbers.
 * The source has the step. Collective. Errors: those of frame_particles_step; pictures
 * without particles can still be drawn.
 */
status insitu_particles_step(insitu_session *session);

/* Publishes the numbers of particles that are not published yet. Local. */
void insitu_particles_publish(insitu_session *session);

/* The numbers of particles that are published as monitors. */
typedef struct insitu_counts {
    trace_counts last; /* after the last step */
    int64_t cycle;     /* of that step */
    double time;
    bool is_pending; /* they are not published yet */
    double at;       /* base_clock of the last publication */
} insitu_counts;

/* ---- Numbers of fields (measure.c) ------------------------------------------------- */

/* Places and fields of numbers, once they are needed. */
typedef struct insitu_measure insitu_measure;

/* Checks the fields and the place of a number as far as the grid is described; `key` is
 * its place in the config. Local. Errors: STATUS_USAGE, STATUS_MEMORY. */
status insitu_measure_check(const insitu_session *session, const io_config *config,
                            const char *key, const io_measured *of);

/* Finds values[count] of of[count] at the source's step; derived fields are those of a
 * config. NaN: there is none. Collective. Errors: STATUS_USAGE, STATUS_INPUT,
 * STATUS_MEMORY. */
status insitu_measure_find(insitu_session *session, const io_config *config, int count,
                           const io_measured *const *of, double *values);

/* Forgets the fields, after a change of configs; and the grid, too. Local. */
void insitu_measure_forget(insitu_session *session);
void insitu_measure_drop(insitu_session *session);

/* Whether monitors are due at the step; finds and publishes them: monitors.jsonl, and a
 * row of monitors.csv. _step is collective. Errors: those of insitu_measure_find,
 * STATUS_OUTPUT. */
bool insitu_monitors_are_due(const insitu_session *session);
status insitu_monitors_step(insitu_session *session);

/* ---- Costs (cost.c) ---------------------------------------------------------------- */

/* Costs since the last line of timings. */
typedef struct insitu_cost {
    int depth;           /* nested calls under way */
    double entered;      /* base_clock at the start of the call */
    int64_t heap_before; /* at the start of the call */
    double seconds;      /* in all calls */
    double create;       /* part of `seconds`: making and changing jobs */
    double particles;    /* part of `seconds`: moving particles */
    double stages[IO_STAGES];
    int64_t bytes_composited;
    int64_t bytes_moved_before; /* io_memory_bytes at the last line */
    int64_t heap;               /* bytes that the session holds now, not since the last
                                   line */
} insitu_cost;

void insitu_cost_add_frame(insitu_session *session, const frame_result *frame);

/* Writes a line of timings, and begins the next one. Collective. */
void insitu_cost_publish(insitu_session *session);

/* ---- The step (step.c) ------------------------------------------------------------- */

/* The step in the program's arrays. */
typedef struct insitu_step {
    bool has_begun; /* there is a step: cycle and time are set */
    int64_t cycle;
    double time;
    double now;       /* insitu_clock at its start */
    bool may_redraw;  /* changed pictures may be drawn that are not due */
    double redraw_at; /* rank 0: by its clock, when they may be drawn next */
} insitu_step;

/*
 * Takes rank 0's cycle and time, and the new descriptions of all ranks. If the grid has
 * changed, pictures and source are made anew. _step then moves the particles, too
 * (particles.c). Collective. Errors: those of insitu_grid_open, a wrong description, a
 * missing field; the same on every rank.
 */
status insitu_take_grid(insitu_session *session, int64_t cycle, double time);
status insitu_take_step(insitu_session *session, int64_t cycle, double time);

/* The parts of that, in their order. _share_step takes rank 0's step; rank 0 waits for
 * nobody. _share_descriptions learns of new or wrong descriptions on any rank.
 * _take_descriptions makes the source anew if the grid has changed, and sets its step.
 * Collective. */
void insitu_share_step(insitu_session *session, int64_t cycle, double time);
status insitu_share_descriptions(insitu_session *session);
status insitu_take_descriptions(insitu_session *session);

/* ---- The session ------------------------------------------------------------------- */

struct insitu_data; /* data/data.h */

struct karman_session {
    MPI_Comm comm;
    int rank, ranks, threads;
    int neighbours; /* ranks of this node; 0: not counted yet */
    bool goes_on;   /* options.resume: continue the run in the run directory */

    io_in_situ_text from; /* the config's text and overrides, all owned */
    io_in_situ *config;
    int npictures;
    insitu_picture *pictures; /* [npictures] */

    insitu_grid grid;
    frame_particles *particles;
    frame_missing *missing; /* warnings given about missing values; NULL: none */

    steer_run *run;
    int nparameters;
    insitu_parameter **parameters; /* [nparameters] */
    settings_offers offers;        /* rank 0 */

    insitu_step step;
    insitu_counts counts;
    insitu_measure *measure; /* NULL: not needed yet */
    int failures;            /* in a row, of descriptions, which stay wrong */
    bool is_off;             /* after MOST_FAILURES of them */
    insitu_cost cost;
    struct insitu_data *data; /* of a session without a run; NULL: of a run */
    void (*free_data)(struct insitu_data **data);
};

/* Makes an empty session. Collective. Errors: STATUS_MEMORY. */
status insitu_create(MPI_Comm comm, insitu_session **out);

/* Copies the options, and the path of the config (NULL: a text has no path). Local.
 * Errors: STATUS_MEMORY. */
status insitu_copy_options(insitu_session *session, const char *path,
                           const karman_options *options);

#endif
