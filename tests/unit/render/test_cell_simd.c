/* All kernels cross cells alike, to the last bit, and as render_cell_exit has it. */
#include "check.h"

#include "render/kernel/walk.h"
#include "support/random.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CORNERS = 8, CELLS = 40000, RAYS_PER_CELL = 4 };

/* One cell and all that a march over it needs. */
typedef struct lone_cell {
    float vertex[CORNERS][4];
    uint8_t flags[CORNERS + GRID_FLAGS_PADDING], classes[CORNERS + GRID_FLAGS_PADDING];
    uint16_t bends[CORNERS];
    march_brick brick;
    march_grid grid;
} lone_cell;

/* Ways to put the corners: jittered a little or wildly, flat, on a coarse lattice (where
 * many edge functions are zero), or with corners that coincide. */
enum { JITTERED, WILD, FLAT, LATTICE, COLLAPSED, KINDS };

static void place_corners(uint64_t *state, int kind, lone_cell *cell)
{
    double jitter = kind == WILD ? 1.5 : kind == LATTICE ? 0.0 : 0.3;
    for (int c = 0; c < CORNERS; c++) {
        for (int axis = 0; axis < 3; axis++) {
            double x = (c >> axis & 1) + jitter * random_between(state, -1.0, 1.0);
            if (kind == LATTICE && random_bits(state) % 4 == 0) {
                x += (double)(random_bits(state) % 3) - 1.0;
            }
            cell->vertex[c][axis] = (float)(kind == FLAT && axis == 2 ? 1e-6 * x : x);
        }
        cell->vertex[c][3] = (float)random_between(state, -1.0, 1.0);
    }
    if (kind == COLLAPSED) {
        int from = (int)(random_bits(state) % CORNERS);
        int to = (int)(random_bits(state) % CORNERS);
        memcpy(cell->vertex[to], cell->vertex[from], sizeof cell->vertex[to]);
    }
}

static void make_cell(uint64_t *state, int kind, lone_cell *cell)
{
    place_corners(state, kind, cell);
    cell->brick = (march_brick){.n = {1, 1, 1},
                                .stride = {1, 2, 4},
                                .neighbour = {-1, -1, -1, -1, -1, -1},
                                .left_handed = random_bits(state) % 2 == 0,
                                .is_full = true};
    unsigned diagonals = (unsigned)(random_bits(state) % 64);
    cell->flags[0] = (uint8_t)(GRID_PRESENT | (diagonals & 7u) | (diagonals & 56u) << 1);
    cell->grid = (march_grid){.vertex = (const float(*)[4])cell->vertex,
                              .flags = cell->flags,
                              .nbricks = 1,
                              .bricks = &cell->brick};
    const grid_brick brick = {
        .place = {.n = {1, 1, 1}}, .vertex = cell->vertex, .flags = cell->flags};
    render_march_measure(&brick, cell->brick.extent);
    cell->brick.farthest = 0.0f;
    for (int c = 0; c < CORNERS; c++) {
        for (int axis = 0; axis < 3; axis++) {
            cell->brick.farthest =
                fmaxf(cell->brick.farthest, fabsf(cell->vertex[c][axis]));
        }
    }
}

/* Through the cell; every other ray runs along a lattice line. */
static cell_ray make_ray(uint64_t *state)
{
    render_ray ray = {.origin = vec3_make(0.0, 0.0, 0.0)};
    if (random_bits(state) % 2 == 0) {
        for (int axis = 0; axis < 3; axis++) {
            ray.origin.v[axis] = (double)(random_bits(state) % 5) * 0.5 - 1.0;
        }
        double sign = random_bits(state) % 2 == 0 ? 1.0 : -1.0;
        ray.direction.v[random_bits(state) % 3] = sign;
        return render_cell_ray(ray);
    }
    for (int axis = 0; axis < 3; axis++) {
        double through = 0.5 + 0.5 * random_between(state, -1.0, 1.0);
        ray.origin.v[axis] = 4.0 * random_between(state, -1.0, 1.0);
        ray.direction.v[axis] = through - ray.origin.v[axis];
    }
    ray.direction = vec3_normalize(ray.direction);
    return render_cell_ray(ray);
}

