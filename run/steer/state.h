/* The private parts of steer_run, shared by run.c, poll.c, orders.c, replay.c and
 * publish.c. */
#ifndef RUN_STEER_STATE_H
#define RUN_STEER_STATE_H

#include "folder.h"
#include "inbox.h"
#include "order.h"

#include <mpi.h>

/* Seconds between two versions of a file while the program runs, and between updates of
 * status.json while it waits. */
#define STEER_PUBLISH_PERIOD 0.2
#define STEER_BEAT_PERIOD    1.0
/* Largest share of a running program's time for these files, and the longest time between
 * two versions that follows from it. */
#define STEER_PUBLISH_SHARE  0.004
#define STEER_LONGEST_PERIOD 5.0

/* Seconds for which answers are kept, and their greatest number. */
#define STEER_ANSWER_LIFE 600.0
enum { STEER_MAX_ANSWERS = 1024 };

/* An order that waits: a file, or a line of a log that is repeated. */
typedef struct steer_letter {
    char file[STEER_MAX_FILE]; /* "" for a line of a log */
    json_t *json;              /* NULL if the file is not JSON; owned */
} steer_letter;

/* The answers in the directory, oldest first, in a ring. */
typedef struct steer_answers {
    struct {
        char file[STEER_MAX_FILE];
        double written;
    } at[STEER_MAX_ANSWERS];
    int first, count;
} steer_answers;

/* A log that is repeated. */
typedef struct steer_replay {
    json_t *lines; /* accepted orders; NULL: nothing is repeated */
    size_t next;
    int64_t batch; /* of the last line that this poll has taken; -1: none yet */
} steer_replay;

/* The published files. */
typedef struct steer_shown {
    steer_lines log, frames, monitors, timings;
    int64_t nframes;
    bool status_changed, table_changed; /* the file is older than the state or the
                                           table */
    double published, lines_flushed;    /* times; 0: never */
    double cost;                        /* seconds of the last publishing */
    json_t *waiting; /* names of pictures that wait to be drawn, or NULL */
    bool soon;       /* they are drawn at the next step */
} steer_shown;

/* What makes config.json. */
typedef struct steer_description {
    json_t *(*make)(void *context); /* a steer_describe, or NULL */
    void *context;
} steer_description;

typedef struct steer_run {
    MPI_Comm comm;
    int rank, ranks;
    steer_folder folder;
    steer_table table;
    steer_state state;
    int steps_left; /* halted: single steps still to be made */
    int64_t cycle;
    double time;
    steer_redraw *redraw; /* may be NULL */
    void *redraw_context;
    steer_change *change; /* may be NULL */
    void *change_context;
    int nwaiting; /* redraw orders that this poll has still to answer */

    /* The members below are used on rank 0 only. */
    json_t *about; /* content of run.json */
    steer_description description;
    steer_inbox *inbox;
    steer_letter *waiting; /* [nwaiting] of STEER_MAX_PER_POLL */
    bool has_said_open;    /* reported that orders/ is not guarded */
    bool has_said_stuck;   /* reported an order that cannot be removed */
    steer_answers *answers;
    steer_replay replay;
    steer_shown shown;
    int64_t sequence, batch;
    bool has_begun; /* there has been a poll */
    char message[512];
} steer_run;

/* ---- orders.c ---------------------------------------------------------------------- */

/* Reads more names of orders: steer_inbox_look. Rank 0. */
void steer_orders_look(steer_run *run, double now);

/* The next valid order, or STEER_NOTHING. Answers the invalid orders before it. `letter`
 * is the order's; steer_orders_answer releases it. Rank 0. */
steer_order steer_orders_next(steer_run *run, steer_letter *letter);

/* Answers an order, writes it into the log, and releases the letter. Rank 0. */
void steer_orders_answer(steer_run *run, steer_letter *letter, bool accepted,
                         const char *message);

/* Refuses the orders that an earlier run has left. Rank 0. */
void steer_orders_refuse_old(steer_run *run);

/* Removes old answers, at most as many as orders in a poll. Rank 0. */
void steer_answers_expire(steer_run *run, double now);

/* ---- replay.c ---------------------------------------------------------------------- */

/* Takes the next line of the log that is due now; false if there is none. Rank 0. */
bool steer_replay_next(steer_run *run, steer_letter *letter);

/* ---- publish.c --------------------------------------------------------------------- */

/* Writes the files that have changed, if they are due or `at_once`. Rank 0. */
void steer_publish(steer_run *run, double now, bool at_once);

/* Writes run.json; false on failure. Rank 0. */
bool steer_publish_about(steer_run *run);

/* Writes all that is queued, and the state finished. Rank 0. */
void steer_publish_end(steer_run *run);

#endif
