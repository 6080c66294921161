/*
 * In-situ sessions: the work behind karman.h. Each function does the work of the call of
 * the same name, and returns a status. karman_insitu.c prints the messages.
 */
#ifndef LIBRARY_INSITU_H
#define LIBRARY_INSITU_H

#include "base/status.h"
#include "grid/field.h"
#include "session.h"

/* `path` names a config file. If it is NULL, `text` of rank 0 is the config.
 * Collective. */
status app_insitu_open(MPI_Comm comm, const char *path, const char *text,
                       const karman_options *options, app_insitu **out);

/* What somebody knows of a program before it runs. */
typedef struct app_insitu_plan {
    int ranks; /* 0: those of the communicator */
    int nfields, nblocks;
    const grid_field *fields; /* [nfields]; none: fields are not checked */
    const grid_block *blocks; /* [nblocks]: name and n; none: blocks are not checked */
} app_insitu_plan;

/*
 * Finds all that app_insitu_open would find in a config file, and what the first picture
 * would find in fields and blocks that are planned. Makes no run directory. *pictures:
 * their number. Collective. Errors: STATUS_USAGE, STATUS_INPUT, STATUS_MEMORY.
 */
status app_insitu_check(MPI_Comm comm, const char *path, const karman_options *options,
                        const app_insitu_plan *plan, int *pictures);

/* Collective. Errors: STATUS_OUTPUT. */
status app_insitu_close(app_insitu **session);

/* Local. Errors: STATUS_USAGE, STATUS_MEMORY. */
status app_insitu_set_block(app_insitu *session, int part, const karman_block *block);
status app_insitu_drop_parts(app_insitu *session, int first);
status app_insitu_set_field(app_insitu *session, int part, const char *name,
                            int association, const karman_array *values);

/* Draws the pictures that are due. *off: none was tried, because all of them pause after
 * failures or no picture can be drawn any more. Collective. Errors: any, the same on
 * every rank. */
status app_insitu_render(app_insitu *session, int64_t cycle, double time, bool *off);

/* Save the particles of a checkpoint's step, and go on with them. Collective. Errors:
 * any, the same on every rank. */
status app_insitu_save(app_insitu *session, int64_t cycle, double time);
status app_insitu_restore(app_insitu *session, int64_t cycle, double time);

/* Carries out orders. Returns KARMAN_GO_ON or KARMAN_STOP. Collective. */
int app_insitu_poll(app_insitu *session, int64_t cycle, double time);

/* A parameter of the program. A new value goes to `set`; if that is NULL, to *target.
 * Local. */
typedef struct app_insitu_value {
    const char *name, *help;
    double value, min, max;
    double *target;
    karman_set_value *set;
    void *context;
} app_insitu_value;

status app_insitu_add_value(app_insitu *session, const app_insitu_value *value);

/* Local. */
void app_insitu_monitor(app_insitu *session, int64_t cycle, double time, int count,
                        const char *const *names, const double *values);

/* Called at the start and end of each call of the program: measures its time and memory.
 * Local. */
void app_insitu_enter(app_insitu *session);
void app_insitu_leave(app_insitu *session);

#endif
