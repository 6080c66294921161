/* For realpath. */
#define _XOPEN_SOURCE 700

#include "follow.h"

#include "base/array.h"
#include "base/ending/ending.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/parallel/parallel.h"
#include "base/system.h"
#include "files.h"
#include "frame/config_load.h"
#include "frame/job_state.h"
#include "frame/particles/particles.h"
#include "frame/progress.h"
#include "frame/render.h"
#include "frame/scene/appearance.h"
#include "frame/scene/missing.h"
#include "io/select.h"
#include "overrides.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Attempts before a file is skipped, and the pause after a look without a result. */
enum { MOST_TRIES = 5, PAUSE_MS = 200 };

/* A drawn step, and a hash of the name of its file. */
typedef struct drawn_step {
    int64_t number;
    double time;
    uint64_t file;
} drawn_step;

/* The result of a look into the folder, which rank 0 broadcasts. */
typedef struct follow_news {
    enum { NEWS_NOTHING, NEWS_FILE, NEWS_END } kind;
    char name[FOLLOW_NAME];
} follow_news;

typedef struct follower {
    MPI_Comm comm;
    int rank;
    const follow_request *request;
    char folder[PATH_MAX]; /* without links, so that each of its files has one name */
    io_config *config;
    follow_files files; /* rank 0 */
    follow_overrides overrides;
    int ndrawn;
    drawn_step *drawn; /* [ndrawn] */
    int64_t nframes;
    int nfiles;
    double last_news; /* rank 0: time of the last news */
    status last_failure;
    bool shows, has_announced, warned_blank, warned_again;
    frame_progress progress;
    frame_particles *particles; /* they go on from file to file */
    frame_missing *missing;     /* warnings given about missing values; NULL: none yet */
} follower;

/* ---- Steps that were drawn --------------------------------------------------------- */

/* Searches from the end, as the last steps are the likeliest. */
static const drawn_step *find_drawn(const follower *f, const io_step *step)
{
    for (int n = f->ndrawn - 1; n >= 0; n--) {
        if (f->drawn[n].number == step->number && f->drawn[n].time == step->time) {
            return &f->drawn[n];
        }
    }
    return NULL;
}

static status remember(follower *f, const io_step *step, uint64_t file)
{
    return base_array_add(f->drawn, f->ndrawn,
                          ((drawn_step){step->number, step->time, file}),
                          "the list of steps");
}

static void warn_again(follower *f, const char *name, const io_step *step)
{
    if (!f->warned_again) {
        base_log_warning("%s: step %" PRId64 ", time %g, was drawn from another file "
                         "and is not drawn again: give steps of different files "
                         "different numbers",
                         name, step->number, step->time);
        f->warned_again = true;
    }
}

/* ---- One file ---------------------------------------------------------------------- */

static status draw_step(follower *f, frame_job *job, int frame)
{
    frame_result done;
    status s = frame_job_render(job, frame, &done);
    if (s != STATUS_OK) {
        return s;
    }
    f->nframes++;
    if (f->shows) {
        frame_progress_frame(&f->progress, &done);
    }
    if ((done.is_blank || done.is_plain) && !f->warned_blank) {
        frame_render_warn(&done);
        f->warned_blank = true;
    }
    return STATUS_OK;
}

/* Draws the new steps of a file. Collective. */
static status draw_steps(follower *f, frame_job *job, const char *name)
{
    uint64_t file = base_hash_bytes(0, name, strlen(name));
    status s = STATUS_OK;
    const int frames = frame_job_frame_count(job);
    for (int n = 0; n < frames && s == STATUS_OK; n++) {
        const io_step *step = frame_job_step(job, n);
        const drawn_step *before = find_drawn(f, step);
        if (before) {
            if (before->file != file) {
                warn_again(f, name, step);
            }
            continue;
        }
        s = draw_step(f, job, n);
        s = s == STATUS_OK ? parallel_agree(f->comm, remember(f, step, file)) : s;
    }
    status finished = frame_job_finish(job);
    return s != STATUS_OK ? s : finished;
}

/* Announces the job once, with the first file. */
static void announce(follower *f, const frame_job *job, const char *name)
{
    if (f->shows && !f->has_announced) {
        char path[PATH_MAX + FOLLOW_NAME + 1];
        snprintf(path, sizeof path, "%s/%s", f->request->folder, name);
        frame_progress_announce(&f->progress, job, path);
        f->has_announced = true;
    }
}

static status draw_file(follower *f, const char *name)
{
    frame_job_options options = *f->request->options;
    frame_job *job = NULL;
    status s = follow_overrides_name(&f->overrides, f->config, f->folder, name);
    s = parallel_agree(f->comm, s);
    if (s != STATUS_OK) {
        return s;
    }
    options.is_part = true;
    options.particles = f->particles;
    options.noverrides = f->overrides.count;
    options.overrides = (const char *const *)f->overrides.texts;
    s = frame_job_create(f->comm, f->request->config, &options, &job);
    if (s == STATUS_OK) {
        frame_job_attach_missing(job, &f->missing);
        frame_particles_meet(f->particles, job->scene.source, job->scene.layout);
        announce(f, job, name);
        s = draw_steps(f, job, name);
        f->missing = frame_job_detach_missing(job);
    }
    if (s == STATUS_OK && f->nfiles++ == 0) {
        s = parallel_agree(f->comm, follow_overrides_freeze(&f->overrides, job));
    }
    frame_job_destroy(&job);
    return s;
}

/* ---- Looking ----------------------------------------------------------------------- */

/* Looks into the folder on rank 0. If the folder cannot be read for a while, following
 * goes on. */
