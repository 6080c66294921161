/* The inside of in-situ sessions, shared by insitu.c (open, render, failures) and
 * its neighbours. */
#ifndef APP_INSITU_STATE_H
#define APP_INSITU_STATE_H

#include "app/frame/job.h"
#include "app/frame/scene/missing.h"
#include "app/steer/run.h"
#include "io/config/in_situ.h"
#include "io/running/running.h"
#include "session.h"

/* ---- The grid (describe.c, grid.c) ----------------------------------- */

typedef struct insitu_field {
    grid_field field;
    io_live_array values;
} insitu_field;

typedef struct insitu_part {
    grid_block block;   /* the whole one: name, n, has_iblank */
    io_live_part place; /* block and fields are not set */
    int nfields;
    insitu_field *fields; /* [nfields], by ascending name */
} insitu_part;

/* What ranks have described, and the source that is made of it. */
typedef struct insitu_grid {
    int nparts;
    insitu_part *parts; /* [nparts]: of this rank */
    status described;   /* the first failure of a description here */
    char *complaint;    /* its message */
    bool is_stale;      /* the source is not there, or of another grid */
    io_source *source;
    int nfields;
    grid_field *fields; /* [nfields]: the source's */
} insitu_grid;

/* Index of the part's field with that name, or -1. Local. */
int insitu_part_find(const insitu_part *part, const char *name);

/*
 * Makes the live source from what all ranks have described. Collective. Errors:
 * STATUS_USAGE (descriptions that do not go together), STATUS_INPUT, STATUS_MEMORY.
 */
status insitu_grid_open(app_insitu *session);
void insitu_grid_close(app_insitu *session);
void insitu_grid_free(app_insitu *session);

/*
 * Takes rank 0's cycle and time, and what any rank has described since: where the grid
 * has changed, pictures and source are made anew. Collective. Errors: those of
 * insitu_grid_open, a wrong description, a field that is not there; the same on every
 * rank. .
 */
status insitu_take_step(app_insitu *session, int64_t cycle, double time);

/* ---- Triggers (trigger.c) --------------------------------------------------- */

typedef struct insitu_trigger {
    const io_trigger *config; /* borrowed */
    bool has_begun;
    int next_time;        /* index into config->times */
    double next_interval; /* number of the interval that ends next */
} insitu_trigger;

/* Whether a picture is due at a step, leaving conditions aside. To be called once for
 * every step. Local; the same on every rank. */
bool insitu_trigger_is_due(insitu_trigger *trigger, int64_t cycle, double time);

/* Whether a range of values, least and greatest, fulfils the condition. Local. */
bool insitu_condition_holds(const io_condition *condition, const double range[2]);

/* ---- Pauses (pause.c) ------------------------------------------------------- */

/* A picture that fails is tried again when it is next due, and from the third failure in
 * a row on not before a pause is over, which doubles with each. Zero is the beginning. */
typedef struct insitu_pause {
    int failed;      /* in a row */
    int64_t missing; /* pictures that were due since the first of them */
    double until;    /* insitu_clock; 0: not in a pause */
} insitu_pause;

/* Seconds of the pause after so many failures in a row: 0 to 300. Local. */
double insitu_pause_seconds(int failed);

/* Whether the picture may be tried, and whether it has failed so often that memory is
 * given back. Local. */
bool insitu_pause_is_over(const insitu_pause *pause, double now);
bool insitu_pause_rests(const insitu_pause *pause);

/* Counts a failure. Local. */
void insitu_pause_fail(insitu_pause *pause, double now);

/* Rank 0's clock: all ranks must decide alike. Collective. */
double insitu_clock(const app_insitu *session);

/* ---- Pictures (picture.c) --------------------------------------------------- */

typedef struct insitu_picture {
    const char *name; /* borrowed from the config */
    insitu_trigger trigger;
    io_config *config; /* for the job that is to be made, or to be changed; NULL: none */
    app_job *job;      /* NULL until the first picture */
    char *frames;      /* output.frames, for the list of pictures */
    int nchanges;      /* by steering: "camera.fov=20" */
    char **changes;    /* [nchanges] */
    bool has_warned;   /* that it shows nothing */
    bool is_changed;   /* since it was drawn */
    insitu_pause pause;
} insitu_picture;

/* Makes all pictures, with their configs but without jobs. Local. Errors: those of
 * io_in_situ_config. */
status insitu_pictures_create(app_insitu *session);
void insitu_pictures_destroy(app_insitu *session);

