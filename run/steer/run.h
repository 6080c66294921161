/*
 * A run directory: it shows the state of a running program, and takes orders. Files are
 * the only channel, so that it works on any cluster with a shared file system.
 *
 *     RUN_DIR/
 *       run.json             the run: program, version, host, pid, ranks, time of start
 *       status.json          state, cycle, time, frames so far, message; rewritten by
 *                            rename
 *       parameters.json      parameters: name, type, limits, value, unit, help
 *       config.json          what clients check changes by (steer_run_on_publish)
 *       frames.jsonl         a line for every finished picture
 *       monitors.jsonl       a line for every sample: residual, lift, drag, ...
 *       timings.jsonl        a line for every step: seconds of stages, memory, bytes
 *       frames/              pictures, put there by rename
 *       orders/NAME.json     orders, put there by rename (run/steer/client.h)
 *       answers/NAME.json    the answer to each order
 *       log.jsonl            orders that were accepted or refused, with the step at which
 *                            they took effect
 *       replay.jsonl         a log that the next run repeats; put there by hand or by
 *                            karman steer; then renamed to replayed.jsonl
 *       earlier/NNN/         files of earlier runs that were not continued
 *
 * docs/user/steering.md has every key.
 *
 * In the collective functions, rank 0 alone touches the directory, and all ranks return
 * the same status. If the directory cannot be written, rank 0 reports this once and the
 * program goes on.
 */
#ifndef RUN_STEER_RUN_H
#define RUN_STEER_RUN_H

#include "program.h"

#include <jansson.h>
#include <mpi.h>

typedef struct steer_run steer_run;

/* How a run takes its directory. Zero is a valid default. */
typedef struct steer_options {
    bool goes_on;      /* continue the run in it */
    bool group_orders; /* the group may write into orders/, and its orders are taken */
    json_t *about;     /* further members of run.json, on rank 0, borrowed; NULL: none */
} steer_options;

/*
 * Makes the directory, or takes an existing one. If options->goes_on, it keeps the files
 * of an earlier run; else it moves them to earlier/NNN. If there is a replay.jsonl, the
 * run repeats it (steer_run_replay). Collective over comm, which is borrowed. Errors:
 * STATUS_OUTPUT (the directory cannot be made or written, or a program that is alive uses
 * it), STATUS_INPUT (of steer_run_replay), STATUS_MEMORY.
 */
status steer_run_create(MPI_Comm comm, const char *folder, const char *program,
                        const steer_options *options, steer_run **out);

/*
 * Repeats an earlier run from its log.jsonl: each order is given again at the cycle at
 * which it took effect, before new orders. If the log is of several runs that continue
 * each other, the last one is repeated. Call it before the first poll. Collective.
 * Errors: STATUS_INPUT (unreadable, or no log), STATUS_MEMORY.
 */
status steer_run_replay(steer_run *run, const char *path);

/* Writes the final state and frees the run. Collective. NULL is fine. */
void steer_run_destroy(steer_run **run);

/*
 * Adds a parameter: all ranks the same ones, in the same order. If `apply` is NULL, the
 * run just keeps the value, for steer_run_value. Local. Errors: STATUS_USAGE (a wrong
 * description, a value outside the limits, a name that is taken), STATUS_MEMORY.
 */
status steer_run_register(steer_run *run, const steer_parameter *parameter,
                          const steer_value *value, steer_apply *apply, void *context);

/* Removes the parameter of a name. Local. */
void steer_run_remove(steer_run *run, const char *name);

/* Reports a value that the program itself has changed: all ranks the same. Local. */
void steer_run_set(steer_run *run, const char *name, const steer_value *value);

/* The present value of a parameter, or NULL. Borrowed until the next poll. Local. */
const steer_value *steer_run_value(const steer_run *run, const char *name);

/*
 * Sets the function that draws on the order redraw. steer_run_poll calls it once for all
 * redraw orders of a poll, after the other orders, and answers with its result. Without
 * such a function the answer is that a picture will be drawn. All ranks set the same.
 * Local.
 */
void steer_run_on_redraw(steer_run *run, steer_redraw *redraw, void *context);

/* Sets the function that carries out the order change. Without it the order is refused.
 * All ranks set the same. Local. */
void steer_run_on_change(steer_run *run, steer_change *change, void *context);

/* Makes a document for config.json, a new reference, or NULL. */
typedef json_t *steer_describe(void *context);

/* Sets the function that describes the config for clients. It is called whenever
 * parameters have changed. Rank 0; local. */
void steer_run_on_publish(steer_run *run, steer_describe *describe, void *context);

/* Result of steer_run_poll. The same on every rank. */
typedef struct steer_orders {
    steer_state state;
    bool changed;     /* at least one parameter took a new value, or a config changed */
    bool single_step; /* halted: make one step, then wait again */
    bool redraw;      /* an order asks for a picture of the present step; the function of
                         steer_run_on_redraw, if any, has tried to draw it */
} steer_orders;

/*
 * Takes the orders that have arrived, oldest first: applies them, answers them, and
 * updates status.json. Call it once after each step. While it returns STEER_HALTED
 * without single_step, wait some 20 ms and call it again with the same cycle.
 *
 * It reads the directory every 20 ms at most, and takes at most 64 orders a call and 400
 * a second. It writes status.json every 0.2 s at most, but at once after orders. It never
 * waits, but may draw. Collective: without orders, a broadcast of one number. Never
 * fails: a failure is told in the answer, or logged once.
 */
steer_orders steer_run_poll(steer_run *run, int64_t cycle, double time);

/* Publishes a picture: `name` from the config, `file` as path inside the directory. Rank
 * 0 does the work; the other ranks may call it, too. Local. */
void steer_run_add_frame(steer_run *run, const char *name, const char *file,
                         int64_t cycle, double time, double seconds);

/* Publishes a sample of monitors: [count] names and values. As above. */
void steer_run_add_monitors(steer_run *run, int64_t cycle, double time, int count,
                            const char *const *names, const double *values);

/* Publishes a step's timings: the seconds of stages, and other counts, by name. As
 * above. */
void steer_run_add_timings(steer_run *run, int64_t cycle, double time, int count,
                           const char *const *names, const double *values);

/* Writes the state and the parameters now, so that orders find the names that were
 * registered. Rank 0 writes; local. */
void steer_run_publish(steer_run *run);

/* Sets the pictures ([count] names) that wait to be drawn after a change by orders, for
 * status.json. `soon`: at the next step, else when they are next due. As above. */
void steer_run_wait(steer_run *run, bool soon, int count, const char *const *names);

/* Sets the message of status.json, such as the reason why pictures are off. As above. */
void steer_run_say(steer_run *run, const char *message);

#endif
