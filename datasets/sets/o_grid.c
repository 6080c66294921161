/* An O-grid around an elliptic cylinder, whose seam is a spiral. */
#include "datasets/dataset.h"

static const double pi = 3.14159265358979323846;

/* i outwards, j around, k along the cylinder. The seam turns by a quarter on its way. */
static dataset_vertex vertex(const int64_t size[3], int block, const int64_t at[3])
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

static void evaluate(vec3 p, double time, double *out)
{
    (void)time;
    out[0] = dataset_wave(p);
    out[1] = out[0];
}

static const char *const block_names[] = {"ring"};
static const grid_field fields[] = {{.name = "wave", .location = GRID_VERTEX},
                                    {.name = "cell_wave", .location = GRID_CELL}};

const dataset dataset_o_grid = {
    .name = "o-grid",
    .summary = "around a cylinder; the seam is a spiral",
    .size = {17, 65, 9},
    .minimum = {3, 12, 2},
    .steps = 1,
    .nblocks = 1,
    .block_names = block_names,
    .nfields = 2,
    .fields = fields,
    .vertex = vertex,
    .evaluate = evaluate,
};
