/* The rays of a tile in plane compositing cross a cell: stage by stage, all of them at
 * each stage. So the processor works on several vectors at a time, and mispredicts few
 * branches. */
#ifndef RENDER_KERNEL_PLANES_CROSSING_H
#define RENDER_KERNEL_PLANES_CROSSING_H

#include "cell.h"

/* Vectors of rays that cross a cell together, or some of them. */
typedef struct planes_list {
    int count;
    int at[PLANES_VECTORS];
} planes_list;

/* Adds a vector if `is_wanted`, without a branch that the processor would mispredict. */
IN_LOOP void planes_append(planes_list *list, int vector, bool is_wanted)
{
    list->at[list->count] = vector;
    list->count += is_wanted;
}

/* All vectors with rays in a cell, and those rays. */
typedef struct planes_crossing {
    planes_list all, by_face[3]; /* by_face: of a plain cell, across each axis */
    unsigned rays[PLANES_VECTORS], through[3][PLANES_VECTORS], unsure[PLANES_VECTORS],
        goers[PLANES_VECTORS];
    planes_far_seen seen[PLANES_VECTORS];
    planes_exits exits[PLANES_VECTORS];
} planes_crossing;

static void planes_list_vectors(const planes_rays *rays, planes_crossing *crossing)
{
    crossing->all.count = 0;
    for (uint64_t blocks = rays->blocks; blocks != 0; blocks &= blocks - 1) {
        const int block = __builtin_ctzll(blocks);
        for (int part = 0; part < PLANES_PARTS; part++) {
            const int vector = block * PLANES_PARTS + part;
            const unsigned here = rays->block[block] >> part * LANES & LANES_ALL;
            crossing->rays[vector] = here;
            planes_append(&crossing->all, vector, here != 0);
        }
    }
}

/* Looks at a plain cell along all rays. */
IN_LOOP void planes_look_at_plain(const planes_sweep *s, const planes_visit *visit,
                                  planes_crossing *crossing)
{
    for (int n = 0; n < 3; n++) {
        crossing->by_face[n].count = 0;
    }
    for (int k = 0; k < crossing->all.count; k++) {
        const int vector = crossing->all.at[k];
        const unsigned rays = crossing->rays[vector];
        const cross_rays along = planes_load_rays(&s->vectors[vector]);
        planes_exits *exits = &crossing->exits[vector];
        unsigned through[3];
        planes_far_look(&along, &visit->plain, &crossing->seen[vector], through);
#pragma GCC unroll 3
        for (int n = 0; n < 3; n++) {
            const unsigned here = through[n] & rays;
            crossing->through[n][vector] = here;
            planes_append(&crossing->by_face[n], vector, here != 0);
        }
        crossing->unsure[vector] = rays & ~(through[0] | through[1] | through[2]);
        exits->t = exits->scalar = exits->f = exits->g = lanes_float(0.0f);
        exits->triangle = lanes_int(0);
    }
}

/* Finds the exits of rays through the face of a plain cell across axis n. by_far: of the
 * face. */
IN_LOOP void planes_leave_plain_face(const planes_sweep *s, const planes_visit *visit,
                                     const int n, const bool by_far,
                                     planes_crossing *crossing)
{
    const planes_list *list = &crossing->by_face[n];
    for (int k = 0; k < list->count; k++) {
        const int vector = list->at[k];
        const cross_rays rays = planes_load_rays(&s->vectors[vector]);
        planes_exits *exits = &crossing->exits[vector];
        const unsigned here = crossing->through[n][vector];
        const vmask lanes = lanes_mask(here);
        planes_far_exits out;
        planes_far_leave(&rays, &visit->plain, n, by_far, &crossing->seen[vector], &out);
        if (visit->wants_places) {
            vfloat f, g;
            planes_far_place(&visit->plain.face[n], &out, &f, &g);
            exits->f = lanes_choose(lanes, f, exits->f);
            exits->g = lanes_choose(lanes, g, exits->g);
        }
        exits->t = lanes_choose(lanes, out.t, exits->t);
        exits->scalar = lanes_choose(lanes, out.scalar, exits->scalar);
        exits->triangle = lanes_choose_int(lanes, out.triangle, exits->triangle);
        crossing->unsure[vector] |= out.unsure & here;
    }
}

