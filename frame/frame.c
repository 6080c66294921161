/* One frame of a job: load, render, composite, finish, write. */
#include "base/parallel/parallel.h"
#include "base/system.h"
#include "entry.h"
#include "film/cells.h"
#include "film/frames.h"
#include "film/turn.h"
#include "frame/extract/extract.h"
#include "frame/layers/costs.h"
#include "frame/layers/layers.h"
#include "frame/light/shadows.h"
#include "frame/scene/appearance.h"
#include "frame/scene/missing.h"
#include "frame/scene/volume.h"
#include "frame/shown/take.h"
#include "io/picture/float_image.h"
#include "io/sources/memory/memory.h"
#include "io/timings/stage.h"
#include "job.h"
#include "job_state.h"
#include "png_texts.h"
#include "single_color.h"

#include <math.h>
#include <stdlib.h>

/* Data passed from stage to stage of a frame. */
typedef struct frame_work {
    int step_index, next_index; /* steps of this frame and of the next one; -1: none */
    int frames_left;            /* including this one */
    render_counters counters;
    int64_t active_pixels;
    bool is_plain;       /* the first picture has only one colour */
    io_stage_time begin; /* of the frame */
    io_stage_time mark;  /* the end of the last stage */
    distribution_drawn drawn;
    distribution_result result;
    io_float_file floats; /* rank 0 */
    io_frame_times times;
} frame_work;

/* ---- Resuming ---------------------------------------------------------------------- */

/* Whether a frame is recorded: the last one. */
static bool is_recorded(const frame_job *job, int frames_left)
{
    return job->recording && frames_left == 1;
}

/* Tells every rank the result of rank 0. */
static bool is_complete(const frame_job *job, const frame_work *work)
{
    const bool resumes =
        job->resume && !is_recorded(job, work->frames_left) && !frame_film_is_cell(job);
    int complete =
        resumes && job->scene.rank == 0 && frame_texts_are_there(job, work->drawn.step);
    if (resumes) {
        parallel_bcast(&complete, 1, MPI_INT, 0, job->scene.comm);
    }
    return complete;
}

/* Adds the time since the last stage ended to a stage. */
static void stop_stage(frame_work *work, int stage)
{
    io_stage_extend(&work->times.stages[stage], io_stage_lap(&work->mark));
}

/* ---- Putting together -------------------------------------------------------------- */

/* The events of compositing on this rank: recorded for the first two pictures of a job
 * with timings, and for a recording; otherwise NULL. */
static base_events *choose_events(const frame_job *job, int frames_left)
{
    enum { PICTURES = 2 };
    return job->drawn < PICTURES || is_recorded(job, frames_left) ? job->events : NULL;
}

/* Agrees with the other ranks on the picture before it is drawn. Collective. */
static status begin_picture(frame_job *job, int frames_left)
{
    job->picture.events =
        job->picture.samples.number == 0 ? choose_events(job, frames_left) : NULL;
    return distribution_begin(job->distribution);
}

/* Composites the picture. Ranks still have to agree on the returned status. */
static status composite_frame(frame_job *job, status rendered, frame_work *work)
{
    if (job->events && job->picture.samples.number == 0) {
        job->events->count = 0; /* not those of the agreement before drawing */
    }
    return distribution_put_together(job->distribution, rendered, &work->drawn,
                                     &work->result);
}

/* ---- Finishing --------------------------------------------------------------------- */

/* Finds whether the first picture of a volume has only one colour. A surface may have
 * one. Later pictures are not checked, as that takes time. Collective. */
static status look_at_colors(const frame_job *job, status pieces,
                             const io_png_share *share, bool *is_plain)
{
    status s = parallel_agree(job->scene.comm, pieces);
    if (s == STATUS_OK) {
        *is_plain = frame_picture_is_plain(&job->picture, share);
    }
    return s;
}

/* Makes the file of the float image on rank 0, which has the whole picture; *floats stays
 * zero if the config has none. */
