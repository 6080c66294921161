/*
 * In-situ sessions: the work behind karman.h. Each function does the work of the call of
 * the same name, and returns a status. karman_insitu.c prints the messages.
 */
#ifndef LIBRARY_INSITU_H
#define LIBRARY_INSITU_H

#include "base/status.h"
#include "grid/field.h"
#include "session.h"

#include <jansson.h>

/* `path` names a config file. If it is NULL, `text` of rank 0 is the config.
 * Collective. */
status insitu_open(MPI_Comm comm, const char *path, const char *text,
                   const karman_options *options, insitu_session **out);

/* What somebody knows of a program before it runs. */
typedef struct insitu_plan {
    int ranks; /* 0: those of the communicator */
    int nfields, nblocks;
    const grid_field *fields; /* [nfields]; none: fields are not checked */
    const grid_block *blocks; /* [nblocks]: name and n; none: blocks are not checked */
} insitu_plan;

/*
 * Checks an order "change" for a run directory as the program will, before it is sent:
 * with the configs and fields that the run has published. Other orders pass, and those of
 * runs that publish none. Local, no MPI. Errors: STATUS_USAGE with the program's words,
 * STATUS_INPUT, STATUS_MEMORY.
 */
status insitu_client_check(const char *folder, const json_t *order);

/*
 * Finds all that insitu_open would find in a config file, and what the first picture
 * would find in fields and blocks that are planned. Makes no run directory. *pictures:
 * their number. Collective. Errors: STATUS_USAGE, STATUS_INPUT, STATUS_MEMORY.
 */
status insitu_check(MPI_Comm comm, const char *path, const karman_options *options,
                    const insitu_plan *plan, int *pictures);

/* Collective. Errors: STATUS_OUTPUT. */
status insitu_close(insitu_session **session);

/* Local. Errors: STATUS_USAGE, STATUS_MEMORY. */
status insitu_set_block(insitu_session *session, int part, const karman_block *block);
status insitu_drop_parts(insitu_session *session, int first);
status insitu_set_field(insitu_session *session, int part, const char *name,
                        int association, const karman_array *values);

/* Notes a wrong description that the caller has found. Local. */
void insitu_refuse(insitu_session *session, const char *message);

/* Draws the pictures that are due. *off: none was tried, because all of them pause after
 * failures or no picture can be drawn any more. Collective. Errors: any, the same on
 * every rank. */
status insitu_render(insitu_session *session, int64_t cycle, double time, bool *off);

/* Save the particles of a checkpoint's step, and go on with them. Collective. Errors:
 * any, the same on every rank. */
status insitu_save(insitu_session *session, int64_t cycle, double time);
status insitu_restore(insitu_session *session, int64_t cycle, double time);

/* Carries out orders. Returns KARMAN_GO_ON or KARMAN_STOP. Collective. */
int insitu_poll(insitu_session *session, int64_t cycle, double time);

/* A parameter of the program. A new value goes to `set`; if that is NULL, to *target.
 * Local. */
typedef struct insitu_value {
    const char *name, *help;
    double value, min, max;
    double *target;
    karman_set_value *set;
    void *context;
} insitu_value;

status insitu_add_value(insitu_session *session, const insitu_value *value);

/* Local. */
void insitu_monitor(insitu_session *session, int64_t cycle, double time, int count,
                    const char *const *names, const double *values);

/* Called at the start and end of each call of the program: measures its time and memory.
 * Local. */
void insitu_enter(insitu_session *session);
void insitu_leave(insitu_session *session);

#endif
