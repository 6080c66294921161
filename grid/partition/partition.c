#include "partition.h"

#include "partition_tree.h"

#include <stdlib.h>

/* The part of a brick that lies inside a node's box. */
typedef struct fragment {
    double lo[3], hi[3];
    double cells; /* or another weight to balance */
} fragment;

typedef struct fragment_list {
    int64_t count;
    fragment *items;
} fragment_list;

/* ---- fragments -------------------------------------------------------------------- */

static status allocate_fragments(int64_t count, fragment_list *list)
{
    size_t bytes = (size_t)count * sizeof *list->items;
    list->count = 0;
    list->items = malloc(bytes > 0 ? bytes : 1);
    return list->items != NULL ? STATUS_OK
                               : base_fail_memory(bytes, "the partition of the grid");
}

static void append_brick(fragment_list *list, const grid_brick_info *brick, double cells)
{
    fragment *f = &list->items[list->count++];
    for (int axis = 0; axis < 3; axis++) {
        f->lo[axis] = (double)brick->lo[axis];
        f->hi[axis] = (double)brick->hi[axis];
    }
    f->cells = cells;
}

static status list_bricks(const grid_layout *layout, const double *weights,
                          fragment_list *list)
{
    status s = allocate_fragments(layout->nbricks, list);
    for (int64_t number = 0; number < layout->nbricks && s == STATUS_OK; number++) {
        const grid_brick_info *brick = &layout->bricks[number];
        const double weight = weights ? weights[number] : (double)brick->cells;
        if (brick->cells > 0 && weight > 0.0) {
            append_brick(list, brick, weight);
        }
    }
    return s;
}

/* Cells of a fragment left of the plane. A flat fragment lies on one side as a whole. In
 * the plane itself it counts as right of it, as its points do. */
static double cells_left(const fragment *f, int axis, double plane)
{
    if (plane <= f->lo[axis]) {
        return 0.0;
    }
    if (plane >= f->hi[axis]) {
        return f->cells;
    }
    return f->cells * ((plane - f->lo[axis]) / (f->hi[axis] - f->lo[axis]));
}

static double list_cells_left(const fragment_list *list, int axis, double plane)
{
    double cells = 0.0;
    for (int64_t item = 0; item < list->count; item++) {
        cells += cells_left(&list->items[item], axis, plane);
    }
    return cells;
}

static double list_cells(const fragment_list *list)
{
    double cells = 0.0;
    for (int64_t item = 0; item < list->count; item++) {
        cells += list->items[item].cells;
    }
    return cells;
}

static box3 list_bounds(const fragment_list *list)
{
    box3 bounds = box3_empty();
    for (int64_t item = 0; item < list->count; item++) {
        const fragment *f = &list->items[item];
        bounds = box3_union(bounds, (box3){vec3_make(f->lo[0], f->lo[1], f->lo[2]),
                                           vec3_make(f->hi[0], f->hi[1], f->hi[2])});
    }
    return bounds;
}

/* Puts a fragment into the list of its side, or its two pieces into both lists. */
static void split_fragment(const fragment *f, tree_node cut, fragment_list *left,
                           fragment_list *right)
{
    int axis = cut.axis;
    if (f->lo[axis] >= cut.plane) {
        right->items[right->count++] = *f;
    } else if (f->hi[axis] <= cut.plane) {
        left->items[left->count++] = *f;
    } else {
        fragment *l = &left->items[left->count++], *r = &right->items[right->count++];
        *l = *f;
        *r = *f;
        l->cells = cells_left(f, axis, cut.plane);
        r->cells = f->cells - l->cells;
        l->hi[axis] = cut.plane;
        r->lo[axis] = cut.plane;
    }
}

/* Makes the lists of both sides of a cut. After a failure each list is NULL or memory
 * that the caller frees. */
static status split_list(const fragment_list *list, tree_node cut, fragment_list *left,
                         fragment_list *right)
{
    int64_t nleft = 0, nright = 0;
    for (int64_t item = 0; item < list->count; item++) {
        nleft += list->items[item].lo[cut.axis] < cut.plane;
        nright += !(list->items[item].hi[cut.axis] <= cut.plane) ||
                  list->items[item].lo[cut.axis] >= cut.plane;
    }
    status s = allocate_fragments(nleft, left);
    if (s == STATUS_OK) {
        s = allocate_fragments(nright, right);
    }
    for (int64_t item = 0; item < list->count && s == STATUS_OK; item++) {
        split_fragment(&list->items[item], cut, left, right);
    }
    return s;
}

/* ---- cuts ------------------------------------------------------------------------- */

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

