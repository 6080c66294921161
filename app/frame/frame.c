/* One frame of a job: load, render, composite, finish, write. */
#include "annotations.h"
#include "app/frame/layers/layers.h"
#include "app/frame/share/share.h"
#include "base/parallel/parallel.h"
#include "base/system.h"
#include "costs.h"
#include "entry.h"
#include "io/picture/float_image.h"
#include "io/running/running.h"
#include "job_state.h"
#include "missing.h"
#include "render/cells/trim.h"
#include "render/view/finish.h"
#include "render/volume.h"
#include "texts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What one frame passes from stage to stage. */
typedef struct frame_work {
    const io_step *step;
    int step_index;
    int frames_left; /* with this one */
    render_counters counters;
    composite_result composited;
    int64_t active_pixels;
    pixel_rect active; /* before compositing */
    io_frame_times times;
} frame_work;

/* The clocks now; the time of a stage is the difference of two of them. */
static io_stage_time read_clocks(void)
{
    double now = base_clock();
    return (io_stage_time){now, now, base_cpu_clock(), parallel_waited()};
}

/* What a stage took since *mark, which moves on to now. */
static io_stage_time lap(io_stage_time *mark)
{
    io_stage_time now = read_clocks();
    io_stage_time stage = {mark->begin, now.wall - mark->wall, now.cpu - mark->cpu,
                           now.waited - mark->waited};
    *mark = now;
    return stage;
}

/* ---- Resuming ---------------------------------------------------------------------- */

/* Whether what the frame writes is there, whole and of this config. */
static bool is_complete_here(const app_job *job, const io_step *step)
{
    const io_config *config = job->config;
    char frame[APP_FRAME_TEXT];
    app_texts_frame(job, step, frame);
    if (!io_png_is_complete(job->picture, config->width, config->height,
                            IO_PNG_CONFIG_KEYWORD, config->canonical) ||
        !io_png_is_complete(job->picture, config->width, config->height,
                            APP_FRAME_KEYWORD, frame)) {
        return false;
    }
    char *floats = config->output.floats
                       ? io_config_expand(config->output.floats, step->number)
                       : NULL;
    bool complete = !config->output.floats || (floats && access(floats, R_OK) == 0);
    free(floats);
    return complete;
}

/* What rank 0 finds of that, on every rank. */
static bool is_complete(const app_job *job, const io_step *step)
{
    int complete = job->resume && job->rank == 0 && is_complete_here(job, step);
    if (job->resume) {
        parallel_bcast(&complete, 1, MPI_INT, 0, job->comm);
    }
    return complete;
}

/* ---- Compositing ------------------------------------------------------------------- */

static vec3 order_point(const app_job *job)
{
    return render_camera_order_point(&job->camera);
}

/* composite_convert: background, 8 bits. */
static void convert_floats(const void *context, int64_t count, const float *rgba,
                           uint8_t *rgb)
{
    const app_job *job = context;
    render_finish_rgb8(count, rgba, job->config->background, rgb);
}

/* The picture as bytes in memory that all ranks share, or NULL: there a rank finds the
 * pieces that it has finished. */
static const uint8_t *common_bytes(const app_job *job)
{
    return job->config->output.floats ? NULL : composite_executor_room(job->executor);
}

/* Every rank keeps the pieces of the picture that it ends with, to compress them: as
 * bytes where it can, else in its image. But where floats are written, too, all of it
 * goes to rank 0, which writes them. */
static composite_target choose_target(const app_job *job)
{
    return job->config->output.floats ? COMPOSITE_FLOATS
           : common_bytes(job)        ? COMPOSITE_BYTES
                                      : COMPOSITE_PIECES;
}

base_events *app_job_events(const app_job *job)
{
    enum { PICTURES = 2 };
    return job->drawn < PICTURES ? job->events : NULL;
}

