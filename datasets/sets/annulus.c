/* Three quarters of a ring between two cylinders, with fields of known integrals. */
#include "datasets/dataset.h"

static const double pi = 3.14159265358979323846;

static dataset_vertex vertex(const int64_t size[3], int block, const int64_t at[3])
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
static void evaluate(vec3 p, double time, double *out)
{
    (void)time;
    out[0] = 0.5;
    out[1] = 1.0 + 0.5 * p.v[0] + 0.25 * p.v[1] + 0.125 * p.v[2];
    out[2] = sqrt(p.v[0] * p.v[0] + p.v[1] * p.v[1]);
}

static const char *const block_names[] = {"ring"};
static const grid_field fields[] = {{.name = "constant", .location = GRID_VERTEX},
                                    {.name = "linear", .location = GRID_VERTEX},
                                    {.name = "radius", .location = GRID_VERTEX}};

const dataset dataset_annulus = {
    .name = "annulus",
    .summary = "three quarters of a ring, fields with known answers",
    .size = {13, 49, 11},
    .minimum = {2, 4, 2},
    .steps = 1,
    .nblocks = 1,
    .block_names = block_names,
    .nfields = 3,
    .fields = fields,
    .vertex = vertex,
    .evaluate = evaluate,
};
