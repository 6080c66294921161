/*
 * Sort-last: every rank draws a box of space, and images are blended from front to back.
 * With `balance: cells`, a rank draws its owned box. With `balance: cost`, the box
 * balancer cuts boxes of about equal cost: by estimated costs of bricks before the first
 * picture, by measured work afterwards.
 */
#include "box.h"

#include "base/parallel/parallel.h"
#include "base/system.h"
#include "cost_estimate.h"
#include "frame/layers/layers.h"
#include "grid/partition/cutter.h"
#include "loads.h"
#include "work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* After MOST_MOVES moves, boxes stay: the imbalance that is left has another cause than
 * their places. As the flow changes, one move is forgotten every PICTURES_PER_MOVE
 * pictures. */
enum { MOST_MOVES = 8, PICTURES_PER_MOVE = 100 };

/* ---- Measuring --------------------------------------------------------------------- */

/* Starts a new measurement. Disturbances last for milliseconds, so short pictures need
 * more samples. The number is the same on every rank. */
static void measure_anew(distribution_box *box, double mean_seconds)
{
    const double enough = 0.1; /* seconds */
    enum { FEWEST = 3, MOST = 16 };
    box->least_seconds = INFINITY;
    box->pictures = 0;
    box->wanted = (int)fmin(fmax(ceil(enough / fmax(mean_seconds, 1e-9)), FEWEST), MOST);
}

/*
 * Notes the time of drawing and compositing the last picture. Called after each picture.
 */
static void note_picture(const distribution_times *times, distribution_box *box)
{
    if (times->is_settled) {
        box->least_seconds = fmin(box->least_seconds, times->draw_seconds);
        box->pictures++;
    }
    if (box->moves > 0 && times->drawn % PICTURES_PER_MOVE == 0) {
        box->moves--;
    }
}

/* Whether to check the balance: after the first picture, whose work samples are known,
 * and then whenever enough pictures have been measured. The same on all ranks. */
static bool is_measured(const distribution_times *times, const distribution_box *box)
{
    return times->drawn == 1 || (times->drawn > 1 && box->pictures >= box->wanted);
}

/* ---- Before the first picture ------------------------------------------------------ */

static double pixels_of(pixel_rect rect)
{
    return pixel_rect_is_empty(rect)
               ? 0.0
               : (double)(rect.x1 - rect.x0) * (double)(rect.y1 - rect.y0);
}

static void drop_tree(const distribution_state *state)
{
    distribution_box *box = state->own;
    if (box->tree != state->owned_boxes) {
        grid_partition_destroy(&box->tree);
    }
    box->tree = NULL;
}

static void take_tree(const distribution_state *state, grid_partition *tree)
{
    distribution_box *box = state->own;
    drop_tree(state);
    box->tree = tree;
    state->scene->part.box = grid_partition_box(tree, state->scene->rank);
}

static bool weighs(const distribution_state *state)
{
    return state->scene->config->partition.balance == IO_BALANCE_COST;
}

static status create(distribution_state *state)
{
    distribution_box *box = state->own;
    const size_t bytes = (size_t)state->scene->ranks * sizeof *box->order;
    state->scene->part.stays = !weighs(state);
    box->order = malloc(bytes);
    take_tree(state, state->owned_boxes);
    return box->order ? STATUS_OK : base_fail_memory(bytes, "an order");
}

static void destroy(distribution_state *state)
{
    distribution_box *box = state->own;
    drop_tree(state);
    frame_work_samples_clear(&box->work);
    free(box->weights);
    free(box->order);
    free(box->ranges);
}

/* The cost of a brick: its pixels times the cells that a ray meets in it. A brick out of
 * view costs next to nothing, but some rank has to hold it. */
static status weigh_bricks(const cost_estimate *estimate, distribution_box *box)
{
    const size_t bytes = ((size_t)estimate->nbricks + 1) * sizeof *box->weights;
    box->weights = malloc(bytes);
    if (!box->weights) {
        return base_fail_memory(bytes, "the costs of bricks");
    }
    for (int64_t n = 0; n < estimate->nbricks; n++) {
        box->weights[n] = pixels_of(estimate->rects[n]) * estimate->cells[n] + 1e-3;
    }
    return STATUS_OK;
}

/* distribution_kind.cut */
static status cut(const distribution_state *state, const cost_estimate *estimate,
                  int nparts, void **tree)
{
    const distribution_box *box = state->own;
    const grid_layout *layout = state->scene->layout;
    grid_partition *boxes = NULL;
    (void)estimate;
    status s = grid_partition_create_weighted(layout, distribution_parts(state, nparts),
                                              box->weights, &boxes);
    *tree = boxes;
    return s;
}