/* The place between lo and hi at which the cells on the left reach `wanted`. Their number
 * never falls as the plane moves right, so bisection finds it. */
static double find_plane(const fragment_list *list, int axis, double lo, double hi,
                         double wanted)
{
    const int halvings = 32; /* accurate to 2e-10 of the distance from lo to hi */
    for (int step = 0; step < halvings; step++) {
        double middle = lo + 0.5 * (hi - lo);
        if (list_cells_left(list, axis, middle) < wanted) {
            lo = middle;
        } else {
            hi = middle;
        }
    }
    return hi;
}

/* A cut of a box without cells: any plane that is finite and not outside the box. */
static tree_node cut_empty_box(box3 box)
{
    double lo = box.lo.v[0], hi = box.hi.v[0];
    double plane = 0.0;
    if (isfinite(lo) && isfinite(hi)) {
        plane = lo + 0.5 * (hi - lo);
    } else if (isfinite(lo)) {
        plane = lo;
    } else if (isfinite(hi)) {
        plane = hi;
    }
    return (tree_node){0, plane};
}

static tree_node choose_cut(const fragment_list *list, box3 box, double left_share)
{
    if (list->count == 0) {
        return cut_empty_box(box);
    }
    box3 bounds = list_bounds(list);
    int axis = longest_axis(bounds);
    double wanted = left_share * list_cells(list);
    return (tree_node){
        axis, find_plane(list, axis, bounds.lo.v[axis], bounds.hi.v[axis], wanted)};
}

/* The halves of a box on the two sides of a cut. */
static void halve_box(box3 box, tree_node cut, box3 *left, box3 *right)
{
    *left = *right = box;
    left->hi.v[cut.axis] = cut.plane;
    right->lo.v[cut.axis] = cut.plane;
}

/* Cuts the subtree of `parts` parts at `node`. Frees the list's items. */
static status cut_subtree(grid_partition *partition, int node, int parts, box3 box,
                          fragment_list list)
{
    if (parts == 1) {
        free(list.items);
        return STATUS_OK;
    }
    const int nleft = partition->nleft[node];
    tree_node cut = choose_cut(&list, box, (double)nleft / parts);
    partition->nodes[node] = cut;
    fragment_list left = {0, NULL}, right = {0, NULL};
    status s = split_list(&list, cut, &left, &right);
    free(list.items); /* before going down, so that memory does not grow with the depth */
    if (s != STATUS_OK) {
        free(left.items);
        free(right.items);
        return s;
    }
    box3 left_box, right_box;
    halve_box(box, cut, &left_box, &right_box);
    s = cut_subtree(partition, node + 1, nleft, left_box, left);
    if (s != STATUS_OK) {
        free(right.items);
        return s;
    }
    return cut_subtree(partition, node + nleft, parts - nleft, right_box, right);
}

/* ---- the partition ---------------------------------------------------------------- */

/* Whether leaves [first, first + parts) belong to several groups. */
static bool has_several(const grid_partition *partition, const int *group, int first,
                        int parts)
{
    return group &&
           group[partition->part[first]] != group[partition->part[first + parts - 1]];
}

/* Parts on the left of a subtree of the leaves [first, first + parts): half, or whole
 * groups as near to half as possible. */
static int split_parts(const grid_partition *partition, grid_parts all, int first,
                       int parts)
{
    const int *part = partition->part + first;
    const int half = parts / 2;
    const int *group = all.group;
    if (!has_several(partition, group, first, parts)) {
        return half;
    }
    int best = -parts;
    for (int n = 1; n < parts; n++) {
        if (group[part[n - 1]] != group[part[n]] && abs(n - half) < abs(best - half)) {
            best = n;
        }
    }
    return best;
}

static void set_up(grid_partition *partition, grid_parts all, int node, int first,
                   int parts)
{
    if (parts > 1) {
        const int nleft = split_parts(partition, all, first, parts);
        partition->nleft[node] = nleft;
        set_up(partition, all, node + 1, first, nleft);
        set_up(partition, all, node + nleft, first + nleft, parts - nleft);
    }
}

/* A part with the key to sort it by. */
typedef struct grouped_part {
    int group, part;
} grouped_part;

static int compare_groups(const void *left, const void *right)
{
    const grouped_part *a = left;
    const grouped_part *b = right;
    return a->group != b->group ? (a->group > b->group) - (a->group < b->group)
                                : (a->part > b->part) - (a->part < b->part);
}