static void check_bits(const char *what, const char *kernel, uint64_t seed,
                       float expected, float actual)
{
    if (memcmp(&expected, &actual, sizeof expected) != 0) {
        fail_msg("%s by kernel %s: expected %.9g, actual %.9g (seed %llu)", what, kernel,
                 (double)expected, (double)actual, (unsigned long long)seed);
    }
}

/* Crosses the cell from an entry and compares with the exit that should come. */
static void check_crossing(const walk_kernel *kernel, const lone_cell *cell,
                           const cell_ray *ray, const cell_crossing *entry,
                           const cell_crossing *exit, uint64_t seed)
{
    march_entry at = {.crossing = *entry};
    cell_crossing actual;
    check_count("a way out", seed, true, kernel->cross(&cell->grid, ray, &at, &actual));
    check_count("face of the exit", seed, exit->triangle.face, actual.triangle.face);
    check_count("half of the exit", seed, exit->triangle.half, actual.triangle.half);
    check_bits("t", kernel->name, seed, exit->t, actual.t);
    check_bits("scalar", kernel->name, seed, exit->scalar, actual.scalar);
    check_bits("f", kernel->name, seed, exit->f, actual.f);
    check_bits("g", kernel->name, seed, exit->g, actual.g);
}

/* Compares all exits of a ray; returns how many there were. */
static int check_ray(const lone_cell *cell, const cell_ray *ray, uint64_t seed)
{
    cell_vertices sheared;
    for (int c = 0; c < CORNERS; c++) {
        render_cell_set_vertex(&sheared, c, ray, cell->vertex[c]);
    }
    unsigned diagonals = render_cell_diagonals(cell->flags[0]);
    bool reversed = cell->brick.left_handed != ray->is_backward;
    int total = 0;
    for (int face = 0; face < 6; face++) {
        cell_crossing entries[2], exit;
        int count =
            render_cell_face_entries(&sheared, diagonals, reversed, face, entries);
        for (int n = 0; n < count; n++) {
            assert_true(render_cell_exit(&sheared, diagonals, reversed,
                                         entries[n].triangle, &exit));
            for (const walk_kernel *const *k = render_walk_kernels(); *k; k++) {
                check_crossing(*k, cell, ray, &entries[n], &exit, seed);
            }
        }
        total += count;
    }
    return total;
}

/* ---- Classes ----------------------------------------------------------------------- */

/* A camera beside or inside the cell, which may also look away from it. */
static render_camera make_camera(uint64_t *state)
{
    render_camera camera = {.orthographic = random_bits(state) % 4 == 0};
    for (int axis = 0; axis < 3; axis++) {
        camera.eye.v[axis] = 4.0 * random_between(state, -1.0, 1.0);
        camera.forward.v[axis] = 0.5 - camera.eye.v[axis];
    }
    camera.forward = vec3_normalize(camera.forward);
    if (random_bits(state) % 4 == 0) {
        camera.forward = vec3_scale(camera.forward, -1.0);
    }
    return camera;
}

/* A ray of the camera through a point next to the cell. */
static cell_ray make_camera_ray(uint64_t *state, const render_camera *camera)
{
    vec3 through;
    for (int axis = 0; axis < 3; axis++) {
        through.v[axis] = 0.5 + 0.7 * random_between(state, -1.0, 1.0);
    }
    if (camera->orthographic) {
        return render_cell_ray((render_ray){through, camera->forward});
    }
    vec3 direction = vec3_normalize(vec3_sub(through, camera->eye));
    if (vec3_dot(direction, camera->forward) < 0.0) {
        direction = vec3_scale(direction, -1.0);
    }
    return render_cell_ray((render_ray){camera->eye, direction});
}

/* Finds the class of the cell, which all kernels find alike. Returns whether the cell is
 * plain. */
static bool classify_cell(const render_camera *camera, lone_cell *cell, uint64_t seed)
{
    cell->grid.classes = cell->classes;
    int class = -1;
    for (const walk_kernel *const *k = render_walk_kernels(); *k; k++) {
        memset(cell->classes, 0xff, sizeof cell->classes);
        (*k)->classify(&cell->grid, &cell->brick, camera);
        check_count("class", seed, class < 0 ? cell->classes[0] : class,
                    cell->classes[0]);
        class = cell->classes[0];
    }
    return class != GRID_PRESENT;
}

