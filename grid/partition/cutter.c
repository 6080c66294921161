#include "cutter.h"

#include "partition_tree.h"

#include <math.h>
#include <stdlib.h>

enum { BINS = 64 }; /* intervals of a histogram: one axis of one box */

/* A node of the tree in the making, at its index in the tree. A level takes two rounds.
 * The first finds the axis, and the interval of its histogram that holds the cut. The
 * second finds the place within that interval. */
typedef struct cutter_node {
    int parts;
    int level;
    int slot;      /* index of its histograms while its level is being cut, else -1 */
    box3 box;      /* around its points; the first round shrinks it to the occupied
                      intervals */
    int axis;      /* for the second round: */
    double lo, hi; /* the interval, */
    double wanted; /* and the share of its weight that belongs on the left */
} cutter_node;

struct grid_cutter {
    grid_partition *partition;
    cutter_node *nodes; /* [nparts - 1] */
    bool has_sight;
    grid_sight sight;
    int level;      /* the next to cut; nodes above it are cut */
    bool is_second; /* the second round of that level is under way */
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

/* Sets the numbers of parts and the levels at and below a node. */
static void set_up(grid_cutter *cutter, int node, int parts, int level)
{
    if (parts > 1) {
        const int nleft = cutter->partition->nleft[node];
        cutter->nodes[node].parts = parts;
        cutter->nodes[node].level = level;
        set_up(cutter, node + 1, nleft, level + 1);
        set_up(cutter, node + nleft, parts - nleft, level + 1);
    }
}

status grid_cutter_create(box3 bounds, grid_parts parts, const grid_sight *sight,
                          grid_cutter **out)
{
    grid_cutter *cutter = calloc(1, sizeof *cutter);
    const size_t bytes = (size_t)parts.count * sizeof *cutter->nodes;
    status s = cutter ? grid_partition_allocate(parts, &cutter->partition)
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
    set_up(cutter, 0, parts.count, 0);
    cutter->nodes[0].box = bounds;
    cutter->has_sight = sight != NULL;
    if (sight) {
        cutter->sight = *sight;
    }
    *out = cutter;
    return STATUS_OK;
}

/* In the first round histograms of all axes, in the second of one. */
static int bins_of_node(const grid_cutter *cutter)
{
    return cutter->is_second ? BINS : 3 * BINS;
}

int grid_cutter_begin(grid_cutter *cutter)
{
    int slots = 0;
    for (int node = 0; node < cutter->partition->nparts - 1; node++) {
        cutter_node *n = &cutter->nodes[node];
        n->slot = n->level == cutter->level ? slots++ : -1;
    }
    return slots * bins_of_node(cutter);
}

/* The node of this level that holds a point; -1 if its part is already cut out. */
static int find_node(const grid_cutter *cutter, vec3 point)
{
    int node = 0, parts = cutter->partition->nparts;
    while (parts > 1 && cutter->nodes[node].level < cutter->level) {
        const tree_node *cut = &cutter->partition->nodes[node];
        const int nleft = cutter->partition->nleft[node];
        const bool is_left = point.v[cut->axis] < cut->plane;
        node += is_left ? 1 : nleft;
        parts = is_left ? nleft : parts - nleft;
    }
    return parts > 1 ? node : -1;
}

/* Adds to a histogram of [lo, hi). */
static void add_weight(double at, double lo, double hi, double weight, double *bins)
{
    const double place = (at - lo) / (hi - lo) * BINS;
    bins[!(place > 0.0) ? 0 : place < BINS ? (int)place : BINS - 1] += weight;
}

void grid_cutter_add(const grid_cutter *cutter, vec3 point, double weight, double *bins)
{
    const int found = find_node(cutter, point);
    if (found < 0) {
        return;
    }
    const cutter_node *node = &cutter->nodes[found];
    double *own = bins + (size_t)node->slot * (size_t)bins_of_node(cutter);
    if (cutter->is_second) {
        const double at = point.v[node->axis];
        if (at >= node->lo && at < node->hi) {
            add_weight(at, node->lo, node->hi, weight, own);
        }
        return;
    }
    for (int axis = 0; axis < 3; axis++) {
        add_weight(point.v[axis], node->box.lo.v[axis], node->box.hi.v[axis], weight,
                   own + axis * BINS);
    }
}

/* Shrinks a side to its occupied intervals; if none is occupied, it stays. */
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

static double sum_of(const double *bins)
{
    double sum = 0.0;
    for (int bin = 0; bin < BINS; bin++) {
        sum += bins[bin];
    }
    return sum;
}

/* The interval in which the sum of weights from the left reaches `wanted`; *left: the
 * weight left of it. Interval 0 if all weights are zero. */
static int find_interval(const double *bins, double wanted, double *left)
{
    double sum = 0.0;
    int last = 0;
    *left = 0.0;
    for (int bin = 0; bin < BINS; bin++) {
        if (bins[bin] > 0.0) {
            *left = sum;
            last = bin;
            sum += bins[bin];
            if (sum >= wanted) {
                break;
            }
        }
    }
    return last;
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

/* Pixels that a cut through the middle of a box costs. The first term is the projected
 * area of the cut. Pixels on its edges share cells and rows with the neighbours, so half
 * the projected circumference is added `per_edge` times. */
static double visible_pixels(const grid_sight *sight, box3 box, int axis)
{
    static const double per_edge = 3.0;
    const vec3 middle = vec3_scale(vec3_add(box.lo, box.hi), 0.5);
    const vec3 along = sight->perspective ? vec3_sub(middle, sight->view) : sight->view;
    const double distance = sight->perspective ? vec3_length(along) : 1.0;
    const double pixel = sight->pixel * fmax(distance, 1e-9);
    const vec3 direction = vec3_normalize(along);
    double area = fabs(direction.v[axis]), edges = 0.0;
    for (int n = 1; n <= 2; n++) {
        const int other = (axis + n) % 3;
        const double side = (box.hi.v[other] - box.lo.v[other]) / pixel;
        const double toward = direction.v[other];
        area *= side;
        edges += side * sqrt(fmax(1.0 - toward * toward, 0.0));
    }
    return area + per_edge * edges;
}

static int choose_axis(const grid_cutter *cutter, box3 box)
{
    int best = longest_axis(box);
    for (int axis = 0; axis < 3 && cutter->has_sight; axis++) {
        const bool is_flat = !(box.hi.v[axis] > box.lo.v[axis]);
        if (!is_flat && visible_pixels(&cutter->sight, box, axis) <
                            visible_pixels(&cutter->sight, box, best)) {
            best = axis;
        }
    }
    return best;
}

/* The first round. */
static void choose_interval(const grid_cutter *cutter, int number, const double *bins)
{
    cutter_node *node = &cutter->nodes[number];
    const box3 whole = node->box;
    for (int axis = 0; axis < 3; axis++) {
        shrink(bins + axis * BINS, &node->box.lo.v[axis], &node->box.hi.v[axis]);
    }
    node->axis = choose_axis(cutter, node->box);
    const double *along = bins + node->axis * BINS;
    const int before = cutter->partition->nleft[number];
    const double wanted = sum_of(along) * before / node->parts;
    double left;
    const int bin = find_interval(along, wanted, &left);
    const double lo = whole.lo.v[node->axis], hi = whole.hi.v[node->axis];
    node->lo = lo + (hi - lo) / BINS * bin;
    node->hi =
        bin == BINS - 1 ? nextafter(hi, INFINITY) : lo + (hi - lo) / BINS * (bin + 1);
    node->wanted = wanted - left;
}

/* The second round. */
static void cut_node(grid_cutter *cutter, int number, const double *bins)
{
    const cutter_node *node = &cutter->nodes[number];
    const int parts = node->parts, axis = node->axis;
    const int nleft = cutter->partition->nleft[number];
    const double step = (node->hi - node->lo) / BINS;
    double before;
    const int bin = find_interval(bins, node->wanted, &before);
    const double share = bins[bin] > 0.0 ? (node->wanted - before) / bins[bin] : 0.5;
    const double plane = node->lo + (bin + fmin(fmax(share, 0.0), 1.0)) * step;
    box3 left = node->box, right = node->box;
    left.hi.v[axis] = fmax(fmin(plane, left.hi.v[axis]), left.lo.v[axis]);
    right.lo.v[axis] = left.hi.v[axis];
    cutter->partition->nodes[number] = (tree_node){axis, right.lo.v[axis]};
    if (nleft > 1) {
        cutter->nodes[number + 1].box = left;
    }
    if (parts - nleft > 1) {
        cutter->nodes[number + nleft].box = right;
    }
}

void grid_cutter_cut(grid_cutter *cutter, const double *bins)
{
    for (int number = 0; number < cutter->partition->nparts - 1; number++) {
        cutter_node *node = &cutter->nodes[number];
        if (node->slot < 0) {
            continue;
        }
        const double *own = bins + (size_t)node->slot * (size_t)bins_of_node(cutter);
        if (cutter->is_second) {
            cut_node(cutter, number, own);
        } else {
            choose_interval(cutter, number, own);
        }
    }
    cutter->level += cutter->is_second;
    cutter->is_second = !cutter->is_second;
}

void grid_cutter_finish(grid_cutter **cutter, grid_partition **out)
{
    *out = (*cutter)->partition;
    (*cutter)->partition = NULL;
    grid_cutter_destroy(cutter);
}