static void destroy_tree(void **tree)
{
    grid_partition *boxes = *tree;
    grid_partition_destroy(&boxes);
    *tree = NULL;
}

static status divide(distribution_state *state, const cost_estimate *estimate)
{
    distribution_box *box = state->own;
    void *tree = NULL;
    box->cost_factor = 1.0;
    measure_anew(box, 0.0);
    status s = weigh_bricks(estimate, box);
    if (s == STATUS_OK) {
        s = cut(state, estimate, state->scene->ranks, &tree);
    }
    if (s == STATUS_OK) {
        take_tree(state, tree);
    }
    return s;
}

/* ---- Bricks ------------------------------------------------------------------------ */

/* frame_draws */
static bool draws(const frame_scene *scene, int64_t number)
{
    return grid_layout_brick_meets(scene->layout, number, scene->part.box);
}

static const void *find_tree(const distribution_state *state)
{
    const distribution_box *box = state->own;
    return box->tree;
}

/* distribution_kind.part_draws */
static bool part_draws(const distribution_state *state, const cost_estimate *estimate,
                       const void *tree, int part, int64_t number)
{
    (void)estimate;
    return grid_layout_brick_meets(state->scene->layout, number,
                                   grid_partition_box(tree, part));
}

/* ---- Afterwards -------------------------------------------------------------------- */

/* Seconds of drawing and compositing, of this rank and of all ranks together. */
typedef struct box_load {
    double mine, all;
} box_load;

static box_load find_load(const distribution_state *state)
{
    const distribution_box *box = state->own;
    const bool has_some = isfinite(box->least_seconds);
    box_load load = {.mine = has_some ? box->least_seconds : state->times.draw_seconds};
    parallel_allreduce(&load.mine, &load.all, 1, MPI_DOUBLE, MPI_SUM, state->scene->comm);
    return load;
}

/*
 * Corrects the cost of this rank's work samples by the clock. The factor compares its
 * seconds per sample with the mean of all ranks. Other programs on the node make times
 * vary, and only upwards: so the fastest of several pictures counts. The first correction
 * takes a third of the difference; later ones average over all measurements. Boxes move
 * little between two checks, so the factor remains useful. The view may change, so a new
 * measurement always counts for 15 % or more, but less if it lasted only milliseconds.
 * The first picture of a view takes longer than the next ones and does not count.
 */
static void correct_factor(const distribution_state *state,
                           const frame_work_samples *samples, const box_load *load)
{
    distribution_box *box = state->own;
    const double most_trust = fmax(1.0 / (3.0 + 0.5 * box->corrections), 0.15);
    const double noise = 5e-3; /* seconds */
    double all_samples = 0.0;
    parallel_allreduce(&samples->sum, &all_samples, 1, MPI_DOUBLE, MPI_SUM,
                       state->scene->comm);
    if (isfinite(box->least_seconds) && samples->sum > 0.0 && load->all > 0.0) {
        const double ratio = (load->mine / samples->sum) / (load->all / all_samples);
        const double seconds = box->pictures * load->mine;
        const double trust = most_trust * seconds / (seconds + noise);
        box->cost_factor += trust * (fmin(fmax(ratio, 0.25), 4.0) - box->cost_factor);
        box->corrections++;
    }
}

/* Cuts space so that each box has an equal part of the work samples of all ranks.
 * Collective. Errors: STATUS_MEMORY. */
static status cut_samples(const distribution_state *state,
                          const frame_work_samples *samples, grid_partition **out)
{
    const distribution_box *box = state->own;
    const frame_scene *scene = state->scene;
    grid_cutter *cutter = NULL;
    const render_camera *camera = &scene->camera;
    const grid_sight sight = {render_camera_order_point(camera), !camera->orthographic,
                              2.0 * camera->scale / camera->height};
    status s = grid_cutter_create(
        scene->layout->bounds, distribution_parts(state, scene->ranks), &sight, &cutter);
    s = parallel_agree(scene->comm, s);
    int count;
    while (s == STATUS_OK && (count = grid_cutter_begin(cutter)) > 0) {
        double *mine = calloc(2 * (size_t)count, sizeof *mine), *all = mine + count;
        s = mine ? STATUS_OK : base_fail_memory((size_t)count * 16, "histograms of work");
        s = parallel_agree(scene->comm, s);
        for (int64_t n = 0; s == STATUS_OK && n < samples->count; n++) {
            const frame_work_sample *p = &samples->items[n];
            grid_cutter_add(
                cutter, vec3_make((double)p->at[0], (double)p->at[1], (double)p->at[2]),
                box->cost_factor * (double)p->weight, mine);
        }
        if (s == STATUS_OK) {
            parallel_allreduce(mine, all, count, MPI_DOUBLE, MPI_SUM, scene->comm);
            grid_cutter_cut(cutter, all);
        }
        free(mine);
    }
    if (s != STATUS_OK) {
        grid_cutter_destroy(&cutter);
        return s;
    }
    grid_cutter_finish(&cutter, out);
    return STATUS_OK;
}

