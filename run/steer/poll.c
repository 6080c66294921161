/* Polling: rank 0 finds an order and broadcasts it; all ranks carry it out. */
#include "alive.h"
#include "run.h"
#include "state.h"

#include "base/parallel/parallel.h"
#include "base/system.h"

#include <stdio.h>
#include <string.h>

enum { HELD_MESSAGE = 2048 };

/* Finds the entry on all ranks, or fails on all: if registering has failed on a rank, it
 * lacks the entry, and `apply` may be collective. Collective. */
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

/* Sets a parameter; `message` becomes the answer to the sender. Collective. */
static bool set_value(steer_run *run, const steer_order *order, steer_orders *found,
                      size_t size, char *message)
{
    const steer_entry *entry = NULL;
    char shown[256];
    status s = expect_entry(run, order->name, &entry);
    const steer_type type = s == STATUS_OK ? entry->type : STEER_BOOL;
    if (s == STATUS_OK) {
        steer_entry_print(entry, &order->value, sizeof shown, shown);
        s = entry->apply ? entry->apply(entry->context, order->name, &order->value) : s;
    }
    if (parallel_agree(run->comm, s) != STATUS_OK) {
        snprintf(message, size, "%s", base_fail_message());
        base_fail_set_message("");
        return false;
    }
    /* `apply` may have changed the table: the entry is looked for again. */
    entry = steer_table_find(&run->table, order->name);
    if (entry && entry->type == type) {
        steer_run_set(run, order->name, &order->value);
    }
    found->changed = true;
    snprintf(message, size, "%s is %s", order->name, shown);
    return true;
}

/* Changes configs; `message` becomes the answer to the sender. Collective. */
static bool change_config(steer_run *run, const steer_order *order, steer_orders *found,
                          size_t size, char *message)
{
    snprintf(message, size, "the config has changed");
    status s = run->change
                   ? run->change(run->change_context, order->texts, size, message)
                   : base_fail(STATUS_USAGE, "this program draws no pictures whose "
                                             "config could change");
    if (parallel_agree(run->comm, s) != STATUS_OK) {
        snprintf(message, size, "%s", base_fail_message());
        base_fail_set_message("");
        return false;
    }
    found->changed = true;
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
    case STEER_CHANGE:
        return change_config(run, order, found, size, message);
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

/* Broadcasts rank 0's order. Collective. */
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

/* Draws once for all orders that wait for it, and answers them. Collective. */
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

/* Adds an order to those that wait for a picture. Collective. */
static void await_redraw(steer_run *run, const steer_letter *letter)
{
    if (run->nwaiting == STEER_MAX_PER_POLL) { /* possible with a log that is repeated */
        redraw(run);
    }
    if (run->rank == 0) {
        run->waiting[run->nwaiting] = *letter;
    }
    run->nwaiting++;
}

/* Charges the inbox for the time of the orders, from `begin` on: that is after the first
 * order, for which rank 0 may have waited until the other ranks polled. A halted program
 * loses no time. */
static void charge(steer_run *run, int orders, double begin)
{
    if (run->rank == 0 && orders > 1 && run->state == STEER_RUNNING) {
        steer_inbox_charge(run->inbox, orders - 1, base_clock() - begin);
    }
}

/* Carries out the orders that have come; returns whether there were any. Collective. */
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

/* Writes the start of a run into the log, for run/steer/replay.c. */
static void begin(steer_run *run)
{
    run->has_begun = true;
    run->shown.status_changed = true;
    steer_lines_add(&run->shown.log,
                    json_pack("{s:s, s:I, s:o, s:f}", "event", "begin", "cycle",
                              (json_int_t)run->cycle, "time", steer_number(run->time),
                              "at", steer_now()));
}

/* Prepares rank 0 for the poll. Returns whether files must be written at once: clients
 * wait for the first ones. */
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
    char held[HELD_MESSAGE]; /* of a failure that the caller has still to report */
    snprintf(held, sizeof held, "%s", base_fail_message());
    base_fail_set_message("");
    double now = run->rank == 0 ? steer_now() : 0.0;
    run->shown.status_changed = run->shown.status_changed || cycle != run->cycle;
    run->cycle = cycle;
    run->time = time;
    bool at_once = run->rank == 0 && prepare_root(run, now);
    at_once = treat_orders(run, &found) || at_once;
    /* While many orders wait, files are not rewritten after each few of them. */
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
