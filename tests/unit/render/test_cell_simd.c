/* All kernels cross cells alike, to the last bit, and as render_cell_exit has it. */
#include "check.h"

#include "render/walk.h"

#include <stdio.h>
#include <string.h>

enum { CORNERS = 8, CELLS = 100000, RAYS_PER_CELL = 4 };

/* One cell and all that a march over it needs. */
typedef struct lone_cell {
    float vertex[CORNERS][4];
    uint8_t flags[CORNERS];
    march_brick brick;
    march_grid grid;
} lone_cell;

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* Uniform from -1 to 1. */
static double random_number(uint64_t *state)
{
    return (double)(next_random(state) >> 11) * 0x1p-52 - 1.0;
}

/* Ways to put the corners: jittered a little or wildly, flat, on a coarse lattice (where
 * many edge functions are zero), or with corners that coincide. */
enum { JITTERED, WILD, FLAT, LATTICE, COLLAPSED, KINDS };

static void place_corners(uint64_t *state, int kind, lone_cell *cell)
{
    double jitter = kind == WILD ? 1.5 : kind == LATTICE ? 0.0 : 0.3;
    for (int c = 0; c < CORNERS; c++) {
        for (int axis = 0; axis < 3; axis++) {
            double x = (c >> axis & 1) + jitter * random_number(state);
            if (kind == LATTICE && next_random(state) % 4 == 0) {
                x += (double)(next_random(state) % 3) - 1.0;
            }
            cell->vertex[c][axis] = (float)(kind == FLAT && axis == 2 ? 1e-6 * x : x);
        }
        cell->vertex[c][3] = (float)random_number(state);
    }
    if (kind == COLLAPSED) {
        int from = (int)(next_random(state) % CORNERS);
        int to = (int)(next_random(state) % CORNERS);
        memcpy(cell->vertex[to], cell->vertex[from], sizeof cell->vertex[to]);
    }
}

static void make_cell(uint64_t *state, int kind, lone_cell *cell)
{
    place_corners(state, kind, cell);
    cell->brick = (march_brick){.vertex = (const float(*)[4])cell->vertex,
                                .flags = cell->flags,
                                .n = {1, 1, 1},
                                .step = {-1, 1, -2, 2, -4, 4},
                                .neighbour = {-1, -1, -1, -1, -1, -1},
                                .left_handed = next_random(state) % 2 == 0,
                                .is_full = true};
    for (int c = 0; c < CORNERS; c++) {
        cell->flags[c] = (uint8_t)(GRID_PRESENT | next_random(state) % 8);
        cell->brick.corner[c] = c;
        cell->brick.offset[c] = 4 * c;
    }
    cell->grid = (march_grid){.nbricks = 1, .bricks = &cell->brick};
}

/* Through the cell; every other ray runs along a lattice line. */
static cell_ray make_ray(uint64_t *state)
{
    render_ray ray = {.origin = vec3_make(0.0, 0.0, 0.0)};
    if (next_random(state) % 2 == 0) {
        for (int axis = 0; axis < 3; axis++) {
            ray.origin.v[axis] = (double)(next_random(state) % 5) * 0.5 - 1.0;
        }
        double sign = next_random(state) % 2 == 0 ? 1.0 : -1.0;
        ray.direction.v[next_random(state) % 3] = sign;
        return render_cell_ray(ray);
    }
    for (int axis = 0; axis < 3; axis++) {
        double through = 0.5 + 0.5 * random_number(state);
        ray.origin.v[axis] = 4.0 * random_number(state);
        ray.direction.v[axis] = through - ray.origin.v[axis];
    }
    ray.direction = vec3_normalize(ray.direction);
    return render_cell_ray(ray);
}

static void check_bits(const char *what, const char *kernel, uint64_t seed,
                       double expected, double actual)
{
    if (memcmp(&expected, &actual, sizeof expected) != 0) {
        fail_msg("%s by kernel %s: expected %.17g, actual %.17g (seed %llu)", what,
                 kernel, expected, actual, (unsigned long long)seed);
    }
}

