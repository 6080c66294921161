#include "sample.h"

#include "base/parallel/parallel.h"
#include "grids.h"
#include "io/load/load.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* All bricks of a grid are a sample, up to MOST_BRICKS: two million cells. Of a larger
 * grid it has SOME_BRICKS, each of which is read by itself, in short rows. */
enum { MOST_BRICKS = 512, SOME_BRICKS = 256 };

/* The box around the grid has this weight. So sums of weights fit into 63 bits, also with
 * several overlapping blocks and steps. */
static const double whole_weight = 0x1p50;

/* ---- Bricks and steps -------------------------------------------------------------- */

/* Chooses the bricks of the sample that this rank reads; numbers: [MOST_BRICKS]. */
static int64_t choose_bricks(const frame_auto_data *data, int64_t *numbers)
{
    const grid_layout *layout = data->layout;
    int64_t all = 0, seen = 0, count = 0;
    for (int64_t number = 0; number < layout->nbricks; number++) {
        all += layout->bricks[number].cells > 0;
    }
    const int64_t wanted = all <= MOST_BRICKS ? all : SOME_BRICKS;
    const int64_t ranks = parallel_size(data->comm), rank = parallel_rank(data->comm);
    int64_t next = 0; /* index among those wanted */
    for (int64_t number = 0; number < layout->nbricks && next < wanted; number++) {
        if (layout->bricks[number].cells == 0 || seen++ < next * all / wanted) {
            continue;
        }
        if (next * ranks / wanted == rank) {
            numbers[count++] = number;
        }
        next++;
    }
    return count;
}

/* The steps that are cheap to read: all, if the inputs of the sample's bricks take no
 * more than AUTO_MOST_BYTES, else AUTO_FEW_STEPS. */
static int count_steps(const frame_auto_data *data, const grid_recipe *recipe)
{
    const int64_t bricks =
        data->layout->nbricks < MOST_BRICKS ? data->layout->nbricks : MOST_BRICKS;
    const int64_t bytes = bricks * GRID_BRICK_CELLS * GRID_BRICK_CELLS *
                          GRID_BRICK_CELLS * (int64_t)sizeof(float) *
                          grid_recipe_input_count(recipe);
    const bool is_cheap = data->nsteps <= AUTO_MOST_BYTES / (bytes > 0 ? bytes : 1);
    return is_cheap || data->nsteps < AUTO_FEW_STEPS ? data->nsteps : AUTO_FEW_STEPS;
}

/* Chooses evenly spaced steps with the field; steps: [count_steps()]. If none has it,
 * takes the first step, whose loading then fails with a message. */
static int choose_steps(const frame_auto_data *data, const grid_recipe *recipe,
                        int *steps)
{
    const int wanted = count_steps(data, recipe);
    int count = 0;
    for (int n = 0; n < wanted; n++) {
        const int step =
            data->steps[wanted > 1 ? n * (data->nsteps - 1) / (wanted - 1) : 0];
        if (io_load_has(data->source, recipe, step)) {
            steps[count++] = step;
        }
    }
    if (count == 0) {
        steps[count++] = data->steps[0];
    }
    return count;
}

/* ---- Points ------------------------------------------------------------------------ */

/* Allocates `count` points; false if memory is short. */
static bool reserve(auto_sample *sample, int64_t count)
{
    const size_t n = (size_t)count + 1;
    sample->place = malloc(n * sizeof *sample->place);
    sample->volume = calloc(n, sizeof *sample->volume);
    sample->cells = calloc(n, sizeof *sample->cells);
    sample->values = malloc(n * (size_t)sample->nsteps * sizeof *sample->values);
    sample->reach = sample->in_cells ? calloc(n, sizeof *sample->reach) : NULL;
    sample->count = count;
    return (!sample->in_cells || sample->reach) && sample->place && sample->volume &&
           sample->cells && sample->values;
}

static void free_points(auto_sample *sample)
{
    free(sample->place);
    free(sample->reach);
    free(sample->volume);
    free(sample->cells);
    free(sample->values);
    free(sample->runs);
    free(sample->span);
    grid_store_destroy(&sample->store);
}

/* The index of a cell's corner in the arrays of a brick, from that of the cell's lowest
 * corner. */
static size_t corner_at(const grid_brick *brick, size_t vertex, int corner)
{
    const size_t row = (size_t)brick->place.n[0] + 1;
    const size_t plane = row * ((size_t)brick->place.n[1] + 1);
    return vertex + (size_t)(corner & 1) + (size_t)(corner >> 1 & 1) * row +
           (size_t)(corner >> 2) * plane;
}

