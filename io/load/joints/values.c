/* Loading of values at joints. */
#include "base/parallel/parallel.h"
#include "exchange.h"
#include "grid/means.h"
#include "records.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Values that are one differ by less than these parts of them and of the rise across a
 * cell. */
#define SAME_VALUE 1e-5
#define SAME_PLACE 1e-4

/* ---- Fetching ---------------------------------------------------------------------- */

/* Marks of bricks that have vertices near those of a sweep. */
static void mark_brick(void *context, int64_t brick, const int64_t shift[3])
{
    (void)shift;
    ((uint8_t *)context)[brick] = 1;
}

/* Marks the bricks with vertices in the layers around some bricks. */
static void mark_near(const grid_layout *layout, int layers, int64_t count,
                      const int64_t *bricks, uint8_t *marks)
{
    for (int64_t n = 0; n < count; n++) {
        const grid_brick_place place = grid_layout_place(layout, bricks[n]);
        joint_box box = {.block = place.block};
        for (int axis = 0; axis < 3; axis++) {
            box.lo[axis] = place.lo[axis] - layers;
            box.n[axis] = place.n[axis] + 1 + 2 * layers;
        }
        joints_visit_bricks(layout, &box, mark_brick, marks);
    }
}

/* The wanted bricks by ascending number, and how many each rank has. */
static status list_wanted(const io_joints *joints, const io_sweep *sweep, int64_t count,
                          const int64_t *bricks, int64_t **wanted, int64_t *to)
{
    const grid_layout *layout = sweep->layout;
    uint8_t *marks = calloc((size_t)layout->nbricks + 1, 1);
    int64_t n = 0;
    *wanted = malloc(((size_t)layout->nbricks + 1) * sizeof **wanted);
    if (!marks || !*wanted) {
        free(marks);
        return base_fail_memory((size_t)layout->nbricks * sizeof **wanted,
                                "the list of bricks");
    }
    mark_near(layout, sweep->layers, count, bricks, marks);
    for (int64_t brick = 0; brick < layout->nbricks; brick++) {
        if (marks[brick]) {
            (*wanted)[n++] = brick;
            to[io_joints_rank(joints, layout, brick)]++;
        }
    }
    free(marks);
    return STATUS_OK;
}

/* The records of the bricks that ranks ask for: malloc'ed, in their order. asked: from
 * each rank in turn; to: becomes the records for each. */
static status make_records(const joint_pass *p, const int64_t *asked, const int64_t *from,
                           int64_t *to, char **out)
{
    const io_joints *joints = p->joints;
    const size_t size = joint_record_size(p->values);
    const int64_t total = io_exchange_total(joints->ranks, from);
    int64_t count = 0, done = 0, first, end;
    for (int64_t n = 0; n < total; n++) {
        io_joints_of_brick(joints, asked[n], &first, &end);
        count += end - first;
    }
    char *at = *out = calloc((size_t)count + 1, size);
    if (!at) {
        return base_fail_memory((size_t)count * size, "the vertices that blocks share");
    }
    for (int rank = 0; rank < joints->ranks; rank++) {
        to[rank] = 0;
        for (int64_t n = 0; n < from[rank]; n++, done++) {
            io_joints_of_brick(joints, asked[done], &first, &end);
            to[rank] += end - first;
            for (int64_t m = first; m < end; m++, at += size) {
                joint_record *made = (joint_record *)(void *)at;
                made->member = joints->order[m].member;
                memcpy(made->value, p->parts + joints->order[m].index * p->columns,
                       (size_t)p->columns * sizeof(double));
            }
        }
    }
    return STATUS_OK;
}

