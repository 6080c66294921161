/* A full turn around an axis. On the axis all vertices of a grid line around it
 * coincide. */
#include "datasets/dataset.h"

static const double pi = 3.14159265358979323846;

/* i outwards from the axis, j around, k along it; the planes of constant k are domes. */
static dataset_vertex vertex(const int64_t size[3], int block, const int64_t at[3])
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

static void evaluate(vec3 p, double time, double *out)
{
    (void)time;
    out[0] = 1.0 + 0.5 * p.v[0] + 0.25 * p.v[1] + 0.125 * p.v[2];
    out[1] =
        0.5 + 0.5 * sin(2.5 * p.v[0] + 0.4) * cos(2.0 * p.v[1]) * cos(2.0 * p.v[2] - 1.0);
}

static const char *const block_names[] = {"pole"};
static const grid_field fields[] = {{.name = "linear", .location = GRID_VERTEX},
                                    {.name = "wave", .location = GRID_VERTEX}};

const dataset dataset_pole = {
    .name = "pole",
    .summary = "a full turn around a collapsed axis",
    .size = {13, 37, 13},
    .minimum = {2, 4, 2},
    .steps = 1,
    .nblocks = 1,
    .block_names = block_names,
    .nfields = 2,
    .fields = fields,
    .vertex = vertex,
    .evaluate = evaluate,
};
