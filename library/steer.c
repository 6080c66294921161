/* Orders that arrive while the program runs, and the numbers that it publishes. */
#include "base/log.h"
#include "base/parallel/parallel.h"
#include "frame/entry.h"
#include "insitu.h"
#include "run/steer/client.h"
#include "state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- Values of the program --------------------------------------------------------- */

/* Sets a value of the program: its steer_apply. The program's function may refuse on any
 * rank. */
static status apply_value(void *context, const char *name, const steer_value *value)
{
    const insitu_parameter *parameter = context;
    const double number = value->numbers[0];
    if (!parameter->set) {
        *parameter->target = number;
        return STATUS_OK;
    }
    status s = STATUS_OK;
    frame_entry *entry = frame_entry_suspend();
    const int refused = parameter->set(parameter->context, number);
    frame_entry_resume(entry);
    if (refused != 0) {
        s = base_fail(STATUS_USAGE, "the program refuses to set %s to %.9g", name,
                      number);
    }
    return parallel_agree(parameter->session->comm, s);
}

status insitu_add_value(insitu_session *session, const insitu_value *value)
{
    insitu_parameter *parameter = insitu_parameter_add(session);
    if (!parameter) {
        return base_fail_memory(sizeof *parameter, "a parameter");
    }
    parameter->picture = -1;
    parameter->target = value->target;
    parameter->set = value->set;
    parameter->context = value->context;
    const steer_parameter description = {.name = value->name,
                                         .type = STEER_REAL,
                                         .count = 1,
                                         .min = value->min,
                                         .max = value->max,
                                         .help = value->help ? value->help : ""};
    const steer_value now = {.numbers = {value->value}};
    const status s =
        steer_run_register(session->run, &description, &now, apply_value, parameter);
    if (s == STATUS_OK) {
        insitu_parameters_relist(session); /* those of pictures follow */
    }
    return s;
}

void insitu_monitor(insitu_session *session, int64_t cycle, double time, int count,
                    const char *const *names, const double *values)
{
    steer_run_add_monitors(session->run, cycle, time, count, names, values);
}

/* ---- Orders ------------------------------------------------------------------------ */

status insitu_steer_halt(insitu_session *session)
{
    status s = STATUS_OK;
    if (session->rank == 0) {
        json_t *order = json_pack("{s:s}", "order", "halt"), *answer = NULL;
        s = order ? steer_order_send(session->config->run, order, 0.0, &answer)
                  : base_fail_memory(0, "an order");
        json_decref(order);
        json_decref(answer);
    }
    return parallel_agree(session->comm, s);
}

static void complain(insitu_session *session, const char *picture)
{
    base_log_warning("'%s' cannot be drawn again: %s", picture, base_fail_message());
    steer_run_say(session->run, base_fail_message());
}

/* Draws once more, from the step in the arrays: all pictures, or those with changes.
 * Pauses after failures do not count. *any: whether one was drawn. Collective. Errors:
 * the first one's. */
static status draw_pictures(insitu_session *session, bool all, bool *any)
{
    char first[STEER_MAX_TEXT] = "";
    status s = STATUS_OK;
    for (int n = 0; n < session->npictures; n++) {
        insitu_picture *picture = &session->pictures[n];
        bool drawn = false;
        if (!all && !picture->is_changed) {
            continue;
        }
        status one = insitu_picture_draw(session, picture, false, &drawn);
        if (one == STATUS_OK) {
            insitu_picture_recover(session, picture);
            *any = true;
            continue;
        }
        complain(session, picture->name);
        if (s == STATUS_OK) {
            s = one;
            snprintf(first, sizeof first, "'%s' cannot be drawn: %.900s", picture->name,
                     base_fail_message());
        }
        base_fail_set_message("");
    }
    base_fail_set_message(first);
    return s;
}

/* The same, for a program that may have changed its grid since the last picture: the
 * arrays of before may be gone. Collective. */
static status draw_again(insitu_session *session, int64_t cycle, double time, bool all)
{
    bool any = false;
    status s = insitu_take_step(session, cycle, time);
    if (s != STATUS_OK) {
        complain(session, session->pictures[0].name);
    } else {
        s = draw_pictures(session, all, &any);
        insitu_pictures_publish(session);
    }
    if (any) {
        insitu_cost_publish(session);
    }
    if (s != STATUS_OK) {
        insitu_pictures_rest(session);
    }
    return s;
}

status insitu_steer_redraw(void *context, int64_t cycle, double time)
{
    insitu_session *session = context;
    if (!session->step.has_begun) {
        return base_fail(STATUS_USAGE,
                         "there is nothing to draw yet: the program has not "
                         "come to its first step");
    }
    return draw_again(session, cycle, time, true);
}

static bool has_changes(const insitu_session *session)
{
    bool has = false;
    for (int n = 0; n < session->npictures; n++) {
        has = has || session->pictures[n].is_changed;
    }
    return has;
}

int insitu_poll(insitu_session *session, int64_t cycle, double time)
{
    const struct timespec nap = {0, 20 * 1000 * 1000};
    bool has_waited = false; /* changes from before the halt are drawn once */
    for (;;) {
        const steer_orders orders = steer_run_poll(session->run, cycle, time);
        const bool waits = orders.state == STEER_HALTED && !orders.single_step;
        if (orders.state == STEER_STOPPED) {
            return KARMAN_STOP;
        }
        const bool has_news = orders.changed || (!has_waited && has_changes(session));
        if (session->step.has_begun && has_news && waits && !orders.redraw) {
            draw_again(session, cycle, time, false);
            base_fail_set_message("");
        }
        has_waited = has_waited || waits;
        if (!waits) {
            return KARMAN_GO_ON;
        }
        nanosleep(&nap, NULL);
    }
}
