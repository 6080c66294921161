/* Boxes, bent or broken. */
#include "datasets/dataset.h"

static const double pi = 3.14159265358979323846;

/* ---- warped box ---- */

/* A box whose inside and sides are bent in all directions: no face is planar. */

/* The largest displacement. The sum of its derivatives stays below 1, so cells cannot
 * fold. */
static const double amplitude = 0.11;

static dataset_vertex warped_box_vertex(const int64_t size[3], int block,
                                        const int64_t at[3])
{
    (void)block;
    const vec3 c = dataset_cube(size, at);
    const double u = c.v[0], v = c.v[1], w = c.v[2];
    return (dataset_vertex){
        .position = vec3_make(u + amplitude * sin(pi * (v + 0.3)) * cos(1.1 * pi * w),
                              v + amplitude * sin(1.2 * pi * (w - 0.2)) * cos(pi * u),
                              w + amplitude * sin(pi * (u + 0.1)) * cos(1.3 * pi * v)),
    };
}

/* A ball of density 1 at its centre, which circles with time. */
static double blob(vec3 p, double time)
{
    double turn = 0.2 * pi * time;
    vec3 centre = vec3_make(0.3 * cos(turn), 0.3 * sin(turn), 0.1);
    vec3 offset = vec3_sub(p, centre);
    return exp(-4.0 * vec3_dot(offset, offset));
}

static void warped_box_evaluate(vec3 p, double time, double *out)
{
    out[0] = dataset_linear(p);
    out[1] = blob(p, time);
    out[2] = out[1];
}

const dataset dataset_warped_box = {
    "warped-box",
    "strongly bent cells; fields at vertices and in cells",
    .size = {25, 21, 17},
    .minimum = {6, 6, 6},
    .steps = 1,
    .period = 10.0,
    DATASET_BLOCKS("box"),
    DATASET_FIELDS(DATASET_VERTEX("linear"), DATASET_VERTEX("blob"),
                   DATASET_CELL("cell_blob")),
    .vertex = warped_box_vertex,
    .evaluate = warped_box_evaluate};

/* ---- far ---- */

/* A bent box a million lengths away from the origin. float32 coordinates are a sixteenth
 * apart there, so the file must hold float64. */
static const vec3 far_centre = {{1e6, -1e6, 1e6}};

static dataset_vertex far_vertex(const int64_t size[3], int block, const int64_t at[3])
{
    (void)block;
    const vec3 c = dataset_cube(size, at);
    const double u = c.v[0], v = c.v[1], w = c.v[2];
    vec3 p =
        vec3_make(u + 0.08 * sin(pi * v), v + 0.08 * sin(pi * w), w + 0.08 * sin(pi * u));
    return (dataset_vertex){.position = vec3_add(far_centre, p)};
}

static void far_evaluate(vec3 p, double time, double *out)
{
    (void)time;
    out[0] = dataset_wave(vec3_sub(p, far_centre));
    out[1] = out[0];
}

const dataset dataset_far = {
    "far",
    "a bent box at 1e6 ± 1, in float64",
    .size = {21, 19, 17},
    .minimum = {6, 6, 6},
    .steps = 1,
    .double_precision = true,
    DATASET_BLOCKS("box"),
    DATASET_FIELDS(DATASET_VERTEX("wave"), DATASET_CELL("cell_wave")),
    .vertex = far_vertex,
    .evaluate = far_evaluate};

/* ---- iblank sphere ---- */

/* A mildly bent box out of which iblank cuts a ball. */
static const double hole_radius = 0.45;

static dataset_vertex iblank_sphere_vertex(const int64_t size[3], int block,
                                           const int64_t at[3])
{
    (void)block;
    const vec3 c = dataset_cube(size, at);
    const double u = c.v[0], v = c.v[1], w = c.v[2];
    vec3 p =
        vec3_make(u + 0.05 * sin(pi * v), v + 0.05 * sin(pi * w), w + 0.05 * sin(pi * u));
    return (dataset_vertex){.position = p, .blanked = vec3_length(p) < hole_radius};
}

static void iblank_sphere_evaluate(vec3 p, double time, double *out)
{
    (void)time;
    out[0] = dataset_linear(p);
    out[1] = exp(-2.0 * vec3_dot(p, p)) + 0.2 * cos(3.0 * p.v[0]) * cos(3.0 * p.v[1]);
}

const dataset dataset_iblank_sphere = {
    "iblank-sphere",
    "a bent box with a ball-shaped hole cut out by iblank",
    .size = {25, 25, 25},
    .minimum = {6, 6, 6},
    .steps = 1,
    .has_iblank = true,
    DATASET_BLOCKS("box"),
    DATASET_FIELDS(DATASET_VERTEX("linear"), DATASET_VERTEX("density")),
    .vertex = iblank_sphere_vertex,
    .evaluate = iblank_sphere_evaluate};

