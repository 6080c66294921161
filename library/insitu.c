#include "insitu.h"
#include "state.h"

#include "base/log.h"
#include "base/parallel/share.h"
#include "base/system.h"
#include "io/config/config.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FAILURES = 3 }; /* of descriptions, in a row */

/* ---- Opening ----------------------------------------------------------------------- */

static status copy_text(const char *from, char **text, size_t *size)
{
    *text = strdup(from ? from : "");
    *size = *text ? strlen(*text) : 0;
    return *text ? STATUS_OK : base_fail_memory(0, "a config");
}

static status read_text(insitu_session *session, const char *path, const char *given)
{
    char *text = NULL;
    size_t size = 0;
    status s = STATUS_OK;
    if (session->rank == 0) {
        s = path ? io_config_read_text(path, &text, &size)
                 : copy_text(given, &text, &size);
    }
    int64_t bytes = (int64_t)size;
    s = parallel_share_text(session->comm, s, &text, &bytes, "a config");
    session->from.text = text;
    session->from.size = (size_t)bytes;
    return s;
}

status insitu_copy_options(insitu_session *session, const char *path,
                           const karman_options *options)
{
    const size_t count = (size_t)options->noverrides;
    char **overrides = calloc(count + 1, sizeof *overrides);
    session->from.overrides = (const char *const *)overrides;
    session->from.path = strdup(path ? path : "the config");
    bool works = overrides && session->from.path;
    for (size_t n = 0; works && n < count; n++) {
        works = (overrides[n] = strdup(options->overrides[n])) != NULL;
        session->from.noverrides += works;
    }
    session->threads = options->threads;
    session->goes_on = options->resume;
    return works ? STATUS_OK : base_fail_memory(count, "options");
}

static status read_config(insitu_session *session)
{
    status s = io_in_situ_parse(&session->from, &session->config);
    if (s == STATUS_OK) {
        s = frame_particles_create(session->comm, &session->particles);
    }
    return s == STATUS_OK ? insitu_pictures_create(session) : s;
}

/* Finds the program's name, for the readers of the run directory. */
static void find_program(size_t size, char *name)
{
    FILE *file = fopen("/proc/self/comm", "r");
    snprintf(name, size, "a solver");
    if (file && fgets(name, (int)size, file)) {
        name[strcspn(name, "\n")] = '\0';
    }
    if (file) {
        fclose(file);
    }
}

/* Reads and checks the config. Collective. */
static status read_all(insitu_session *session, const char *path, const char *text,
                       const karman_options *options)
{
    status s = parallel_agree(session->comm, insitu_copy_options(session, path, options));
    if (s == STATUS_OK) {
        s = read_text(session, path, text);
    }
    return s == STATUS_OK ? parallel_agree(session->comm, read_config(session)) : s;
}

static status prepare(insitu_session *session, const char *path, const char *text,
                      const karman_options *options)
{
    MPI_Comm comm = session->comm;
    status s = read_all(session, path, text, options);
    if (s == STATUS_OK) {
        const steer_options run = {session->goes_on, session->config->group_orders,
                                   json_pack("{s:o?}", "layer_kinds", settings_kinds())};
        char program[64];
        find_program(sizeof program, program);
        s = steer_run_create(comm, session->config->run, program, &run, &session->run);
        json_decref(run.about);
    }
    if (s == STATUS_OK) {
        steer_run_on_redraw(session->run, insitu_steer_redraw, session);
        steer_run_on_change(session->run, insitu_change, session);
        steer_run_on_publish(session->run, insitu_client_describe, session);
        s = parallel_agree(comm, insitu_parameters_register(session));
    }
    if (s == STATUS_OK) {
        steer_run_publish(session->run);
    }
    if (s == STATUS_OK && session->config->mode == IO_IN_SITU_HALT) {
        s = insitu_steer_halt(session);
    }
    return s;
}

status insitu_create(MPI_Comm comm, insitu_session **out)
{
    insitu_session *session = calloc(1, sizeof *session);
    status s = session ? STATUS_OK : base_fail_memory(sizeof *session, "a session");
    s = parallel_agree(comm, s);
    if (s != STATUS_OK) {
        free(session);
        return s;
    }
    parallel_dup(comm, &session->comm);
    session->rank = parallel_rank(session->comm);
    session->ranks = parallel_size(session->comm);
    session->grid.is_stale = true;
    *out = session;
    return STATUS_OK;
}

