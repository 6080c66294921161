#include "sweep.h"

#include "array_box.h"
#include "base/parallel/parallel.h"
#include "base/system.h"
#include "delivery.h"
#include "io/view.h"

#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 3 };

/* State of a running sweep on one rank. */
typedef struct run {
    const io_sweep *sweep;
    int64_t nwindows;
    io_window *windows; /* by ascending block */
    bool is_alone;      /* ranks need not be in the same block */
    int nlists;         /* the number of blocks, or 1 */
    int *rounds;   /* [nlists][ROUNDS]: most windows of a rank; of a window, most pieces
                      and bricks */
    status status; /* the first failure here */
    size_t bytes;  /* of buffers */
    char *buffers; /* for the largest window, in which the following lie: */
    void *values;  /* one piece, if it cannot be read directly to its place */
    float *coordinates[3];
    float *data[3]; /* coordinates of the data, if a view changes them */
    uint8_t *blanked;
    float *inputs[GRID_RECIPE_MAX_INPUTS];
    struct io_made *made; /* of the sweep's inputs; NULL: all are read */
} run;

/* ---- planning --------------------------------------------------------------------- */

/* The values of an array in the box of a window. */
static array_box array_of_window(const run *r, const io_window *window, bool cells)
{
    return io_array_box_of_window(r->sweep->layout, window, r->sweep->layers, cells);
}

static int most_pieces(const run *r, const io_window *window)
{
    const array_box vertices = array_of_window(r, window, false);
    const array_box cells = array_of_window(r, window, true);
    const int at_vertices = io_array_box_pieces(&vertices);
    const int in_cells = io_array_box_pieces(&cells);
    return at_vertices > in_cells ? at_vertices : in_cells;
}

/* Whether no array of a window need be put together. */
static bool comes_whole(const run *r, const io_window *window)
{
    const array_box vertices = array_of_window(r, window, false);
    const array_box cells = array_of_window(r, window, true);
    return io_array_box_is_piece(&vertices) && io_array_box_is_piece(&cells);
}

/* Whether an array is read in the type that a patch has. */
static bool is_read_as_kept(int array)
{
    return array != IO_ARRAY_IBLANK;
}

static bool reads_iblank(const run *r, int block)
{
    return r->sweep->blanked && r->sweep->layout->blocks[block].has_iblank;
}

