#include "grid/cutter.h"

#include "grid/partition_tree.h"

#include <math.h>
#include <stdlib.h>

enum { BINS = 64 }; /* of one axis of one box */

/* A node of the tree that is being made, by its number there. */
typedef struct cutter_node {
    int parts;
    int level;
    int slot; /* of its histograms, while its level is being cut */
    box3 box; /* around its points */
} cutter_node;

struct grid_cutter {
    grid_partition *partition;
    cutter_node *nodes; /* [nparts - 1] */
    int level;          /* that comes next; nodes above it are cut */
};

void grid_cutter_destroy(grid_cutter **cutter)
{
    if (*cutter) {
        grid_partition_destroy(&(*cutter)->partition);
        free((*cutter)->nodes);
        free(*cutter);
        *cutter = NULL;
    }
}

/* Numbers of parts and levels below a node. */
static void set_up(cutter_node *nodes, int node, int parts, int level)
{
    if (parts > 1) {
        const int nleft = parts / 2;
        nodes[node].parts = parts;
        nodes[node].level = level;
        set_up(nodes, node + 1, nleft, level + 1);
        set_up(nodes, node + nleft, parts - nleft, level + 1);
    }
}

status grid_cutter_create(box3 bounds, int nparts, grid_cutter **out)
{
    grid_cutter *cutter = calloc(1, sizeof *cutter);
    const size_t bytes = (size_t)nparts * sizeof *cutter->nodes;
    status s = cutter ? grid_partition_allocate(nparts, &cutter->partition)
                      : base_fail_memory(sizeof *cutter, "the partition of the grid");
    if (s == STATUS_OK) {
        cutter->nodes = calloc(1, bytes);
        s = cutter->nodes ? STATUS_OK
                          : base_fail_memory(bytes, "the partition of the grid");
    }
    if (s != STATUS_OK) {
        grid_cutter_destroy(&cutter);
        return s;
    }
    set_up(cutter->nodes, 0, nparts, 0);
    cutter->nodes[0].box = bounds;
    *out = cutter;
    return STATUS_OK;
}

int grid_cutter_begin(grid_cutter *cutter)
{
    int slots = 0;
    for (int node = 0; node < cutter->partition->nparts - 1; node++) {
        cutter_node *n = &cutter->nodes[node];
        n->slot = n->level == cutter->level ? slots++ : -1;
    }
    return slots * 3 * BINS;
}

/* The node of this level that a point lies in, or -1: its part is cut already. */
static int find_node(const grid_cutter *cutter, vec3 point)
{
    int node = 0, parts = cutter->partition->nparts;
    while (parts > 1 && cutter->nodes[node].level < cutter->level) {
        const tree_node *cut = &cutter->partition->nodes[node];
        const int nleft = parts / 2;
        const bool is_left = point.v[cut->axis] < cut->plane;
        node += is_left ? 1 : nleft;
        parts = is_left ? nleft : parts - nleft;
    }
    return parts > 1 ? node : -1;
}

void grid_cutter_add(const grid_cutter *cutter, vec3 point, double weight, double *bins)
{
    const int node = find_node(cutter, point);
    if (node < 0) {
        return;
    }
    const box3 box = cutter->nodes[node].box;
    for (int axis = 0; axis < 3; axis++) {
        const double side = box.hi.v[axis] - box.lo.v[axis];
        const double at = (point.v[axis] - box.lo.v[axis]) / side * BINS;
        const int bin = !(at > 0.0) ? 0 : at < BINS ? (int)at : BINS - 1;
        bins[(cutter->nodes[node].slot * 3 + axis) * BINS + bin] += weight;
    }
}

/* Where the intervals of a side end that hold something; all of it, where none does. */
static void shrink(const double *bins, double *lo, double *hi)
{
    int first = 0, last = BINS - 1;
    while (first < BINS && !(bins[first] > 0.0)) {
        first++;
    }
    while (last > first && !(bins[last] > 0.0)) {
        last--;
    }
    if (first < BINS) {
        const double from = *lo, step = (*hi - *lo) / BINS;
        *lo = from + first * step;
        *hi = last == BINS - 1 ? *hi : from + (last + 1) * step;
    }
}

/* Where the weight from the left on reaches a share of all. */
static double find_plane(const double *bins, double lo, double hi, double share)
{
    double all = 0.0, sum = 0.0;
    for (int bin = 0; bin < BINS; bin++) {
        all += bins[bin];
    }
    const double wanted = share * all, step = (hi - lo) / BINS;
    for (int bin = 0; bin < BINS; bin++) {
        if (bins[bin] > 0.0 && sum + bins[bin] >= wanted) {
            return lo + (bin + (wanted - sum) / bins[bin]) * step;
        }
        sum += bins[bin];
    }
    return lo + share * (hi - lo); /* nothing is there */
}

static int longest_axis(box3 box)
{
    int longest = 0;
    for (int axis = 1; axis < 3; axis++) {
        if (box.hi.v[axis] - box.lo.v[axis] > box.hi.v[longest] - box.lo.v[longest]) {
            longest = axis;
        }
    }
    return longest;
}

static void cut_node(grid_cutter *cutter, int node, const double *bins)
{
    const int parts = cutter->nodes[node].parts, nleft = parts / 2;
    const box3 box = cutter->nodes[node].box;
    box3 left = box, right;
    for (int axis = 0; axis < 3; axis++) {
        shrink(bins + axis * BINS, &left.lo.v[axis], &left.hi.v[axis]);
    }
    const int axis = longest_axis(left);
    const double plane = find_plane(bins + axis * BINS, box.lo.v[axis], box.hi.v[axis],
                                    (double)nleft / parts);
    right = left;
    left.hi.v[axis] = right.lo.v[axis] = plane;
    cutter->partition->nodes[node] = (tree_node){axis, plane};
    if (nleft > 1) {
        cutter->nodes[node + 1].box = left;
    }
    if (parts - nleft > 1) {
        cutter->nodes[node + nleft].box = right;
    }
}

void grid_cutter_cut(grid_cutter *cutter, const double *bins)
{
    for (int node = 0; node < cutter->partition->nparts - 1; node++) {
        const int slot = cutter->nodes[node].slot;
        if (slot >= 0) {
            cut_node(cutter, node, bins + (size_t)slot * 3 * BINS);
        }
    }
    cutter->level++;
}

void grid_cutter_finish(grid_cutter **cutter, grid_partition **out)
{
    *out = (*cutter)->partition;
    (*cutter)->partition = NULL;
    grid_cutter_destroy(cutter);
}