/* Numbers the leaves: group by group, in each by ascending parts. */
static status order_leaves(grid_parts parts, grid_partition *partition)
{
    const size_t bytes = (size_t)parts.count * sizeof(grouped_part);
    grouped_part *sorted = malloc(bytes);
    if (!sorted) {
        return base_fail_memory(bytes, "the partition of the grid");
    }
    for (int n = 0; n < parts.count; n++) {
        sorted[n] = (grouped_part){parts.group ? parts.group[n] : 0, n};
    }
    if (parts.group) {
        qsort(sorted, (size_t)parts.count, sizeof *sorted, compare_groups);
    }
    for (int n = 0; n < parts.count; n++) {
        partition->part[n] = sorted[n].part;
        partition->leaf[sorted[n].part] = n;
    }
    free(sorted);
    return STATUS_OK;
}

status grid_partition_allocate(grid_parts parts, grid_partition **out)
{
    grid_partition *partition = calloc(1, sizeof *partition);
    const size_t count = (size_t)parts.count;
    if (partition != NULL) {
        partition->nparts = parts.count;
        partition->nodes = calloc(count, sizeof *partition->nodes);
        partition->nleft = calloc(count, sizeof *partition->nleft);
        partition->part = calloc(count, sizeof *partition->part);
        partition->leaf = calloc(count, sizeof *partition->leaf);
    }
    const bool has_memory = partition != NULL && partition->nodes && partition->nleft &&
                            partition->part && partition->leaf;
    status s = has_memory ? order_leaves(parts, partition)
                          : base_fail_memory(count * sizeof *partition->nodes,
                                             "the partition of the grid");
    if (s != STATUS_OK) {
        grid_partition_destroy(&partition);
        return s;
    }
    set_up(partition, parts, 0, 0, parts.count);
    *out = partition;
    return STATUS_OK;
}

status grid_partition_create_weighted(const grid_layout *layout, grid_parts parts,
                                      const double *weights, grid_partition **out)
{
    grid_partition *partition = NULL;
    status s = grid_partition_allocate(parts, &partition);
    if (s != STATUS_OK) {
        return s;
    }
    fragment_list list;
    s = list_bricks(layout, weights, &list);
    if (s == STATUS_OK) {
        s = cut_subtree(partition, 0, parts.count, box3_everything(), list);
    }
    if (s != STATUS_OK) {
        grid_partition_destroy(&partition);
        return s;
    }
    *out = partition;
    return STATUS_OK;
}

status grid_partition_create(const grid_layout *layout, int nparts, grid_partition **out)
{
    return grid_partition_create_weighted(layout, (grid_parts){.count = nparts}, NULL,
                                          out);
}

void grid_partition_destroy(grid_partition **partition)
{
    if (partition != NULL && *partition != NULL) {
        free((*partition)->nodes);
        free((*partition)->nleft);
        free((*partition)->part);
        free((*partition)->leaf);
        free(*partition);
        *partition = NULL;
    }
}

int grid_partition_count(const grid_partition *partition)
{
    return partition->nparts;
}

box3 grid_partition_box(const grid_partition *partition, int part)
{
    box3 box = box3_everything();
    const int leaf = partition->leaf[part];
    int node = 0, first = 0, parts = partition->nparts;
    while (parts > 1) {
        const int nleft = partition->nleft[node];
        box3 left, right;
        halve_box(box, partition->nodes[node], &left, &right);
        const bool goes_left = leaf < first + nleft;
        box = goes_left ? left : right;
        node += goes_left ? 1 : nleft;
        first += goes_left ? 0 : nleft;
        parts = goes_left ? nleft : parts - nleft;
    }
    return box;
}

typedef struct order_walk {
    const grid_partition *partition;
    vec3 view;
    bool perspective;
    int *order;
    int count; /* parts in `order` so far */
} order_walk;

/* Whether rays pass through the left half of a node before the right half. */
static bool left_is_nearer(const order_walk *walk, tree_node cut)
{
    double along = walk->view.v[cut.axis];
    return walk->perspective ? along < cut.plane : along > 0.0;
}

static void order_subtree(order_walk *walk, int node, int first, int parts)
{
    if (parts == 1) {
        walk->order[walk->count++] = walk->partition->part[first];
        return;
    }
    const int nleft = walk->partition->nleft[node];
    if (left_is_nearer(walk, walk->partition->nodes[node])) {
        order_subtree(walk, node + 1, first, nleft);
        order_subtree(walk, node + nleft, first + nleft, parts - nleft);
    } else {
        order_subtree(walk, node + nleft, first + nleft, parts - nleft);
        order_subtree(walk, node + 1, first, nleft);
    }
}

void grid_partition_order(const grid_partition *partition, vec3 view, bool perspective,
                          int *order)
{
    order_walk walk = {partition, view, perspective, order, 0};
    order_subtree(&walk, 0, 0, partition->nparts);
}
