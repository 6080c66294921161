/*
 * Fields in cells where faces of blocks meet whose vertices don't: hanging vertices, and
 * borders that do not match. Blocks are boxes of parameters, which are bent.
 */
#include "test_io_support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BLOCKS = 4 };

#define RING 9.0

/* Uniform cells of a box of parameters. */
typedef struct meeting_block {
    int n[3]; /* cells */
    double lo[3], hi[3];
} meeting_block;

typedef struct meeting_grid {
    const char *name;
    int count;
    meeting_block blocks[MOST_BLOCKS];
    double bend;   /* RING: y is an angle, and x the radius */
    double margin; /* parts of borders beside ends of blocks that are not compared */
} meeting_grid;

static const meeting_grid *current; /* that is being written */

static vec3 bent(const meeting_grid *grid, vec3 at)
{
    const double x = at.v[0], y = at.v[1], z = at.v[2];
    if (grid->bend == RING) {
        const double angle = 6.283185307179586 * y;
        return vec3_make(x * cos(angle), x * sin(angle), z);
    }
    return vec3_make(x + grid->bend * sin(1.7 * y) * cos(z),
                     y + grid->bend * sin(x + 1.3 * z), z + grid->bend * sin(0.8 * x));
}

static vec3 parameter(const meeting_block *b, double i, double j, double k)
{
    const double at[3] = {i, j, k};
    vec3 out;
    for (int axis = 0; axis < 3; axis++) {
        out.v[axis] = b->lo[axis] + (b->hi[axis] - b->lo[axis]) * at[axis] / b->n[axis];
    }
    return out;
}

static double smooth_field(vec3 at)
{
    return sin(1.3 * at.v[0] + 0.4 * at.v[1]) + 0.7 * cos(1.1 * at.v[1] - at.v[2]);
}

/* Writes the arrays of a block: coordinates, and fields in cells. Those of block 1 are
 * compressed. */
static void write_block(hid_t file, int number)
{
    const meeting_block *b = &current->blocks[number];
    static const char *const names[4] = {"c", "velocity_x", "velocity_y", "velocity_z"};
    for (int array = 0; array < 7; array++) {
        const int more = array < 3 ? 1 : 0;
        const int n[3] = {b->n[0] + more, b->n[1] + more, b->n[2] + more};
        const double middle = array < 3 ? 0.0 : 0.5;
        double *values = malloc((size_t)(n[0] * n[1] * n[2]) * sizeof *values);
        char path[64];
        for (int v = 0; v < n[0] * n[1] * n[2]; v++) {
            const vec3 at =
                bent(current, parameter(b, v % n[0] + middle, v / n[0] % n[1] + middle,
                                        v / (n[0] * n[1]) + middle));
            values[v] = array < 3 ? at.v[array] : smooth_field(at) * (array - 2);
        }
        if (array < 3) {
            snprintf(path, sizeof path, "/grid/b%d/%c", number, "xyz"[array]);
        } else {
            snprintf(path, sizeof path, "/flow/0/b%d/%s", number, names[array - 3]);
        }
        const hsize_t dims[3] = {(hsize_t)n[2], (hsize_t)n[1], (hsize_t)n[0]};
        if (number == 1) {
            file_write_compressed(file, path, dims, values);
        } else {
            file_write(file, path, H5T_NATIVE_FLOAT, 3, dims, values);
        }
        free(values);
    }
}

