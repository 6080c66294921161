/*
 * A node over n boxes of the sorted list has 2 n - 1 nodes below and with it:
 *
 *     node        | its left half: 2 (n / 2) - 1 nodes | its right half
 */
#include "boxes.h"

#include <math.h>
#include <stdlib.h>

/* A box, and its place along the curve. */
typedef struct leaf {
    uint64_t key;
    int64_t number;
    box3 box;
} leaf;

struct grid_boxes {
    int64_t count;
    leaf *leaves; /* [count] */
    box3 *nodes;  /* [2 count - 1] */
};

static bool is_empty(const box3 *box)
{
    return !(box->lo.v[0] <= box->hi.v[0] && box->lo.v[1] <= box->hi.v[1] &&
             box->lo.v[2] <= box->hi.v[2]);
}

/* The bits of the middle of a box, those of the axes in turn. */
static uint64_t key_of(const box3 *box, const box3 *all)
{
    enum { BITS = 20 };
    uint64_t key = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double span = all->hi.v[axis] - all->lo.v[axis];
        const double middle = 0.5 * (box->lo.v[axis] + box->hi.v[axis]);
        const double part = span > 0.0 ? (middle - all->lo.v[axis]) / span : 0.0;
        const uint64_t place = (uint64_t)(part * ((1 << BITS) - 1));
        for (int bit = 0; bit < BITS; bit++) {
            key |= (place >> bit & 1) << (3 * bit + axis);
        }
    }
    return key;
}

static int compare_leaves(const void *a, const void *b)
{
    const leaf *one = a, *other = b;
    if (one->key != other->key) {
        return one->key < other->key ? -1 : 1;
    }
    return one->number < other->number ? -1 : one->number > other->number;
}

/* Finds the bounds of a node over leaves [first, first + count), and of those below. */
static box3 find_bounds(grid_boxes *boxes, int64_t node, int64_t first, int64_t count)
{
    const int64_t half = count / 2;
    boxes->nodes[node] =
        count == 1
            ? boxes->leaves[first].box
            : box3_union(find_bounds(boxes, node + 1, first, half),
                         find_bounds(boxes, node + 2 * half, first + half, count - half));
    return boxes->nodes[node];
}

status grid_boxes_create(int64_t count, const box3 *boxes, grid_boxes **out)
{
    grid_boxes *made = calloc(1, sizeof *made);
    box3 all = box3_empty();
    if (made) {
        made->leaves = malloc(((size_t)count + 1) * sizeof *made->leaves);
        made->nodes = malloc((2 * (size_t)count + 1) * sizeof *made->nodes);
    }
    if (!made || !made->leaves || !made->nodes) {
        grid_boxes_destroy(&made);
        return base_fail_memory((size_t)count * sizeof(leaf), "a search for places");
    }
    for (int64_t n = 0; n < count; n++) {
        all = is_empty(&boxes[n]) ? all : box3_union(all, boxes[n]);
    }
    for (int64_t n = 0; n < count; n++) {
        if (!is_empty(&boxes[n])) {
            made->leaves[made->count++] = (leaf){key_of(&boxes[n], &all), n, boxes[n]};
        }
    }
    qsort(made->leaves, (size_t)made->count, sizeof *made->leaves, compare_leaves);
    if (made->count > 0) {
        find_bounds(made, 0, 0, made->count);
    }
    *out = made;
    return STATUS_OK;
}

void grid_boxes_destroy(grid_boxes **boxes)
{
    if (*boxes) {
        free((*boxes)->leaves);
        free((*boxes)->nodes);
        free(*boxes);
        *boxes = NULL;
    }
}

double grid_boxes_distance(const box3 *box, const double x[3])
{
    double square = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const double below = box->lo.v[axis] - x[axis];
        const double above = x[axis] - box->hi.v[axis];
        const double beside = below > above ? below : above; /* fmax is a call */
        square += beside > 0.0 ? beside * beside : 0.0;
    }
    return square;
}

/* A part of a walk. */
typedef struct part {
    int64_t node, first, count;
} part;

static void walk(const grid_boxes *boxes, const double from[3],
                 const grid_boxes_walker *walker, part at)
{
    if (!walker->enters(walker->context, &boxes->nodes[at.node])) {
        return;
    }
    if (at.count == 1) {
        walker->takes(walker->context, boxes->leaves[at.first].number);
        return;
    }
    const int64_t half = at.count / 2;
    const part halves[2] = {{at.node + 1, at.first, half},
                            {at.node + 2 * half, at.first + half, at.count - half}};
    const int nearer = grid_boxes_distance(&boxes->nodes[halves[1].node], from) <
                       grid_boxes_distance(&boxes->nodes[halves[0].node], from);
    walk(boxes, from, walker, halves[nearer]);
    walk(boxes, from, walker, halves[1 - nearer]);
}

void grid_boxes_walk(const grid_boxes *boxes, const double from[3],
                     const grid_boxes_walker *walker)
{
    if (boxes->count > 0) {
        walk(boxes, from, walker, (part){0, 0, boxes->count});
    }
}