static follow_news look(follower *f)
{
    follow_news news = {.kind = NEWS_NOTHING, .name = ""};
    if (follow_files_look(&f->files) != STATUS_OK) {
        base_fail_set_message("");
    }
    follow_file *file = follow_files_next(&f->files);
    while (file && !follow_is_selected(f->config, follow_number(f->config, file->name))) {
        file->state = FOLLOW_DRAWN;
        file = follow_files_next(&f->files);
    }
    double now = base_clock();
    if (file) {
        news.kind = NEWS_FILE;
        strcpy(news.name, file->name);
    } else if (follow_files_stop(&f->files) ||
               (f->request->until > 0.0 && now - f->last_news >= f->request->until)) {
        news.kind = NEWS_END;
    }
    return news;
}

/* Whether the failure concerns this file; other files may succeed. */
static bool is_of_file(status s)
{
    return s == STATUS_INPUT || s == STATUS_USAGE;
}

/* Notes the outcome of a file on rank 0. An incomplete file, or one not yet visible on
 * this node, is tried again. */
static void note(follower *f, status s)
{
    follow_file *file = follow_files_next(&f->files);
    f->last_news = base_clock();
    if (s == STATUS_OK) {
        file->state = FOLLOW_DRAWN;
        return;
    }
    file->tries++;
    if (s == STATUS_INPUT && file->tries < MOST_TRIES) {
        return;
    }
    file->state = FOLLOW_SKIPPED;
    if (!io_select_found_none(s)) { /* other files may have a selected step */
        base_log_warning("%s/%s is skipped: %s", f->request->folder, file->name,
                         base_fail_message());
    }
}

static void pause_a_little(void)
{
    /* Every rank sleeps instead of polling for rank 0, so that the solver has the
     * processors. */
    nanosleep(&(struct timespec){0, PAUSE_MS * 1000000L}, NULL);
}

static status treat_file(follower *f, const char *name)
{
    status s = draw_file(f, name);
    if (s != STATUS_OK && !is_of_file(s)) {
        return s;
    }
    if (f->rank == 0) {
        note(f, s);
    }
    f->last_failure = io_select_found_none(s) ? STATUS_OK : s;
    if (s != STATUS_OK) {
        base_fail_set_message("");
        pause_a_little();
    }
    return STATUS_OK;
}

static status follow(follower *f)
{
    status s = STATUS_OK;
    f->last_news = base_clock();
    while (s == STATUS_OK) {
        follow_news news;
        memset(&news, 0, sizeof news);
        if (f->rank == 0) {
            news = look(f);
        }
        parallel_bcast(&news, (int)sizeof news, MPI_BYTE, 0, f->comm);
        if (news.kind == NEWS_END) {
            break;
        }
        if (frame_render_ends(f->comm)) {
            base_ending_leave_work();
            base_log_warning(
                "SIGTERM: ended before a file 'stop' appeared in %s; the same "
                "command with --resume goes on",
                f->request->folder);
            break;
        }
        if (news.kind == NEWS_FILE) {
            s = treat_file(f, news.name);
        } else {
            pause_a_little();
        }
    }
    if (s == STATUS_OK && f->nfiles == 0 && f->last_failure != STATUS_OK) {
        s = base_fail(STATUS_INPUT, "not one file in %s could be drawn: see the warnings",
                      f->request->folder);
    }
    return s;
}

/* ---- The follower ------------------------------------------------------------------ */

static status open_folder(follower *f)
{
    if (!realpath(f->request->folder, f->folder)) {
        return base_fail(STATUS_INPUT,
                         "--follow %s: there is no such folder; it must exist when the "
                         "program starts",
                         f->request->folder);
    }
    status s = follow_files_create(f->folder, f->config->data.file, &f->files);
    return s == STATUS_OK ? follow_files_look(&f->files) : s;
}

static status prepare(follower *f)
{
    const frame_job_options *options = f->request->options;
    status s = frame_config_load(f->comm, f->request->config, options->noverrides,
                                 options->overrides, &f->config);
    if (s != STATUS_OK) {
        return s;
    }
    s = io_config_check_numbered(f->config);
    if (s != STATUS_OK) {
        return s;
    }
    s = follow_overrides_create(options->noverrides, options->overrides, &f->overrides);
    if (s == STATUS_OK) {
        s = frame_particles_create(f->comm, &f->particles);
    }
    if (s == STATUS_OK) {
        s = frame_particles_ask(f->particles, "", f->config);
    }
    s = parallel_agree(f->comm, s);
    if (s == STATUS_OK) {
        s = parallel_agree(f->comm, f->rank == 0 ? open_folder(f) : STATUS_OK);
    }
    if (s == STATUS_OK) {
        parallel_bcast(f->folder, (int)sizeof f->folder, MPI_CHAR, 0, f->comm);
    }
    return s;
}

status follow_program(MPI_Comm comm, const follow_request *request)
{
    follower f = {.comm = comm, .rank = parallel_rank(comm), .request = request};
    f.shows = f.rank == 0 && !request->quiet;
    f.progress = frame_progress_begin(0);
    status s = prepare(&f);
    s = s == STATUS_OK ? follow(&f) : s;
    if (f.shows && f.nframes > 0) {
        frame_progress_end(&f.progress, s == STATUS_OK);
    }
    follow_overrides_clear(&f.overrides);
    follow_files_clear(&f.files);
    io_config_destroy(&f.config);
    free(f.drawn);
    frame_missing_destroy(&f.missing);
    frame_particles_destroy(&f.particles);
    return s;
}
