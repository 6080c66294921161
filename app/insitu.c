#include "app/insitu_state.h"

#include "base/log.h"
#include "base/parallel.h"
#include "io/config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FAILURES = 3 }; /* in a row */

/* ---- Opening ----------------------------------------------------------------------- */

/* Gives all ranks rank 0's text. Collective. */
static status share_text(app_insitu *session, char *text, size_t size)
{
    int64_t bytes = (int64_t)size;
    parallel_bcast(&bytes, 1, MPI_INT64_T, 0, session->comm);
    if (session->rank != 0) {
        text = malloc((size_t)bytes + 1);
    }
    session->from.text = text;
    session->from.size = (size_t)bytes;
    status s = text ? STATUS_OK : base_fail_memory((size_t)bytes, "a config");
    s = parallel_agree(session->comm, s);
    if (s == STATUS_OK) {
        parallel_bcast(text, parallel_count(bytes), MPI_CHAR, 0, session->comm);
    }
    return s;
}

static status copy_text(const char *from, char **text, size_t *size)
{
    *text = strdup(from ? from : "");
    *size = *text ? strlen(*text) : 0;
    return *text ? STATUS_OK : base_fail_memory(0, "a config");
}

static status read_text(app_insitu *session, const char *path, const char *given)
{
    char *text = NULL;
    size_t size = 0;
    status s = STATUS_OK;
    if (session->rank == 0) {
        s = path ? io_config_read_text(path, &text, &size)
                 : copy_text(given, &text, &size);
    }
    s = parallel_agree(session->comm, s);
    if (s != STATUS_OK) {
        free(text);
        return s;
    }
    return share_text(session, text, size);
}

