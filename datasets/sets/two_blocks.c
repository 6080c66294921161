/* A bend that is cut into two blocks. Both are parts of one lattice of vertices (a, b, c)
 * along the bend, outwards and across. The second one numbers its part differently:
 *
 *      first:  i = a          j = b        k = c
 *      second: i = c          j = nb-1-b   k = a - (na-1)
 *
 * One exchange of axes and one reversal: the second block is right-handed, too. */
#include "datasets/dataset.h"

static const double pi = 3.14159265358979323846;

static void block_size(const int64_t size[3], int block, int64_t n[3])
{
    n[0] = block == 0 ? size[0] : size[2];
    n[1] = size[1];
    n[2] = block == 0 ? size[2] : size[0];
}

/* The lattice vertex; a goes from 0 to 2 (na - 1), its middle is the interface. */
static vec3 lattice_point(const int64_t size[3], int64_t a, int64_t b, int64_t c)
{
    double along = dataset_fraction(a, 2 * size[0] - 1);
    double outwards = dataset_fraction(b, size[1]);
    double across = dataset_fraction(c, size[2]);
    double angle = 5.0 / 6.0 * pi * along + 0.15 * sin(pi * across);
    double radius = 1.0 + outwards + 0.08 * sin(2.0 * pi * across) * sin(pi * along);
    double lift = 0.2 * sin(2.0 * pi * along) * outwards;
    /* The angle runs backwards, so that along, outwards and across are right-handed. */
    return vec3_make(-radius * cos(angle), radius * sin(angle), across + lift);
}

static dataset_vertex vertex(const int64_t size[3], int block, const int64_t at[3])
{
    if (block == 0) {
        return (dataset_vertex){.position = lattice_point(size, at[0], at[1], at[2])};
    }
    return (dataset_vertex){
        .position = lattice_point(size, at[2] + size[0] - 1, size[1] - 1 - at[1], at[0]),
    };
}

static void evaluate(vec3 p, double time, double *out)
{
    (void)time;
    out[0] = dataset_linear(p);
    out[1] = dataset_wave(p);
}

const dataset dataset_two_blocks = {
    "two-blocks",
    "two abutting blocks, the second numbered another way",
    .size = {19, 15, 13},
    .minimum = {4, 3, 4},
    .steps = 1,
    DATASET_BLOCKS("first", "second"),
    DATASET_FIELDS(DATASET_VERTEX("linear"), DATASET_VERTEX("wave")),
    .block_size = block_size,
    .vertex = vertex,
    .evaluate = evaluate};