/* Gives `out` the values of a pass at the joints near these bricks. Collective. */
static status fetch(const joint_pass *p, int64_t count, const int64_t *bricks,
                    io_joint_values *out)
{
    const io_joints *joints = p->joints;
    const MPI_Comm comm = joints->comm;
    int64_t *to = calloc(2 * (size_t)joints->ranks, sizeof *to);
    int64_t *from = to + joints->ranks, *wanted = NULL, *asked = NULL;
    char *made = NULL;
    status s = to ? list_wanted(joints, p->sweep, count, bricks, &wanted, to)
                  : base_fail_memory(2 * (size_t)joints->ranks, "the list of ranks");
    s = parallel_agree(comm, s);
    if (s == STATUS_OK) {
        s = io_exchange(comm, sizeof *wanted, wanted, to, (void **)&asked, from);
    }
    if (s == STATUS_OK) {
        s = parallel_agree(comm, make_records(p, asked, from, to, &made));
    }
    if (s == STATUS_OK) {
        free(out->records);
        out->records = NULL;
        s = io_exchange(comm, joint_record_size(out), made, to, (void **)&out->records,
                        from);
    }
    if (s == STATUS_OK) {
        out->count = io_exchange_total(joints->ranks, from);
    }
    free(to);
    free(wanted);
    free(asked);
    free(made);
    return s;
}

/* ---- Loading ----------------------------------------------------------------------- */

void io_joint_values_destroy(io_joint_values **values)
{
    io_joint_values *old = *values;
    if (old) {
        for (int n = 0; n < old->nrecipes; n++) {
            grid_recipe_destroy(&old->recipes[n].of_means);
        }
        free(old->recipes);
        free(old->slopes);
        free(old->records);
        free(old);
        *values = NULL;
    }
}

/* Notes the recipes' inputs in cells, and what is differentiated at joints. */
static void list_slopes(const io_sweep *sweep, bool shaded, io_joint_values *v)
{
    for (int n = 0; n < sweep->ninputs && !v->in_cells; n++) {
        if (io_sweep_location(sweep, n) == GRID_CELL) {
            v->means[v->nmeans++] = n;
        }
    }
    v->nmeans = v->in_cells ? 1 : v->nmeans; /* means[0] is 0 */
    for (int n = 0; n < v->nrecipes; n++) {
        for (int q = 0; q < GRID_MOST_QUANTITIES; q++) {
            if (grid_recipe_differentiates(v->recipes[n].recipe, q)) {
                v->slopes[v->nslopes++] = (joint_slope){n, q};
            }
        }
    }
    v->nquantities = v->nslopes;
    for (int n = 0; n < v->nrecipes && shaded; n++) {
        v->slopes[v->nslopes++] = (joint_slope){n, JOINT_RESULT};
    }
    v->columns = v->nmeans + 3 * v->nslopes;
}

/* Whether gradients are made from means of a recipe's results in cells. */
static bool is_in_cells(const io_joint_wish *wish, const grid_recipe *recipe)
{
    return wish->shaded && grid_recipe_location(recipe) == GRID_CELL;
}

/* Whether joints count for a recipe. */
static bool is_joined(const io_joint_wish *wish, const grid_recipe *recipe)
{
    bool is = wish->shaded || grid_recipe_takes_means(recipe);
    for (int q = 0; q < GRID_MOST_QUANTITIES && !is; q++) {
        is = grid_recipe_differentiates(recipe, q);
    }
    return is;
}

static status add_recipe(io_joint_values *v, const io_joint_wish *wish,
                         const grid_recipe_use *use)
{
    io_joint_recipe *own = &v->recipes[v->nrecipes++];
    if (!is_in_cells(wish, use->recipe)) {
        own->recipe = use->recipe;
        memcpy(own->inputs, use->inputs, sizeof use->inputs);
        return grid_recipe_create_of_means(use->recipe, &own->of_means);
    }
    v->in_cells = use->recipe;
    memcpy(v->cell_inputs, use->inputs, sizeof use->inputs);
    const status s = grid_recipe_create_vertex_field(&own->of_means);
    own->recipe = own->of_means;
    return s;
}