/* Crosses cells by their classes. Returns how many plain cells there are. */
static int64_t check_classes(int kind)
{
    int64_t plain = 0, crossings = 0;
    for (uint64_t seed = 1; seed <= CELLS; seed++) {
        uint64_t state = random_start(seed, (uint64_t)(kind + KINDS));
        lone_cell cell;
        make_cell(&state, kind, &cell);
        const render_camera camera = make_camera(&state);
        if (!classify_cell(&camera, &cell, seed)) {
            continue;
        }
        plain++;
        for (int n = 0; n < RAYS_PER_CELL; n++) {
            const cell_ray ray = make_camera_ray(&state, &camera);
            const int entries = check_ray(&cell, &ray, seed);
            check_within("entries into a plain cell", seed, 0.0, 1.0, entries);
            crossings += entries;
        }
    }
    printf("%lld of %d cells are plain, %lld crossings\n", (long long)plain, CELLS,
           (long long)crossings);
    return plain;
}

static void plain_cells_are_crossed_once(void **state)
{
    (void)state;
    check_within("plain cells", 0, CELLS / 8, CELLS, (double)check_classes(JITTERED));
    check_classes(WILD);
    check_classes(FLAT);
    check_classes(LATTICE);
    check_classes(COLLAPSED);
}

/* ---- Bends ------------------------------------------------------------------------- */

/* Counts of rays through cells, with the scalar bent where that is visible. */
typedef struct bend_counts {
    int64_t rays, marked, bent;
} bend_counts;

/* Light from a ray behind a cell. */
typedef struct ray_light {
    float rgb[3], transmittance;
} ray_light;

static render_transfer *make_steep_transfer(void)
{
    static const double colors[3][4] = {{0, 0.1, 0.4, 0.9},
                                        {0.5, 1, 0.6, 0.2},
                                        {1, 1, 1, 1}},
                        opacities[4][2] = {{0, 0}, {0.4, 0.05}, {0.6, 0.6}, {1, 0.1}};
    const render_transfer_points points = {.ncolors = 3,
                                           .colors = colors,
                                           .nopacities = 4,
                                           .opacities = opacities,
                                           .range = {-1.0, 1.0},
                                           .unit_length = 30.0};
    render_transfer *transfer;
    assert_int_equal(render_transfer_create(&points, &transfer), STATUS_OK);
    return transfer;
}

/* Makes the cell nearly a cube and the scalar nearly linear, by a different degree in
 * each cell. */
static void straighten(uint64_t *state, lone_cell *cell)
{
    const float rest = powf(10.0f, (float)random_between(state, -3.0, 0.0));
    for (int c = 0; c < CORNERS; c++) {
        float *x = cell->vertex[c], sum = 0.0f;
        for (int axis = 0; axis < 3; axis++) {
            const float at = (float)(c >> axis & 1);
            x[axis] = at + rest * (x[axis] - at);
            sum += x[axis];
        }
        x[3] = 0.3f * sum - 0.4f + rest * x[3];
    }
}

static ray_light follow_ray(const walk_kernel *kernel, const walk_scene *scene,
                            const cell_ray *ray, const cell_crossing *entry)
{
    march_entry run = {.crossing = *entry};
    ray_walk walk = {.ray = ray,
                     .t0 = -1e30f,
                     .t1 = 1e30f,
                     .end = INFINITY,
                     .nruns = 1,
                     .runs = &run,
                     .transmittance = 1.0f,
                     .first_t = INFINITY};
    render_counters counters = {0};
    kernel->follow(scene, 1, &walk, &counters);
    return (ray_light){{walk.rgb[0], walk.rgb[1], walk.rgb[2]}, walk.transmittance};
}

