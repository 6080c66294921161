/* A box whose inside and sides are bent in all directions: no face is planar. */
#include "datasets/dataset.h"

static const double pi = 3.14159265358979323846;

/* The largest displacement. The sum of its derivatives stays below 1, so cells cannot
 * fold. */
static const double amplitude = 0.11;

static dataset_vertex vertex(const int64_t size[3], int block, const int64_t at[3])
{
    (void)block;
    double u = 2.0 * dataset_fraction(at[0], size[0]) - 1.0;
    double v = 2.0 * dataset_fraction(at[1], size[1]) - 1.0;
    double w = 2.0 * dataset_fraction(at[2], size[2]) - 1.0;
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

static void evaluate(vec3 p, double time, double *out)
{
    out[0] = 1.0 + 0.5 * p.v[0] + 0.25 * p.v[1] + 0.125 * p.v[2];
    out[1] = blob(p, time);
    out[2] = out[1];
}

static const char *const block_names[] = {"box"};
static const grid_field fields[] = {{.name = "linear", .location = GRID_VERTEX},
                                    {.name = "blob", .location = GRID_VERTEX},
                                    {.name = "cell_blob", .location = GRID_CELL}};

const dataset dataset_warped_box = {
    .name = "warped-box",
    .summary = "strongly bent cells; fields at vertices and in cells",
    .size = {25, 21, 17},
    .minimum = {6, 6, 6},
    .steps = 1,
    .period = 10.0,
    .nblocks = 1,
    .block_names = block_names,
    .nfields = 3,
    .fields = fields,
    .vertex = vertex,
    .evaluate = evaluate,
};