/* Crosses the cell from an entry and compares with the exit that should come. */
static void check_step(const walk_kernel *kernel, const lone_cell *cell,
                       const cell_ray *ray, const cell_crossing *entry, bool has_exit,
                       const cell_crossing *exit, uint64_t seed)
{
    march_entry at = {.crossing = *entry};
    march_segment segment;
    march_result result = kernel->step(&cell->grid, ray, &at, &segment);
    check_count("result of a step", seed, has_exit ? MARCH_LEFT : MARCH_LOST, result);
    if (!has_exit) {
        return;
    }
    check_count("face of the exit", seed, exit->triangle.face ^ 1,
                at.crossing.triangle.face);
    check_count("half of the exit", seed, exit->triangle.half, at.crossing.triangle.half);
    check_bits("t0", kernel->name, seed, entry->t, segment.t0);
    check_bits("t1", kernel->name, seed, exit->t, segment.t1);
    check_bits("s0", kernel->name, seed, entry->scalar, segment.s0);
    check_bits("s1", kernel->name, seed, exit->scalar, segment.s1);
}

/* Compares all entries of a ray; returns how many there were. */
static int check_ray(const lone_cell *cell, const cell_ray *ray, uint64_t seed)
{
    cell_vertices sheared;
    for (int c = 0; c < CORNERS; c++) {
        render_cell_set_vertex(&sheared, c, ray, cell->vertex[c]);
    }
    unsigned diagonals = march_diagonals(&cell->brick, 0);
    bool left_handed = cell->brick.left_handed;
    int total = 0;
    for (int face = 0; face < 6; face++) {
        cell_crossing entries[2], exit;
        int count =
            render_cell_face_entries(&sheared, diagonals, left_handed, face, entries);
        for (int n = 0; n < count; n++) {
            bool has_exit = render_cell_exit(&sheared, diagonals, left_handed,
                                             entries[n].triangle, &exit);
            for (const walk_kernel *const *k = render_walk_kernels(); *k; k++) {
                check_step(*k, cell, ray, &entries[n], has_exit, &exit, seed);
            }
        }
        total += count;
    }
    return total;
}

static void check_kind(int kind)
{
    int64_t crossings = 0;
    for (uint64_t seed = 1; seed <= CELLS; seed++) {
        uint64_t state = seed * 0x9e3779b97f4a7c15u + (uint64_t)kind;
        lone_cell cell;
        make_cell(&state, kind, &cell);
        for (int n = 0; n < RAYS_PER_CELL; n++) {
            cell_ray ray = make_ray(&state);
            crossings += check_ray(&cell, &ray, seed);
        }
    }
    check_within("crossings that were compared", 0, CELLS / 2, INFINITY,
                 (double)crossings);
}

static void kernels_agree_on_jittered_cells(void **state)
{
    (void)state;
    check_kind(JITTERED);
}

static void kernels_agree_on_cells_that_fold_over(void **state)
{
    (void)state;
    check_kind(WILD);
}

static void kernels_agree_on_flat_cells(void **state)
{
    (void)state;
    check_kind(FLAT);
}

static void kernels_agree_where_rays_meet_edges_and_vertices(void **state)
{
    (void)state;
    check_kind(LATTICE);
}

static void kernels_agree_on_cells_with_coinciding_corners(void **state)
{
    (void)state;
    check_kind(COLLAPSED);
}

/* Without this the comparisons could be of the plain kernel with itself, unseen. */
static void kernels_that_this_machine_runs_are_listed(void **state)
{
    (void)state;
    const walk_kernel *const *kernels = render_walk_kernels();
    assert_non_null(kernels[0]);
    assert_string_equal(kernels[0]->name, "plain");
    for (; *kernels; kernels++) {
        printf("kernel %s\n", (*kernels)->name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_that_this_machine_runs_are_listed),
        cmocka_unit_test(kernels_agree_on_jittered_cells),
        cmocka_unit_test(kernels_agree_on_cells_that_fold_over),
        cmocka_unit_test(kernels_agree_on_flat_cells),
        cmocka_unit_test(kernels_agree_where_rays_meet_edges_and_vertices),
        cmocka_unit_test(kernels_agree_on_cells_with_coinciding_corners),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