/* Marks the cell, which all kernels do alike. Returns whether it may bend. */
static bool mark_cell(const render_transfer *transfer, lone_cell *cell, uint64_t seed)
{
    cell->grid.bends = cell->bends;
    const uint8_t class = cell->classes[0];
    int marked = -1;
    uint16_t bounds = 0;
    for (const walk_kernel *const *k = render_walk_kernels(); *k; k++) {
        cell->classes[0] = class;
        cell->bends[0] = 0;
        (*k)->mark_bends(&cell->grid, &cell->brick, transfer);
        check_count("mark", seed, marked < 0 ? cell->classes[0] : marked,
                    cell->classes[0]);
        check_count("bounds", seed, k == render_walk_kernels() ? cell->bends[0] : bounds,
                    cell->bends[0]);
        marked = cell->classes[0];
        bounds = cell->bends[0];
    }
    return marked != class;
}

/* Compares the light of a ray by class, with all corners, and without bends. Returns
 * whether its way bends. */
static bool check_light(const lone_cell *cell, const render_transfer *transfer,
                        const cell_ray *ray, const cell_crossing *entry, uint64_t seed)
{
    march_grid corners = cell->grid;
    corners.classes = NULL;
    corners.bends = NULL;
    const render_style linear = {.trilinear = false}, quadratic = {.quadratic = true};
    const walk_scene by_class = {&cell->grid, transfer, .style = quadratic},
                     by_corners = {&corners, transfer, .style = quadratic},
                     straight = {&cell->grid, transfer, .style = linear};
    const walk_kernel *plain = render_walk_kernels()[0];
    const ray_light expected = follow_ray(plain, &by_corners, ray, entry);
    for (const walk_kernel *const *k = render_walk_kernels(); *k; k++) {
        const ray_light actual = follow_ray(*k, &by_class, ray, entry);
        for (int c = 0; c < 3; c++) {
            check_bits("colour", (*k)->name, seed, expected.rgb[c], actual.rgb[c]);
        }
        check_bits("transmittance", (*k)->name, seed, expected.transmittance,
                   actual.transmittance);
    }
    const ray_light other = follow_ray(plain, &straight, ray, entry);
    return memcmp(&expected, &other, sizeof other) != 0;
}

/* Follows rays of the camera through a cell that may be marked. */
static void follow_rays(uint64_t *state, const lone_cell *cell,
                        const render_transfer *transfer, const render_camera *camera,
                        uint64_t seed, bend_counts *counts)
{
    for (int n = 0; n < RAYS_PER_CELL; n++) {
        const cell_ray ray = make_camera_ray(state, camera);
        cell_vertices sheared;
        for (int c = 0; c < CORNERS; c++) {
            render_cell_set_vertex(&sheared, c, &ray, cell->vertex[c]);
        }
        for (int face = 0; face < 6; face++) {
            cell_crossing entries[2];
            const int count = render_cell_face_entries(
                &sheared, render_cell_diagonals(cell->flags[0]),
                cell->brick.left_handed != ray.is_backward, face, entries);
            for (int e = 0; e < count; e++) {
                counts->rays++;
                counts->bent += check_light(cell, transfer, &ray, &entries[e], seed);
            }
        }
    }
}

static bend_counts check_bends(int kind)
{
    render_transfer *transfer = make_steep_transfer();
    bend_counts counts = {0};
    for (uint64_t seed = 1; seed <= CELLS / 8; seed++) {
        uint64_t state = random_start(seed, (uint64_t)(kind + 2 * KINDS));
        lone_cell cell;
        make_cell(&state, kind, &cell);
        straighten(&state, &cell);
        const render_camera camera = make_camera(&state);
        classify_cell(&camera, &cell, seed);
        counts.marked += mark_cell(transfer, &cell, seed);
        follow_rays(&state, &cell, transfer, &camera, seed, &counts);
    }
    printf("%lld rays, %lld of %d cells are marked, %lld ways bend\n",
           (long long)counts.rays, (long long)counts.marked, CELLS / 8,
           (long long)counts.bent);
    render_transfer_destroy(&transfer);
    return counts;
}

