#include "owner.h"

static int64_t end_of(const memory_extent *part, int axis)
{
    return part->lo[axis] + part->n[axis];
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t greatest(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Vertices that both parts have along an axis; negative: they are further apart than
 * neighbours. */
static int64_t shared(const memory_extent *a, const memory_extent *b, int axis)
{
    return least(end_of(a, axis), end_of(b, axis)) - greatest(a->lo[axis], b->lo[axis]);
}

/* Whether the second part begins and ends behind the first one. By level: 0: its
 * vertices; 1: its array, ghosts included; 2: one of both ends is the same. In small
 * blocks parts with ghosts reach from end to end. */
static bool is_below(const memory_extent *lower, const memory_extent *upper, int axis,
                     int level)
{
    const int64_t first = upper->lo[axis] - lower->lo[axis];
    const int64_t last = end_of(upper, axis) - end_of(lower, axis);
    const int64_t begin = first + lower->before[axis] - upper->before[axis];
    const int64_t end = last + upper->after[axis] - lower->after[axis];
    return level == 0   ? first > 0 && last > 0
           : level == 1 ? begin > 0 && end > 0
                        : first >= 0 && last >= 0 && first + last > 0;
}

/* The first of the shared vertices that the upper part owns, or the lower one's end. */
static int64_t first_above(const memory_extent *lower, const memory_extent *upper,
                           int axis)
{
    const int64_t last = end_of(lower, axis) - 1 + lower->after[axis];
    const int64_t first = upper->lo[axis] - upper->before[axis];
    return least(greatest((first + last + 1) / 2, upper->lo[axis]), end_of(lower, axis));
}

/* Lets a box end before `to`, or begin with `from`, at the latest. */
static void end_before(io_box *box, int axis, int64_t to)
{
    box->n[axis] = greatest(least(box->n[axis], to - box->lo[axis]), 0);
}

static void begin_with(io_box *box, int axis, int64_t from)
{
    const int64_t less = least(greatest(from - box->lo[axis], 0), box->n[axis]);
    box->lo[axis] += less;
    box->n[axis] -= less;
}

/* Gives another part what it owns along an axis. Cells go with their lowest vertex; but
 * the lower part has none behind its last vertex. */
static void cut(memory_extent *part, const memory_extent *other, int axis, bool below)
{
    const memory_extent *lower = below ? part : other, *upper = below ? other : part;
    const int64_t vertex = first_above(lower, upper, axis);
    const int64_t cell = least(vertex, end_of(lower, axis) - 1);
    void (*const keep)(io_box *, int, int64_t) = below ? end_before : begin_with;
    keep(&part->own[0], axis, vertex);
    keep(&part->own[1], axis, cell);
}

/* The less, the likelier do the parts follow each other along an axis: along the others,
 * they lie beside each other and share more. INT64_MAX: they do not. */
static int64_t rate(const memory_extent *part, const memory_extent *other, int axis)
{
    for (int level = 0; level < 3; level++) {
        if (is_below(part, other, axis, level) || is_below(other, part, axis, level)) {
            return 3 * shared(part, other, axis) + level;
        }
    }
    return INT64_MAX;
}

static void cut_likeliest(memory_extent *part, const memory_extent *other)
{
    const int64_t rates[3] = {rate(part, other, 0), rate(part, other, 1),
                              rate(part, other, 2)};
    const int64_t best = least(rates[0], least(rates[1], rates[2]));
    for (int axis = 0; axis < 3 && best < INT64_MAX; axis++) {
        if (rates[axis] == best) {
            cut(part, other, axis, is_below(part, other, axis, (int)(best % 3)));
        }
    }
}

/* Whether the parts have a vertex in common, or two that are neighbours. */
static bool is_near(const memory_extent *a, const memory_extent *b, int64_t fewest)
{
    return a->block == b->block && shared(a, b, 0) >= fewest &&
           shared(a, b, 1) >= fewest && shared(a, b, 2) >= fewest;
}

/* Keeps the cells behind the part along axes along which another one follows, and those
 * of a flat block. */
static void find_gaps(const memory_extent *all, int count, memory_extent *part)
{
    bool gap[3] = {false, false, false};
    for (int q = 0; q < count; q++) {
        for (int axis = 0; axis < 3 && is_near(part, &all[q], 0); axis++) {
            gap[axis] |= all[q].lo[axis] == end_of(part, axis);
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        const bool is_flat = part->lo[axis] == 0 && part->n[axis] == 1;
        part->behind[axis] = gap[axis] || is_flat ? part->behind[axis] : 0;
    }
}

void memory_find_own(const memory_extent *all, int count, memory_extent *part)
{
    find_gaps(all, count, part);
    for (int axis = 0; axis < 3; axis++) {
        part->own[0].lo[axis] = part->own[1].lo[axis] = part->lo[axis];
        part->own[0].n[axis] = part->n[axis];
        part->own[1].n[axis] = part->n[axis] - 1 + part->behind[axis];
    }
    for (int q = 0; q < count; q++) {
        if (is_near(part, &all[q], 1)) {
            cut_likeliest(part, &all[q]);
        }
    }
}