static status make_floats(const frame_job *job, io_float_file *floats)
{
    const char *pattern = job->scene.config->output.floats;
    if (!pattern || job->scene.rank != 0) {
        return STATUS_OK;
    }
    char *path = io_config_expand(pattern, job->scene.number);
    status s = path ? io_float_file_make(path, job->picture.img, floats)
                    : base_fail_memory(0, "a path");
    free(path);
    return s;
}

/* Converts and compresses the picture if all ranks have composited it. Each rank does its
 * own strips, and rank 0 makes the file of floats beside them. Collective. */
static status finish_picture(frame_job *job, status composited, frame_work *work,
                             io_png_strips *strips)
{
    io_png_share share = {.width = job->picture.img->width,
                          .height = job->picture.img->height,
                          .format = frame_picture_format(&job->picture)};
    status s = composited == STATUS_OK
                   ? distribution_pieces(job->distribution, &work->drawn, &share)
                   : composited;
    if (frame_shown_take_pixels(job, &share, &s) ||
        frame_film_take_cell(job, &share, &s)) {
        return s;
    }
    const bool is_first = job->drawn == 0 && !job->scene.is_live;
    if (is_first && job->scene.config->volume) {
        s = look_at_colors(job, s, &share, &work->is_plain);
    }
    io_png_maker *maker = NULL;
    s = io_png_strips_begin(job->scene.comm, s, &share, job->scene.threads, &maker);
    if (s != STATUS_OK) {
        return s;
    }
    s = io_png_strips_finish(&maker, make_floats(job, &work->floats), strips);
    if (s != STATUS_OK) {
        io_float_file_clear(&work->floats);
        io_png_strips_clear(strips);
    }
    return s;
}

/* ---- Writing ----------------------------------------------------------------------- */

static status write_frame(frame_job *job, frame_work *work, io_png_strips *strips)
{
    if (frame_film_awaits_cells(job)) {
        return STATUS_OK;
    }
    if (job->show.is_on) {
        return frame_shown_take_strips(job, work->drawn.step, strips);
    }
    status s = io_png_strips_collect(job->scene.comm, strips);
    if (s != STATUS_OK) {
        io_float_file_clear(&work->floats);
        return s;
    }
    if (job->scene.rank == 0) {
        /* First the figure: with --resume a picture without it is drawn again. */
        s = job->scene.config->output.figure ? frame_picture_write_figure(&job->picture)
                                             : STATUS_OK;
    }
    if (job->scene.rank == 0 && s == STATUS_OK) {
        s = frame_film_submit(job, work->drawn.step, strips, &work->floats);
    } else if (job->scene.rank == 0) {
        io_float_file_clear(&work->floats);
    }
    return parallel_agree(job->scene.comm, s);
}

/* ---- The frame --------------------------------------------------------------------- */

/* Counts this rank's bricks, and those in memory. */
static void count_bricks(const grid_store *store, io_frame_counts *counts)
{
    counts->bricks_held = store->nbricks;
    for (int64_t b = 0; b < store->nbricks; b++) {
        if (store->bricks[b].vertex) {
            counts->bricks_loaded++;
            counts->cells_held += store->layout->bricks[store->bricks[b].number].cells;
        }
    }
}

/* Tells the timings how the images were blended. */
static status record_choice(frame_job *job, const frame_work *work)
{
    const composite_choice *choice = &work->result.choice;
    const composite_problem *problem = work->result.problem;
    const bool is_cut = problem && problem->cuts.before[COMPOSITE_BANDS] > 0;
    const io_timings_choice how = {.algorithm =
                                       choice->algorithm ? choice->algorithm->name : NULL,
                                   .reason = composite_reason_name(work->result.reason),
                                   .factors = choice->params.factors,
                                   .nfactors = choice->params.nfactors,
                                   .group = choice->params.group,
                                   .fan_in = choice->params.fan_in,
                                   .segment = choice->segment,
                                   .encoding = composite_encoding_names[choice->encoding],
                                   .by_nodes = choice->by_nodes,
                                   .ncuts = is_cut ? COMPOSITE_BANDS + 1 : 0,
                                   .cuts = problem ? problem->cuts.before : NULL,
                                   .positions = job->scene.ranks,
                                   .late = problem ? problem->late : NULL};
    return how.algorithm ? io_timings_add_choice(job->timings, &how) : STATUS_OK;
}