/* Ways bend alike by class and with all corners. */
static void cells_that_are_not_marked_do_not_bend(void **state)
{
    (void)state;
    const bend_counts counts = check_bends(JITTERED);
    check_within("marked cells", 0, CELLS / 32, CELLS / 9.0, (double)counts.marked);
    check_within("ways that bend", 0, CELLS / 64, (double)counts.rays * 0.95,
                 (double)counts.bent);
    check_bends(WILD);
    check_bends(FLAT);
    check_bends(COLLAPSED);
}

/* A tile in which all rays are this one. */
static void fill_tile(const cell_ray *ray, float end, walk_tile *tile)
{
    tile->axes = 1u << ray->axis[2];
    for (int pixel = 0; pixel < WALK_TILE_PIXELS; pixel++) {
        for (int n = 0; n < 2; n++) {
            tile->origin[n][pixel] = ray->origin[n];
            tile->shear[n][pixel] = ray->shear[n];
        }
        tile->per_unit[pixel] = ray->per_unit;
        tile->end[pixel] = end;
        tile->axis[pixel] = ray->axis[2];
        tile->backward[pixel] = ray->is_backward ? INT32_MIN : 0;
        tile->rays[pixel] = *ray;
    }
}

/* Just behind the last of some entries. */
static float end_of(int count, const march_entry *entries)
{
    float last = -INFINITY;
    for (int n = 0; n < count; n++) {
        last = fmaxf(last, entries[n].crossing.t);
    }
    return nextafterf(last, INFINITY);
}

/* Compares entries through all faces, found one by one and by tiles. Returns how many
 * tiles leave out where the ray ends before them. */
static int64_t check_entries(const lone_cell *cell, const cell_ray *ray, uint64_t seed)
{
    static walk_tile tile;
    static walk_entry actual[2 * WALK_TILE_PIXELS];
    const pixel_rect rect = {3, 5, 4, 6};
    int64_t left_out = 0;
    for (int face = 0; face < 6; face++) {
        const march_face at = march_face_make((march_cell){0}, face);
        march_entry expected[2];
        int count = render_march_face_entries(&cell->grid, &at, ray, expected);
        for (const walk_kernel *const *k = render_walk_kernels(); *k; k++) {
            fill_tile(ray, -INFINITY, &tile);
            left_out += count - (*k)->enter(&cell->grid, &at, &tile, rect, actual);
            fill_tile(ray, end_of(count, expected), &tile);
            int found = (*k)->enter(&cell->grid, &at, &tile, rect, actual);
            check_count("entries of a tile", seed, count, found);
            for (int n = 0; n < found; n++) {
                const cell_crossing *a = &expected[n].crossing,
                                    *b = &actual[n].at.crossing;
                check_count("pixel", seed, 5 * WALK_TILE + 3, actual[n].pixel);
                check_count("half of an entry", seed, a->triangle.half, b->triangle.half);
                check_bits("t of an entry", (*k)->name, seed, a->t, b->t);
                check_bits("scalar of an entry", (*k)->name, seed, a->scalar, b->scalar);
                check_bits("f of an entry", (*k)->name, seed, a->f, b->f);
                check_bits("g of an entry", (*k)->name, seed, a->g, b->g);
            }
        }
    }
    return left_out;
}

static void check_kind(int kind)
{
    int64_t crossings = 0, left_out = 0;
    for (uint64_t seed = 1; seed <= CELLS; seed++) {
        uint64_t state = random_start(seed, (uint64_t)kind);
        lone_cell cell;
        make_cell(&state, kind, &cell);
        for (int n = 0; n < RAYS_PER_CELL; n++) {
            cell_ray ray = make_ray(&state);
            crossings += check_ray(&cell, &ray, seed);
            if (seed % 16 == 0) {
                left_out += check_entries(&cell, &ray, seed);
            }
        }
    }
    check_within("crossings that were compared", 0, CELLS / 2, INFINITY,
                 (double)crossings);
    if (kind == JITTERED) {
        check_within("entries behind the end", 0, CELLS / 16, INFINITY, (double)left_out);
    }
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
    for (; *kernels; kernels++) {
        printf("kernel %s\n", (*kernels)->name);
    }
    assert_string_equal(kernels[-1]->name, "plain");
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
        cmocka_unit_test(plain_cells_are_crossed_once),
        cmocka_unit_test(cells_that_are_not_marked_do_not_bend),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
