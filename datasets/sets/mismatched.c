/* A quarter of a ring, cut into two blocks along an arc. The blocks have different
 * numbers of vertices there, and the arc is a polygon in each. Between the polygons are
 * slits and overlaps, much thinner than a cell. */
#include "datasets/dataset.h"

static const double pi = 3.14159265358979323846;

/* The outer block has more cells around and across. */
static void block_size(const int64_t size[3], int block, int64_t n[3])
{
    n[0] = size[0];
    n[1] = block == 0 ? size[1] : size[1] + size[1] / 3;
    n[2] = block == 0 ? size[2] : size[2] + 2;
}

/* i outwards, j around, k along the axis. */
static dataset_vertex vertex(const int64_t size[3], int block, const int64_t at[3])
{
    int64_t n[3];
    block_size(size, block, n);
    double radius = 1.0 + 0.5 * block + 0.5 * dataset_fraction(at[0], n[0]);
    double angle = 0.5 * pi * dataset_fraction(at[1], n[1]);
    return (dataset_vertex){
        .position = vec3_make(radius * cos(angle), radius * sin(angle),
                              dataset_fraction(at[2], n[2])),
    };
}

static void evaluate(vec3 p, double time, double *out)
{
    (void)time;
    out[0] = dataset_wave(p);
}

static const char *const block_names[] = {"inner", "outer"};
static const grid_field fields[] = {{.name = "wave", .location = GRID_VERTEX}};

const dataset dataset_mismatched = {
    .name = "mismatched",
    .summary = "blocks that abut along an arc without matching points",
    .size = {9, 13, 7},
    .minimum = {2, 4, 2},
    .steps = 1,
    .nblocks = 2,
    .block_names = block_names,
    .nfields = 1,
    .fields = fields,
    .block_size = block_size,
    .vertex = vertex,
    .evaluate = evaluate,
};