/* A present cell of a brick: its index in arrays of vertices and in arrays of cells, and
 * its weight. */
typedef struct cell_place {
    const grid_brick *brick;
    size_t vertex, cell;
    int64_t weight;
} cell_place;

static int64_t weigh(const auto_sample *sample, double volume)
{
    return sample->unit > 0.0 ? llrint(fmin(fabs(volume) / sample->unit, whole_weight))
                              : 0;
}

static void add_centre(auto_sample *sample, const grid_store *store, cell_place at)
{
    double center[3] = {0.0, 0.0, 0.0};
    float lo[3] = {FLT_MAX, FLT_MAX, FLT_MAX}, hi[3] = {-FLT_MAX, -FLT_MAX, -FLT_MAX};
    for (int corner = 0; corner < 8; corner++) {
        const float *vertex = at.brick->vertex[corner_at(at.brick, at.vertex, corner)];
        for (int axis = 0; axis < 3; axis++) {
            center[axis] += 0.125 * (double)vertex[axis];
            lo[axis] = fminf(lo[axis], vertex[axis]);
            hi[axis] = fmaxf(hi[axis], vertex[axis]);
        }
    }
    const size_t point = (size_t)(at.brick->cell - store->cell) + at.cell;
    sample->volume[point] = at.weight;
    sample->cells[point] = 1;
    for (int axis = 0; axis < 3; axis++) {
        sample->place[point][axis] = (float)center[axis];
        sample->reach[point][axis] = 0.5f * (hi[axis] - lo[axis]);
    }
}

/* Adds an eighth of the cell to each corner. */
static void add_corners(auto_sample *sample, const grid_store *store, cell_place at)
{
    const size_t first = (size_t)(at.brick->vertex - store->vertex);
    for (int corner = 0; corner < 8; corner++) {
        const size_t point = first + corner_at(at.brick, at.vertex, corner);
        sample->volume[point] += at.weight / 8;
        sample->cells[point]++;
    }
}

static void add_brick(auto_sample *sample, const grid_store *store,
                      const grid_brick *brick)
{
    double volume[GRID_BRICK_CELLS * GRID_BRICK_CELLS * GRID_BRICK_CELLS];
    const int *n = brick->place.n;
    size_t cell = 0;
    grid_brick_volumes(brick, volume);
    for (int k = 0; k < n[2]; k++) {
        for (int j = 0; j < n[1]; j++) {
            size_t vertex =
                ((size_t)k * ((size_t)n[1] + 1) + (size_t)j) * ((size_t)n[0] + 1);
            for (int i = 0; i < n[0]; i++, cell++, vertex++) {
                if (!(brick->flags[vertex] & GRID_PRESENT)) {
                    continue;
                }
                const cell_place at = {brick, vertex, cell, weigh(sample, volume[cell])};
                if (store->cell) {
                    add_centre(sample, store, at);
                } else {
                    add_corners(sample, store, at);
                }
            }
        }
    }
}

static void add_bricks(auto_sample *sample, const grid_store *store)
{
#pragma omp parallel for
    for (int64_t v = 0; v < (store->cell ? 0 : sample->count); v++) {
        memcpy(sample->place[v], store->vertex[v], sizeof sample->place[v]);
    }
#pragma omp parallel for schedule(dynamic)
    for (int64_t n = 0; n < store->nbricks; n++) {
        add_brick(sample, store, &store->bricks[n]);
    }
}

/* ---- Values ------------------------------------------------------------------------ */

static void take_values(const grid_store *store, int64_t count, float *values)
{
#pragma omp parallel for
    for (int64_t n = 0; n < count; n++) {
        values[n] = store->cell ? store->cell[n] : store->vertex[n][3];
    }
}

/* Whether the store of the frame has the values of a recipe at a step. */
static bool has_values(const frame_auto_data *data, const grid_recipe *recipe, int step)
{
    const frame_auto_frame *frame = data->frame;
    return frame && frame->step == step &&
           grid_recipe_location(frame->recipe) == grid_recipe_location(recipe) &&
           strcmp(grid_recipe_name(frame->recipe), grid_recipe_name(recipe)) == 0;
}

/* Loads the values of the frame, unless it has them. Collective. */
static status load_frame(const frame_auto_data *data)
{
    frame_auto_frame *frame = data->frame;
    if (frame->has_values) {
        return STATUS_OK;
    }
    const status s =
        io_load_field(data->comm, data->source, frame->recipe, frame->step, frame->store);
    frame->has_values = s == STATUS_OK;
    return s;
}

