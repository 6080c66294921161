/* The inside of steer_run, shared by run.c (its life), orders.c (what is asked),
 * replay.c (what an earlier run was asked) and publish.c (what it shows). */
#ifndef APP_STEER_STATE_H
#define APP_STEER_STATE_H

#include "folder.h"
#include "inbox.h"
#include "order.h"

#include <mpi.h>

/* Seconds between two versions of files while steps follow each other, and between signs
 * of life while the program waits. */
#define STEER_PUBLISH_PERIOD 0.2
#define STEER_BEAT_PERIOD    1.0

/* Seconds that answers stay; and most of them. */
#define STEER_ANSWER_LIFE 600.0
enum { STEER_MAX_ANSWERS = 1024 };

/* An order that waits: a file, or a line of a log that is repeated. */
typedef struct steer_letter {
    char file[STEER_MAX_FILE]; /* "" for a line of a log */
    json_t *json;              /* NULL where it is no JSON; owned */
} steer_letter;

/* Answers that are in the directory, oldest first, in a ring. */
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
    int64_t batch; /* of the line that this poll took last; -1: it took none */
} steer_replay;

/* Files that others look at. */
typedef struct steer_shown {
    steer_lines log, frames, monitors, timings;
    int64_t nframes;
    bool status_changed, table_changed; /* files are older than the run */
    double published, lines_flushed;    /* when; 0: never */
} steer_shown;

typedef struct steer_run {
    MPI_Comm comm;
    int rank, ranks;
    steer_folder folder;
    steer_table table;
    steer_state state;
    int steps_left; /* halted: single steps that are still to be done */
    int64_t cycle;
    double time;
    steer_redraw *redraw; /* may be NULL */
    void *redraw_context;
    int nwaiting; /* orders to redraw that this poll has still to answer */

    /* What follows is used on rank 0 alone. */
    json_t *about; /* run.json */
    steer_inbox *inbox;
    steer_letter *waiting; /* [nwaiting] of STEER_MAX_PER_POLL */
    bool has_said_stuck;   /* that an order cannot be removed */
    steer_answers *answers;
    steer_replay replay;
    steer_shown shown;
    int64_t sequence, batch;
    bool has_begun; /* there was a poll */
    char message[512];
} steer_run;

/* ---- orders.c ---------------------------------------------------------------------- */

/* Looks into the directory: steer_inbox_look. Rank 0. */
void steer_orders_look(steer_run *run, double now);

/* The next order that can be carried out, or STEER_NOTHING; those that cannot are
 * answered on the way. Rank 0. `letter` is the order's, to be answered and released. */
steer_order steer_orders_next(steer_run *run, steer_letter *letter);

/* Answers an order, writes it into the log, and releases the letter. Rank 0. */
void steer_orders_answer(steer_run *run, steer_letter *letter, bool accepted,
                         const char *message);

/* Refuses the orders that an earlier run has left. Rank 0. */
void steer_orders_refuse_old(steer_run *run);

/* Removes answers that are old, a poll's at most. Rank 0. */
void steer_answers_expire(steer_run *run, double now);

/* ---- replay.c ---------------------------------------------------------------------- */

/* Takes the next order of the log that is due now; false: none. Rank 0. */
bool steer_replay_next(steer_run *run, steer_letter *letter);

/* ---- publish.c --------------------------------------------------------------------- */

/* Writes what has changed, as often as it should. Rank 0. `at_once`: now. */
void steer_publish(steer_run *run, double now, bool at_once);

/* Writes run.json. Rank 0. False where it cannot be written. */
bool steer_publish_about(steer_run *run);

/* Writes all that waits, and that the program has let go. Rank 0. */
void steer_publish_end(steer_run *run);

#endif