static status create(const io_sweep *sweep, const io_joint_wish *wish,
                     io_joint_values **out)
{
    const size_t size = (size_t)wish->count + 1;
    io_joint_values *v = *out = calloc(1, sizeof *v);
    if (v) {
        v->recipes = calloc(size, sizeof *v->recipes);
        v->slopes = calloc(size * (GRID_MOST_QUANTITIES + 1), sizeof *v->slopes);
    }
    if (!v || !v->recipes || !v->slopes) {
        return base_fail_memory(size * sizeof *v->recipes, "the list of fields");
    }
    status s = STATUS_OK;
    v->layout = sweep->layout;
    v->is_inner = wish->is_inner;
    for (int n = 0; n < wish->count && s == STATUS_OK; n++) {
        s = add_recipe(v, wish, &wish->uses[n]);
    }
    if (s == STATUS_OK) {
        list_slopes(sweep, wish->shaded, v);
    }
    return s;
}

/* Runs a pass over the bricks with members, and adds up its parts, in groups. Collective.
 */
static status run_pass(const io_sweep *sweep, joint_pass *p, int group)
{
    const size_t size = (size_t)(p->joints->count * p->columns) + 1;
    p->parts = calloc(size, sizeof *p->parts);
    status s = p->parts ? STATUS_OK
                        : base_fail_memory(size * sizeof *p->parts,
                                           "the vertices that blocks share");
    s = parallel_agree(sweep->comm, s);
    if (s == STATUS_OK) {
        s = io_sweep_run(sweep, p->joints->nbricks, p->joints->bricks);
    }
    return s == STATUS_OK ? io_joints_add(p->joints, p->columns / group, group, p->parts)
                          : s;
}

/* Finds the means at the members, in the first columns of the table. Collective. */
static status find_means(const io_sweep *sweep, const joint_pass *table)
{
    const io_joint_values *v = table->values;
    io_sweep own = *sweep;
    joint_pass p = {table->joints, v, &own, JOINT_SUM * v->nmeans, NULL, 0, 0};
    own.layers = 1;
    own.visit = joints_visit_cells;
    own.context = &p;
    const status s = v->nmeans > 0 ? run_pass(&own, &p, JOINT_SUM) : STATUS_OK;
    for (int64_t m = 0; s == STATUS_OK && m < p.joints->count; m++) {
        for (int n = 0; n < v->nmeans; n++) {
            const double *part = p.parts + m * p.columns + JOINT_SUM * n;
            table->parts[m * table->columns + n] =
                part[0] > 0.0 ? part[1] / part[0] : (double)NAN;
        }
    }
    free(p.parts);
    return s == STATUS_OK && v->nmeans > 0
               ? io_joints_hang(p.joints, table->columns, table->parts)
               : s;
}

/* Whether the members of a joint have one value, but for rounding: nothing lies between
 * them, such as a plate without thickness. */
static bool has_one_value(const double *part)
{
    const double mean = part[4] / part[0], square = part[5] / part[0];
    const double slope = vec3_length(vec3_make(part[1], part[2], part[3])) / part[0];
    const double rise = SAME_PLACE * slope * cbrt(part[0] / 8.0); /* across a cell */
    return square - mean * mean <= SAME_VALUE * SAME_VALUE * square + rise * rise;
}

/* Finds gradients at the members, those of the slopes [first, end). Collective. */
static status find_slopes(const io_sweep *sweep, const joint_pass *table,
                          io_joint_values *v, int first, int end)
{
    io_sweep own = *sweep;
    joint_pass p = {table->joints, v, &own, JOINT_PART * (end - first), NULL, first, end};
    own.visit = joints_visit_slopes;
    own.context = &p;
    io_joint_values_attach(v, &own);
    status s = fetch(table, p.joints->nbricks, p.joints->bricks, v);
    if (s == STATUS_OK) {
        s = run_pass(&own, &p, JOINT_PART);
    }
    for (int64_t m = 0; s == STATUS_OK && m < p.joints->count; m++) {
        for (int n = first; n < end; n++) {
            const double *part = p.parts + m * p.columns + JOINT_PART * (n - first);
            double *out = table->parts + m * table->columns + v->nmeans + 3 * n;
            const bool is_one = part[0] > 0.0 && (v->nmeans > 0 || has_one_value(part));
            for (int c = 0; c < 3; c++) {
                out[c] = is_one ? part[1 + c] / part[0] : (double)NAN;
            }
        }
    }
    free(p.parts);
    return s == STATUS_OK ? io_joints_hang(p.joints, table->columns, table->parts) : s;
}