static status record(frame_job *job, const frame_work *work)
{
    if (!job->timings) {
        return STATUS_OK;
    }
    io_frame_counts counts = {.rays = work->counters.rays,
                              .crossings = work->counters.crossings,
                              .lost_rays = work->counters.lost_rays,
                              .nan_cells = work->counters.nan_cells,
                              .active_pixels = work->active_pixels,
                              .messages_sent = work->result.counters.messages_sent,
                              .bytes_sent = work->result.counters.bytes_sent,
                              .bytes_shared = work->result.counters.bytes_shared,
                              .peak_memory = base_peak_memory(),
                              .kept_bytes = work->counters.kept_bytes,
                              .active = {work->drawn.active.x0, work->drawn.active.y0,
                                         work->drawn.active.x1, work->drawn.active.y1},
                              .position =
                                  job->scene.config->partition.kind == IO_PARTITION_OBJECT
                                      ? work->result.position
                                      : -1,
                              .threads = job->scene.threads};
    if (job->scene.volume.store) {
        count_bricks(job->scene.volume.store, &counts);
    }
    status s =
        io_timings_add(job->timings, work->drawn.step->number, work->drawn.step->time,
                       job->files.path, &work->times, &counts);
    s = s == STATUS_OK ? record_choice(job, work) : s;
    if (s == STATUS_OK && choose_events(job, work->frames_left)) {
        s = io_timings_add_events(job->timings, job->events);
    }
    return s == STATUS_OK
               ? frame_costs_record(job->layers.costs,
                                    &work->times.stages[IO_STAGE_RENDER], job->timings)
               : s;
}

/* Moves boxes or rectangles if that pays, and prepares volume and layers for other
 * bricks. Collective. */
static status correct_distribution(frame_job *job, const frame_work *work)
{
    bool moved = false;
    status s =
        distribution_correct(job->distribution, &job->times, work->frames_left, &moved);
    if (s == STATUS_OK && moved) {
        s = frame_volume_load_bricks(&job->scene);
    }
    if (s == STATUS_OK && moved) {
        s = frame_layers_move(&job->scene, &job->layers);
    }
    job->is_moving |= moved;
    return s;
}

/*
 * Draws the step once without using the result, so that caches hold its data, as on a
 * core of its own. This belongs to no stage, and not to the frame.
 * Local.
 */
static status rehearse(frame_job *job, frame_work *work)
{
    const render_counters counters = work->counters;
    draw_request request = frame_scene_request(&job->scene);
    request.seconds = NULL;
    const status s = frame_draw(job, &request, &work->counters);
    work->counters = counters;
    work->begin.wall += io_stage_lap(&work->mark).wall;
    return s;
}

/* The processor seconds of a stage without waiting. */
static double work_of(const io_stage_time *stage)
{
    return fmax(stage->cpu - stage->waited, 0.0);
}

/* The seconds of loading as on a core of its own, as drawing is counted. If ranks share
 * cores, neither waiting for other ranks nor their work counts. */
static double count_load_seconds(const frame_job *job, const io_stage_time *load)
{
    const double alone = load->wall / job->crowd;
    return job->crowd > 1.0 ? fmin(alone, work_of(load)) : alone;
}

/* Draws one sample of all pixels, and blends it. The returned status may differ among
 * ranks. Collective. */