/* ---- nan field ---- */

/* An even box with a field that is NaN in one ball and infinite in two others. */
static dataset_vertex nan_field_vertex(const int64_t size[3], int block,
                                       const int64_t at[3])
{
    (void)block;
    return (dataset_vertex){.position = dataset_cube(size, at)};
}

static bool is_near(vec3 p, double x, double y, double z)
{
    return vec3_length(vec3_sub(p, vec3_make(x, y, z))) < 0.3;
}

static void nan_field_evaluate(vec3 p, double time, double *out)
{
    (void)time;
    double value = dataset_wave(p);
    value = is_near(p, -0.4, 0.3, 0.0) ? (double)NAN : value;
    value = is_near(p, 0.5, 0.4, 0.2) ? (double)INFINITY : value;
    value = is_near(p, 0.1, -0.6, -0.1) ? -(double)INFINITY : value;
    out[0] = value;
    out[1] = value;
}

const dataset dataset_nan_field = {
    "nan-field",
    "a box with values that are infinite or not a number",
    .size = {21, 19, 17},
    .minimum = {6, 6, 6},
    .steps = 1,
    DATASET_BLOCKS("box"),
    DATASET_FIELDS(DATASET_VERTEX("broken"), DATASET_CELL("cell_broken")),
    .vertex = nan_field_vertex,
    .evaluate = nan_field_evaluate};

/* ---- inverted ---- */

/* A box with an even outside and a disordered inside. Single vertices are pushed through
 * the cells beside them, which turns some of these cells inside out. In the middle, two
 * layers of vertices have swapped places, so that cells are folded three times over. */

/* Shift of a pushed vertex in each direction, in cells. */
static const double push = 1.6;

static bool is_inside(const int64_t size[3], const int64_t at[3])
{
    for (int axis = 0; axis < 3; axis++) {
        if (at[axis] < 2 || at[axis] > size[axis] - 3) {
            return false;
        }
    }
    return true;
}

/* The layer to which layer i is moved. */
static int64_t folded_layer(const int64_t size[3], int64_t i)
{
    int64_t lower = size[0] / 2 - 1;
    return i == lower ? lower + 1 : i == lower + 1 ? lower : i;
}

static bool is_pushed(const int64_t at[3])
{
    return (3 * at[0] + 5 * at[1] + 7 * at[2]) % 11 == 0;
}

static dataset_vertex inverted_vertex(const int64_t size[3], int block,
                                      const int64_t at[3])
{
    (void)block;
    double index[3] = {(double)at[0], (double)at[1], (double)at[2]};
    if (is_inside(size, at)) {
        index[0] = (double)folded_layer(size, at[0]);
        for (int axis = 0; axis < 3 && is_pushed(at); axis++) {
            index[axis] += (at[2] + axis) % 2 ? push : -push;
        }
    }
    vec3 p;
    for (int axis = 0; axis < 3; axis++) {
        p.v[axis] = 2.0 * index[axis] / (double)(size[axis] - 1) - 1.0;
    }
    return (dataset_vertex){.position = p};
}

const dataset dataset_inverted = {"inverted",
                                  "a box with cells turned inside out and folded",
                                  .size = {18, 17, 16},
                                  .minimum = {8, 8, 8},
                                  .steps = 1,
                                  DATASET_BLOCKS("box"),
                                  DATASET_FIELDS(DATASET_VERTEX("wave")),
                                  .vertex = inverted_vertex,
                                  .evaluate = dataset_evaluate_wave};

/* ---- flat ---- */

/* A two-dimensional grid: a surface with one vertex along k. */
static dataset_vertex flat_vertex(const int64_t size[3], int block, const int64_t at[3])
{
    (void)block;
    double x = 2.0 * dataset_fraction(at[0], size[0]) - 1.0;
    double y = 2.0 * dataset_fraction(at[1], size[1]) - 1.0;
    double z = size[2] > 1 ? dataset_fraction(at[2], size[2]) : 0.0;
    return (dataset_vertex){.position =
                                vec3_make(x, y, z + 0.2 * sin(3.0 * x) * cos(2.0 * y))};
}

const dataset dataset_flat = {"flat",
                              "a grid of two dimensions (nk = 1), which is refused",
                              .size = {21, 17, 1},
                              .minimum = {2, 2, 1},
                              .steps = 1,
                              DATASET_BLOCKS("surface"),
                              DATASET_FIELDS(DATASET_VERTEX("wave")),
                              .vertex = flat_vertex,
                              .evaluate = dataset_evaluate_wave};