/* Whether boxes of equal cost save more time over the remaining frames than a move costs.
 * The same on every rank. */
static bool pays(const distribution_state *state, const frame_work_samples *samples,
                 double all_seconds, int frames_left)
{
    const distribution_box *box = state->own;
    const frame_scene *scene = state->scene;
    const double least_gain = 0.05; /* less is noise */
    const double mine = box->cost_factor * samples->sum;
    double most = 0.0, sum = 0.0;
    parallel_allreduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, scene->comm);
    parallel_allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, scene->comm);
    const double mean = sum / scene->ranks;
    const double per_weight = sum > 0.0 ? all_seconds / sum : 0.0;
    return box->moves < MOST_MOVES && mean < (1.0 - least_gain) * most &&
           (most - mean) * per_weight / scene->mean_threads * frames_left >
               distribution_loads_move_seconds(state);
}

/* Finds where the work of the last picture lay. *samples is to be cleared. Local. */
static status find_work(distribution_state *state, frame_work_samples *samples)
{
    distribution_box *box = state->own;
    if (!state->picture->samples.are_adaptive) {
        return distribution_find_work(state->scene, state->layers, samples);
    }
    *samples = box->work;
    box->work = (frame_work_samples){0};
    return STATUS_OK;
}

/* Keeps the work of the first one of adaptive samples. Local. */
static status keep_work(distribution_state *state)
{
    distribution_box *box = state->own;
    if (!box->weights || !state->picture->samples.are_adaptive ||
        state->picture->samples.number > 0) {
        return STATUS_OK;
    }
    frame_work_samples_clear(&box->work);
    return distribution_find_work(state->scene, state->layers, &box->work);
}

/* Evaluates the measurements since the last check, and moves the boxes if that pays.
 * Collective. Errors: STATUS_MEMORY. */
static status move_boxes(distribution_state *state, int frames_left, bool *moved)
{
    distribution_box *box = state->own;
    frame_work_samples samples = {0};
    status s = find_work(state, &samples);
    s = parallel_agree(state->scene->comm, s);
    if (s != STATUS_OK) {
        return s;
    }
    const box_load load = find_load(state);
    correct_factor(state, &samples, &load);
    measure_anew(box, load.all / state->scene->ranks);
    grid_partition *tree = NULL;
    if (pays(state, &samples, load.all, frames_left)) {
        s = cut_samples(state, &samples, &tree);
    }
    if (tree) {
        take_tree(state, tree);
        box->moves++;
        *moved = true;
    }
    frame_work_samples_clear(&samples);
    return s;
}

/* distribution_kind.correct */
static status correct(distribution_state *state, int frames_left, bool *moved)
{
    distribution_box *box = state->own;
    if (!box->weights) {
        return STATUS_OK;
    }
    note_picture(&state->times, box);
    const bool looks = is_measured(&state->times, box);
    distribution_loads_note(state, looks);
    return looks ? move_boxes(state, frames_left, moved) : STATUS_OK;
}

/* ---- The picture ------------------------------------------------------------------- */

/* distribution_kind.may_crop */
static bool may_crop(const distribution_state *state)
{
    const distribution_box *box = state->own;
    const frame_picture *picture = state->picture;
    const composite_request request =
        frame_picture_request(picture, box->order, frame_picture_target(picture));
    return composite_executor_leaves_image(picture->executor, &request);
}

/* The place of a rank in the visibility order, which has every rank. */
static int find_position(const int *order, int rank)
{
    int position = 0;
    while (order[position] != rank) {
        position++;
    }
    return position;
}

/* Encloses all pixels that this rank will draw: those of its part of the grid, and of
 * lines that are thicker than the edge of the grid. */
static pixel_rect find_bounds(const distribution_state *state)
{
    const frame_scene *scene = state->scene;
    frame_margin margin = frame_layers_margin(scene, state->layers);
    margin.pixels +=
        frame_samples_are_several(&state->picture->samples) ? RENDER_SAMPLE_REACH : 0;
    box3 box = box3_widen(scene->part.box, grid_layout_margin(scene->layout));
    for (int axis = 0; axis < 3; axis++) {
        const double lo = scene->layout->bounds.lo.v[axis] - margin.length;
        const double hi = scene->layout->bounds.hi.v[axis] + margin.length;
        box.lo.v[axis] = fmax(box.lo.v[axis], lo);
        box.hi.v[axis] = fmin(box.hi.v[axis], hi);
        if (box.lo.v[axis] > box.hi.v[axis]) {
            return (pixel_rect){0, 0, 0, 0};
        }
    }
    const pixel_rect r = render_camera_footprint(&scene->camera, box);
    return pixel_rect_is_empty(r)
               ? r
               : (pixel_rect){r.x0 - margin.pixels, r.y0 - margin.pixels,
                              r.x1 + margin.pixels, r.y1 + margin.pixels};
}