static status draw_sample(frame_job *job, frame_work *work, draw_request *request)
{
    status s = begin_picture(job, work->frames_left);
    stop_stage(work, IO_STAGE_LOAD);
    if (s != STATUS_OK) {
        return s;
    }
    frame_samples_aim(&job->picture.samples, &request->camera);
    s = frame_draw(job, request, &work->counters);
    stop_stage(work, IO_STAGE_RENDER);
    const int64_t active =
        frame_picture_count_visible(&job->picture, job->timings ? INT64_MAX : 1);
    work->active_pixels = active > work->active_pixels ? active : work->active_pixels;
    work->drawn.active = job->picture.img->active;
    if (s == STATUS_OK && is_recorded(job, work->frames_left) &&
        job->picture.samples.number == 0 && request->purpose != DRAW_EDGES) {
        s = frame_recording_take(job->recording, job->picture.img,
                                 job->scene.config->is_linear);
    }
    io_stage_lap(&work->mark); /* counting and shrinking for timings belong to no stage */
    s = composite_frame(job, s, work);
    stop_stage(work, IO_STAGE_COMPOSITE);
    return s;
}

/* Draws a set of samples at edges, and adds it up. Collective. */
static status draw_set(frame_job *job, frame_work *work)
{
    job->picture.events = NULL;
    status s = distribution_begin_set(job->distribution);
    stop_stage(work, IO_STAGE_LOAD);
    if (s != STATUS_OK) {
        return s;
    }
    draw_request request = frame_scene_request(&job->scene);
    request.camera.mask = job->picture.samples.mask;
    s = frame_draw_set(job, &request, &work->counters);
    stop_stage(work, IO_STAGE_RENDER);
    s = distribution_put_set(job->distribution, s, &work->result);
    stop_stage(work, IO_STAGE_COMPOSITE);
    return s;
}

/* Measures the costs of tiles, too, which later samples share. */
static status draw_first_sample(frame_job *job, frame_work *work, draw_purpose purpose)
{
    draw_request request = frame_scene_request(&job->scene);
    request.purpose = purpose;
    frame_costs_begin(job->layers.costs, job->drawn == 0 || work->frames_left == 1,
                      &request);
    const status s = draw_sample(job, work, &request);
    frame_costs_end(job->layers.costs, &request);
    frame_costs_share(&job->scene, &job->layers, &work->times.stages[IO_STAGE_RENDER]);
    return s;
}

/* The first one of adaptive samples, and the edges there. Textures are no edges: a
 * picture without them shows which pixels get further samples, and the first sample
 * follows. Surfaces then keep their hits. */
static status draw_adaptive_sample(frame_job *job, frame_work *work)
{
    frame_samples *samples = &job->picture.samples;
    const bool has_textures = frame_layers_have_textures(&job->layers);
    status s = draw_first_sample(job, work, has_textures ? DRAW_EDGES : DRAW_PICTURE);
    s = frame_samples_refine(samples, job->scene.comm, job->picture.img,
                             job->scene.threads, s);
    stop_stage(work, IO_STAGE_COMPOSITE);
    draw_request request = frame_scene_request(&job->scene);
    return s == STATUS_OK && has_textures ? draw_sample(job, work, &request) : s;
}

/* Draws all samples, and finishes the picture of their mean. The returned status may
 * differ among ranks. Collective. */
static status draw_samples(frame_job *job, frame_work *work)
{
    frame_samples *samples = &job->picture.samples;
    const bool are_adaptive = samples->are_adaptive;
    samples->count = are_adaptive ? 1 : samples->count;
    samples->number = 0;
    status s = are_adaptive ? draw_adaptive_sample(job, work)
                            : draw_first_sample(job, work, DRAW_PICTURE);
    for (samples->number = 1; samples->number < samples->count;
         samples->number += are_adaptive ? samples->set.count : 1) {
        s = parallel_agree(job->scene.comm, s);
        if (s != STATUS_OK || frame_shown_is_unwanted(job)) {
            break;
        }
        draw_request request = frame_scene_request(&job->scene);
        s = are_adaptive ? draw_set(job, work) : draw_sample(job, work, &request);
    }
    job->picture.events = choose_events(job, work->frames_left);
    s = distribution_finish(job->distribution, s, &work->drawn, &work->result);
    stop_stage(work, IO_STAGE_COMPOSITE);
    return s;
}

