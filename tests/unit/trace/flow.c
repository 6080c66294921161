#include "flow.h"

#include "grid/partition/partition.h"
#include "support/bricks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

/* Ends the program where memory runs out: no test goes on without its grid. */
static void demand(bool holds)
{
    if (!holds) {
        fprintf(stderr, "a grid for a test could not be made: %s\n", base_fail_message());
        abort();
    }
}

static void fill_brick(const grid_layout *layout, grid_brick *brick, flow_vertex *vertex)
{
    const grid_brick_place *place = &brick->place;
    const int row = place->n[0] + 1, plane = row * (place->n[1] + 1);
    const int count = plane * (place->n[2] + 1);
    uint8_t *blanked = calloc((size_t)count, 1);
    demand(blanked != NULL);
    for (int n = 0; n < count; n++) {
        const int64_t at[3] = {place->lo[0] + n % row,
                               place->lo[1] + n / row % (plane / row),
                               place->lo[2] + n / plane};
        double xyz[3];
        blanked[n] = !vertex(place->block, at, layout->blocks[place->block].n, xyz);
        for (int axis = 0; axis < 3; axis++) {
            brick->vertex[n][axis] = (float)xyz[axis];
        }
    }
    grid_brick_flag(brick, blanked);
    free(blanked);
}

static void measure(grid_layout *layout, const grid_store *store)
{
    layout->bounds = box3_empty();
    for (int64_t slot = 0; slot < store->nbricks; slot++) {
        int64_t volumes[3];
        grid_brick_info *info = &layout->bricks[store->bricks[slot].number];
        grid_brick_measure(&store->bricks[slot], info, volumes);
        if (info->cells > 0) {
            layout->bounds = box3_union(layout->bounds, grid_brick_bounds(info));
        }
    }
}

/* A store of all bricks. */
static grid_store *create_store(const grid_layout *layout)
{
    int64_t *numbers = malloc((size_t)layout->nbricks * sizeof *numbers);
    grid_store *store = NULL;
    demand(numbers != NULL);
    for (int64_t n = 0; n < layout->nbricks; n++) {
        numbers[n] = n;
    }
    demand(grid_store_create(layout, layout->nbricks, numbers, false, &store) ==
           STATUS_OK);
    free(numbers);
    return store;
}

static void keep_part(flow *f, int nparts, int part)
{
    grid_partition *partition = NULL;
    int64_t count;
    demand(grid_partition_create(f->layout, nparts, &partition) == STATUS_OK);
    int64_t *numbers =
        test_bricks_meet(f->layout, grid_partition_box(partition, part), &count);
    demand(numbers != NULL);
    grid_store_reduce(f->store, count, numbers);
    free(numbers);
    grid_partition_destroy(&partition);
}

flow flow_create(int nblocks, const int64_t n[][3], flow_vertex *vertex, int nparts,
                 int part)
{
    flow f = {0};
    grid_block *blocks = calloc((size_t)nblocks, sizeof *blocks);
    demand(blocks != NULL);
    for (int b = 0; b < nblocks; b++) {
        snprintf(blocks[b].name, sizeof blocks[b].name, "block%d", b);
        for (int axis = 0; axis < 3; axis++) {
            blocks[b].n[axis] = n[b][axis];
        }
    }
    demand(grid_layout_create(nblocks, blocks, &f.layout) == STATUS_OK);
    free(blocks);
    for (int b = 0; b < nblocks; b++) {
        f.layout->blocks[b].priority = b;
    }
    f.store = create_store(f.layout);
    for (int64_t slot = 0; slot < f.store->nbricks; slot++) {
        fill_brick(f.layout, &f.store->bricks[slot], vertex);
    }
    measure(f.layout, f.store);
    keep_part(&f, nparts, part);
    demand(trace_velocity_create(f.store, true, true, &f.velocity) == STATUS_OK);
    return f;
}

void flow_destroy(flow *f)
{
    trace_velocity_destroy(&f->velocity);
    grid_store_destroy(&f->store);
    grid_layout_destroy(&f->layout);
}

void flow_set(flow *f, flow_field *field, double time)
{
    grid_store *store = f->store;
    double(*values)[4] = malloc(((size_t)store->nvertices + 1) * sizeof *values);
    demand(values != NULL);
    for (int64_t n = 0; n < store->nvertices; n++) {
        const double x[3] = {(double)store->vertex[n][0], (double)store->vertex[n][1],
                             (double)store->vertex[n][2]};
        field(x, time, values[n]);
    }
    for (int c = 0; c < TRACE_COMPONENTS; c++) {
        for (int64_t n = 0; n < store->nvertices; n++) {
            store->vertex[n][3] = (float)values[n][c];
        }
        trace_velocity_set(f->velocity, c, store);
    }
    free(values);
}

static bool place_ring(const int64_t at[3], const int64_t n[3], double warp,
                       double xyz[3])
{
    const double u = (double)at[0] / (double)(n[0] - 1);
    const double v = (double)(at[1] % (n[1] - 1)) / (double)(n[1] - 1);
    const double w = (double)at[2] / (double)(n[2] - 1);
    const double inner = u * (1.0 - u) * w * (1.0 - w); /* walls stay where they are */
    const double turn = 2.0 * pi * v + warp * (u + 2.0 * w * u * (1.0 - u));
    const double radius = 1.0 + u + warp * inner * sin(6.0 * pi * v);
    xyz[0] = radius * cos(turn);
    xyz[1] = radius * sin(turn);
    xyz[2] = w + warp * inner * cos(4.0 * pi * v);
    return true;
}

bool flow_ring(int block, const int64_t at[3], const int64_t n[3], double xyz[3])
{
    (void)block;
    return place_ring(at, n, 0.0, xyz);
}

bool flow_warped_ring(int block, const int64_t at[3], const int64_t n[3], double xyz[3])
{
    (void)block;
    return place_ring(at, n, 0.6, xyz);
}

bool flow_boxes(int block, const int64_t at[3], const int64_t n[3], double xyz[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const int from = block == 0 ? axis : (axis + 1) % 3;
        xyz[axis] = (double)at[from] / (double)(n[from] - 1);
    }
    xyz[0] += block;
    return true;
}

void flow_rotation(const double x[3], double time, double out[4])
{
    (void)time;
    out[0] = -x[1];
    out[1] = x[0];
    out[2] = 0.0;
    out[3] = x[0] + 2.0 * x[1] + 3.0 * x[2];
}