/* The joints of the source's grid, found once. Collective. */
static status find_joints(const io_sweep *sweep, io_joints **out)
{
    status s = STATUS_OK;
    *out = io_source_kept(sweep->source, IO_KEPT_OF_GRID);
    if (!*out) {
        s = io_joints_find(sweep->comm, sweep->source, sweep->layout, out);
    }
    if (s == STATUS_OK && !io_source_kept(sweep->source, IO_KEPT_OF_GRID)) {
        io_source_keep(sweep->source, IO_KEPT_OF_GRID, *out, io_joints_forget);
    }
    if (s == STATUS_OK) {
        (*out)->comm = sweep->comm;
    }
    return s;
}

/* Fills in the table of the members. Collective. */
static status fill_table(const io_sweep *sweep, const joint_pass *table,
                         io_joint_values *v)
{
    status s = find_means(sweep, table);
    if (s == STATUS_OK && v->nquantities > 0) {
        s = find_slopes(sweep, table, v, 0, v->nquantities);
    }
    if (s == STATUS_OK && v->nslopes > v->nquantities) { /* they use the others */
        s = find_slopes(sweep, table, v, v->nquantities, v->nslopes);
    }
    return s;
}

/* Fills in the values. Collective. */
static status load(const io_sweep *sweep, io_joints *joints, int64_t nbricks,
                   const int64_t *bricks, io_joint_values *v)
{
    const size_t size = (size_t)(joints->count * v->columns) + 1;
    const bool holds = joints->holds && !v->is_inner;
    joint_pass table = {joints, v, sweep, v->columns, v->is_inner ? NULL : joints->held,
                        0,      0};
    status s = STATUS_OK;
    if (!table.parts) {
        table.parts = calloc(size, sizeof(double));
        s = table.parts ? STATUS_OK
                        : base_fail_memory(size * sizeof(double),
                                           "the vertices that blocks share");
        s = parallel_agree(sweep->comm, s);
        s = s == STATUS_OK ? fill_table(sweep, &table, v) : s;
    }
    if (s == STATUS_OK) {
        s = fetch(&table, nbricks, bricks, v);
    }
    if (!v->is_inner) {
        joints->held = holds && s == STATUS_OK ? table.parts : NULL;
    }
    if (!holds || s != STATUS_OK) {
        free(table.parts);
    }
    return s;
}

void io_joint_values_hold(io_source *source, bool holds)
{
    io_joints *joints = io_source_kept(source, IO_KEPT_OF_GRID);
    if (joints) {
        joints->holds = holds;
        free(joints->held);
        joints->held = NULL;
    }
}

status io_joint_values_load(const io_sweep *sweep, const io_joint_wish *wish,
                            int64_t nbricks, const int64_t *bricks, io_joint_values **out)
{
    io_joint_values *v = NULL;
    io_joints *joints = NULL;
    bool any = false;
    *out = NULL;
    for (int n = 0; n < wish->count; n++) {
        any = any || is_joined(wish, wish->uses[n].recipe);
    }
    if (!any) {
        return STATUS_OK;
    }
    status s = find_joints(sweep, &joints);
    if (s != STATUS_OK || joints->total == 0) {
        return s;
    }
    s = parallel_agree(sweep->comm, create(sweep, wish, &v));
    if (s == STATUS_OK) {
        s = load(sweep, joints, nbricks, bricks, v);
    }
    if (s != STATUS_OK) {
        io_joint_values_destroy(&v);
        return s;
    }
    *out = v;
    return STATUS_OK;
}
