/*
 * No ray is lost on any data set, from any viewpoint.
 *
 *   test_hard_grids DATA_FOLDER
 *
 * Viewpoints are outside, inside the volume, and in its holes. Others are, to the last
 * bit, on vertices, on edges, on the diagonals of faces and inside their triangles. Rays
 * run along grid lines and through all these points, too. (tests/unit/render does the
 * same with small random grids; test_hard_ranks.c tests planes of the k-d tree.)
 */
#include "hard.h"
#include "support/random.h"

#include <stdio.h>

enum { SIDE = 17, CELLS = HARD_CELLS };

static const char *folder;

typedef struct subject {
    const char *name, *field;
    bool has_hole;
    vec3 hole; /* a point of it */
} subject;

static const subject subjects[] = {
    {"karman", "pressure", true, {{0.0, 0.0, 2.0}}},
    {"annulus", "radius", true, {{0.0, 0.0, 0.5}}},
    {"warped-box", "blob", false, {{0}}},
    {"warped-box", "cell_blob", false, {{0}}},
    {"two-blocks", "wave", true, {{0.0, 0.0, 0.5}}},
    {"pole", "wave", false, {{0}}},
    {"boundary-layer", "velocity_x", false, {{0}}},
    {"iblank-sphere", "density", true, {{0.0, 0.0, 0.0}}},
    {"vanes", "pressure", false, {{0}}},
    {"ball", "wave", false, {{0}}},
    {"c-grid", "wave", true, {{0.25, 0.01, 0.5}}},
    {"c-grid", "cell_wave", true, {{0.25, 0.01, 0.5}}},
    {"o-grid", "wave", true, {{0.1, 0.05, 0.5}}},
    {"orientations", "wave", false, {{0}}},
    {"orientations", "cell_wave", false, {{0}}},
    {"wall", "speed", false, {{0}}},
    {"far", "wave", false, {{0}}},
    {"inverted", "wave", false, {{0}}},
    {"mismatched", "wave", true, {{0.3, 0.3, 0.5}}},
    {"overset", "wave", true, {{0.1, 0.05, 0.5}}},
    {"vane-ring", "pressure", false, {{0}}},
    {"overset", "cell_wave", true, {{0.1, 0.05, 0.5}}},
    {"nan-field", "broken", false, {{0}}},
    {"nan-field", "cell_broken", false, {{0}}},
};

/* ---- Points of the grid ------------------------------------------------------------ */

/* A cell of a brick by its lowest vertex. */
typedef struct cell {
    const grid_layout *layout;
    const grid_brick *brick;
    int lowest, step[3]; /* steps from vertex to vertex along i, j, k */
} cell;

/* Any cell that is present. */
static cell choose_cell(uint64_t *state, const fast_volume *volume)
{
    const grid_store *store = volume->store;
    for (;;) {
        const grid_brick *brick =
            &store->bricks[random_below(state, (int)store->nbricks)];
        const int *n = brick->place.n;
        cell c = {volume->layout, brick, 0, {1, n[0] + 1, (n[0] + 1) * (n[1] + 1)}};
        for (int axis = 0; axis < 3; axis++) {
            c.lowest += c.step[axis] * random_below(state, n[axis]);
        }
        if (brick->flags[c.lowest] & GRID_PRESENT) {
            return c;
        }
    }
}

/* A vertex of the cell, in the file's coordinates. */
static vec3 cell_vertex(const cell *c, int di, int dj, int dk)
{
    const float *v =
        c->brick->vertex[c->lowest + di * c->step[0] + dj * c->step[1] + dk * c->step[2]];
    return vec3_add(vec3_make((double)v[0], (double)v[1], (double)v[2]),
                    c->layout->origin);
}

static vec3 middle(vec3 a, vec3 b)
{
    return vec3_scale(vec3_add(a, b), 0.5);
}

/* The two ends of the diagonal that cuts the face of constant k, and a third corner. */
static void face_triangle(const cell *c, vec3 out[3])
{
    bool other = c->brick->flags[c->lowest] & GRID_DIAGONAL_K;
    out[0] = other ? cell_vertex(c, 1, 0, 0) : cell_vertex(c, 0, 0, 0);
    out[1] = other ? cell_vertex(c, 0, 1, 0) : cell_vertex(c, 1, 1, 0);
    out[2] = other ? cell_vertex(c, 1, 1, 0) : cell_vertex(c, 1, 0, 0);
}

enum { ON_VERTEX, ON_EDGE, ON_DIAGONAL, ON_TRIANGLE, IN_CELL, SPOTS };
static const char *const spot_names[SPOTS] = {
    "on a vertex", "on an edge", "on a diagonal", "on a triangle", "in a cell"};

/* Halves and quarters of float32 numbers add up exactly. */
static vec3 cell_spot(const cell *c, int spot)
{
    vec3 face[3];
    face_triangle(c, face);
    switch (spot) {
    case ON_VERTEX:
        return cell_vertex(c, 0, 0, 0);
    case ON_EDGE:
        return middle(cell_vertex(c, 0, 0, 0), cell_vertex(c, 0, 1, 0));
    case ON_DIAGONAL:
        return middle(face[0], face[1]);
    case ON_TRIANGLE:
        return middle(middle(face[0], face[1]), face[2]);
    default:
        return middle(face[2], cell_vertex(c, 0, 0, 1));
    }
}

/* ---- Views ------------------------------------------------------------------------- */

static void draw(const fast_volume *volume, const reference_camera *camera,
                 const char *what, uint64_t seed)
{
    reference_transfer transfer = hard_transfer_smooth(4.0 * hard_diagonal(volume));
    hard_picture picture = hard_draw(volume, &transfer, camera, what, seed);
    hard_picture_clear(&picture);
}