static status blend_frame(app_job *job, status rendered, frame_work *work)
{
    const composite_request request = {.algorithm = job->algorithm,
                                       .params = job->params,
                                       .order = job->order,
                                       .target = choose_target(job),
                                       .format = {3, convert_floats, job},
                                       .events = app_job_events(job)};
    grid_partition_order(job->space, order_point(job), !job->camera.orthographic,
                         job->order);
    status s =
        composite_execute(job->executor, &request, job->img, rendered, &work->composited);
    if (s == STATUS_OK && request.target != COMPOSITE_FLOATS) {
        job->drawn_in[0] = work->active;
        job->drawn_in[1] = work->composited.merged;
    }
    return s;
}

/* io_png_pixels of the composited image. */
static void convert_pixels(const void *context, int64_t pix0, int64_t npix, uint8_t *rgb)
{
    const app_job *job = context;
    const uint8_t *bytes = job->screen ? NULL : common_bytes(job);
    if (bytes) {
        memcpy(rgb, bytes + 3 * pix0, 3 * (size_t)npix);
    } else {
        convert_floats(job, npix, job->img->rgba + 4 * pix0, rgb);
    }
    app_annotations_blend(job->annotations, pix0, npix, rgb);
}

/* Draws what convert_pixels blends over the picture. Local. */
static status annotate(const app_job *job, const frame_work *work)
{
    return job->annotations ? app_annotations_draw(job->annotations, work->step->number,
                                                   work->step->time)
                            : STATUS_OK;
}

/* What it returns, ranks have to agree on. */
static status composite_frame(app_job *job, status rendered, frame_work *work)
{
    if (job->events) {
        job->events->count = 0;
    }
    if (!job->screen) {
        return blend_frame(job, rendered, work);
    }
    status s = rendered == STATUS_OK ? annotate(job, work) : rendered;
    return app_share_put_together(job, s, convert_pixels, &work->composited.counters);
}

/* ---- Finishing --------------------------------------------------------------------- */

/* Range n of the pixels that this rank has. */
static io_png_range range_at(const app_job *job, const frame_work *work, int n)
{
    if (job->config->output.floats) {
        return (io_png_range){0, image_pixel_count(job->img)};
    }
    if (job->screen) {
        return app_share_range(job);
    }
    const composite_piece *piece = &work->composited.pieces[n];
    return (io_png_range){piece->pix0, piece->npix};
}

/* The pixels that this rank has, malloc'ed ([*count]); NULL without memory. */
static io_png_range *find_ranges(const app_job *job, const frame_work *work, int *count)
{
    *count = job->config->output.floats ? job->rank == 0
             : job->screen              ? app_share_range(job).npix > 0
                                        : work->composited.npieces;
    io_png_range *ranges = malloc(((size_t)*count + 1) * sizeof *ranges);
    for (int n = 0; ranges && n < *count; n++) {
        ranges[n] = range_at(job, work, n);
    }
    return ranges;
}

/* Converts and compresses the picture, if all ranks have composited it; each rank its
 * strips. Collective. */
static status finish_picture(const app_job *job, status composited,
                             const frame_work *work, io_png_strips *strips)
{
    const bool in_bands = job->screen && !job->config->output.floats;
    status s = composited;
    if (s == STATUS_OK && !job->screen) {
        s = annotate(job, work);
    }
    io_png_share share = {.width = job->img->width,
                          .height = job->img->height,
                          .pixels = in_bands ? app_share_pixels : convert_pixels,
                          .context = job};
    io_png_range *ranges = find_ranges(job, work, &share.count);
    share.ranges = ranges;
    if (s == STATUS_OK && !ranges) {
        s = base_fail_memory((size_t)share.count * sizeof *ranges, "pieces of a picture");
    }
    s = io_png_strips_make(job->comm, s, &share, job->threads, strips);
    free(ranges);
    return s;
}

/* On rank 0, where the whole picture is. */
static status write_floats(const app_job *job, const frame_work *work)
{
    char *path = io_config_expand(job->config->output.floats, work->step->number);
    status s =
        path ? io_float_image_write(path, job->img) : base_fail_memory(0, "a path");
    free(path);
    return s;
}

/* ---- Writing ----------------------------------------------------------------------- */

