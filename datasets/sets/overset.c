/* Overset blocks: a ring around a cylinder lies in a background box. iblank cuts a hole
 * into the background that ends 2 to 3 background cells inside the ring's rim. In this
 * fringe both blocks have cells. */
#include "datasets/dataset.h"

static const double pi = 3.14159265358979323846;
static const double centre[2] = {0.1, 0.05};
static const double body = 0.5, rim = 1.2; /* radii of the ring */
static const double overlap = 2.5;         /* cells of the background */

/* At its rim, cells of the ring are about as wide as those of the background. */
static void block_size(const int64_t size[3], int block, int64_t n[3])
{
    n[0] = block == 0 ? size[0] : size[0] / 4 + 2;
    n[1] = block == 0 ? size[1] : 2 * size[0] - 1;
    n[2] = size[2];
}

static dataset_vertex background_vertex(const int64_t n[3], const int64_t at[3])
{
    double x = 4.0 * dataset_fraction(at[0], n[0]) - 2.0;
    double y = 4.0 * dataset_fraction(at[1], n[1]) - 2.0;
    double cell = 4.0 / (double)((n[0] < n[1] ? n[0] : n[1]) - 1);
    double radius =
        sqrt((x - centre[0]) * (x - centre[0]) + (y - centre[1]) * (y - centre[1]));
    return (dataset_vertex){.position = vec3_make(x, y, dataset_fraction(at[2], n[2])),
                            .blanked = radius < rim - overlap * cell};
}

/* i outwards, j around, k along the cylinder. */
static dataset_vertex ring_vertex(const int64_t n[3], const int64_t at[3])
{
    double u = dataset_fraction(at[0], n[0]);
    double radius = body + (rim - body) * (0.5 * u + 0.5 * u * u);
    double angle = 2.0 * pi * dataset_turn(at[1], n[1]);
    return (dataset_vertex){
        .position =
            vec3_make(centre[0] + radius * cos(angle), centre[1] + radius * sin(angle),
                      dataset_fraction(at[2], n[2])),
    };
}

static dataset_vertex vertex(const int64_t size[3], int block, const int64_t at[3])
{
    int64_t n[3];
    block_size(size, block, n);
    return block == 0 ? background_vertex(n, at) : ring_vertex(n, at);
}

const dataset dataset_overset = {
    "overset",
    "a ring in a background with a hole; both have the fringe",
    .size = {41, 37, 9},
    .minimum = {21, 21, 2},
    .steps = 1,
    .has_iblank = true,
    DATASET_BLOCKS("background", "ring"),
    DATASET_FIELDS(DATASET_VERTEX("wave"), DATASET_CELL("cell_wave")),
    .block_size = block_size,
    .vertex = vertex,
    .evaluate = dataset_evaluate_waves};
