/* Polling: rank 0 finds an order and tells all; all carry it out alike. */
#include "alive.h"
#include "run.h"
#include "state.h"

#include "base/parallel/parallel.h"
#include "base/system.h"

#include <stdio.h>
#include <string.h>

enum { HELD_MESSAGE = 2048 };

/* A rank on which registering failed has no such parameter; taking a value may be
 * collective, so all must have it. Collective. */
static status expect_entry(steer_run *run, const char *name, const steer_entry **out)
{
    *out = steer_table_find(&run->table, name);
    return parallel_agree(run->comm,
                          *out ? STATUS_OK
                               : base_fail(STATUS_USAGE,
                                           "parameter '%s' is not registered on every "
                                           "rank of the program",
                                           name));
}

/* What an order does; `message` becomes what its sender is told. Collective. */
static bool set_value(steer_run *run, const steer_order *order, steer_orders *found,
                      size_t size, char *message)
{
    const steer_entry *entry = NULL;
    char shown[256];
    status s = expect_entry(run, order->name, &entry);
    if (s == STATUS_OK) {
        steer_entry_print(entry, &order->value, sizeof shown, shown);
        s = entry->apply ? entry->apply(entry->context, order->name, &order->value) : s;
    }
    if (parallel_agree(run->comm, s) != STATUS_OK) {
        snprintf(message, size, "%s", base_fail_message());
        base_fail_set_message("");
        return false;
    }
    /* Taking a value may have changed the table: the entry is looked for anew. */
    steer_run_set(run, order->name, &order->value);
    found->changed = true;
    snprintf(message, size, "%s is %s", order->name, shown);
    return true;
}

static const char *change_state(steer_run *run, steer_state state, const char *message)
{
    run->state = state;
    run->steps_left = 0;
    return message;
}

static bool carry_out(steer_run *run, const steer_order *order, steer_orders *found,
                      size_t size, char *message)
{
    const char *said = "";
    switch (order->verb) {
    case STEER_SET:
        return set_value(run, order, found, size, message);
    case STEER_HALT:
        said = change_state(run, STEER_HALTED, "halted");
        break;
    case STEER_RESUME:
        said = change_state(run, STEER_RUNNING, "running");
        break;
    case STEER_STOP:
        said = change_state(run, STEER_STOPPED, "stopping");
        break;
    case STEER_STEP:
        run->steps_left += order->steps;
        snprintf(message, size, "%d step%s to do", run->steps_left,
                 run->steps_left == 1 ? "" : "s");
        return true;
    case STEER_REDRAW:
        found->redraw = true;
        said = "a picture will be drawn";
        break;
    default:
        break;
    }
    snprintf(message, size, "%s", said);
    return true;
}

/* What rank 0 has found, on every rank. */
static void share(steer_run *run, steer_order *order)
{
    int verb = (int)order->verb;
    if (run->ranks == 1) {
        return;
    }
    parallel_bcast(&verb, 1, MPI_INT, 0, run->comm);
    if (verb != STEER_NOTHING) {
        parallel_bcast(order, (int)sizeof *order, MPI_BYTE, 0, run->comm);
    }
}

/* Draws once for all who wait for it, and tells them. Collective. */
static void redraw(steer_run *run)
{
    if (run->nwaiting == 0) {
        return;
    }
    const status s = run->redraw(run->redraw_context, run->cycle, run->time);
    char message[HELD_MESSAGE];
    snprintf(message, sizeof message, "%s",
             s == STATUS_OK ? "the program has drawn" : base_fail_message());
    for (int n = 0; n < run->nwaiting && run->rank == 0; n++) {
        steer_orders_answer(run, &run->waiting[n], s == STATUS_OK, message);
    }
    run->nwaiting = 0;
    base_fail_set_message("");
}

/* Lets an order wait for a picture. Collective. */
static void await_redraw(steer_run *run, const steer_letter *letter)
{
    if (run->nwaiting == STEER_MAX_PER_POLL) { /* of a log that is repeated */
        redraw(run);
    }
    if (run->rank == 0) {
        run->waiting[run->nwaiting] = *letter;
    }
    run->nwaiting++;
}

/* Counts how long orders took, from `begin` on: after the first one, for which rank 0 may
 * have waited until other ranks polled. A program that is halted loses nothing. */
static void charge(steer_run *run, int orders, double begin)
{
    if (run->rank == 0 && orders > 1 && run->state == STEER_RUNNING) {
        steer_inbox_charge(run->inbox, orders - 1, base_clock() - begin);
    }
}

/* Carries out what has come; returns whether there was anything. Collective. */
static bool treat_orders(steer_run *run, steer_orders *found)
{
    int count = 0;
    double begin = 0.0;
    for (;;) {
        steer_order order = {.verb = STEER_NOTHING};
        steer_letter letter = {.file = "", .json = NULL};
        char message[HELD_MESSAGE];
        if (run->rank == 0) {
            order = steer_orders_next(run, &letter);
        }
        share(run, &order);
        if (order.verb == STEER_NOTHING) {
            charge(run, count, begin);
            redraw(run);
            return count > 0;
        }
        begin = count++ == 1 ? base_clock() : begin;
        if (order.verb == STEER_REDRAW && run->redraw) {
            found->redraw = true;
            await_redraw(run, &letter);
            continue;
        }
        bool done = carry_out(run, &order, found, sizeof message, message);
        if (run->rank == 0) {
            steer_orders_answer(run, &letter, done, message);
        }
    }
}

/* The log tells where a run begins: app/steer/replay.c. */
static void begin(steer_run *run)
{
    run->has_begun = true;
    run->shown.status_changed = true;
    steer_lines_add(&run->shown.log,
                    json_pack("{s:s, s:I, s:o, s:f}", "event", "begin", "cycle",
                              (json_int_t)run->cycle, "time", steer_number(run->time),
                              "at", steer_now()));
}

/* Returns whether files must be written at once: others wait for the first ones. */
static bool prepare_root(steer_run *run, double now)
{
    bool is_first = !run->has_begun;
    if (is_first) {
        begin(run);
    }
    run->batch++;
    run->replay.batch = -1;
    steer_orders_look(run, now);
    return is_first;
}

steer_orders steer_run_poll(steer_run *run, int64_t cycle, double time)
{
    steer_orders found = {.state = STEER_RUNNING};
    char held[HELD_MESSAGE]; /* a failure that somebody else has still to report */
    snprintf(held, sizeof held, "%s", base_fail_message());
    base_fail_set_message("");
    double now = run->rank == 0 ? steer_now() : 0.0;
    run->shown.status_changed = run->shown.status_changed || cycle != run->cycle;
    run->cycle = cycle;
    run->time = time;
    bool at_once = run->rank == 0 && prepare_root(run, now);
    at_once = treat_orders(run, &found) || at_once;
    /* Where orders come in thousands, files are not written for each few of them. */
    at_once = at_once && !(run->rank == 0 && steer_inbox_waits(run->inbox));
    if (run->state == STEER_HALTED && run->steps_left > 0) {
        run->steps_left--;
        found.single_step = true;
    }
    found.state = run->state;
    if (run->rank == 0) {
        steer_publish(run, now, at_once);
    }
    base_fail_set_message(held);
    return found;
}
