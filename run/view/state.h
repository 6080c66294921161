/* The state of a view on each rank. Inside view/ only. */
#ifndef RUN_VIEW_STATE_H
#define RUN_VIEW_STATE_H

#include "frame/job.h"
#include "queue.h"
#include "request.h"
#include "run/settings/settings.h"
#include "stop.h"

#include <jansson.h>

enum { VIEW_MOST_WARNINGS = 8, VIEW_MOST_WARNING = 512 };

/* What tells whether the data have changed. */
typedef struct view_stamp {
    bool is_there;
    int64_t size, seconds, nanoseconds; /* of the file or folder */
} view_stamp;

typedef struct view_state {
    MPI_Comm comm;
    int rank;
    const view_request *request;
    frame_job *job; /* NULL after a failure, until the next order */
    json_t *fixed;  /* sections of the config that orders do not change, by name; paths of
                       the data are absolute */
    json_t *other_data;     /* the section of other data; NULL: none */
    frame_job *other_job;   /* the job that draws them */
    bool keeps_steps;       /* things live on from step to step: data.steps stays */
    settings_offers offers; /* rank 0 */
    view_stop stop;
    view_stamp stamp; /* rank 0: of the data as they were opened */
    int nwarnings;    /* of the current order */
    char warnings[VIEW_MOST_WARNINGS][VIEW_MOST_WARNING];
} view_state;

/* Makes the first job. Collective. Errors: those of frame_job_create. */
status view_state_create(view_state *state);
void view_state_clear(view_state *state);

/*
 * Makes the config of an order's "config" and "step", a picture of `scale` times its size
 * with one sample unless scale is 1. Local, the same on every rank. Errors: STATUS_USAGE,
 * STATUS_MEMORY.
 */
status view_config_make(const view_state *state, const json_t *order, double scale,
                        io_config **out);

/* Exchanges the data and their job with the other ones: orders with "other" are carried
 * out between two calls. Local. */
void view_state_swap(view_state *state);

/* Gives it to the job, which is made if there is none. Takes *config. Collective. Errors:
 * those of frame_job_create. */
status view_config_take(view_state *state, io_config **config);

/* Makes the order's "config" and "step" those of the job, loaded but not drawn, if it has
 * them: another page may have drawn something else. Collective. Errors: those of
 * frame_job_create. */
status view_config_aim(view_state *state, const json_t *order);

/* Opens the data anew, and makes a job of the order's config. Collective. Errors: those
 * of frame_job_create. */
status view_config_reopen(view_state *state, const json_t *order);

/* The frame of the order's step. Local. Errors: STATUS_USAGE. */
status view_frame_find(const view_state *state, const json_t *order, int *frame);

/* What was given of a config as JSON, with the sections that stay or without them; a new
 * reference, or NULL. Local. */
json_t *view_config_read(const io_config *config, bool drops_fixed);

/* The same as YAML, malloc'ed, or NULL. Local. */
char *view_config_print(const io_config *config);

/* ---- Orders: collective; only rank 0 sets *result -------------------------------- */

status view_order_draw(view_state *state, const json_t *order, view_result *result);
status view_order_change(view_state *state, const json_t *order, view_result *result);
status view_order_about(view_state *state, const json_t *order, view_result *result);
status view_order_probe(view_state *state, const json_t *order, view_result *result);
status view_order_histogram(view_state *state, const json_t *order, view_result *result);
status view_order_sample(view_state *state, const json_t *order, view_result *result);
status view_order_colors(view_state *state, const json_t *order, view_result *result);
status view_order_extreme(view_state *state, const json_t *order, view_result *result);
status view_order_news(view_state *state, const json_t *order, view_result *result);
status view_order_reopen(view_state *state, const json_t *order, view_result *result);
status view_order_figure(view_state *state, const json_t *order, view_result *result);
status view_order_take(view_state *state, const json_t *order, view_result *result);

/* Of a file or folder; of the folder of a pattern. Local. */
view_stamp view_stamp_read(const char *path);

/* Notes how the data's file is now, as the job opened it. */
void view_stamp_begin(view_state *state);

/* Sets a document as the result, and takes its reference. Errors: STATUS_MEMORY. */
status view_result_json(json_t *document, view_result *result);

#endif
