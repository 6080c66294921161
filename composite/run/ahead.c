/*
 * Merges images that have come with their neighbours in visibility order, while nearer
 * ones are late.
 *
 * A segment merges the messages of a round into the image from the inside out: on each
 * side number 1, then 2, and so on. Would all wait for number 1, a late neighbour held up
 * all behind it. So number k merges into number k without its lowest bit first. Number 0
 * is the image, and so is every fourth, as the ring must have room for all that wait for
 * each other:
 *
 *     image <-- 1
 *     image <-- 2 <-- 3
 *     image <-- 4 <-- 5
 *               4 <-- 6 <-- 7
 *     image <-- 8 ...
 *
 * Each of these touches the other by then, as both have merged theirs. After a late image
 * has come, fewer merges are left: with 8 ranks at most 3 of 7. Which parts merge with
 * which does not depend on what comes first, so two runs give the same bits. (J.
 * Vuillemin's binomial trees, CACM 21(4), 1978.)
 *
 * A part lies in its room in the ring meanwhile, which has as many words as its pixels
 * may need. If it was encoded, it is written out first. Ranks of one node do not do so:
 * their images are merged in one pass over the pixels, straight from where they lie.
 */
#include "composite/pixels/encode.h"
#include "executor.h"

#include <string.h>

/* ---- Which parts merge with which -------------------------------------------------- */

/* The parts of a group on one side, from the inside out. */
typedef struct side {
    int64_t count; /* so far */
    int64_t last;  /* the last one; -1: none */
} side;

static int64_t lowest_bit(int64_t number)
{
    return number & -number;
}

/* Whether the parts of a group may merge with each other: all come from other nodes, for
 * the same pixels. (Whether a node shares memory does not count: the bits are the same.)
 */
static bool may_join(const composite_run *run, const composite_group *group)
{
    const composite_part *parts = run->executor->plan.receives.items;
    const composite_part *first = &parts[group->receive0];
    bool may =
        run->request->op == COMPOSITE_OVER && group->round != COMPOSITE_GATHER_ROUND;
    for (int64_t i = group->receive0; i < group->receive1 && may; i++) {
        may = parts[i].pix0 == first->pix0 && parts[i].npix == first->npix &&
              composite_node_rank(run, parts[i].peer) < 0;
    }
    return may;
}

/* Links the parts of a group, from the inside out, and tells those that have an owner. */
static void link_group(const composite_run *run, const composite_group *group,
                       side sides[2])
{
    composite_part *parts = run->executor->plan.receives.items;
    for (int64_t i = group->receive0; i < group->receive1; i++) {
        side *s = &sides[parts[i].in_front];
        const int64_t number = ++s->count;
        const bool is_owner = number % COMPOSITE_MOST_JOINED == 0;
        parts[i].has_owner = !is_owner && number > lowest_bit(number);
        if (s->last >= 0) {
            parts[s->last].beyond = i;
        }
        s->last = i;
    }
}

/* Sets how many parts each one merges. Its number and the numbers within it have the same
 * bits but for the lowest ones. */
static void count_within(const composite_run *run, const composite_group *group,
                         const side sides[2])
{
    composite_part *parts = run->executor->plan.receives.items;
    int64_t numbers[2] = {0, 0};
    for (int64_t i = group->receive0; i < group->receive1; i++) {
        const int64_t number = ++numbers[parts[i].in_front];
        const int64_t rest = sides[parts[i].in_front].count - number;
        const int64_t most = lowest_bit(number | COMPOSITE_MOST_JOINED) - 1;
        parts[i].within = (int)(most < rest ? most : rest);
    }
}

void composite_ahead_plan(composite_run *run)
{
    const composite_plan *plan = &run->executor->plan;
    for (int64_t i = 0; i < plan->receives.count; i++) {
        composite_part *part = &plan->receives.items[i];
        part->held = part->message;
        part->beyond = -1;
        part->within = 0;
        part->has_owner = part->is_ahead = false;
    }
    for (int64_t g = 0; g < plan->ngroups; g++) {
        if (may_join(run, &plan->groups[g])) {
            side sides[2] = {{.last = -1}, {.last = -1}};
            link_group(run, &plan->groups[g], sides);
            count_within(run, &plan->groups[g], sides);
        }
    }
}

/* ---- Merging ----------------------------------------------------------------------- */