/* Hands the picture to the writer's thread; rank 0. Strips become the writer's. */
static status submit_picture(app_job *job, const frame_work *work, io_png_strips *strips)
{
    app_texts texts;
    app_texts_make(job, work->step, &texts);
    const io_png_file file = {job->picture, job->config->width, job->config->height,
                              APP_TEXTS, texts.list};
    return io_png_writer_submit(job->writer, &file, strips);
}

static status write_frame(app_job *job, frame_work *work, io_png_strips *strips)
{
    status s = io_png_strips_collect(job->comm, strips);
    if (s != STATUS_OK) {
        return s;
    }
    if (job->rank == 0) {
        s = submit_picture(job, work, strips);
    }
    if (s == STATUS_OK && job->rank == 0 && job->config->output.floats) {
        s = write_floats(job, work);
    }
    return parallel_agree(job->comm, s);
}

/* ---- The frame --------------------------------------------------------------------- */

/* Counts bricks and what of them is in memory. */
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

static status record(app_job *job, const frame_work *work)
{
    if (!job->timings) {
        return STATUS_OK;
    }
    io_frame_counts counts = {
        .rays = work->counters.rays,
        .crossings = work->counters.crossings,
        .lost_rays = work->counters.lost_rays,
        .nan_cells = work->counters.nan_cells,
        .active_pixels = work->active_pixels,
        .messages_sent = work->composited.counters.messages_sent,
        .bytes_sent = work->composited.counters.bytes_sent,
        .bytes_shared = work->composited.counters.bytes_shared,
        .peak_memory = base_peak_memory(),
        .active = {work->active.x0, work->active.y0, work->active.x1, work->active.y1},
        .threads = job->threads};
    if (job->store) {
        count_bricks(job->store, &counts);
    }
    status s = io_timings_add(job->timings, work->step->number, work->step->time,
                              job->picture, &work->times, &counts);
    if (s == STATUS_OK && app_job_events(job)) {
        s = io_timings_add_events(job->timings, job->events);
    }
    return s == STATUS_OK ? app_costs_record(job, &work->times.stages[IO_STAGE_RENDER])
                          : s;
}

/* Pixels of this rank's image that are not transparent; rows are left out once there are
 * so `many`. */
static int64_t count_active_pixels(const image *img, int64_t many)
{
    int64_t count = 0;
    for (int y = img->active.y0; y < img->active.y1 && count < many; y++) {
        for (int x = img->active.x0; x < img->active.x1; x++) {
            count += img->rgba[4 * image_at(img, x, y) + 3] > 0.0f;
        }
    }
    return count;
}

/* io_load_filter: a brick of which nothing is seen stays out of memory. */
static bool shows_brick(const void *context, const grid_brick *brick)
{
    const app_job *job = context;
    return render_scene_shows(job->scene, job->transfer, brick);
}

/* io_load_filter: this rank's box is all that it draws. */
static grid_brick_place find_part(const void *context, const grid_brick *brick)
{
    const app_job *job = context;
    return render_march_part(job->layout, job->box, brick);
}

/* Loads what volume and layers show of a step. Collective. */
static status load_step(app_job *job, int step)
{
    const io_load_filter filter = {shows_brick, app_share_stays(job) ? find_part : NULL,
                                   job};
    app_missing_begin(job);
    status s = job->recipe ? io_load_wanted(job->comm, job->source, job->recipe, step,
                                            &filter, job->store)
                           : STATUS_OK;
    if (s == STATUS_OK && job->recipe) {
        app_missing_look(job, job->config->volume->field, job->recipe, step, job->store);
    }
    return s == STATUS_OK ? app_layers_load(job, step) : s;
}

/* Moves rectangles where that pays, and makes ready what is held. Collective. */
static status correct_shares(app_job *job, const frame_work *work, bool *moved)
{
    status s = app_share_correct(job, work->frames_left, moved);
    if (s == STATUS_OK && *moved) {
        job->is_exchanging = app_share_exchanges(job);
        s = app_job_load_bricks(job);
    }
    if (s == STATUS_OK && *moved) {
        s = app_layers_move(job);
    }
    return s;
}

/* Makes the image transparent again. What it shows after compositing is this rank's part
 * of space and its part of the picture, which may lie far apart. The former stays for
 * somebody (`keeps_drawn`) who draws over most of it. */