/* Finds the exits of all rays from a plain cell, as far as they are sure. */
IN_LOOP void planes_leave_plain(const planes_sweep *s, planes_visit *visit,
                                planes_crossing *crossing)
{
    planes_look_at_plain(s, visit, crossing);
#pragma GCC unroll 3
    for (int n = 0; n < 3; n++) {
        if (crossing->by_face[n].count == 0) {
            continue;
        }
        planes_far_know(&visit->corners, (unsigned)n, &visit->plain);
        if (visit->plain.face[n].by_far) {
            planes_leave_plain_face(s, visit, n, true, crossing);
        } else {
            planes_leave_plain_face(s, visit, n, false, crossing);
        }
    }
}

/* Adds the rays of a vector that have left through a face. */
IN_LOOP void planes_add_gone(planes_gone *gone, int face, int vector, unsigned through,
                             unsigned goers)
{
    const int block = vector / PLANES_PARTS, shift = vector % PLANES_PARTS * LANES;
    if (!(gone->faces >> face & 1u)) {
        gone->going[face].blocks = gone->stopped[face].blocks = 0;
        gone->faces |= 1u << face;
    }
    planes_add_rays(&gone->going[face], block, (through & goers) << shift);
    if (through & ~goers) {
        planes_add_rays(&gone->stopped[face], block, (through & ~goers) << shift);
    }
}

/* Finds the exits of a vector that need all corners, and notes through which faces. */
IN_LOOP void planes_leave_by_corners(const planes_sweep *s, planes_visit *visit,
                                     int vector, planes_crossing *crossing)
{
    planes_exits *exits = &crossing->exits[vector];
    planes_find_any_exits(s, visit, vector, crossing->rays[vector], exits);
    for (int n = 0; n < 3; n++) {
        crossing->through[n][vector] = 0;
    }
    if (exits->lost) {
        s->counters->lost_rays += __builtin_popcount(exits->lost);
        planes_add_rays(&visit->gone.lost, vector / PLANES_PARTS,
                        exits->lost << vector % PLANES_PARTS * LANES);
    }
}

/* Moves the rays of all vectors across the cell. */
IN_LOOP void planes_cross_all(planes_sweep *s, planes_visit *visit,
                              planes_crossing *crossing, const bool is_plain)
{
    planes_gone *gone = &visit->gone;
    if (is_plain) {
        planes_leave_plain(s, visit, crossing);
    }
    for (int k = 0; k < crossing->all.count; k++) {
        const int vector = crossing->all.at[k];
        const unsigned rays = crossing->rays[vector];
        planes_vector *v = &s->vectors[vector];
        planes_exits *exits = &crossing->exits[vector];
        exits->faces = exits->lost = 0;
        if (!is_plain || crossing->unsure[vector]) {
            planes_leave_by_corners(s, visit, vector, crossing);
        }
        planes_gather(s, visit, rays, exits, v);
        s->counters->crossings += __builtin_popcount(rays);
        const unsigned goers = lanes_mask_bits(planes_goers(v, exits->t));
        crossing->goers[vector] = goers;
        for (unsigned faces = exits->faces; faces != 0; faces &= faces - 1) {
            const int face = __builtin_ctz(faces);
            planes_add_gone(gone, face, vector, exits->through[face] & rays, goers);
        }
    }
    for (int n = 0; is_plain && n < 3; n++) {
        const planes_list *list = &crossing->by_face[n];
        for (int k = 0; k < list->count; k++) {
            const int vector = list->at[k];
            planes_add_gone(gone, visit->plain.face[n].number, vector,
                            crossing->through[n][vector], crossing->goers[vector]);
        }
    }
}

#endif