/* Writes a grid, or its block `only` alone. Collective. */
static const char *write_grid(const meeting_grid *grid, int only)
{
    static char path[512];
    snprintf(path, sizeof path, "%s", test_path("meeting.h5"));
    current = grid;
    if (is_root()) {
        hid_t file = file_create(path);
        for (int b = 0; b < grid->count; b++) {
            if (only < 0 || b == only) {
                write_block(file, b);
            }
        }
        H5Fclose(file);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return path;
}

/* ---- Values ------------------------------------------------------------------------ */

/* Values at the vertices of each block, and gradients: [nk+1][nj+1][ni+1][4]. */
typedef struct meeting_values {
    float (*of[MOST_BLOCKS])[4];
} meeting_values;

static size_t index_of(const meeting_block *b, int64_t i, int64_t j, int64_t k)
{
    return (size_t)((k * (b->n[1] + 1) + j) * (b->n[0] + 1) + i);
}

static void copy_brick(const grid_brick *brick, const meeting_block *b, float (*out)[4])
{
    const grid_brick_place *place = &brick->place;
    size_t v = 0;
    for (int k = 0; k <= place->n[2]; k++) {
        for (int j = 0; j <= place->n[1]; j++) {
            for (int i = 0; i <= place->n[0]; i++, v++) {
                float *to = out[index_of(b, place->lo[0] + i, place->lo[1] + j,
                                         place->lo[2] + k)];
                to[0] = brick->vertex[v][3];
                memcpy(to + 1, brick->gradient[v], 3 * sizeof(float));
            }
        }
    }
}

/* Compares bricks that the ranks load together with those of one rank. Collective. */
static void compare(io_source *source, const grid_layout *layout,
                    const grid_recipe *recipe, const grid_store *all)
{
    int64_t *numbers = malloc((size_t)layout->nbricks * sizeof *numbers);
    const int64_t count = choose_bricks(layout, 0, numbers);
    const io_load_list list = {layout, count, numbers, GRID_VERTEX};
    grid_store *some = NULL;
    if (check_ok(io_load_bricks(MPI_COMM_WORLD, source, &list, &some), "bricks")) {
        check_ok(grid_store_add_gradients(some), "gradients");
        check_ok(io_load_field(MPI_COMM_WORLD, source, recipe, 0, some), "field");
        check_same_scalars(some, all, current->name);
    }
    grid_store_destroy(&some);
    free(numbers);
}

/* Loads a field of all of a grid on each rank; the ranks read it together, and each of
 * them alone. Collective. */
static meeting_values load(const meeting_grid *grid, int only, const char *name)
{
    const char *path = write_grid(grid, only);
    io_data_config config = {.file = (char *)path};
    io_source *source = NULL, *alone = NULL;
    grid_layout *layout = NULL;
    grid_recipe *recipe = NULL;
    meeting_values values = {{NULL}};
    if (check_ok(io_source_open(MPI_COMM_WORLD, &config, &source), "open") &&
        check_ok(io_source_open(MPI_COMM_SELF, &config, &alone), "open alone") &&
        check_ok(io_load_layout(MPI_COMM_WORLD, source, &layout), "layout") &&
        check_ok(grid_recipe_create(name, io_source_field_count(source),
                                    io_source_fields(source), test_gas, &recipe),
                 name)) {
        grid_recipe_move_to_vertices(recipe);
        grid_store *all = load_alone(alone, layout, recipe);
        compare(source, layout, recipe, all);
        for (int64_t slot = 0; slot < all->nbricks; slot++) {
            const int block = all->bricks[slot].place.block;
            const meeting_block *b = &grid->blocks[only < 0 ? block : only];
            const size_t count = (size_t)((b->n[0] + 1) * (b->n[1] + 1) * (b->n[2] + 1));
            values.of[block] = values.of[block]
                                   ? values.of[block]
                                   : malloc(count * sizeof *values.of[block]);
            copy_brick(&all->bricks[slot], b, values.of[block]);
        }
        grid_store_destroy(&all);
    }
    grid_recipe_destroy(&recipe);
    grid_layout_destroy(&layout);
    io_source_close(&alone);
    io_source_close(&source);
    test_file_remove(path);
    return values;
}

static void release(meeting_values *values)
{
    for (int b = 0; b < MOST_BLOCKS; b++) {
        free(values->of[b]);
    }
}

/* The value in a block at a place of its face: bilinear between vertices. */
static double value_on_face(const meeting_block *b, float (*values)[4], int column,
                            int axis, const double at[3])
{
    int64_t cell[3];
    double part[3], sum = 0.0;
    for (int a = 0; a < 3; a++) {
        const double place = (at[a] - b->lo[a]) / (b->hi[a] - b->lo[a]) * b->n[a];
        cell[a] = (int64_t)fmin(fmax(floor(place), 0.0), b->n[a] - (a == axis ? 0 : 1));
        part[a] = a == axis ? 0.0 : place - (double)cell[a];
        cell[a] = a == axis ? llround(place) : cell[a];
    }
    for (int corner = 0; corner < 8; corner++) {
        double weight = 1.0;
        int64_t v[3];
        for (int a = 0; a < 3; a++) {
            v[a] = cell[a] + (corner >> a & 1);
            weight *= corner >> a & 1 ? part[a] : 1.0 - part[a];
        }
        sum += weight > 0.0
                   ? weight * (double)values[index_of(b, v[0], v[1], v[2])][column]
                   : 0.0;
    }
    return sum;
}

/* The largest gap at the border of two blocks that meet across an axis; 0 if they do
 * not. */
static double gap_between(const meeting_grid *grid, const meeting_values *values,
                          const int pair[2], int axis, int column)
{
    enum { SAMPLES = 61 };
    const meeting_block *a = &grid->blocks[pair[0]], *b = &grid->blocks[pair[1]];
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    double lo[3], hi[3], gap = 0.0;
    for (int c = 0; c < 3; c++) {
        lo[c] = fmax(a->lo[c], b->lo[c]) + (c == axis ? 0.0 : grid->margin);
        hi[c] = fmin(a->hi[c], b->hi[c]) - (c == axis ? 0.0 : grid->margin);
    }
    if (a->hi[axis] != b->lo[axis] || lo[u] >= hi[u] || lo[v] >= hi[v]) {
        return 0.0;
    }
    for (int n = 0; n < SAMPLES * SAMPLES; n++) {
        double at[3] = {0};
        at[axis] = b->lo[axis];
        at[u] = lo[u] + (hi[u] - lo[u]) * (n % SAMPLES) / (SAMPLES - 1);
        at[v] = lo[v] + (hi[v] - lo[v]) * (n / SAMPLES) / (SAMPLES - 1);
        gap = fmax(gap, fabs(value_on_face(a, values->of[pair[0]], column, axis, at) -
                             value_on_face(b, values->of[pair[1]], column, axis, at)));
    }
    return gap;
}

/* The largest gap at all borders. */
static double largest_gap(const meeting_grid *grid, const meeting_values *values,
                          int column)
{
    double gap = 0.0;
    for (int n = 0; n < grid->count * grid->count * 3; n++) {
        const int pair[2] = {n / 3 % grid->count, n / 3 / grid->count};
        gap = fmax(gap, gap_between(grid, values, pair, n % 3, column));
    }
    return gap;
}

/* ---- Tests ------------------------------------------------------------------------- */

static void check_gap(const meeting_grid *grid, const char *field, double most,
                      double most_of_gradients)
{
    meeting_values values = load(grid, -1, field);
    const double gap = largest_gap(grid, &values, 0);
    check(gap <= most, "%s, %s: values jump by %g at a border", grid->name, field, gap);
    for (int column = 1; column < 4; column++) {
        const double slope = largest_gap(grid, &values, column);
        check(slope <= most_of_gradients, "%s, %s: gradients jump by %g at a border",
              grid->name, field, slope);
    }
    release(&values);
}

static const meeting_grid nested[] = {
    {"2:1",
     2,
     {{{6, 8, 6}, {0, 0, 0}, {1, 1, 1}}, {{10, 16, 12}, {1, 0, 0}, {2, 1, 1}}},
     0.0,
     0},
    {"2:1 along an axis, bent",
     2,
     {{{6, 20, 6}, {0, 0, 0}, {1, 1, 1}}, {{6, 40, 6}, {1, 0, 0}, {2, 1, 1}}},
     0.1,
     0},
    {"finer along one axis, coarser along the other",
     2,
     {{{6, 6, 18}, {0, 0, 0}, {1, 1, 1}}, {{6, 18, 6}, {1, 0, 0}, {2, 1, 1}}},
     0.0,
     0},
    {"3:1 beside four blocks",
     4,
     {{{6, 12, 6}, {0, 0, 0}, {1, 2, 1}},
      {{9, 18, 18}, {1, 0, 0}, {2, 1, 1}},
      {{9, 18, 18}, {1, 1, 0}, {2, 2, 1}},
      {{6, 12, 6}, {-1, 0, 0}, {0, 2, 1}}},
     0.05,
     0},
    {"2:1 around a ring",
     2,
     {{{6, 40, 6}, {1, 0, 0}, {2, 1, 1}}, {{12, 80, 12}, {2, 0, 0}, {3, 1, 1}}},
     RING,
     0},
    {"4:2:1",
     3,
     {{{8, 16, 8}, {0, 0, 0}, {1, 2, 1}},
      {{16, 16, 16}, {1, 0, 0}, {2, 1, 1}},
      {{32, 32, 32}, {1, 1, 0}, {2, 2, 1}}},
     0.0,
     0}};

/* Bent blocks are compared at equal parameters, which are near to each other in space. */
static void hanging_vertices_leave_no_gap(void)
{
    for (size_t n = 0; n < sizeof nested / sizeof nested[0]; n++) {
        const double more = nested[n].bend > 0.0 ? 5e-4 : 0.0;
        check_gap(&nested[n], "c", 1e-6 + more, 2e-5 + more);
        check_gap(&nested[n], "vorticity_z", 1e-4 + 5.0 * more, 1e-2);
    }
}

static void gaps_of_other_borders_are_of_second_order(void)
{
    double gaps[3], slopes[3];
    for (int n = 0; n < 3; n++) {
        const int f = 1 << n;
        const meeting_grid grid = {"shifted",
                                   2,
                                   {{{5 * f, 7 * f, 6 * f}, {0, 0, 0}, {1, 1, 1}},
                                    {{6 * f, 10 * f, 7 * f}, {1, 0, 0}, {2, 1, 1}}},
                                   0.02,
                                   0.2};
        meeting_values values = load(&grid, -1, "c");
        gaps[n] = largest_gap(&grid, &values, 0);
        slopes[n] = largest_gap(&grid, &values, 1);
        release(&values);
    }
    check(gaps[1] < 0.4 * gaps[0] && gaps[2] < 0.3 * gaps[1],
          "values jump by %g, %g, %g on finer and finer grids", gaps[0], gaps[1],
          gaps[2]);
    check(slopes[1] < 0.7 * slopes[0] && slopes[2] < 0.7 * slopes[1],
          "gradients jump by %g, %g, %g on finer and finer grids", slopes[0], slopes[1],
          slopes[2]);
}

/* Each block has the values that it has alone. */
static void check_apart(const meeting_grid *grid)
{
    meeting_values values = load(grid, -1, "c");
    for (int b = 0; b < grid->count; b++) {
        const int *n = grid->blocks[b].n;
        const size_t count = (size_t)((n[0] + 1) * (n[1] + 1) * (n[2] + 1));
        meeting_values alone = load(grid, b, "c");
        int differ = 0;
        for (size_t v = 0; v < count; v++) {
            differ += memcmp(values.of[b][v], alone.of[0][v], 4 * sizeof(float)) != 0;
        }
        check(differ == 0, "%s: %d values of block %d come from another block",
              grid->name, differ, b);
        release(&alone);
    }
    release(&values);
}

static const meeting_grid apart[] = {
    {"ends in one plane overlap",
     2,
     {{{8, 8, 4}, {0, 0, 0}, {1, 1, 1}}, {{8, 8, 6}, {0.53, 0.27, 0}, {1.53, 1.27, 1}}},
     0.0,
     0},
    {"a block within a block",
     2,
     {{{8, 8, 8}, {0, 0, 0}, {1, 1, 1}},
      {{8, 8, 8}, {0.25, 0.25, 0.25}, {0.75, 0.75, 0.75}}},
     0.0,
     0},
    {"a thin gap",
     2,
     {{{8, 8, 8}, {0, 0, 0}, {1, 1, 1}}, {{8, 12, 12}, {1.01, 0, 0}, {2, 1, 1}}},
     0.0,
     0},
    {"a border that another block crosses",
     2,
     {{{8, 8, 8}, {0, 0, 0}, {1, 1, 1}},
      {{8, 8, 12}, {0.31, 0.4, -0.5}, {1.31, 1.4, 0.5}}},
     0.0,
     0}};

static void blocks_that_do_not_meet_stay_apart(void)
{
    for (size_t n = 0; n < sizeof apart / sizeof apart[0]; n++) {
        check_apart(&apart[n]);
    }
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    test_folder_create("io_faces");
    run_test("hanging vertices leave no gap", hanging_vertices_leave_no_gap);
    run_test("gaps of other borders are of second order",
             gaps_of_other_borders_are_of_second_order);
    run_test("blocks that do not meet stay apart", blocks_that_do_not_meet_stay_apart);
    test_folder_remove();
    const int code = finish_tests();
    MPI_Finalize();
    return code;
}
