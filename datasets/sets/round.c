/* Grids with an axis. */
#include "datasets/dataset.h"

static const double pi = 3.14159265358979323846;

/* ---- annulus ---- */

/* Three quarters of a ring between two cylinders, with fields of known integrals. */
static dataset_vertex annulus_vertex(const int64_t size[3], int block,
                                     const int64_t at[3])
{
    (void)block;
    double radius = 1.0 + dataset_fraction(at[0], size[0]);
    double angle = 1.5 * pi * dataset_fraction(at[1], size[1]);
    return (dataset_vertex){
        .position = vec3_make(radius * cos(angle), radius * sin(angle),
                              dataset_fraction(at[2], size[2])),
    };
}

/* The factors are powers of two, so products with float32 coordinates are exact. */
static void annulus_evaluate(vec3 p, double time, double *out)
{
    (void)time;
    out[0] = 0.5;
    out[1] = dataset_linear(p);
    out[2] = sqrt(p.v[0] * p.v[0] + p.v[1] * p.v[1]);
}

const dataset dataset_annulus = {"annulus",
                                 "three quarters of a ring, fields with known answers",
                                 .size = {13, 49, 11},
                                 .minimum = {2, 4, 2},
                                 .steps = 1,
                                 DATASET_BLOCKS("ring"),
                                 DATASET_FIELDS(DATASET_VERTEX("constant"),
                                                DATASET_VERTEX("linear"),
                                                DATASET_VERTEX("radius")),
                                 .vertex = annulus_vertex,
                                 .evaluate = annulus_evaluate};

/* ---- pole ---- */

/* A full turn around an axis. On the axis all vertices of a grid line around it
 * coincide. */

/* i outwards from the axis, j around, k along it; the planes of constant k are domes. */
static dataset_vertex pole_vertex(const int64_t size[3], int block, const int64_t at[3])
{
    (void)block;
    double radius = dataset_fraction(at[0], size[0]);
    double height = dataset_fraction(at[2], size[2]);
    double z = 1.5 * height + 0.3 * (1.0 - radius * radius);
    if (at[0] == 0) {
        /* Not 0 * cos(angle), which is -0 for half of the angles: another bit pattern. */
        return (dataset_vertex){.position = vec3_make(0.0, 0.0, z)};
    }
    double angle = 2.0 * pi * dataset_turn(at[1], size[1]);
    return (dataset_vertex){
        .position = vec3_make(radius * cos(angle), radius * sin(angle), z),
    };
}

static void pole_evaluate(vec3 p, double time, double *out)
{
    (void)time;
    out[0] = dataset_linear(p);
    out[1] =
        0.5 + 0.5 * sin(2.5 * p.v[0] + 0.4) * cos(2.0 * p.v[1]) * cos(2.0 * p.v[2] - 1.0);
}

const dataset dataset_pole = {
    "pole",
    "a full turn around a collapsed axis",
    .size = {13, 37, 13},
    .minimum = {2, 4, 2},
    .steps = 1,
    DATASET_BLOCKS("pole"),
    DATASET_FIELDS(DATASET_VERTEX("linear"), DATASET_VERTEX("wave")),
    .vertex = pole_vertex,
    .evaluate = pole_evaluate};

/* ---- ball ---- */

/* A ball in spherical coordinates. All vertices of i = 0 are its centre; those of the
 * first and last j lie on the half axes. So there are cells that have lost an edge, a
 * face, or a face and two edges. At the poles all k meet in one line. */

/* i outwards, j from the north pole to the south pole, k around. */
static dataset_vertex ball_vertex(const int64_t size[3], int block, const int64_t at[3])
{
    (void)block;
    double radius = dataset_fraction(at[0], size[0]);
    if (at[0] == 0) {
        return (dataset_vertex){.position = vec3_make(0.0, 0.0, 0.0)};
    }
    if (at[1] == 0 || at[1] == size[1] - 1) {
        return (dataset_vertex){.position =
                                    vec3_make(0.0, 0.0, at[1] == 0 ? radius : -radius)};
    }
    double from_pole = pi * dataset_fraction(at[1], size[1]);
    double around = 2.0 * pi * dataset_turn(at[2], size[2]);
    return (dataset_vertex){
        .position =
            vec3_make(radius * sin(from_pole) * cos(around),
                      radius * sin(from_pole) * sin(around), radius * cos(from_pole)),
    };
}

const dataset dataset_ball = {"ball",
                              "a ball: a collapsed face, two collapsed axes and a seam",
                              .size = {11, 19, 37},
                              .minimum = {2, 4, 4},
                              .steps = 1,
                              DATASET_BLOCKS("ball"),
                              DATASET_FIELDS(DATASET_VERTEX("wave")),
                              .vertex = ball_vertex,
                              .evaluate = dataset_evaluate_wave};

/* ---- o grid ---- */

/* An O-grid around an elliptic cylinder, whose seam is a spiral. */

/* i outwards, j around, k along the cylinder. The seam turns by a quarter on its way. */
static dataset_vertex o_grid_vertex(const int64_t size[3], int block, const int64_t at[3])
{
    (void)block;
    double u = dataset_fraction(at[0], size[0]);
    double angle = 2.0 * pi * dataset_turn(at[1], size[1]) + 0.5 * pi * u + 0.3;
    double outwards = 0.35 * u + 0.65 * u * u;
    return (dataset_vertex){
        .position = vec3_make((0.6 + 1.4 * outwards) * cos(angle),
                              (0.3 + 1.7 * outwards) * sin(angle),
                              dataset_fraction(at[2], size[2])),
    };
}

const dataset dataset_o_grid = {
    "o-grid",
    "around a cylinder; the seam is a spiral",
    .size = {17, 65, 9},
    .minimum = {3, 12, 2},
    .steps = 1,
    DATASET_BLOCKS("ring"),
    DATASET_FIELDS(DATASET_VERTEX("wave"), DATASET_CELL("cell_wave")),
    .vertex = o_grid_vertex,
    .evaluate = dataset_evaluate_waves};

/* ---- mismatched ---- */

/* A quarter of a ring, cut into two blocks along an arc. The blocks have different
 * numbers of vertices there, and the arc is a polygon in each. Between the polygons are
 * slits and overlaps, much thinner than a cell. */

/* The outer block has more cells around and across. */
static void mismatched_block_size(const int64_t size[3], int block, int64_t n[3])
{
    n[0] = size[0];
    n[1] = block == 0 ? size[1] : size[1] + size[1] / 3;
    n[2] = block == 0 ? size[2] : size[2] + 2;
}

/* i outwards, j around, k along the axis. */
static dataset_vertex mismatched_vertex(const int64_t size[3], int block,
                                        const int64_t at[3])
{
    int64_t n[3];
    mismatched_block_size(size, block, n);
    double radius = 1.0 + 0.5 * block + 0.5 * dataset_fraction(at[0], n[0]);
    double angle = 0.5 * pi * dataset_fraction(at[1], n[1]);
    return (dataset_vertex){
        .position = vec3_make(radius * cos(angle), radius * sin(angle),
                              dataset_fraction(at[2], n[2])),
    };
}

const dataset dataset_mismatched = {
    "mismatched",
    "blocks that abut along an arc without matching points",
    .size = {9, 13, 7},
    .minimum = {2, 4, 2},
    .steps = 1,
    DATASET_BLOCKS("inner", "outer"),
    DATASET_FIELDS(DATASET_VERTEX("wave")),
    .block_size = mismatched_block_size,
    .vertex = mismatched_vertex,
    .evaluate = dataset_evaluate_wave};
