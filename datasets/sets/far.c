/* A bent box a million lengths away from the origin. float32 coordinates are a sixteenth
 * apart there, so the file must hold float64. */
#include "datasets/dataset.h"

static const double pi = 3.14159265358979323846;
static const vec3 centre = {{1e6, -1e6, 1e6}};

static dataset_vertex vertex(const int64_t size[3], int block, const int64_t at[3])
{
    (void)block;
    double u = 2.0 * dataset_fraction(at[0], size[0]) - 1.0;
    double v = 2.0 * dataset_fraction(at[1], size[1]) - 1.0;
    double w = 2.0 * dataset_fraction(at[2], size[2]) - 1.0;
    vec3 p =
        vec3_make(u + 0.08 * sin(pi * v), v + 0.08 * sin(pi * w), w + 0.08 * sin(pi * u));
    return (dataset_vertex){.position = vec3_add(centre, p)};
}

static void evaluate(vec3 p, double time, double *out)
{
    (void)time;
    out[0] = dataset_wave(vec3_sub(p, centre));
    out[1] = out[0];
}

static const char *const block_names[] = {"box"};
static const grid_field fields[] = {{.name = "wave", .location = GRID_VERTEX},
                                    {.name = "cell_wave", .location = GRID_CELL}};

const dataset dataset_far = {
    .name = "far",
    .summary = "a bent box at 1e6 ± 1, in float64",
    .size = {21, 19, 17},
    .minimum = {6, 6, 6},
    .steps = 1,
    .double_precision = true,
    .nblocks = 1,
    .block_names = block_names,
    .nfields = 2,
    .fields = fields,
    .vertex = vertex,
    .evaluate = evaluate,
};
