/* Orders that come while the program runs, and what it tells of itself. */
#include "app/entry.h"
#include "app/insitu_state.h"
#include "base/log.h"
#include "base/parallel.h"
#include "steer/client.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- Values of the program --------------------------------------------------------- */

/* steer_apply of a value of the program; the function may refuse on any rank. */
static status apply_value(void *context, const char *name, const steer_value *value)
{
    const insitu_parameter *parameter = context;
    const double number = value->numbers[0];
    if (!parameter->set) {
        *parameter->target = number;
        return STATUS_OK;
    }
    status s = STATUS_OK;
    app_entry *entry = app_entry_suspend();
    const int refused = parameter->set(parameter->context, number);
    app_entry_resume(entry);
    if (refused != 0) {
        s = base_fail(STATUS_USAGE, "the program refuses to set %s to %.9g", name,
                      number);
    }
    return parallel_agree(parameter->session->comm, s);
}

status app_insitu_add_value(app_insitu *session, const app_insitu_value *value)
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
    return steer_run_register(session->run, &description, &now, apply_value, parameter);
}

void app_insitu_monitor(app_insitu *session, int64_t cycle, double time, int count,
                        const char *const *names, const double *values)
{
    steer_run_add_monitors(session->run, cycle, time, count, names, values);
}

/* ---- Orders ------------------------------------------------------------------------ */

status insitu_steer_halt(app_insitu *session)
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

static void complain(app_insitu *session, const char *picture)
{
    base_log_warning("'%s' cannot be drawn again: %s", picture, base_fail_message());
    steer_run_say(session->run, base_fail_message());
    base_fail_set_message("");
}

/* Draws once more, from the step that the arrays hold: all pictures, or those with
 * changes. Returns whether any was tried. Collective. */
static bool draw_pictures(app_insitu *session, bool all)
{
    bool any = false;
    for (int n = 0; n < session->npictures; n++) {
        insitu_picture *picture = &session->pictures[n];
        bool drawn = false;
        if (!all && !picture->is_changed) {
            continue;
        }
        if (insitu_picture_draw(session, picture, false, &drawn) != STATUS_OK) {
            complain(session, picture->name);
        }
        any |= drawn;
    }
    return any;
}

/* The same, after the program may have described its grid anew since the last picture:
 * what was described before may be gone. Collective. */
static void draw_again(app_insitu *session, int64_t cycle, double time, bool all)
{
    if (insitu_take_step(session, cycle, time) != STATUS_OK) {
        complain(session, session->pictures[0].name);
    } else if (draw_pictures(session, all)) {
        insitu_cost_publish(session);
    }
}

/* Whether there is something to draw; the same on every rank. */
static bool can_draw(const app_insitu *session)
{
    return session->has_step && !session->is_off && session->source;
}

int app_insitu_poll(app_insitu *session, int64_t cycle, double time)
{
    const struct timespec nap = {0, 20 * 1000 * 1000};
    for (;;) {
        const steer_orders orders = steer_run_poll(session->run, cycle, time);
        const bool waits = orders.state == STEER_HALTED && !orders.single_step;
        if (orders.state == STEER_STOPPED) {
            return KARMAN_STOP;
        }
        if (can_draw(session) && (orders.redraw || (orders.changed && waits))) {
            draw_again(session, cycle, time, orders.redraw);
        }
        if (!waits) {
            return KARMAN_GO_ON;
        }
        nanosleep(&nap, NULL);
    }
}
