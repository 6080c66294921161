/*
 * A run directory: what a running program shows of itself, and the orders that it takes.
 * Files are the only channel, so that it works on any cluster with a shared file system.
 *
 *     RUN_DIR/
 *       run.json             who runs: program, version, host, pid, ranks, time of start
 *       status.json          state, cycle, time, frames so far, message; made anew by
 *                            rename
 *       parameters.json      what may be set: name, type, limits, value, unit, help
 *       frames.jsonl         a line for every finished picture
 *       monitors.jsonl       a line for every sample: residual, lift, drag, ...
 *       timings.jsonl        a line for every step: seconds of stages, memory, bytes
 *       frames/              pictures, whole from the moment they have their name
 *       orders/NAME.json     orders, put there by rename (app/steer/client.h)
 *       answers/NAME.json    what became of them
 *       log.jsonl            orders that were accepted or refused, with the step at which
 *                            they took effect
 *       replay.jsonl         a log that the next run repeats; put there by hand or by
 *                            karman steer; replayed.jsonl once it is taken up
 *       earlier/NNN/         what earlier runs left, where a run did not go on from them
 *
 * docs/user/steering.md has every key.
 *
 * Everything here that says so is collective: rank 0 alone touches the directory, and all
 * ranks come out with the same status. A directory that cannot be written is reported and
 * does no harm: the program goes on.
 */
#ifndef APP_STEER_RUN_H
#define APP_STEER_RUN_H

#include "program.h"

#include <mpi.h>

typedef struct steer_run steer_run;

/*
 * Makes the directory, or takes one that is there: what an earlier run left in it is kept
 * where `goes_on`, else put into earlier/NNN. A replay.jsonl that is there is repeated
 * (steer_run_replay). Collective over comm, which is borrowed. Errors: STATUS_OUTPUT
 * (it cannot be made or written, or a program that is alive uses it), STATUS_INPUT (of
 * steer_run_replay), STATUS_MEMORY.
 */
status steer_run_create(MPI_Comm comm, const char *folder, const char *program,
                        bool goes_on, steer_run **out);

/*
 * Repeats an earlier run from its log.jsonl: orders that took effect at a cycle are given
 * again at that cycle, before those that come now. Of a log of several runs, each the
 * continuation of the one before, the last is repeated. To be called before the first
 * poll. Collective. Errors: STATUS_INPUT (it cannot be read, or is no log),
 * STATUS_MEMORY.
 */
status steer_run_replay(steer_run *run, const char *path);

/* Writes the last state and lets go. Collective. NULL is fine. */
void steer_run_destroy(steer_run **run);

/* Its path. Borrowed. Local. */
const char *steer_run_folder(const steer_run *run);

/*
 * Adds a parameter; every rank the same, in the same order. apply may be NULL: the value
 * is just kept, for steer_run_value. Local. Errors: STATUS_USAGE (a wrong description, a
 * value out of its limits, a name that is taken), STATUS_MEMORY.
 */
status steer_run_register(steer_run *run, const steer_parameter *parameter,
                          const steer_value *value, steer_apply *apply, void *context);

/* Takes away all parameters whose names begin with `prefix`. Local. */
void steer_run_unregister(steer_run *run, const char *prefix);

/* Says that the program itself has changed a value; every rank the same. Local. */
void steer_run_set(steer_run *run, const char *name, const steer_value *value);

/* The value that a parameter has now, or NULL. Borrowed until the next poll. Local. */
const steer_value *steer_run_value(const steer_run *run, const char *name);

/* Says what draws when somebody asks for it: steer_run_poll calls it once for all that
 * ask in one poll, behind their other orders, and answers whether it worked. Without it
 * they are told that a picture will be drawn. Every rank the same. Local. */
void steer_run_on_redraw(steer_run *run, steer_redraw *redraw, void *context);

/* What a call of steer_run_poll found. The same on every rank. */
typedef struct steer_orders {
    steer_state state;
    bool changed;     /* at least one parameter took a new value */
    bool single_step; /* halted: do one step, then wait again */
    bool redraw;      /* somebody asked for a picture of what is there; where something
                         draws (steer_run_on_redraw), it has tried */
} steer_orders;

/*
 * Reads the orders that have come since, oldest first (at most 64 at a time and 400 a
 * second, and not more often than every 20 ms), applies and answers them, and brings
 * status.json up to date (at most every 0.2 s, and at once where there were orders).
 * Never waits, but may draw. Collective: a broadcast of one number where nothing has
 * come. Never fails: what goes wrong is answered, or logged once. Call it once after each
 * step; while it says STEER_HALTED without single_step, wait some 20 ms and call it again
 * with the same cycle.
 */
steer_orders steer_run_poll(steer_run *run, int64_t cycle, double time);

/* Tells of a picture; `name` is the picture's of the config, `file` its path inside the
 * directory. Rank 0 does the work; the others may call it, too. Local. */
void steer_run_add_frame(steer_run *run, const char *name, const char *file,
                         int64_t cycle, double time, double seconds);

/* Adds a sample of monitors: [count] names and values. As above. */
void steer_run_add_monitors(steer_run *run, int64_t cycle, double time, int count,
                            const char *const *names, const double *values);

/* Adds a step's timings: seconds of `count` stages and beside them what else is counted,
 * by name. As above. */
void steer_run_add_timings(steer_run *run, int64_t cycle, double time, int count,
                           const char *const *names, const double *values);

/* One sentence for status.json: why pictures are switched off, say. As above. */
void steer_run_say(steer_run *run, const char *message);

#endif
