#include "beside.h"

#include "base/log.h"
#include "base/parallel/parallel.h"
#include "film.h"
#include "frame/config_load.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* ---- Steps ------------------------------------------------------------------------- */

static const io_step *step_at(const frame_job *job, int place)
{
    return &io_source_steps(job->scene.source)[job->scene.steps[place]];
}

static bool has_times(const frame_job *job)
{
    bool has = false;
    for (int n = 0; n < job->scene.nsteps; n++) {
        has = has || step_at(job, n)->time != (double)step_at(job, n)->number;
    }
    return has;
}

/* Whether times tell which steps belong together: both have some, or both have numbers
 * alone, and they overlap. */
static bool goes_by_time(const frame_job *lead, const frame_job *job)
{
    return has_times(lead) == has_times(job) &&
           step_at(lead, 0)->time <= step_at(job, job->scene.nsteps - 1)->time &&
           step_at(job, 0)->time <= step_at(lead, lead->scene.nsteps - 1)->time;
}

/* The place of the last step that is not later; before all, the first one. */
static int find_place(const frame_job *job, double time)
{
    const double same = 1e-9 * fabs(time);
    int place = 0;
    while (place + 1 < job->scene.nsteps &&
           step_at(job, place + 1)->time <= time + same) {
        place++;
    }
    return place;
}

/* Says how steps belong together, if they are not of the same time. */
static void tell(const frame_job *lead, const frame_job *job, const int *places)
{
    for (int n = 0; n < lead->scene.nsteps; n++) {
        const io_step *mine = step_at(lead, n), *its = step_at(job, places[n]);
        if (fabs(mine->time - its->time) > 1e-9 * fabs(mine->time)) {
            base_log_note("step %" PRId64 " (time %g) of '%s' stands beside step %" PRId64
                          " (time %g) of '%s'%s",
                          mine->number, mine->time, io_source_path(lead->scene.source),
                          its->number, its->time, io_source_path(job->scene.source),
                          job->scene.nsteps == 1 ? ", the only one"
                          : goes_by_time(lead, job)
                              ? ", the last one that is not later"
                              : ", as their times have nothing in common");
            return;
        }
    }
}

/* Finds the steps beside those of the lead. Those that no frame shows go: ranges are
 * those of the others. Local. */
static status match(frame_job *job)
{
    const frame_job *lead = job->beside.lead;
    frame_scene *scene = &job->scene;
    const int count = lead->scene.nsteps;
    const bool by_time = goes_by_time(lead, job);
    int *places = malloc(((size_t)count + 1) * sizeof *places), used = 0;
    if (!places) {
        return base_fail_memory((size_t)count * sizeof *places, "steps of other data");
    }
    job->beside.steps = places;
    if (!by_time && scene->nsteps != 1 && scene->nsteps != count) {
        return io_config_fail(scene->config, "data.steps",
                              "%d steps of '%s' and %d of '%s' have no times in common: "
                              "choose as many of both, or one",
                              scene->nsteps, io_source_path(scene->source), count,
                              io_source_path(lead->scene.source));
    }
    for (int n = 0; n < count; n++) {
        places[n] = scene->nsteps == 1 ? 0
                    : by_time          ? find_place(job, step_at(lead, n)->time)
                                       : n;
    }
    if (scene->rank == 0) {
        tell(lead, job, places);
    }
    for (int n = 0; n < count; n++) {
        const int step = scene->steps[places[n]];
        places[n] = step;
        if (used == 0 || scene->steps[used - 1] != step) {
            scene->steps[used++] = step; /* places ascend */
        }
    }
    scene->nsteps = used;
    return STATUS_OK;
}

status frame_beside_match(frame_job *job)
{
    return parallel_agree(job->scene.comm, match(job));
}

int frame_beside_step(const frame_job *job, int place)
{
    return job->beside.lead ? job->beside.steps[place] : job->scene.steps[place];
}

/* ---- Jobs -------------------------------------------------------------------------- */

frame_job *frame_beside_job(const frame_job *job, int picture)
{
    const frame_job *lead = job->beside.lead ? job->beside.lead : job;
    return lead->beside.of ? lead->beside.of[picture] : (frame_job *)(uintptr_t)lead;
}