/* Lets go of all jobs: pictures are made anew. Collective. */
void insitu_pictures_drop(app_insitu *session);

/* Whether what the pictures show can be made of the source's fields. Local, the same on
 * every rank. Errors: STATUS_INPUT, STATUS_MEMORY. */
status insitu_pictures_check(const app_insitu *session);

/*
 * Draws one from what the source holds, and waits until it is written. `checks`: only if
 * its condition holds; *drawn says. Collective. Errors: any, the same on every rank;
 * the next picture may do better.
 */
status insitu_picture_draw(app_insitu *session, insitu_picture *picture, bool checks,
                           bool *drawn);

/*
 * Counts a failure of a picture that was due, or of the grid for all of them, of which
 * some were `due` ([npictures]). The first one in a row is said on standard error, each
 * in status.json; base_fail_message is the reason. Collective.
 */
void insitu_picture_fail(app_insitu *session, insitu_picture *picture);
void insitu_pictures_fail(app_insitu *session, const bool *due);

/* The picture was drawn: after failures this is said, and how many are missing. Local. */
void insitu_picture_recover(app_insitu *session, insitu_picture *picture);

/* Gives back the memory of pictures that have failed three times in a row or more.
 * Collective. */
void insitu_pictures_rest(app_insitu *session);

/* Puts "key=value" over the picture's config from its next drawing on. Collective: the
 * same on all ranks. Errors: those of io_in_situ_config; nothing has changed then. */
status insitu_picture_change(app_insitu *session, insitu_picture *picture,
                             const char *key, const char *value);

/* ---- Parameters (parameters.c) and orders (steer.c) ------------------ */

/* A setting of a picture, or a value of the program, that orders may set. */
typedef struct insitu_parameter {
    app_insitu *session;
    int picture; /* -1: the program's */
    char *key;   /* in the picture's config: "camera.fov" */
    steer_type type;
    int count;
    double *target;
    karman_set_value *set;
    void *context;
} insitu_parameter;

/* Registers what may be set of the pictures: every number, text and list of camera,
 * layers, lights, clip, annotations and image.background that their configs have. Local.
 * Errors: STATUS_MEMORY, STATUS_USAGE. */
status insitu_parameters_register(app_insitu *session);
void insitu_parameters_free(app_insitu *session);

/* Draws all pictures for those who ask for it: steer_redraw of a session. */
status insitu_steer_redraw(void *session, int64_t cycle, double time);

/* Lets the run begin halted: an order like any other, which the first poll finds.
 * Collective. Errors: STATUS_OUTPUT, STATUS_MEMORY. */
status insitu_steer_halt(app_insitu *session);

/* A new parameter; borrowed, NULL without memory. */
insitu_parameter *insitu_parameter_add(app_insitu *session);

/* ---- What it costs (cost.c) ------------------------------------------------- */

/* Since the line of timings before. */
typedef struct insitu_cost {
    int depth;           /* of calls that are under way */
    double entered;      /* base_clock */
    int64_t heap_before; /* as a call began */
    double seconds;      /* in all calls */
    double create;       /* of them: making and changing jobs */
    double stages[IO_STAGES];
    int64_t bytes_composited;
    int64_t bytes_moved_before; /* io_live_bytes */
    int64_t heap;               /* bytes that the session holds, not only since */
} insitu_cost;

void insitu_cost_add_frame(app_insitu *session, const app_frame *frame);

/* Writes a line of timings, and begins the next. Collective. */
void insitu_cost_publish(app_insitu *session);

/* The step that the program's arrays are of. */
typedef struct insitu_step {
    bool has_begun; /* cycle and time are those of the arrays */
    int64_t cycle;
    double time;
    double now; /* insitu_clock as it began */
} insitu_step;

/* ---- The session ------------------------------------------------------------------- */

struct karman_session {
    MPI_Comm comm;
    int rank, ranks, threads;
    bool goes_on; /* with what is in the run directory */

    io_in_situ_text from; /* of the config; all of it owned */
    io_in_situ *config;
    int npictures;
    insitu_picture *pictures; /* [npictures] */

    insitu_grid grid;
    app_missing *missing; /* what pictures have said of missing values; NULL: nothing */

    steer_run *run;
    int nparameters;
    insitu_parameter **parameters; /* [nparameters] */

    insitu_step step;
    int failures; /* of descriptions, which stay wrong, in a row */
    bool is_off;  /* after them */
    insitu_cost cost;
};

#endif