static status copy_options(app_insitu *session, const char *path,
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

static status read_config(app_insitu *session)
{
    status s = io_in_situ_parse(&session->from, &session->config);
    return s == STATUS_OK ? insitu_pictures_create(session) : s;
}

/* What the program is called, for who reads the run directory. */
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

static status prepare(app_insitu *session, const char *path, const char *text,
                      const karman_options *options)
{
    MPI_Comm comm = session->comm;
    status s = parallel_agree(comm, copy_options(session, path, options));
    if (s == STATUS_OK) {
        s = read_text(session, path, text);
    }
    if (s == STATUS_OK) {
        s = parallel_agree(comm, read_config(session));
    }
    if (s == STATUS_OK) {
        char program[64];
        find_program(sizeof program, program);
        s = steer_run_create(comm, session->config->run, program, session->goes_on,
                             &session->run);
    }
    if (s == STATUS_OK) {
        s = parallel_agree(comm, insitu_parameters_register(session));
    }
    if (s == STATUS_OK && session->config->mode == IO_IN_SITU_HALT) {
        s = insitu_steer_halt(session);
    }
    return s;
}

status app_insitu_open(MPI_Comm comm, const char *path, const char *text,
                       const karman_options *options, app_insitu **out)
{
    app_insitu *session = calloc(1, sizeof *session);
    status s = session ? STATUS_OK : base_fail_memory(sizeof *session, "a session");
    s = parallel_agree(comm, s);
    if (s != STATUS_OK) {
        free(session);
        return s;
    }
    MPI_Comm_dup(comm, &session->comm);
    session->rank = parallel_rank(session->comm);
    session->ranks = parallel_size(session->comm);
    session->is_stale = true;
    parallel_check_threads();
    s = prepare(session, path, text, options);
    if (s != STATUS_OK) {
        app_insitu_close(&session);
        return s;
    }
    *out = session;
    return STATUS_OK;
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

/* Writes what jobs write at their end. Collective. */
static status finish_jobs(app_insitu *session)
{
    status s = STATUS_OK;
    for (int n = 0; n < session->npictures; n++) {
        if (session->pictures[n].job) {
            status finished = app_job_finish(session->pictures[n].job);
            s = s == STATUS_OK ? finished : s;
        }
    }
    return s;
}

status app_insitu_close(app_insitu **session)
{
    app_insitu *doomed = *session;
    if (!doomed) {
        return STATUS_OK;
    }
    status s = finish_jobs(doomed);
    insitu_pictures_destroy(doomed);
    insitu_grid_free(doomed);
    app_missing_destroy(&doomed->missing);
    steer_run_destroy(&doomed->run);
    insitu_parameters_free(doomed);
    io_in_situ_destroy(&doomed->config);
    free_text(&doomed->from);
    MPI_Comm_free(&doomed->comm);
    free(doomed);
    *session = NULL;
    return s;
}

/* ---- Rendering --------------------------------------------------------------------- */

bool app_insitu_is_off(const app_insitu *session)
{
    return session->is_off;
}

/* Takes rank 0's step, and what any rank has said of the grid. Collective. */
static status share_step(app_insitu *session, int64_t cycle, double time)
{
    struct {
        int64_t cycle;
        double time;
    } step = {cycle, time};
    int mine[2] = {session->described != STATUS_OK, session->is_stale}, any[2];
    parallel_bcast(&step, (int)sizeof step, MPI_BYTE, 0, session->comm);
    parallel_allreduce(mine, any, 2, MPI_INT, MPI_MAX, session->comm);
    session->cycle = step.cycle;
    session->time = step.time;
    session->has_step = true;
    session->is_stale = any[1] != 0;
    if (!any[0]) {
        return STATUS_OK;
    }
    if (session->complaint) {
        base_fail_set_message(session->complaint);
    }
    return parallel_agree(session->comm, session->described);
}

/* Sees to it that there is a source of the grid as it is. Collective. */
static status open_grid(app_insitu *session)
{
    if (!session->is_stale) {
        return STATUS_OK;
    }
    insitu_pictures_drop(session);
    status s = insitu_grid_open(session);
    return s == STATUS_OK ? parallel_agree(session->comm, insitu_pictures_check(session))
                          : s;
}

/* Draws those that are due; goes on after one that fails. Collective. */
static status draw_due(app_insitu *session, const bool *due, bool *any)
{
    status s = STATUS_OK;
    for (int n = 0; n < session->npictures; n++) {
        bool drawn = false;
        if (due[n]) {
            status one =
                insitu_picture_draw(session, &session->pictures[n], true, &drawn);
            s = s == STATUS_OK ? one : s;
        }
        *any |= drawn;
    }
    return s;
}

/* Which pictures are due; whether any is. */
static bool find_due(app_insitu *session, bool *due)
{
    bool any = false;
    for (int n = 0; n < session->npictures; n++) {
        due[n] = insitu_trigger_is_due(&session->pictures[n].trigger, session->cycle,
                                       session->time);
        any |= due[n];
    }
    return any;
}

static void switch_off(app_insitu *session)
{
    char text[STEER_MAX_TEXT];
    snprintf(text, sizeof text,
             "pictures are switched off after %d failures in a row, the last one: %s",
             MOST_FAILURES, base_fail_message());
    base_log_warning("%s", text);
    steer_run_say(session->run, text);
    session->is_off = true;
    insitu_pictures_drop(session);
    insitu_grid_close(session);
}

/* Counts failures in a row; the caller reports each. */
static void count_failure(app_insitu *session, status s, bool any)
{
    if (s == STATUS_OK) {
        session->failures = any ? 0 : session->failures;
        return;
    }
    base_log_warning("step %lld is not drawn as it should be: %s",
                     (long long)session->cycle, base_fail_message());
    session->failures++;
    if (session->failures >= MOST_FAILURES) {
        switch_off(session);
    }
}

status insitu_take_step(app_insitu *session, int64_t cycle, double time)
{
    status s = share_step(session, cycle, time);
    if (s == STATUS_OK) {
        s = open_grid(session);
    }
    if (s == STATUS_OK) {
        io_live_set_step(session->source, session->cycle, session->time);
    }
    return s;
}

status app_insitu_render(app_insitu *session, int64_t cycle, double time)
{
    bool due[IO_MAX_PICTURES], any = false;
    status s = insitu_take_step(session, cycle, time);
    if (find_due(session, due) && s == STATUS_OK) {
        s = draw_due(session, due, &any);
    }
    if (any) {
        insitu_cost_publish(session);
    }
    count_failure(session, s, any);
    return s;
}