/* Bytes of a value that is not read directly to its place, the largest of all arrays. */
static size_t value_size(const run *r, const io_window *window)
{
    return reads_iblank(r, window->block) || !comes_whole(r, window) ? sizeof(float) : 0;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Sizes of the buffers for the largest window of this rank. */
typedef struct room {
    size_t vertices; /* values of an array */
    size_t values;   /* bytes of a piece that is not read directly to its place */
    size_t blanked;  /* bytes */
} room;

static room find_room(const run *r)
{
    const io_sweep *sweep = r->sweep;
    room most = {1, 1, 0};
    for (int64_t n = 0; n < r->nwindows; n++) {
        const io_window *window = &r->windows[n];
        io_window_box box = io_window_vertices(sweep->layout, window, sweep->layers);
        size_t vertices = (size_t)(box.n[0] * box.n[1] * box.n[2]);
        most.vertices = larger(most.vertices, vertices);
        most.values = larger(most.values, vertices * value_size(r, window));
        most.blanked =
            larger(most.blanked, reads_iblank(r, window->block) ? vertices : 0);
    }
    return most;
}

/* Whether windows of a block need the coordinates of the data: derivatives are taken in
 * them. */
static bool needs_data(const io_sweep *sweep, int block)
{
    return sweep->coordinates && sweep->layers > 0 &&
           io_source_views(sweep->source)[block].on;
}

static bool any_needs_data(const io_sweep *sweep)
{
    bool any = false;
    for (int b = 0; b < sweep->layout->nblocks && !any; b++) {
        any = needs_data(sweep, b);
    }
    return any;
}

/* Takes bytes of r->buffers behind the first `used` ones; NULL before there are any. */
static void *take(const run *r, size_t bytes, size_t *used)
{
    enum { LINE = 64 };
    char *taken = r->buffers ? r->buffers + *used : NULL;
    *used += (bytes + LINE - 1) / LINE * LINE;
    return taken;
}

/* Gives all buffers their places, and returns their bytes. */
static size_t place_buffers(run *r, const room *most)
{
    const size_t array = most->vertices * sizeof(float);
    size_t used = 0;
    r->values = take(r, most->values, &used);
    for (int axis = 0; axis < 3 && r->sweep->coordinates; axis++) {
        r->coordinates[axis] = take(r, array, &used);
    }
    for (int axis = 0; axis < 3 && any_needs_data(r->sweep); axis++) {
        r->data[axis] = take(r, array, &used);
    }
    r->blanked = take(r, most->blanked, &used);
    for (int input = 0; input < r->sweep->ninputs; input++) {
        r->inputs[input] = take(r, array, &used);
    }
    return used;
}

/* All buffers are one allocation: each by itself may be smaller than a large page. */
static status allocate_buffers(run *r)
{
    const room most = find_room(r);
    r->bytes = place_buffers(r, &most);
    r->buffers = base_allocate_pages(r->bytes);
    if (!r->buffers) {
        return base_fail_memory(r->bytes, "reading a part of the grid");
    }
    place_buffers(r, &most);
    return STATUS_OK;
}

/* Counts this rank's windows and pieces of every block. */
static void count_rounds(run *r)
{
    for (int64_t n = 0; n < r->nwindows; n++) {
        const int list = r->is_alone ? 0 : r->windows[n].block;
        int *rounds = &r->rounds[(size_t)list * ROUNDS];
        const int pieces = most_pieces(r, &r->windows[n]);
        const int bricks = parallel_count(io_window_brick_count(&r->windows[n]));
        rounds[0]++;
        rounds[1] = rounds[1] > pieces ? rounds[1] : pieces;
        rounds[2] = rounds[2] > bricks ? rounds[2] : bricks;
    }
}

static status plan_locally(run *r, int64_t count, const int64_t *numbers)
{
    const size_t bytes = ((size_t)r->nlists * ROUNDS + 1) * sizeof *r->rounds;
    r->rounds = calloc(1, bytes);
    if (!r->rounds) {
        return base_fail_memory(bytes, "the list of blocks");
    }
    status s =
        io_window_gather(r->sweep->layout, count, numbers,
                         io_source_window(r->sweep->source), &r->nwindows, &r->windows);
    if (s == STATUS_OK) {
        s = allocate_buffers(r);
    }
    if (s == STATUS_OK) {
        count_rounds(r);
    }
    return s;
}

static void release(run *r)
{
    base_free_pages(r->buffers, r->bytes);
    free(r->rounds);
    free(r->windows);
}

/* ---- reading ---------------------------------------------------------------------- */

/* Converts an iblank of a file to GRID_POINT_.... */
static uint8_t point_kind(int32_t iblank)
{
    return iblank == 0   ? GRID_POINT_BLANKED
           : iblank == 2 ? GRID_POINT_WALL
                         : GRID_POINT_PLAIN;
}

/* Converts a row of n values of `array`, read from index `first` on, for the patch. */
static void store_row(const run *r, int array, size_t first, size_t n, void *out,
                      size_t at)
{
    const void *values = r->values;
    if (is_read_as_kept(array)) {
        memcpy((float *)out + at, (const float *)values + first, n * sizeof(float));
        return;
    }
    for (size_t i = 0; i < n; i++) {
        ((uint8_t *)out)[at + i] = point_kind(((const int32_t *)values)[first + i]);
    }
}

/* Copies a piece from the read buffer to its place in the window's array. */
static void store_piece(const run *r, int array, const array_box *a,
                        const array_piece *piece, void *out)
{
    const int64_t *n = piece->box.n, *to = piece->to;
#pragma omp parallel for
    for (int64_t row = 0; row < n[2] * n[1]; row++) {
        int64_t j = row % n[1], k = row / n[1];
        int64_t at = (to[2] + k) * a->n[1] + to[1] + j;
        store_row(r, array, (size_t)(row * n[0]), (size_t)n[0], out,
                  (size_t)(at * a->n[0] + to[0]));
    }
}

/* Reads a piece in the type of the source. Collective. */
static status read_values(const run *r, int block, int array, const io_box *piece,
                          void *out)
{
    const io_sweep *sweep = r->sweep;
    if (array < IO_ARRAY_IBLANK) {
        const double origin = sweep->layout->origin.v[array - IO_ARRAY_X];
        return io_source_read_places(sweep->source, block, array, origin, piece, out);
    }
    return io_source_read(sweep->source, sweep->step, block, array, piece, out);
}

/* Reads a piece of an array of a window to its place; an empty piece if none is left.
 * Collective. */
static void read_piece(run *r, int block, int array, const array_box *a,
                       const array_piece *piece, void *out)
{
    /* One piece in the patch's own type is read directly. */
    const bool direct = is_read_as_kept(array) && io_array_box_is_piece(a);
    status s = read_values(r, block, array, &piece->box, direct ? out : r->values);
    if (r->status == STATUS_OK) {
        r->status = s;
    }
    if (r->status == STATUS_OK && !direct) {
        store_piece(r, array, a, piece, out);
    }
}

grid_patch io_sweep_patch(const io_sweep *sweep, const io_window *window)
{
    const io_window_box box = io_window_vertices(sweep->layout, window, sweep->layers);
    grid_patch patch = {.x = NULL};
    for (int axis = 0; axis < 3; axis++) {
        patch.n[axis] = (int)box.n[axis];
        patch.core_lo[axis] = (int)box.core_lo[axis];
        patch.core_n[axis] = (int)box.core_n[axis];
    }
    return patch;
}

/* Reads an array of a window; `window` is NULL on a rank that has none left. */
static void read_array(run *r, int block, const io_window *window, int pieces, int array,
                       void *out)
{
    const io_sweep *sweep = r->sweep;
    bool cells =
        array >= 0 && io_source_fields(sweep->source)[array].location == GRID_CELL;
    array_box a = {.segments = {0, 0, 0}};
    if (window) {
        a = array_of_window(r, window, cells);
    }
    for (int n = 0; n < pieces; n++) {
        array_piece piece = {{{0, 0, 0}, {0, 0, 0}}, {0, 0, 0}};
        if (n < io_array_box_pieces(&a) && r->status == STATUS_OK) {
            piece = io_array_box_piece(&a, n);
        }
        read_piece(r, block, array, &a, &piece, out);
    }
    if (window && r->status == STATUS_OK) {
        io_array_box_wrap(&a, array == IO_ARRAY_IBLANK ? sizeof(uint8_t) : sizeof(float),
                          out);
    }
}

/* Finds the data's coordinates of a patch, apart from a shift. */
static void find_data(const run *r, const grid_view *view, grid_patch *patch)
{
    const int64_t count = (int64_t)patch->n[0] * patch->n[1] * patch->n[2];
#pragma omp parallel for
    for (int64_t n = 0; n < count; n++) {
        const vec3 place =
            vec3_make((double)patch->x[n], (double)patch->y[n], (double)patch->z[n]);
        const vec3 data = grid_view_vector_back(view, place);
        for (int axis = 0; axis < 3; axis++) {
            r->data[axis][n] = (float)data.v[axis];
        }
    }
    memcpy(patch->data, r->data, sizeof patch->data);
}

static grid_patch make_patch(const run *r, const io_window *window)
{
    const io_sweep *sweep = r->sweep;
    grid_patch patch = io_sweep_patch(sweep, window);
    patch.x = r->coordinates[0];
    patch.y = r->coordinates[1];
    patch.z = r->coordinates[2];
    patch.blanked = sweep->layout->blocks[window->block].has_iblank ? r->blanked : NULL;
    for (int input = 0; input < sweep->ninputs; input++) {
        patch.inputs[input] = r->inputs[input];
    }
    if (needs_data(sweep, window->block)) {
        find_data(r, &io_source_views(sweep->source)[window->block], &patch);
    }
    return patch;
}

void io_reading_field(io_reading *reading, int field, float *out)
{
    run other = *(const run *)reading->run;
    other.sweep = reading->sweep;
    other.status = reading->status;
    read_array(&other, reading->block, reading->window, reading->pieces, field, out);
    reading->status = other.status;
}

grid_patch io_reading_patch(const io_reading *reading)
{
    return make_patch(reading->run, reading->window);
}

static void sweep_window(run *r, int block, const io_window *window, int pieces)
{
    const io_sweep *sweep = r->sweep;
    for (int axis = 0; axis < 3 && sweep->coordinates; axis++) {
        read_array(r, block, window, pieces, IO_ARRAY_X + axis, r->coordinates[axis]);
    }
    if (reads_iblank(r, block)) {
        read_array(r, block, window, pieces, IO_ARRAY_IBLANK, r->blanked);
    }
    for (int input = 0; input < sweep->ninputs; input++) {
        if (sweep->made[input]) {
            io_reading reading = {sweep,       window,    block, pieces,
                                  r->is_alone, r->status, r};
            sweep->makers->make(&reading, r->made, input, r->inputs[input]);
            r->status = reading.status;
        } else {
            read_array(r, block, window, pieces, sweep->inputs[input], r->inputs[input]);
        }
    }
    if (window && r->status == STATUS_OK) {
        grid_patch patch = make_patch(r, window);
        r->status = sweep->joints ? sweep->visit_joints(sweep, window, &patch)
                                  : sweep->visit(sweep->context, window, &patch);
    }
}

/* Delivers what the windows so far have added, of up to `bricks` bricks on a rank.
 * Collective. */
static void deliver(run *r, int64_t bricks)
{
    if (r->sweep->delivery && bricks > 0) {
        const status s = io_delivery_send(r->sweep->delivery);
        r->status = r->status == STATUS_OK ? s : r->status;
    }
}

static io_sweep_news *news; /* of the process, as those of base/log are */
static void *news_context;

void io_sweep_watch(io_sweep_news *new_news, void *context)
{
    news = new_news;
    news_context = context;
}

/* Tells that `done` of `all` windows are read. */
static void tell(const run *r, int64_t done, int64_t all)
{
    const io_sweep *sweep = r->sweep;
    int input = 0;
    while (input < sweep->ninputs && sweep->made[input]) {
        input++; /* it is not in the data */
    }
    if (news) {
        const char *field =
            input < sweep->ninputs
                ? io_source_fields(sweep->source)[sweep->inputs[input]].name
                : NULL;
        news(news_context, field, all > 0 ? (double)done / (double)all : 1.0);
    }
}

static void sweep_blocks(run *r)
{
    int64_t next = 0, bricks = 0;
    tell(r, 0, r->nwindows + 1);
    for (int list = 0; list < r->nlists; list++) {
        const int *rounds = &r->rounds[(size_t)list * ROUNDS];
        for (int round = 0; round < rounds[0]; round++) {
            const io_window *window = next < r->nwindows ? &r->windows[next] : NULL;
            const bool mine = window && (r->is_alone || window->block == list);
            if (mine || !r->is_alone) {
                sweep_window(r, mine ? window->block : list, mine ? window : NULL,
                             rounds[1]);
            }
            next += mine ? 1 : 0;
            tell(r, next, r->nwindows + 1); /* the last ones may wait for other ranks */
            bricks += rounds[2];
            if (bricks >= IO_DELIVERY_BRICKS) {
                deliver(r, bricks);
                bricks = 0;
            }
        }
    }
    deliver(r, bricks);
    tell(r, 1, 1);
}

status io_sweep_run(const io_sweep *sweep, int64_t count, const int64_t *numbers)
{
    const bool is_alone = io_source_reads_alone(sweep->source);
    run r = {.sweep = sweep,
             .is_alone = is_alone,
             .nlists = is_alone ? 1 : sweep->layout->nblocks};
    status s = parallel_agree(sweep->comm, plan_locally(&r, count, numbers));
    if (s == STATUS_OK && sweep->makers) {
        s = sweep->makers->create(sweep, count, numbers, &r.made);
    }
    if (s == STATUS_OK) {
        /* Every rank takes part in as many rounds as any rank needs. */
        parallel_allreduce(MPI_IN_PLACE, r.rounds,
                           parallel_count(ROUNDS * (int64_t)r.nlists), MPI_INT, MPI_MAX,
                           sweep->comm);
        sweep_blocks(&r);
        s = parallel_agree(sweep->comm, r.status);
    }
    if (sweep->makers) {
        sweep->makers->destroy(sweep, &r.made);
    }
    release(&r);
    return s;
}

/* ---- Lists of inputs --------------------------------------------------------------- */

int io_sweep_find(const io_sweep *sweep, const grid_recipe *recipe, int input)
{
    int n = 0;
    while (n < sweep->ninputs &&
           (sweep->inputs[n] != grid_recipe_input(recipe, input) ||
            !grid_made_is_same(sweep->made[n], grid_recipe_made(recipe, input)))) {
        n++;
    }
    return n;
}

grid_recipe_use io_sweep_use(const io_sweep *sweep, const grid_recipe *recipe)
{
    grid_recipe_use use = {.recipe = recipe};
    for (int n = 0; n < grid_recipe_input_count(recipe); n++) {
        use.inputs[n] = io_sweep_find(sweep, recipe, n);
    }
    return use;
}

grid_location io_sweep_location(const io_sweep *sweep, int input)
{
    const grid_made *made = sweep->made[input];
    return made ? grid_recipe_location(made->recipe)
                : io_source_fields(sweep->source)[sweep->inputs[input]].location;
}