/* Copies bricks that the store of the frame has, with its values. */
static void copy_bricks(const grid_store *frame, grid_store *store)
{
#pragma omp parallel for schedule(dynamic)
    for (int64_t n = 0; n < store->nbricks; n++) {
        const int32_t slot = frame->slot[store->bricks[n].number];
        grid_brick_copy_part(&frame->bricks[slot], &store->bricks[n]);
    }
}

/* Makes the store of a sample, with the geometry of the bricks of a list. Collective. */
static status make_store(const frame_auto_data *data, const io_load_list *list,
                         grid_store **out)
{
    if (!data->frame) {
        return io_load_bricks(data->comm, data->source, list, out);
    }
    const status s = parallel_agree(
        data->comm, grid_store_create(list->layout, list->count, list->numbers,
                                      list->location == GRID_CELL, out));
    if (s == STATUS_OK) {
        copy_bricks(data->frame->store, *out);
    }
    return s;
}

/* Finds a store of the sample's bricks: that of the frame, if it has the same bricks and
 * all values, which stay; otherwise the sample's own. Collective. */
static status find_store(const frame_auto_data *data, bool has_frame, auto_sample *sample,
                         grid_store **out)
{
    int64_t numbers[MOST_BRICKS];
    const io_load_list list = {.layout = data->layout,
                               .count = choose_bricks(data, numbers),
                               .numbers = numbers,
                               .location = sample->in_cells ? GRID_CELL : GRID_VERTEX};
    status s = STATUS_OK;
    if (has_frame && sample->nsteps == 1 && list.count == data->frame->store->nbricks) {
        *out = data->frame->store;
        return s;
    }
    s = sample->store ? s : make_store(data, &list, &sample->store);
    *out = sample->store;
    return s;
}

/* Loads the field at all steps of the sample, but those that the frame has. Collective.
 */
static status load_values(const frame_auto_data *data, const grid_recipe *recipe,
                          const int *steps, grid_store *store, auto_sample *sample)
{
    status s = STATUS_OK;
    for (int n = 0; n < sample->nsteps && s == STATUS_OK; n++) {
        if (n > 0 || !has_values(data, recipe, steps[n])) {
            s = io_load_field(data->comm, data->source, recipe, steps[n], store);
        } else if (store != data->frame->store) {
            copy_bricks(data->frame->store, store);
        }
        if (s == STATUS_OK) {
            take_values(store, sample->count, sample->values + n * sample->count);
        }
    }
    return s;
}

static double unit_of(const grid_layout *layout)
{
    const vec3 size = vec3_sub(layout->bounds.hi, layout->bounds.lo);
    return size.v[0] * size.v[1] * size.v[2] / whole_weight;
}

/* Makes the points of a sample. Collective. */
static status make_points(const frame_auto_data *data, const grid_store *store,
                          auto_sample *sample)
{
    const int64_t count = store->cell ? store->ncells : store->nvertices;
    status s = reserve(sample, count)
                   ? STATUS_OK
                   : base_fail_memory((size_t)count * sizeof *sample->place, "a sample");
    s = parallel_agree(data->comm, s);
    if (s == STATUS_OK) {
        sample->unit = sample->unit > 0.0 ? sample->unit : unit_of(data->layout);
        add_bricks(sample, store);
    }
    return s;
}

/* Gives a sample that has points room for the values of its steps. Collective. */
static status make_room(const frame_auto_data *data, auto_sample *sample)
{
    const size_t size =
        ((size_t)sample->count + 1) * (size_t)sample->nsteps * sizeof *sample->values;
    free(sample->values);
    sample->values = malloc(size);
    return parallel_agree(
        data->comm, sample->values ? STATUS_OK : base_fail_memory(size, "a sample"));
}

/* Fills in a sample of steps with the grid of data->layout. Collective. */
static status fill(const frame_auto_data *data, const grid_recipe *recipe,
                   auto_sample *sample)
{
    int *steps = malloc(((size_t)data->nsteps + 1) * sizeof *steps);
    status s = steps ? STATUS_OK : base_fail_memory(sizeof *steps, "the list of steps");
    s = parallel_agree(data->comm, s);
    grid_store *store = NULL;
    bool has_frame = false;
    if (s == STATUS_OK) {
        sample->nsteps = sample->nlooked = choose_steps(data, recipe, steps);
        has_frame = has_values(data, recipe, steps[0]);
        s = has_frame ? load_frame(data) : s;
    }
    s = s == STATUS_OK ? find_store(data, has_frame, sample, &store) : s;
    if (s == STATUS_OK) {
        s = sample->place ? make_room(data, sample) : make_points(data, store, sample);
    }
    if (s == STATUS_OK) {
        s = load_values(data, recipe, steps, store, sample);
    }
    free(steps);
    return s;
}