/* Reads the data of the frame's step, and divides the work anew if need be. */
static status load_frame(frame_job *job, frame_work *work)
{
    status s = frame_job_follow_grid(job, work->step_index);
    if (s == STATUS_OK) {
        s = frame_job_follow_ranges(job, work->step_index);
    }
    if (s == STATUS_OK) {
        s = correct_distribution(job, work);
    }
    if (s == STATUS_OK) {
        s = frame_load(job, work->step_index);
    }
    if (s == STATUS_OK && job->scene.is_from_memory) {
        base_trim_memory(); /* releases data read in passing, before images allocate
                               theirs */
    }
    return s;
}

static status draw_frame(frame_job *job, frame_work *work)
{
    work->begin = work->mark = io_stage_read();
    status s = load_frame(job, work);
    if (s != STATUS_OK) {
        return s;
    }
    stop_stage(work, IO_STAGE_LOAD);
    if (job->scene.config->output.extracts) {
        s = frame_extract_write(&job->scene, &job->layers, work->drawn.step,
                                job->drawn == 0);
        stop_stage(work, IO_STAGE_WRITE);
        if (s != STATUS_OK || !frame_config_draws(job->scene.config)) {
            work->times.total = work->mark.wall - work->begin.wall;
            return s;
        }
    }
    job->times.is_settled = !job->is_moving && job->times.drawn > 0;
    job->is_moving = false;
    job->times.load_seconds = count_load_seconds(job, &work->times.stages[IO_STAGE_LOAD]);
    if (work->next_index >= 0 && !job->show.is_on) {
        io_source_expect(job->scene.source, work->next_index);
        stop_stage(work, IO_STAGE_LOAD);
    }
    frame_scene_aim(&job->scene);
    s = frame_shadows_cast(&job->scene, &job->layers);
    if (s != STATUS_OK) {
        return s;
    }
    stop_stage(work, IO_STAGE_RENDER);
    if (job->scene.config->output.warm_caches) {
        s = parallel_agree(job->scene.comm, rehearse(job, work));
    }
    s = s == STATUS_OK ? draw_samples(job, work) : s;
    job->times.render_seconds = work->times.stages[IO_STAGE_RENDER].cpu;
    if (job->scene.is_from_memory && work->result.is_in_shared_bytes) {
        /* Compressing needs memory, too, and no longer the image. */
        frame_picture_clear(&job->picture, false);
        composite_executor_rest_image(job->picture.executor);
    }
    stop_stage(work, IO_STAGE_COMPOSITE);
    job->times.draw_seconds =
        job->times.render_seconds + work_of(&work->times.stages[IO_STAGE_COMPOSITE]);
    io_png_strips strips = {0};
    s = finish_picture(job, s, work, &strips);
    if (s != STATUS_OK) {
        return s;
    }
    stop_stage(work, IO_STAGE_FINISH);
    s = write_frame(job, work, &strips);
    stop_stage(work, IO_STAGE_WRITE);
    work->times.total = work->mark.wall - work->begin.wall;
    return s != STATUS_OK ? s : record(job, work);
}

static void sum_counters(const frame_job *job, const frame_work *work,
                         frame_result *frame)
{
    int64_t mine[] = {work->counters.crossings, work->counters.lost_rays,
                      work->counters.nan_cells, work->active_pixels};
    int64_t all[4];
    parallel_allreduce(mine, all, 4, MPI_INT64_T, MPI_SUM, job->scene.comm);
    frame->crossings = all[0];
    frame->lost_rays = all[1];
    frame->nan_cells = all[2];
    frame->is_plain = work->is_plain;
    frame->is_blank = !frame->was_complete && all[3] == 0 &&
                      frame_config_draws(job->scene.config) &&
                      io_config_shown(job->scene.config) > 0 &&
                      !frame_missing_is_empty(&job->scene, NULL);
}