static void clear_image(app_job *job, bool keeps_drawn)
{
    pixel_rect *rects = job->drawn_in;
    if (!pixel_rect_is_empty(rects[0]) || !pixel_rect_is_empty(rects[1])) {
        job->img->active = rects[1];
        image_clear(job->img);
        job->img->active = rects[0];
    }
    if (!keeps_drawn) {
        image_clear(job->img);
    }
    for (int n = 0; n < 2; n++) {
        rects[n] = (pixel_rect){0, 0, 0, 0};
    }
}

/* Draws layers and volume. Local. */
static status render_step(app_job *job, frame_work *work)
{
    render_counters layers = {0};
    clear_image(job, job->stack != NULL);
    job->img->may_narrow =
        !job->screen && composite_executor_leaves_image(job->executor, job->algorithm,
                                                        choose_target(job));
    status s = app_layers_draw(job, &layers);
    if (s != STATUS_OK) {
        return s;
    }
    job->style.nlayers = job->nlayers;
    job->style.layers = job->fragments;
    s = job->stack ? render_stack_draw(job->stack, &job->style, &job->camera, job->box,
                                       job->threads, job->img)
                   : render_scene_draw(job->scene,
                                       &(render_request){.style = &job->style,
                                                         .transfer = job->transfer,
                                                         .camera = &job->camera,
                                                         .clip = job->box,
                                                         .threads = job->threads},
                                       job->img, &work->counters);
    work->counters.crossings += layers.crossings;
    work->counters.lost_rays += layers.lost_rays;
    return s;
}

/*
 * Draws for nothing, so that afterwards the caches have what drawing needs, as they would
 * on a core that no other process uses. It is of no stage, and not of the frame, which
 * has begun at `begin`. Local.
 */
static status rehearse(app_job *job, frame_work *work, io_stage_time *begin,
                       io_stage_time *mark)
{
    const render_counters counters = work->counters;
    double *seconds = job->style.seconds;
    job->style.seconds = NULL;
    status s = render_step(job, work);
    job->style.seconds = seconds;
    work->counters = counters;
    begin->wall += lap(mark).wall;
    return s;
}

/* Seconds of a processor in which a stage did not wait. */
static double work_of(const io_stage_time *stage)
{
    return fmax(stage->cpu - stage->waited, 0.0);
}

/* In seconds of a core of one's own, as drawing is counted. Where ranks share cores, what
 * they wait for each other is no part of it, nor for what else these do. */
static double count_load_seconds(const app_job *job, const io_stage_time *load)
{
    const double alone = load->wall / job->crowd;
    return job->crowd > 1.0 ? fmin(alone, work_of(load)) : alone;
}

static status draw_frame(app_job *job, frame_work *work)
{
    io_stage_time begin = read_clocks(), mark = begin;
    bool moved = false;
    status s = correct_shares(job, work, &moved);
    job->is_moving |= moved;
    if (s == STATUS_OK) {
        s = load_step(job, work->step_index);
    }
    if (s != STATUS_OK) {
        return s;
    }
    if (job->is_live) {
        base_trim_memory(); /* of what was read through, before images take theirs */
    }
    work->times.stages[IO_STAGE_LOAD] = lap(&mark);
    job->is_settled = !job->is_moving && job->drawn > 0;
    job->is_moving = false;
    job->load_seconds = count_load_seconds(job, &work->times.stages[IO_STAGE_LOAD]);
    if (job->config->output.warm_caches) {
        s = rehearse(job, work, &begin, &mark);
    }
    app_costs_begin(job, work->frames_left);
    s = s == STATUS_OK ? render_step(job, work) : s;
    app_costs_end(job);
    work->times.stages[IO_STAGE_RENDER] = lap(&mark);
    job->render_seconds = work->times.stages[IO_STAGE_RENDER].cpu;
    work->active_pixels = count_active_pixels(job->img, job->timings ? INT64_MAX : 1);
    work->active = job->img->active;
    lap(&mark); /* counting for timings is of no stage */
    s = composite_frame(job, s, work);
    if (s == STATUS_OK && job->is_live && !job->screen && common_bytes(job)) {
        clear_image(job, false); /* compressing needs memory, too, and not the image */
        composite_executor_rest_image(job->executor);
    }
    work->times.stages[IO_STAGE_COMPOSITE] = lap(&mark);
    job->draw_seconds =
        job->render_seconds + work_of(&work->times.stages[IO_STAGE_COMPOSITE]);
    io_png_strips strips = {0};
    s = finish_picture(job, s, work, &strips);
    if (s != STATUS_OK) {
        return s;
    }
    work->times.stages[IO_STAGE_FINISH] = lap(&mark);
    s = write_frame(job, work, &strips);
    work->times.stages[IO_STAGE_WRITE] = lap(&mark);
    work->times.total = mark.wall - begin.wall;
    return s != STATUS_OK ? s : record(job, work);
}

