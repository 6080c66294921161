/* A ball in spherical coordinates. All vertices of i = 0 are its centre; those of the
 * first and last j lie on the half axes. So there are cells that have lost an edge, a
 * face, or a face and two edges. At the poles all k meet in one line. */
#include "datasets/dataset.h"

static const double pi = 3.14159265358979323846;

/* i outwards, j from the north pole to the south pole, k around. */
static dataset_vertex vertex(const int64_t size[3], int block, const int64_t at[3])
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

static void evaluate(vec3 p, double time, double *out)
{
    (void)time;
    out[0] = dataset_wave(p);
}

static const char *const block_names[] = {"ball"};
static const grid_field fields[] = {{.name = "wave", .location = GRID_VERTEX}};

const dataset dataset_ball = {
    .name = "ball",
    .summary = "a ball: a collapsed face, two collapsed axes and a seam",
    .size = {11, 19, 37},
    .minimum = {2, 4, 4},
    .steps = 1,
    .nblocks = 1,
    .block_names = block_names,
    .nfields = 1,
    .fields = fields,
    .vertex = vertex,
    .evaluate = evaluate,
};