/* frame_job_render, on the job that has the picture's data. */
static status render_picture(frame_job *job, int frame, frame_result *out)
{
    frame_work work = {.step_index = frame_film_step_index(job, frame),
                       .next_index = frame_film_next_step(job, frame),
                       .frames_left = frame_film_frames_left(job, frame)};
    status s = frame_film_turn_to(job, frame);
    if (s != STATUS_OK) {
        return s;
    }
    job->scene.number = frame_film_file_number(job, frame);
    job->files.number = frame;
    job->scene.volume.pictures_left = work.frames_left;
    work.drawn.step = &io_source_steps(job->scene.source)[work.step_index];
    free(job->files.path);
    job->files.path =
        io_config_expand(io_config_pictures(job->scene.config), job->scene.number);
    if (job->scene.is_from_memory) {
        io_memory_set_fills(job->scene.source, &job->scene.config->data);
    }
    s = job->files.path ? STATUS_OK : base_fail_memory(0, "the path of a picture");
    s = parallel_agree(job->scene.comm, s);
    if (s != STATUS_OK) {
        return s;
    }
    frame_result done = {.step = work.drawn.step->number,
                         .time = work.drawn.step->time,
                         .picture = job->files.path};
    done.was_complete = is_complete(job, &work);
    if (!done.was_complete) {
        const frame_threads threads = frame_threads_begin(job->scene.threads);
        s = draw_frame(job, &work);
        frame_threads_end(&threads);
        if (s != STATUS_OK) {
            return s;
        }
    }
    s = done.was_complete ? frame_film_repeat(job) : frame_missing_report(&job->scene);
    if (s != STATUS_OK) {
        return s;
    }
    if (!done.was_complete && frame_config_draws(job->scene.config) &&
        !job->show.is_on) { /* else it may be stopped */
        frame_layers_warn(&job->scene, &job->layers, work.drawn.step->number);
    }
    job->drawn += !done.was_complete;
    job->times.drawn += !done.was_complete;
    sum_counters(job, &work, &done);
    done.seconds = work.times.total;
    done.bytes_sent = work.result.counters.bytes_sent;
    for (int n = 0; n < IO_STAGES; n++) {
        done.stages[n] = work.times.stages[n].wall;
    }
    *out = done;
    return STATUS_OK;
}

status frame_job_render(frame_job *job, int frame, frame_result *out)
{
    return render_picture(frame_film_job(job, frame), frame, out);
}

void frame_job_rest(frame_job *job)
{
    frame_picture_rest(&job->picture);
    frame_shadows_clear(&job->scene);
    distribution_forget(job->distribution);
}

status frame_job_wait(frame_job *job)
{
    status s = STATUS_OK;
    if (job->scene.rank == 0) {
        s = io_png_writer_finish(job->files.writer);
        io_png_writer_forgive(job->files.writer); /* the next picture may succeed */
    }
    return parallel_agree(job->scene.comm, s);
}

status frame_job_finish(frame_job *job)
{
    status s = job->scene.rank == 0 ? io_png_writer_finish(job->files.writer) : STATUS_OK;
    s = job->scene.rank == 0 ? frame_film_close_movie(job, s) : s;
    s = job->scene.rank == 0 && s == STATUS_OK ? frame_film_write_cinema(job) : s;
    s = parallel_agree(job->scene.comm, s);
    if (job->scene.rank == 0) {
        frame_picture_warn(&job->picture);
    }
    /* A job that found all frames complete keeps those of the job that drew them. */
    const char *path = job->scene.config->output.timings;
    if (s == STATUS_OK && path && job->timings && job->drawn > 0) {
        s = io_timings_write(job->timings, path);
    }
    return s == STATUS_OK && job->recording
               ? frame_recording_finish(job->recording, job->scene.comm, job->timings,
                                        job->scene.config->background)
               : s;
}