/* ---- Grids that move --------------------------------------------------------------- */

/* Appends the points of a step, whose places are relative to another origin. Local. */
static status append(const auto_sample *part, vec3 shift, auto_sample *all)
{
    auto_sample both = {.comm = all->comm, .unit = all->unit, .nsteps = 1};
    both.in_cells = part->in_cells;
    if (!reserve(&both, all->count + part->count)) {
        free_points(&both);
        return base_fail_memory((size_t)both.count * sizeof *both.place, "a sample");
    }
    const auto_sample *const from[2] = {all, part};
    size_t at = 0;
    for (int n = 0; n < 2; n++) {
        const size_t count = (size_t)from[n]->count;
        for (size_t p = 0; p < count; p++) {
            for (int axis = 0; axis < 3; axis++) {
                const double moved =
                    (double)from[n]->place[p][axis] + (n == 1 ? shift.v[axis] : 0.0);
                both.place[at + p][axis] = (float)moved;
            }
        }
        if (count > 0) {
            memcpy(both.volume + at, from[n]->volume, count * sizeof *both.volume);
            memcpy(both.cells + at, from[n]->cells, count);
            if (both.in_cells) {
                memcpy(both.reach + at, from[n]->reach, count * sizeof *both.reach);
            }
            memcpy(both.values + at, from[n]->values, count * sizeof *both.values);
        }
        at += count;
    }
    both.nlooked = all->nlooked + 1;
    free_points(all);
    *all = both;
    return STATUS_OK;
}

/* Adds the points of a step, in its own grid. Collective. */
static status add_step(const frame_auto_data *data, const grid_recipe *recipe, int step,
                       auto_sample *all)
{
    frame_auto_data one = *data;
    auto_sample part = {.comm = all->comm, .unit = all->unit, .in_cells = all->in_cells};
    one.nsteps = 1;
    one.steps = &step;
    status s = auto_grids_choose(data, step, &one.layout);
    one.frame = one.layout == data->layout ? data->frame : NULL;
    s = s == STATUS_OK ? fill(&one, recipe, &part) : s;
    if (s == STATUS_OK) {
        const vec3 shift = vec3_sub(one.layout->origin, data->layout->origin);
        s = parallel_agree(data->comm, append(&part, shift, all));
    }
    free_points(&part);
    return s;
}

/* Fills in a sample of steps, each with its own grid. Collective. */
static status fill_moving(const frame_auto_data *data, const grid_recipe *recipe,
                          auto_sample *sample)
{
    const auto_grids *grids = data->grids;
    const int here = io_source_grid_step(data->source);
    status s = STATUS_OK;
    sample->unit = unit_of(data->layout);
    sample->nsteps = 1;
    for (int n = 0; n < grids->nsteps && s == STATUS_OK; n++) {
        if (io_load_has(data->source, recipe, grids->steps[n])) {
            s = add_step(data, recipe, grids->steps[n], sample);
        }
    }
    if (s == STATUS_OK && sample->nlooked == 0) {
        s = add_step(data, recipe, data->steps[0], sample); /* says what is missing */
    }
    return s == STATUS_OK ? io_load_return(data->comm, data->source, here, data->layout)
                          : s;
}

status auto_sample_create(const frame_auto_data *data, const char *field, bool continuous,
                          auto_sample **sample)
{
    grid_recipe *recipe = NULL;
    status s =
        grid_recipe_create(field, io_source_field_count(data->source),
                           io_source_fields(data->source), data->config->terms, &recipe);
    if (s == STATUS_OK && continuous) {
        grid_recipe_move_to_vertices(recipe);
    }
    const bool in_cells = s == STATUS_OK && grid_recipe_location(recipe) == GRID_CELL;
    if (*sample && (data->grids || (*sample)->in_cells != in_cells)) {
        auto_sample_destroy(sample);
    }
    if (s == STATUS_OK && !*sample) {
        *sample = calloc(1, sizeof **sample);
        s = *sample ? STATUS_OK : base_fail_memory(sizeof **sample, "a sample");
    }
    s = parallel_agree(data->comm, s);
    if (s == STATUS_OK) {
        (*sample)->comm = data->comm;
        (*sample)->in_cells = in_cells;
        s = (data->grids ? fill_moving : fill)(data, recipe, *sample);
    }
    if (s == STATUS_OK) {
        auto_sample_index(*sample);
    }
    grid_recipe_destroy(&recipe);
    if (s != STATUS_OK) {
        auto_sample_destroy(sample);
    }
    return s;
}

void auto_sample_destroy(auto_sample **sample)
{
    if (*sample) {
        free_points(*sample);
        free(*sample);
        *sample = NULL;
    }
}