/* The vertex beside the lowest one along a grid line; a point beyond it if both coincide,
 * as at a pole. */
static vec3 along_grid_line(const cell *c, int axis)
{
    vec3 from = cell_vertex(c, 0, 0, 0);
    vec3 to = cell_vertex(c, axis == 0, axis == 1, axis == 2);
    if (vec3_length(vec3_sub(to, from)) == 0.0) {
        to.v[axis] += 1.0;
    }
    return to;
}

/* From the spot along a grid line and along an axis, and through it in parallel. */
static void look_from_spot(const fast_volume *volume, const cell *c, int spot,
                           const char *what, uint64_t seed)
{
    double diagonal = hard_diagonal(volume);
    int axis = (int)(seed % 3);
    vec3 at = cell_spot(c, spot);
    vec3 line = vec3_sub(along_grid_line(c, axis), cell_vertex(c, 0, 0, 0));
    double pitch = vec3_length(line);
    vec3 ahead = at;
    ahead.v[axis] += seed % 2 ? 1.0 : -1.0;
    /* One unit along the line: far away, the end of a thin cell would coincide with the
     * eye. */
    vec3 follow = vec3_add(at, vec3_scale(line, 1.0 / pitch));
    vec3 behind = vec3_sub(at, vec3_scale(vec3_sub(follow, at), diagonal));
    reference_camera cameras[] = {
        hard_camera_from(at, ahead, 120.0, SIDE),
        hard_camera_from(at, follow, 120.0, SIDE),
        hard_camera_along(vec3_add(at, vec3_scale(vec3_sub(ahead, at), 2.0 * diagonal)),
                          at, SIDE * pitch, SIDE),
        hard_camera_along(behind, at, diagonal, SIDE),
    };
    for (size_t n = 0; n < sizeof cameras / sizeof cameras[0]; n++) {
        draw(volume, &cameras[n], what, seed);
    }
}

static void look_from_outside(const fast_volume *volume, uint64_t *state,
                              const char *what, uint64_t seed)
{
    box3 bounds = hard_bounds(volume);
    vec3 center = middle(bounds.lo, bounds.hi);
    double diagonal = hard_diagonal(volume);
    vec3 away;
    for (int axis = 0; axis < 3; axis++) {
        away.v[axis] = random_between(state, -1.0, 1.0);
    }
    vec3 eye = vec3_add(center, vec3_scale(vec3_normalize(away), 1.2 * diagonal));
    reference_camera near = hard_camera_from(eye, center, 40.0, 3 * SIDE);
    reference_camera parallel = hard_camera_along(eye, center, 0.8 * diagonal, 3 * SIDE);
    draw(volume, &near, what, seed);
    draw(volume, &parallel, what, seed);
}

static void look_from_hole(const fast_volume *volume, vec3 hole, const char *what)
{
    for (int n = 0; n < 6; n++) {
        vec3 target = hole;
        target.v[n / 2] += n % 2 ? 1.0 : -1.0;
        reference_camera camera = hard_camera_from(hole, target, 100.0, 2 * SIDE);
        draw(volume, &camera, what, (uint64_t)n);
    }
}

/* ---- Tests ------------------------------------------------------------------------- */

static void describe(const subject *s, const char *where, char out[128])
{
    snprintf(out, 128, "%s, %s, %s", s->name, s->field, where);
}

static void check_spots(const subject *s, const fast_volume *volume, uint64_t seed)
{
    char what[128];
    uint64_t state = seed;
    cell c = choose_cell(&state, volume);
    for (int spot = 0; spot < SPOTS; spot++) {
        describe(s, spot_names[spot], what);
        look_from_spot(volume, &c, spot, what, seed);
    }
    describe(s, "outside", what);
    look_from_outside(volume, &state, what, seed);
}

static void check_subject(const subject *s)
{
    char what[128];
    fast_volume volume = hard_open(folder, s->name, s->field);
    for (uint64_t seed = 1; seed <= CELLS; seed++) {
        check_spots(s, &volume, seed);
    }
    if (s->has_hole) {
        describe(s, "in the hole", what);
        look_from_hole(&volume, s->hole, what);
    }
    fast_volume_clear(&volume);
}

static void no_ray_is_lost_on_any_data_set(void **unused)
{
    (void)unused;
    for (size_t n = 0; n < sizeof subjects / sizeof subjects[0]; n++) {
        check_subject(&subjects[n]);
    }
}

/* This test must cover new data sets, too. `flat` is refused before it is drawn. */
static void every_data_set_is_looked_at(void **unused)
{
    (void)unused;
    for (int place = 0; dataset_at(place) || dataset_hard_at(place); place++) {
        const dataset *sets[] = {dataset_at(place), dataset_hard_at(place)};
        for (int n = 0; n < 2; n++) {
            bool found = !sets[n] || sets[n] == &dataset_flat;
            for (size_t m = 0; m < sizeof subjects / sizeof subjects[0]; m++) {
                found = found || dataset_find(subjects[m].name) == sets[n];
            }
            if (!found) {
                fail_msg("nobody looks at the data set '%s'", sets[n]->name);
            }
        }
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_data_set_is_looked_at),
        cmocka_unit_test(no_ray_is_lost_on_any_data_set),
    };
    if (argc != 2) {
        fprintf(stderr, "usage: test_hard_grids DATA_FOLDER\n");
        return 2;
    }
    folder = argv[1];
    MPI_Init(NULL, NULL);
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    MPI_Finalize();
    return failures;
}