bool composite_ahead_is_ready(composite_run *run, const composite_part *part)
{
    const composite_part *parts = run->executor->plan.receives.items;
    for (int left = part->within;; left--) {
        if (!part->is_empty && !composite_messages_arrived(run, part)) {
            return false;
        }
        if (left == 0) {
            return true;
        }
        part = &parts[part->beyond];
    }
}

/* Whether a part is empty, or its message is known to have come. Asks nobody: threads
 * call it. */
static bool has_come(const composite_run *run, const composite_part *part)
{
    return part->is_empty || run->executor->messages.receiving[part->message].bytes >= 0;
}

/* An image of the pixels of one part. */
static image view_of(const composite_run *run, const composite_part *part, float *words)
{
    return (image){.width = part->npix,
                   .height = 1,
                   .active = {0, 0, part->npix, 1},
                   .rgba = words,
                   .depth = run->img->depth ? words + 4 * (int64_t)part->npix : NULL};
}

static composite_payload payload_of(const composite_run *run, const composite_part *part)
{
    composite_payload payload = {.npix = part->npix, .in_front = part->in_front};
    payload.words = composite_messages_payload(run, part, &payload.bytes);
    return payload;
}

/* Writes an encoded part out, into its room. */
static void write_out(composite_ahead *ahead, const composite_part *part)
{
    composite_messages *messages = &ahead->run->executor->messages;
    float *scratch = messages->scratch + ahead->thread * messages->scratch_words;
    composite_receiving *receiving = &messages->receiving[part->held];
    image view = view_of(ahead->run, part, scratch);
    const int64_t raw = composite_raw_bytes(&view, part->npix);
    const composite_payload payload = payload_of(ahead->run, part);
    if (receiving->bytes == raw) {
        return;
    }
    composite_erase(0, part->npix, &view);
    ahead->is_broken |= composite_merge(COMPOSITE_OVER, &payload, &view) < 0;
    memcpy(composite_messages_room(ahead->run, part->held), scratch, (size_t)raw);
    receiving->bytes = raw;
}

/* Merges a part into its owner, which it touches by now. */
static void merge_into(composite_ahead *ahead, composite_part *owner,
                       composite_part *part)
{
    composite_run *run = ahead->run;
    const composite_payload payload = payload_of(run, part);
    part->is_ahead = true;
    ahead->merged++;
    if (payload.bytes == 0) {
        return;
    }
    if (owner->held < 0 || payload_of(run, owner).bytes == 0) {
        owner->held = part->held;
        return;
    }
    write_out(ahead, owner);
    image view = view_of(run, owner, composite_messages_room(run, owner->held));
    const int64_t blended = composite_merge(COMPOSITE_OVER, &payload, &view);
    ahead->is_broken |= blended < 0;
    ahead->blended += blended > 0 ? blended : 0;
}

bool composite_ahead_merge(composite_ahead *ahead, int64_t i)
{
    composite_part *parts = ahead->run->executor->plan.receives.items;
    composite_part *owner = &parts[i];
    bool is_complete = has_come(ahead->run, owner);
    int64_t part = owner->beyond;
    for (int left = owner->within; left > 0;) {
        const int width = 1 + parts[part].within;
        if (!parts[part].is_ahead) {
            const bool is_whole = composite_ahead_merge(ahead, part);
            is_complete = is_complete && is_whole;
            if (is_complete) {
                merge_into(ahead, owner, &parts[part]);
            }
        }
        left -= width;
        for (int step = 0; step < width; step++) {
            part = parts[part].beyond;
        }
    }
    return is_complete;
}

/* Merges ahead in a group. */
static void merge_group(composite_ahead *ahead, const composite_group *group)
{
    const composite_part *parts = ahead->run->executor->plan.receives.items;
    for (int64_t i = group->next; i < group->receive1 && !group->is_merged; i++) {
        if (parts[i].within > 0 && !parts[i].has_owner) {
            composite_ahead_merge(ahead, i);
        }
    }
}

bool composite_ahead_merge_all(composite_run *run, int64_t first, int64_t end)
{
    composite_ahead ahead = {.run = run};
    composite_traffic *traffic = &run->traffic;
    if (traffic->joined == traffic->arrived) {
        return false;
    }
    traffic->joined = traffic->arrived;
    for (int64_t g = first; g < end; g++) {
        merge_group(&ahead, &run->executor->plan.groups[g]);
    }
    run->counters.pixels_blended += ahead.blended;
    run->is_broken |= ahead.is_broken;
    return ahead.merged > 0;
}