status insitu_open(MPI_Comm comm, const char *path, const char *text,
                   const karman_options *options, insitu_session **out)
{
    insitu_session *session = NULL;
    status s = insitu_create(comm, &session);
    if (s != STATUS_OK) {
        return s;
    }
    parallel_check_threads();
    s = prepare(session, path, text, options);
    if (s != STATUS_OK) {
        insitu_close(&session);
        return s;
    }
    *out = session;
    return STATUS_OK;
}

/* Takes copies of declared fields and blocks. */
static status declare(insitu_session *session, const insitu_plan *plan)
{
    const size_t bytes = (size_t)plan->nfields * sizeof *plan->fields;
    session->grid.fields = malloc(bytes + 1);
    if (!session->grid.fields) {
        return base_fail_memory(bytes, "the fields");
    }
    if (bytes > 0) {
        memcpy(session->grid.fields, plan->fields, bytes);
    }
    session->grid.nfields = plan->nfields;
    return plan->nblocks > 0
               ? grid_layout_create(plan->nblocks, plan->blocks, &session->grid.declared)
               : STATUS_OK;
}

status insitu_check(MPI_Comm comm, const char *path, const karman_options *options,
                    const insitu_plan *plan, int *pictures)
{
    insitu_session *session = NULL;
    status s = insitu_create(comm, &session);
    if (s != STATUS_OK) {
        return s;
    }
    session->ranks = plan->ranks > 0 ? plan->ranks : session->ranks;
    s = read_all(session, path, NULL, options);
    if (s == STATUS_OK) {
        s = declare(session, plan);
    }
    if (s == STATUS_OK && plan->nfields + plan->nblocks > 0) {
        s = insitu_pictures_check(session);
    }
    s = parallel_agree(comm, s);
    *pictures = session->npictures;
    insitu_close(&session);
    return s;
}

static void free_text(io_in_situ_text *from)
{
    for (int n = 0; n < from->noverrides; n++) {
        free((char *)(uintptr_t)from->overrides[n]);
    }
    free((void *)(uintptr_t)from->overrides);
    free((char *)(uintptr_t)from->path);
    free((char *)(uintptr_t)from->text);
}

/* Writes the output that jobs write at their end. Collective. */
static status finish_jobs(insitu_session *session)
{
    status s = STATUS_OK;
    for (int n = 0; n < session->npictures; n++) {
        if (session->pictures[n].job) {
            status finished = frame_job_finish(session->pictures[n].job);
            s = s == STATUS_OK ? finished : s;
        }
    }
    return s;
}

status insitu_close(insitu_session **session)
{
    insitu_session *doomed = *session;
    if (!doomed) {
        return STATUS_OK;
    }
    status s = finish_jobs(doomed);
    insitu_particles_publish(doomed);
    insitu_pictures_destroy(doomed);
    insitu_grid_free(doomed);
    frame_particles_destroy(&doomed->particles);
    frame_missing_destroy(&doomed->missing);
    steer_run_destroy(&doomed->run);
    insitu_parameters_free(doomed);
    if (doomed->data) {
        doomed->free_data(&doomed->data);
    }
    io_in_situ_destroy(&doomed->config);
    free_text(&doomed->from);
    MPI_Comm_free(&doomed->comm);
    free(doomed);
    *session = NULL;
    return s;
}

/* ---- Rendering --------------------------------------------------------------------- */

/* Draws those of the `due` pictures that do not pause; goes on after a failure. *tried:
 * their number. *any: whether one was drawn. Collective. */
static status draw_due(insitu_session *session, const bool *due, int *tried, bool *any)
{
    char first[STEER_MAX_TEXT] = "";
    status s = STATUS_OK;
    for (int n = 0; n < session->npictures; n++) {
        insitu_picture *picture = &session->pictures[n];
        bool drawn = false;
        if (!due[n] || !insitu_pause_is_over(&picture->pause, session->step.now)) {
            picture->pause.missing += due[n];
            continue;
        }
        ++*tried;
        status one = insitu_picture_draw(session, picture, picture->is_due, &drawn);
        if (one != STATUS_OK) {
            insitu_picture_fail(session, picture);
            if (s == STATUS_OK) {
                snprintf(first, sizeof first, "%s", base_fail_message());
                s = one;
            }
            base_fail_set_message("");
        } else if (drawn) {
            insitu_picture_recover(session, picture);
            *any = true;
        }
    }
    base_fail_set_message(first);
    return s;
}

