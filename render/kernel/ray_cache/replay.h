/* Draws rays along their kept ways (kept.h): with the scalars of another step, but
 * without geometry. The light is the same to the last bit. */
#ifndef RENDER_KERNEL_RAY_CACHE_REPLAY_H
#define RENDER_KERNEL_RAY_CACHE_REPLAY_H

#include "bent.h"

enum { KEPT_PACKETS = KEPT_GROUP / LANES };

/* The places of a packet's rays. */
typedef struct kept_place {
    vfloat t, scalar;
    vint length;
    unsigned active;
    unsigned inside;   /* within runs, not at gaps */
    unsigned along[3]; /* rays that run fastest along each axis */
} kept_place;

/* Blends the ways of some rays of a packet. */
IN_LOOP unsigned kept_blend(const walker *w, unsigned lanes, const kept_ways *ways,
                            packet *p)
{
    if (ways->grid->bends) {
        const unsigned able = kept_may_bend(ways->grid, lanes, ways->words,
                                            ways->segment.t1 - ways->segment.t0);
        lane_bends bends;
        bends.lanes = 0;
        if (able) {
            kept_find_bends(w, able, ways, p, &bends);
        }
        if (bends.lanes) {
            return blend_bent(w, lanes_mask(lanes), 0, &ways->segment, &bends.line, p);
        }
    }
    return blend_drawn(w, NULL, lanes_mask(lanes), &ways->segment, p);
}

/* Moves the rays of a packet to their next crossings; blends the ways to these. */
IN_LOOP void kept_go_on(const walker *w, int step, const kept_ways *ways, packet *p,
                        kept_place *place)
{
    const unsigned here =
        place->active &
        lanes_mask_bits(lanes_greater_int(place->length, lanes_int(step)));
    const unsigned inside = ~lanes_mask_bits(
        lanes_equal_int(kept_axis(lanes_load_int(ways->words)), lanes_int(KEPT_GAP)));
    const unsigned crossing = here & place->inside & inside;
    w->counters->crossings += __builtin_popcount(crossing);
    const unsigned strange = kept_blend(w, crossing, ways, p);
    w->counters->nan_cells += __builtin_popcount(strange);
    place->t = ways->segment.t1;
    place->scalar = ways->segment.s1;
    place->inside = inside;
    place->active = here & ~lanes_mask_bits(lanes_less(lanes_load(p->light.transmittance),
                                                       lanes_float(LEAST_TRANSMITTANCE)));
}

/* The next crossings of all rays of a group. */
typedef struct kept_crossings {
    vfloat t[KEPT_PACKETS], scalar[KEPT_PACKETS];
} kept_crossings;

/* words: of a step. */
IN_LOOP void kept_look_up(const kept_grid *kept, const int32_t *words,
                          kept_crossings *out)
{
#pragma GCC unroll 2
    for (int n = 0; n < KEPT_PACKETS; n++) {
        const int32_t *from = words + n * LANES;
        const vint word[KEPT_WORDS - 1] = {lanes_load_int(from),
                                           lanes_load_int(from + KEPT_GROUP),
                                           lanes_load_int(from + 2 * KEPT_GROUP)};
        out->scalar[n] = kept_scalar(kept, word);
        out->t[n] = lanes_from_bits(lanes_load_int(from + 3 * KEPT_GROUP));
    }
}

/* Follows all rays of a group to their ends. Scalars are looked up a step ahead, as they
 * come from memory. */
IN_LOOP void kept_follow(const walker *w, const kept_grid *kept, const kept_group *group,
                         packet *p, kept_place *place)
{
    const int32_t *words = group->words;
    kept_crossings here, next;
    kept_look_up(kept, words, &next);
    unsigned active = 1;
    for (int step = 0; step < group->length[0] && active; step++) {
        const int32_t *at = words;
        here = next;
        words += step + 1 < group->length[0] ? KEPT_STEP : 0;
        kept_look_up(kept, words, &next);
        active = 0;
#pragma GCC unroll 1
        for (int n = 0; n < KEPT_PACKETS; n++) {
            const kept_ways ways = {
                kept,
                at + n * LANES,
                place[n].along,
                {place[n].t, here.t[n], place[n].scalar, here.scalar[n]}};
            kept_go_on(w, step, &ways, &p[n], &place[n]);
            active |= place[n].active;
        }
    }
}

static void replay_group(const walker *w, const kept_grid *kept, const kept_group *group,
                         ray_walk *walks)
{
    packet p[KEPT_PACKETS];
    kept_place place[KEPT_PACKETS];
    _Alignas(CACHE_LINE) int32_t length[KEPT_GROUP];
    memset(p, 0, sizeof p);
    memcpy(length, group->length, sizeof length);
    for (int n = 0; n < group->rays; n++) {
        take_ray(&walks[n], n % LANES, &p[n / LANES]);
    }
    for (int n = 0; n < KEPT_PACKETS; n++) {
        p[n].light.cursor = transfer_lanes_start();
        place[n] = (kept_place){.t = lanes_float(0.0f),
                                .scalar = lanes_float(0.0f),
                                .length = lanes_load_int(length + n * LANES),
                                .active = LANES_ALL};
    }
    for (int n = 0; n < group->rays; n++) {
        place[n / LANES].along[walks[n].ray->axis[2]] |= 1u << n % LANES;
    }
    kept_follow(w, kept, group, p, place);
    for (int n = 0; n < group->rays; n++) {
        give_back_ray(n % LANES, &p[n / LANES]);
    }
}

static void replay(const walk_scene *scene, const kept_grid *kept, int count,
                   const kept_group *groups, ray_walk *walks, render_counters *counters)
{
    const walker w = {.scene = scene,
                      .states = walk_states(scene),
                      .by_class = walk_by_class(scene),
                      .bends = kept->bends != NULL,
                      .counters = counters};
    for (int n = 0; n < count; n++) {
        replay_group(&w, kept, &groups[n], walks);
        walks += groups[n].rays;
    }
    lanes_leave();
}

#endif