/* distribution_kind.order */
static const int *find_order(distribution_state *state)
{
    const distribution_box *box = state->own;
    const render_camera *camera = &state->scene->camera;
    grid_partition_order(box->tree, render_camera_order_point(camera),
                         !camera->orthographic, box->order);
    return box->order;
}

/* distribution_kind.begin */
static status begin(distribution_state *state)
{
    frame_picture *picture = state->picture;
    const composite_request request =
        frame_picture_request(picture, find_order(state), frame_picture_target(picture));
    return distribution_begin_blending(picture->executor, &request, picture->img,
                                       find_bounds(state), STATUS_OK);
}

/* Adds the sample that was composited. */
static status take_sample(distribution_state *state, composite_target target)
{
    distribution_box *box = state->own;
    const status s = target == COMPOSITE_FLOATS
                         ? STATUS_OK
                         : distribution_list_ranges(&box->composited, &box->ranges);
    return s == STATUS_OK ? frame_picture_take_sample(
                                state->picture, box->composited.npieces, box->ranges)
                          : s;
}

/* distribution_kind.put_together */
static status put_together(distribution_state *state, status rendered,
                           const distribution_drawn *drawn, distribution_result *out)
{
    distribution_box *box = state->own;
    frame_picture *picture = state->picture;
    const composite_target target = frame_picture_target(picture);
    out->position = find_position(box->order, state->scene->rank);
    rendered = rendered == STATUS_OK ? keep_work(state) : rendered;
    status s =
        distribution_blend(picture->executor, rendered, &box->composited, &out->counters);
    out->choice = box->composited.choice;
    out->reason = box->composited.reason;
    picture->composited++;
    picture->followed +=
        out->reason == COMPOSITE_TUNED || out->reason == COMPOSITE_SIMULATED;
    out->problem = box->composited.problem;
    out->is_in_shared_bytes = s == STATUS_OK && target == COMPOSITE_BYTES;
    if (s == STATUS_OK && target != COMPOSITE_FLOATS) {
        picture->drawn_in[0] = drawn->active;
        picture->drawn_in[1] = box->composited.merged;
    }
    if (s == STATUS_OK && frame_samples_are_several(&picture->samples)) {
        s = take_sample(state, target);
        if (target != COMPOSITE_FLOATS && !picture->samples.are_adaptive &&
            frame_samples_is_last(&picture->samples)) {
            picture->drawn_in[1] = picture->img->active;
        }
    }
    return s;
}

/* io_png_pixels of pieces that lie in the shared bytes. */
static void read_shared_bytes(const void *context, int64_t pix0, int64_t npix,
                              uint8_t *pixels)
{
    const frame_picture *picture = context;
    const int size = frame_picture_pixel_bytes(picture);
    memcpy(pixels, frame_picture_shared_bytes(picture) + size * pix0,
           (size_t)(size * npix));
    frame_annotations_blend(picture->annotations, frame_picture_format(picture),
                            (io_png_range){pix0, npix}, pixels);
}

/* distribution_kind.pieces */
static status pieces(distribution_state *state, const distribution_drawn *drawn,
                     io_png_share *out)
{
    distribution_box *box = state->own;
    const frame_picture *picture = state->picture;
    status s = frame_picture_annotate(picture, drawn->step);
    s = s == STATUS_OK ? distribution_list_ranges(&box->composited, &box->ranges) : s;
    out->pixels = frame_picture_target(picture) == COMPOSITE_BYTES ? read_shared_bytes
                                                                   : frame_picture_pixels;
    out->context = picture;
    out->count = box->composited.npieces;
    out->ranges = box->ranges;
    return s;
}

const distribution_kind distribution_box_kind = {.size = sizeof(distribution_box),
                                                 .create = create,
                                                 .destroy = destroy,
                                                 .weighs = weighs,
                                                 .divide = divide,
                                                 .draws = draws,
                                                 .find_tree = find_tree,
                                                 .cut = cut,
                                                 .destroy_tree = destroy_tree,
                                                 .part_draws = part_draws,
                                                 .correct = correct,
                                                 .order = find_order,
                                                 .bounds = find_bounds,
                                                 .may_crop = may_crop,
                                                 .begin = begin,
                                                 .put_together = put_together,
                                                 .pieces = pieces};
