/* The calls of karman.h for in-situ sessions: environment, costs and messages around the
 * work. */
#include "base/log.h"
#include "base/parallel/parallel.h"
#include "frame/entry.h"
#include "insitu.h"
#include "karman.h"
#include "library/data/data.h"
#include "library/data/messages.h"

/* One call while it runs. */
typedef struct call {
    karman_session *session;
    frame_entry entry;
} call;

static void begin(call *c, karman_session *session)
{
    base_fail_set_message("");
    frame_entry_begin(&c->entry);
    c->session = session;
    if (session) {
        insitu_enter(session);
    }
}

static int end(call *c, status s)
{
    if (c->session) {
        insitu_leave(c->session);
    }
    frame_entry_end(&c->entry);
    insitu_note_status(s);
    return base_status_exit_code(s);
}

/* Prints the failure, for users of programs that ignore the returned code. */
static status warn(status s, const char *what)
{
    if (s != STATUS_OK) {
        base_log_warning("%s: %s", what, base_fail_message());
    }
    return s;
}

/* Data without a run have no checkpoints, orders or monitors. */
static bool has_run(const karman_session *session)
{
    return session && !session->data;
}

/* ---- Opening and closing ----------------------------------------------------------- */

static int open_session(MPI_Comm comm, const char *path, const char *text,
                        const karman_options *options, karman_session **session)
{
    const karman_options defaults = {0};
    *session = NULL;
    insitu_configure_log(comm);
    call c;
    begin(&c, NULL);
    status s = insitu_open(comm, path, text, options ? options : &defaults, session);
    return end(&c, warn(s, "the program draws no pictures and takes no orders"));
}

int karman_open(MPI_Comm comm, const char *config_path, const karman_options *options,
                karman_session **session)
{
    return open_session(comm, config_path, NULL, options, session);
}

int karman_open_text(MPI_Comm comm, const char *config, const karman_options *options,
                     karman_session **session)
{
    return open_session(comm, NULL, config, options, session);
}

int karman_close(karman_session **session)
{
    call c;
    begin(&c, NULL);
    status s = session ? insitu_close(session) : STATUS_OK;
    return end(&c, warn(s, "the last output of karman is incomplete"));
}

/* ---- Describing -------------------------------------------------------------------- */

int karman_set_block(karman_session *session, int part, const karman_block *block)
{
    if (!session) {
        return KARMAN_OFF;
    }
    call c;
    begin(&c, session);
    return end(&c, insitu_set_block(session, part, block));
}

int karman_drop_parts(karman_session *session, int first)
{
    if (!session) {
        return KARMAN_OFF;
    }
    call c;
    begin(&c, session);
    return end(&c, insitu_drop_parts(session, first));
}

int karman_set_field(karman_session *session, int part, const char *name, int association,
                     const karman_array *values)
{
    if (!session) {
        return KARMAN_OFF;
    }
    call c;
    begin(&c, session);
    return end(&c, insitu_set_field(session, part, name, association, values));
}

/* ---- Checkpoints ------------------------------------------------------------------- */

int karman_save(karman_session *session, int64_t cycle, double time)
{
    if (!has_run(session)) {
        return KARMAN_OFF;
    }
    call c;
    begin(&c, session);
    return end(&c, warn(insitu_save(session, cycle, time),
                        "the particles of this checkpoint are not saved"));
}

int karman_restore(karman_session *session, int64_t cycle, double time)
{
    if (!has_run(session)) {
        return KARMAN_OFF;
    }
    call c;
    begin(&c, session);
    return end(&c, warn(insitu_restore(session, cycle, time),
                        "particles set out anew after this restart"));
}

/* ---- Drawing and steering ---------------------------------------------------------- */

int karman_render(karman_session *session, int64_t cycle, double time)
{
    if (!session) {
        base_fail_set_message("");
        return KARMAN_OFF;
    }
    bool off = false;
    call c;
    begin(&c, session);
    const int code = end(&c, insitu_render(session, cycle, time, &off));
    return off ? KARMAN_OFF : code;
}

int karman_poll_steering(karman_session *session, int64_t cycle, double time)
{
    if (!has_run(session)) {
        return KARMAN_GO_ON;
    }
    call c;
    begin(&c, session);
    int answer = insitu_poll(session, cycle, time);
    end(&c, STATUS_OK);
    return answer;
}

static int add_value(karman_session *session, const insitu_value *value)
{
    if (!has_run(session)) {
        return KARMAN_OFF;
    }
    call c;
    begin(&c, session);
    return end(&c, warn(insitu_add_value(session, value),
                        "a parameter of the program cannot be set by orders"));
}

int karman_parameter(karman_session *session, const char *name, double *value, double min,
                     double max, const char *help)
{
    const insitu_value of_program = {.name = name,
                                     .help = help,
                                     .value = *value,
                                     .min = min,
                                     .max = max,
                                     .target = value};
    return add_value(session, &of_program);
}

int karman_parameter_callback(karman_session *session, const char *name, double value,
                              double min, double max, const char *help,
                              karman_set_value *set, void *context)
{
    const insitu_value of_program = {.name = name,
                                     .help = help,
                                     .value = value,
                                     .min = min,
                                     .max = max,
                                     .set = set,
                                     .context = context};
    return add_value(session, &of_program);
}

int karman_monitor(karman_session *session, int64_t cycle, double time, int count,
                   const char *const *names, const double *values)
{
    if (!has_run(session)) {
        return KARMAN_OFF;
    }
    call c;
    begin(&c, session);
    insitu_monitor(session, cycle, time, count, names, values);
    return end(&c, STATUS_OK);
}

/* ---- Data without a run ------------------------------------------------------------ */

int karman_open_data(MPI_Comm comm, const char *path, const karman_options *options,
                     karman_session **session)
{
    const karman_options defaults = {0};
    *session = NULL;
    insitu_configure_log(comm);
    call c;
    begin(&c, NULL);
    return end(&c, insitu_data_open(comm, path, options ? options : &defaults, session));
}

int karman_draw(karman_session *session, int count, const char *const *options,
                karman_picture *picture)
{
    if (!session) {
        return KARMAN_OFF;
    }
    call c;
    begin(&c, session);
    return end(&c, insitu_data_draw(session, count, options, picture));
}

int karman_describe(karman_session *session, const char **json)
{
    if (!session) {
        return KARMAN_OFF;
    }
    call c;
    begin(&c, session);
    return end(&c, insitu_data_describe(session, json));
}

int karman_find_bounds(karman_session *session, int64_t step, double bounds[6])
{
    if (!session) {
        return KARMAN_OFF;
    }
    call c;
    begin(&c, session);
    return end(&c, insitu_data_bounds(session, step, bounds));
}

int karman_find_range(karman_session *session, const char *field, int64_t step,
                      double range[2])
{
    if (!session) {
        return KARMAN_OFF;
    }
    call c;
    begin(&c, session);
    return end(&c, insitu_data_range(session, field, step, range));
}

int karman_read(karman_session *session, const char *array, int block, int64_t step,
                int type, void *values)
{
    if (!session) {
        return KARMAN_OFF;
    }
    const insitu_wish wish = {array, block, step, type};
    call c;
    begin(&c, session);
    return end(&c, insitu_data_read(session, &wish, values));
}

int karman_probe(karman_session *session, const karman_points *points, int *blocks,
                 double *values)
{
    if (!session) {
        return KARMAN_OFF;
    }
    call c;
    begin(&c, session);
    return end(&c, insitu_data_probe(session, points, blocks, values));
}
