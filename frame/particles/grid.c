/* The grid that particles move in: this rank's bricks. */
#include "base/parallel/parallel.h"
#include "grid/partition/partition.h"
#include "grid/priority.h"
#include "io/load/load.h"
#include "particles.h"
#include "state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void particles_drop_flows(frame_particles *p)
{
    for (int n = 0; n < p->nflows; n++) {
        frame_flow_destroy(&p->flows[n].flow);
        frame_plan_clear(&p->flows[n].plan);
    }
    free(p->flows);
    p->flows = NULL;
    p->nflows = 0;
}

void particles_drop_grid(frame_particles *p)
{
    particles_drop_flows(p);
    free(p->bricks);
    free(p->fields);
    p->bricks = NULL;
    p->fields = NULL;
    p->nfields = 0;
    p->nbricks = 0;
    grid_layout_destroy(&p->layout);
}

static void put_all_to_sleep(frame_particles *p, bool seeks)
{
    for (int n = 0; n < p->nlives; n++) {
        particles_live *live = &p->lives[n];
        if (live->flow >= 0) {
            p->is_broken |= frame_swarm_sleep(live->swarm) != STATUS_OK;
            live->flow = -1;
        }
        live->seeks |= seeks;
    }
}

void frame_particles_leave_grid(frame_particles *particles)
{
    if (particles->layout) {
        put_all_to_sleep(particles, true);
        particles_drop_grid(particles);
        particles->is_leaving = false;
    }
}

status particles_cross(frame_particles *p, const io_source *source, int step)
{
    const double time = io_source_steps(source)[step].time;
    status s = STATUS_OK;
    if (!p->layout || (!p->is_leaving && p->grid == io_source_grid(source, step))) {
        return s;
    }
    for (int n = 0; n < p->nlives && s == STATUS_OK; n++) {
        particles_live *live = &p->lives[n];
        s = live->flow >= 0 && isfinite(time) ? frame_swarm_begin_step(live->swarm, time)
                                              : s;
    }
    frame_particles_leave_grid(p);
    return s;
}

/* Lists the bricks in this rank's box: boxes have equal numbers of cells. Local. */
static status list_bricks(frame_particles *p)
{
    grid_partition *tree = NULL;
    const grid_parts parts = {.count = parallel_size(p->comm)};
    const size_t bytes = ((size_t)p->layout->nbricks + 1) * sizeof *p->bricks;
    p->bricks = malloc(bytes);
    status s = p->bricks ? grid_partition_create_weighted(p->layout, parts, NULL, &tree)
                         : base_fail_memory(bytes, "the bricks of a rank");
    if (s != STATUS_OK) {
        return s;
    }
    const box3 box = grid_partition_box(tree, parallel_rank(p->comm));
    p->nbricks = 0;
    for (int64_t n = 0; n < p->layout->nbricks; n++) {
        const grid_brick_info *brick = &p->layout->bricks[n];
        if (brick->cells > 0 && box3_meets(grid_brick_bounds(brick), box)) {
            p->bricks[p->nbricks++] = n;
        }
    }
    grid_partition_destroy(&tree);
    return STATUS_OK;
}

/* Copies the fields of the source. */
static status list_fields(frame_particles *p, const io_source *source)
{
    const int count = io_source_field_count(source);
    const size_t bytes = (size_t)count * sizeof *p->fields;
    p->fields = malloc(bytes + 1);
    if (!p->fields) {
        return base_fail_memory(bytes, "the fields of particles");
    }
    if (count > 0) {
        memcpy(p->fields, io_source_fields(source), bytes);
    }
    p->nfields = count;
    return STATUS_OK;
}

static bool same_fields(const frame_particles *p, const io_source *source)
{
    const grid_field *fields = io_source_fields(source);
    bool same = p->nfields == io_source_field_count(source);
    for (int n = 0; n < p->nfields && same; n++) {
        same = strcmp(p->fields[n].name, fields[n].name) == 0 &&
               p->fields[n].location == fields[n].location;
    }
    return same;
}

/* Whether two layouts have the same blocks, with the same bounds and cells of bricks. */
static bool same_grid(const grid_layout *a, const grid_layout *b)
{
    bool same = a->nblocks == b->nblocks && a->nbricks == b->nbricks &&
                memcmp(a->origin.v, b->origin.v, sizeof a->origin.v) == 0;
    for (int n = 0; n < a->nblocks && same; n++) {
        same = strcmp(a->blocks[n].name, b->blocks[n].name) == 0 &&
               memcmp(a->blocks[n].n, b->blocks[n].n, sizeof a->blocks[n].n) == 0;
    }
    for (int64_t n = 0; n < a->nbricks && same; n++) {
        const box3 one = grid_brick_bounds(&a->bricks[n]);
        const box3 other = grid_brick_bounds(&b->bricks[n]);
        same = a->bricks[n].cells == b->bricks[n].cells &&
               memcmp(&one, &other, sizeof one) == 0;
    }
    return same;
}

void frame_particles_meet(frame_particles *particles, const io_source *source,
                          const grid_layout *layout)
{
    frame_particles *p = particles;
    p->is_leaving =
        p->layout && !(same_fields(p, source) && same_grid(p->layout, layout));
    p->grid = io_source_grid(source, io_source_grid_step(source));
}

bool frame_particles_now(const frame_particles *particles, double *time)
{
    *time = particles->time;
    return particles->has_begun;
}

status particles_find_grid(frame_particles *p, io_source *source)
{
    if (p->layout) {
        return STATUS_OK;
    }
    status s = io_load_layout(p->comm, source, &p->layout);
    p->grid = io_source_grid(source, io_source_grid_step(source));
    if (s == STATUS_OK) {
        s = grid_layout_rank_blocks(p->layout, p->data.npriority, p->data.priority);
        s = parallel_agree(p->comm, s);
    }
    if (s == STATUS_OK) {
        s = list_bricks(p);
        s = parallel_agree(p->comm, s == STATUS_OK ? list_fields(p, source) : s);
    }
    if (s != STATUS_OK) {
        particles_drop_grid(p);
    }
    return s;
}