/* Finds the pictures that are due, or that an order has changed; returns their number.
 * *redraws: whether there are some that are not due. Call it once for every step. */
static int find_due(insitu_session *session, bool *due, bool *redraws)
{
    const bool may_redraw = session->config->redraw_on_change && session->step.may_redraw;
    int count = 0;
    *redraws = false;
    for (int n = 0; n < session->npictures; n++) {
        insitu_picture *picture = &session->pictures[n];
        picture->is_due = insitu_trigger_is_due(&picture->trigger, session->step.cycle,
                                                session->step.time);
        due[n] = picture->is_due || (picture->is_changed && may_redraw);
        *redraws = *redraws || (due[n] && !picture->is_due);
        count += due[n];
    }
    return count;
}

/* Sets the time of the next pictures that are not due: `begin` is that of the last ones.
 * Rank 0's clock counts. */
static void pace_redraws(insitu_session *session, double begin)
{
    const double shortest = 1.0, share = 0.05, end = base_clock();
    const double rest = (end - begin) / share;
    session->step.redraw_at = fmax(begin + shortest, end + rest);
}

/* Whether any picture, due or not, may be tried. */
static bool may_try(const insitu_session *session)
{
    for (int n = 0; n < session->npictures; n++) {
        if (insitu_pause_is_over(&session->pictures[n].pause, session->step.now)) {
            return true;
        }
    }
    return false;
}

/* Reports a wrong description. It stays wrong: after MOST_FAILURES calls the session
 * turns itself off. */
static status refuse_description(insitu_session *session, status s)
{
    char text[STEER_MAX_TEXT];
    if (session->failures++ == 0) {
        snprintf(text, sizeof text, "no pictures can be drawn any more: %.512s",
                 base_fail_message());
        base_log_warning("%s", text);
        steer_run_say(session->run, text);
    }
    if (session->failures >= MOST_FAILURES) {
        session->is_off = true;
        insitu_pictures_drop(session);
        insitu_grid_close(session);
    }
    return s;
}

/* What is due at a step. */
typedef struct due_pictures {
    int count;
    bool of[IO_MAX_PICTURES]; /* [npictures] */
    bool redraws;             /* there are some that only a change makes due */
} due_pictures;

/* Draws the pictures that are due at the step. Collective. */
static status draw_step(insitu_session *session, const due_pictures *due, bool *off)
{
    bool any = false;
    int tried = 0;
    const bool measures = insitu_monitors_are_due(session);
    const bool tries = may_try(session) || measures;
    status s = tries ? insitu_take_descriptions(session) : STATUS_OK;
    if (s == STATUS_OK && tries && due->count > 0 && session->config->checks) {
        s = insitu_grid_compare(session, true);
    }
    if (s != STATUS_OK) {
        insitu_pictures_fail(session, due->of);
        insitu_pictures_rest(session);
        return s;
    }
    status moved = tries ? insitu_particles_step(session) : STATUS_OK;
    moved = moved == STATUS_OK && measures ? insitu_monitors_step(session) : moved;
    if (due->count > 0) {
        s = draw_due(session, due->of, &tried, &any);
        *off = tried == 0;
        insitu_pictures_publish(session);
    }
    if (due->redraws) {
        pace_redraws(session, session->step.now);
    }
    if (any) {
        insitu_cost_publish(session);
    }
    if (s != STATUS_OK) {
        insitu_pictures_rest(session);
    }
    return s != STATUS_OK ? s : moved;
}

/* Whether a step in which no picture is due asks nothing of this session: no particles
 * move, and the grid was read once, so that orders can name its fields. Ranks need not
 * know of each other's descriptions then. The same on every rank. */
static bool may_rest(const insitu_session *session)
{
    return session->grid.source && !frame_particles_are_asked(session->particles);
}

status insitu_render(insitu_session *session, int64_t cycle, double time, bool *off)
{
    *off = session->is_off;
    if (session->is_off) {
        return STATUS_OK;
    }
    due_pictures due;
    insitu_share_step(session, cycle, time);
    due.count = find_due(session, due.of, &due.redraws);
    if (due.count == 0 && !insitu_monitors_are_due(session) && may_rest(session)) {
        return STATUS_OK;
    }
    const status s = insitu_share_descriptions(session);
    return s == STATUS_OK ? draw_step(session, &due, off)
                          : refuse_description(session, s);
}
