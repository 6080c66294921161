/*
 * In-situ sessions: what stands behind karman.h. All functions are those of karman.h with
 * a status; messages are the caller's business (app/insitu/karman_insitu.c).
 */
#ifndef APP_INSITU_INSITU_H
#define APP_INSITU_INSITU_H

#include "base/status.h"
#include "session.h"

/* `text` is rank 0's, where `path` is NULL; else the path of a file. Collective. */
status app_insitu_open(MPI_Comm comm, const char *path, const char *text,
                       const karman_options *options, app_insitu **out);

/* Collective. Errors: STATUS_OUTPUT. */
status app_insitu_close(app_insitu **session);

/* Local. Errors: STATUS_USAGE, STATUS_MEMORY. */
status app_insitu_set_block(app_insitu *session, int part, const karman_block *block);
status app_insitu_drop_parts(app_insitu *session, int first);
status app_insitu_set_field(app_insitu *session, int part, const char *name,
                            int association, const karman_array *values);

/* Draws what is due. *off: nothing was done, as all that is due pauses after failures, or
 * no picture can be drawn any more. Collective. Errors: any, the same on every rank. */
status app_insitu_render(app_insitu *session, int64_t cycle, double time, bool *off);

/* Takes orders; KARMAN_GO_ON or KARMAN_STOP. Collective. */
int app_insitu_poll(app_insitu *session, int64_t cycle, double time);

/* A parameter of the program: `set` takes it, or *target where that is NULL. Local. */
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

/* To be called around everything that a program calls: counts what it costs. Local. */
void app_insitu_enter(app_insitu *session);
void app_insitu_leave(app_insitu *session);

#endif