status frame_beside_picture(const frame_job *job, int picture, io_config **out)
{
    char *keys = NULL;
    status s = frame_film_picture(job->film, picture, out);
    s = parallel_agree(job->scene.comm, s);
    if (s == STATUS_OK && frame_film_gives(job->film, picture, "data")) {
        s = frame_config_guess(job->scene.comm, *out, &keys);
        s = s == STATUS_OK ? parallel_agree(job->scene.comm, frame_config_name(keys, out))
                           : s;
    }
    return s;
}

/* Adds a job for the data of a config. Collective. */
static status add_job(frame_job *lead, io_config **config, frame_job **out)
{
    frame_job *job = NULL;
    status s = lead->beside.making->create(lead, config, &job);
    if (s == STATUS_OK) {
        lead->beside.jobs[lead->beside.count++] = job;
        *out = job;
    }
    return s;
}

/* Finds the job of a picture, or makes it. Collective. */
static status choose_job(frame_job *lead, int picture)
{
    frame_beside *beside = &lead->beside;
    frame_job *its = picture == 0 ? lead : NULL;
    io_config *config = NULL;
    status s = frame_beside_picture(lead, picture, &config);
    if (s == STATUS_OK &&
        frame_config_has_same(lead->scene.config, config, "data", NULL)) {
        its = lead;
    }
    for (int n = 0; n < beside->count && s == STATUS_OK; n++) {
        frame_job *job = beside->jobs[n];
        its = frame_config_has_same(job->scene.config, config, "data", NULL) ? job : its;
    }
    s = s == STATUS_OK && !its ? add_job(lead, &config, &its) : s;
    beside->of[picture] = its;
    io_config_destroy(&config);
    return s;
}

static status reserve(frame_job *lead, int count)
{
    lead->beside.jobs = calloc((size_t)count, sizeof *lead->beside.jobs);
    lead->beside.of = calloc((size_t)count, sizeof *lead->beside.of);
    return lead->beside.jobs && lead->beside.of
               ? STATUS_OK
               : base_fail_memory(0, "the jobs of pictures");
}

status frame_beside_begin(frame_job *lead)
{
    const int count = frame_film_pictures(lead->film);
    bool is_needed = false;
    for (int n = 0; n < count; n++) {
        is_needed = is_needed || frame_film_gives(lead->film, n, "data");
    }
    if (!is_needed) {
        return STATUS_OK;
    }
    status s = lead->is_part
                   ? io_config_fail(lead->scene.config, "pictures",
                                    "have data of their own: leave out --follow")
                   : reserve(lead, count);
    s = parallel_agree(lead->scene.comm, s);
    for (int n = 0; n < count && s == STATUS_OK; n++) {
        s = choose_job(lead, n);
    }
    return s;
}

static status take(frame_job *job, int picture)
{
    io_config *config = NULL;
    const status s =
        io_config_override(frame_film_picture_base(job->film, picture), 0, NULL, &config);
    if (s == STATUS_OK) {
        io_config_destroy(&job->scene.config);
        job->scene.config = config;
    }
    return s;
}

status frame_beside_take(frame_job *lead)
{
    status s = STATUS_OK;
    for (int n = frame_film_pictures(lead->film) - 1; n >= 0 && s == STATUS_OK; n--) {
        s = lead->beside.of ? take(lead->beside.of[n], n) : STATUS_OK;
    }
    return parallel_agree(lead->scene.comm, s);
}

status frame_beside_prepare(frame_job *lead)
{
    status s = STATUS_OK;
    for (int n = 0; n < lead->beside.count && s == STATUS_OK; n++) {
        s = lead->beside.making->prepare(lead->beside.jobs[n]);
    }
    return s;
}

void frame_beside_destroy(frame_job *lead)
{
    for (int n = 0; n < lead->beside.count; n++) {
        lead->beside.making->destroy(&lead->beside.jobs[n]);
    }
    free(lead->beside.jobs);
    free(lead->beside.of);
}