static void sum_counters(const app_job *job, const frame_work *work, app_frame *frame)
{
    int64_t mine[] = {work->counters.crossings, work->counters.lost_rays,
                      work->counters.nan_cells, work->active_pixels};
    int64_t all[4];
    parallel_allreduce(mine, all, 4, MPI_INT64_T, MPI_SUM, job->comm);
    frame->crossings = all[0];
    frame->lost_rays = all[1];
    frame->nan_cells = all[2];
    frame->is_blank =
        !frame->was_complete && all[3] == 0 && !app_missing_is_empty(job, NULL);
}

/* How long a running program goes on nobody knows: as long again, say. */
static int count_frames_left(const app_job *job, int frame)
{
    return job->is_live ? job->drawn + 1 : job->nsteps - frame;
}

status app_job_render(app_job *job, int frame, app_frame *out)
{
    frame_work work = {.step_index = job->steps[frame],
                       .frames_left = count_frames_left(job, frame)};
    work.step = &io_source_steps(job->source)[work.step_index];
    free(job->picture);
    job->picture = io_config_expand(job->config->output.frames, work.step->number);
    if (job->is_live) {
        io_live_set_fills(job->source, &job->config->data);
    }
    status s = job->picture ? STATUS_OK : base_fail_memory(0, "the path of a picture");
    s = parallel_agree(job->comm, s);
    if (s != STATUS_OK) {
        return s;
    }
    app_frame done = {
        .step = work.step->number, .time = work.step->time, .picture = job->picture};
    done.was_complete = is_complete(job, work.step);
    if (!done.was_complete) {
        const app_threads threads = app_threads_begin(job->threads);
        s = draw_frame(job, &work);
        app_threads_end(&threads);
        if (s != STATUS_OK) {
            return s;
        }
    }
    if (!done.was_complete) {
        s = app_missing_report(job);
        if (s != STATUS_OK) {
            return s;
        }
        app_layers_warn(job, work.step->number);
    }
    job->drawn += !done.was_complete;
    sum_counters(job, &work, &done);
    done.seconds = work.times.total;
    done.bytes_sent = work.composited.counters.bytes_sent;
    for (int n = 0; n < IO_STAGES; n++) {
        done.stages[n] = work.times.stages[n].wall;
    }
    *out = done;
    return STATUS_OK;
}

void app_job_rest(app_job *job)
{
    clear_image(job, false);
    job->window_before = (pixel_rect){0, 0, 0, 0};
    composite_executor_rest(job->executor);
}

status app_job_wait(app_job *job)
{
    status s = STATUS_OK;
    if (job->rank == 0) {
        s = io_png_writer_finish(job->writer);
        io_png_writer_forgive(job->writer); /* the next picture may be written */
    }
    return parallel_agree(job->comm, s);
}

status app_job_finish(app_job *job)
{
    status s = job->rank == 0 ? io_png_writer_finish(job->writer) : STATUS_OK;
    s = parallel_agree(job->comm, s);
    /* A job that found everything complete keeps the timings of the one that drew it. */
    if (s == STATUS_OK && job->timings && job->drawn > 0) {
        s = io_timings_write(job->timings, job->config->output.timings);
    }
    return s;
}
