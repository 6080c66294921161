/* Vertices that lie on faces of other blocks: the search for these faces. */
#include "search.h"

#include "base/array.h"
#include "exchange.h"
#include "io/load/geometry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Distances from a face, in units of the shortest edge there. A vertex within NEAR lies
 * on it. Up to FAR it does if the face's corners belong to the vertex's block, too:
 * coarse faces cut the corners of curved borders. */
#define NEAR 0.05
#define FAR  0.3

/* Faces that meet look at each other, within 45 degrees. */
#define FACING 0.7

/* Nearer to an edge than this part of a face, a vertex lies on the edge. */
#define SNAP 1e-3

/* ---- Bricks by place --------------------------------------------------------------- */

/* A binary tree over the bricks at ends of blocks, in the order of a Z curve (G. M.
 * Morton, 1966), so that neighbours in space are neighbours in the tree: node n has the
 * nodes 2n and 2n + 1, and leaves begin at `leaves`. */
typedef struct tree_node {
    box3 bounds;
    int block;     /* that of all its bricks; -1: there are several */
    int32_t brick; /* of a leaf */
    int64_t place; /* of a leaf: on the curve */
} tree_node;

struct joint_tree {
    const grid_layout *layout;
    int64_t leaves;
    tree_node *nodes; /* [2 leaves] */
};

/* The place of a box on the curve through 2^16 places along each axis of the bounds: the
 * digits of its middle along x, y and z in turns. */
static int64_t curve_place(const box3 *bounds, const box3 *box)
{
    enum { DIGITS = 16 };
    int64_t place = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double lo = bounds->lo.v[axis], size = bounds->hi.v[axis] - lo;
        const double middle = 0.5 * (box->lo.v[axis] + box->hi.v[axis]);
        const double share = size > 0.0 ? (middle - lo) / size : 0.0;
        const int64_t at = (int64_t)(fmin(fmax(share, 0.0), 1.0) * ((1 << DIGITS) - 1));
        for (int digit = 0; digit < DIGITS; digit++) {
            place |= (at >> digit & 1) << (3 * digit + axis);
        }
    }
    return place;
}

static int compare_leaves(const void *a, const void *b)
{
    const tree_node *one = a, *other = b;
    return one->place != other->place
               ? (one->place < other->place ? -1 : 1)
               : (one->brick > other->brick) - (one->brick < other->brick);
}

static void fill_tree(joint_tree *tree, int64_t count)
{
    const grid_layout *layout = tree->layout;
    tree_node *const leaves = tree->nodes + tree->leaves, *node = leaves;
    for (int64_t n = 0; n < 2 * tree->leaves; n++) {
        tree->nodes[n] = (tree_node){box3_empty(), -1, -1, 0};
    }
    for (int64_t brick = 0; brick < layout->nbricks; brick++) {
        if (joints_is_at_end(layout, brick)) {
            const box3 bounds = grid_brick_bounds(&layout->bricks[brick]);
            *node++ = (tree_node){bounds, grid_layout_place(layout, brick).block,
                                  (int32_t)brick, curve_place(&layout->bounds, &bounds)};
        }
    }
    qsort(leaves, (size_t)count, sizeof *leaves, compare_leaves);
    for (int64_t n = tree->leaves - 1; n > 0; n--) {
        const tree_node *a = &tree->nodes[2 * n], *b = a + 1;
        tree->nodes[n] = (tree_node){box3_union(a->bounds, b->bounds),
                                     a->block == b->block ? a->block : -1, -1, 0};
    }
}

status joints_tree_create(const grid_layout *layout, joint_tree **out)
{
    int64_t count = 0, leaves = 1;
    for (int64_t brick = 0; brick < layout->nbricks; brick++) {
        count += joints_is_at_end(layout, brick);
    }
    while (leaves < count) {
        leaves *= 2;
    }
    const size_t bytes = 2 * (size_t)leaves * sizeof(tree_node);
    joint_tree *tree = *out = calloc(1, sizeof *tree);
    if (tree) {
        *tree = (joint_tree){layout, leaves, malloc(bytes)};
    }
    if (!tree || !tree->nodes) {
        return base_fail_memory(bytes, "the bounds of bricks");
    }
    fill_tree(tree, count);
    return STATUS_OK;
}

void joints_tree_destroy(joint_tree **tree)
{
    if (*tree) {
        free((*tree)->nodes);
        free(*tree);
        *tree = NULL;
    }
}

static bool is_inside(const box3 *box, const float at[3], double margin)
{
    for (int axis = 0; axis < 3; axis++) {
        const double x = (double)at[axis];
        if (!(x >= box->lo.v[axis] - margin && x <= box->hi.v[axis] + margin)) {
            return false;
        }
    }
    return true;
}

/* ---- Questions --------------------------------------------------------------------- */

static bool has_member_in(const joint_group *group, int block)
{
    bool any = false;
    for (int64_t n = 0; n < group->count && !any; n++) {
        any = group->blocks[n] == block;
    }
    return any;
}

static void add_question(joint_search *s, int32_t joint, const joint_place *place,
                         int32_t brick)
{
    if (base_array_room(s->questions, s->nquestions, 1,
                        "the vertices that blocks share") != STATUS_OK) {
        s->status = STATUS_MEMORY;
        return;
    }
    joint_question *q = &s->questions[s->nquestions++];
    *q = (joint_question){joint, brick, place->member, .edge = place->edge};
    memcpy(q->at, place->at, sizeof q->at);
    memcpy(q->inward, place->inward, sizeof q->inward);
}

static void ask_node(joint_search *s, const joint_group *group, double margin,
                     int64_t number)
{
    const tree_node *node = &s->tree->nodes[number];
    if (!is_inside(&node->bounds, group->places[0]->at, margin) ||
        has_member_in(group, node->block)) {
        return;
    }
    if (number < s->tree->leaves) {
        ask_node(s, group, margin, 2 * number);
        ask_node(s, group, margin, 2 * number + 1);
        return;
    }
    for (int64_t n = 0; n < group->count; n++) {
        add_question(s, group->joint, group->places[n], node->brick);
    }
}

bool joints_ask(joint_search *s, const joint_group *group)
{
    const int64_t before = s->nquestions;
    double margin = 0.0;
    bool is_open = false; /* walls have nothing behind them */
    for (int64_t n = 0; n < group->count; n++) {
        margin = fmax(margin, FAR * (double)group->places[n]->edge);
        is_open = is_open || group->places[n]->walls == 0;
    }
    if (is_open) {
        ask_node(s, group, margin, 1);
    }
    return s->nquestions > before;
}

static int compare_questions(const void *first, const void *second)
{
    const joint_question *a = first, *b = second;
    const int order = (a->brick > b->brick) - (a->brick < b->brick);
    return order != 0 ? order : joints_compare_members(&a->member, &b->member);
}

/* ---- Faces ------------------------------------------------------------------------- */

/* A face of a cell at an end of a block. */
typedef struct end_face {
    vec3 corner[4]; /* (0, 0), (1, 0), (0, 1), (1, 1) */
    vec3 inward;    /* along the cell's edges that leave the face */
    box3 bounds;
    double edge;       /* the shortest of the face and of `inward` */
    int axis, cell[3]; /* the lowest corner, in the brick */
} end_face;

static vec3 bilinear(const vec3 corner[4], double s, double t, vec3 *along_s,
                     vec3 *along_t)
{
    const vec3 low = vec3_sub(corner[1], corner[0]),
               high = vec3_sub(corner[3], corner[2]);
    const vec3 left = vec3_sub(corner[2], corner[0]);
    *along_s = vec3_add(vec3_scale(low, 1.0 - t), vec3_scale(high, t));
    const vec3 right = vec3_sub(corner[3], corner[1]);
    *along_t = vec3_add(vec3_scale(left, 1.0 - s), vec3_scale(right, s));
    return vec3_add(vec3_add(corner[0], vec3_scale(low, s)), vec3_scale(*along_t, t));
}

static double limit(double s)
{
    return s < 0.0 ? 0.0 : s > 1.0 ? 1.0 : s;
}

/* Finds the nearest place on a face by Gauss and Newton: the distance, INFINITY on a face
 * without area. */
static double project(const end_face *face, vec3 from, double *s, double *t)
{
    vec3 u, v, rest = vec3_sub(from, bilinear(face->corner, *s = 0.5, *t = 0.5, &u, &v));
    for (int n = 0; n < 12; n++) {
        const double uu = vec3_dot(u, u), uv = vec3_dot(u, v), vv = vec3_dot(v, v);
        const double ur = vec3_dot(u, rest), vr = vec3_dot(v, rest);
        const double det = uu * vv - uv * uv;
        if (!(det > 1e-9 * uu * vv)) {
            return INFINITY;
        }
        double to_s = limit(*s + (ur * vv - vr * uv) / det);
        const double to_t = limit(*t + (vr - uv * (to_s - *s)) / vv);
        to_s = limit(*s + (ur - uv * (to_t - *t)) / uu);
        const double step = fabs(to_s - *s) + fabs(to_t - *t);
        *s = to_s;
        *t = to_t;
        rest = vec3_sub(from, bilinear(face->corner, *s, *t, &u, &v));
        if (step < 1e-9) {
            break;
        }
    }
    return vec3_length(rest);
}

static double snap(double s)
{
    return s < SNAP ? 0.0 : s > 1.0 - SNAP ? 1.0 : s;
}

/* Whether an end of the vertex's block looks at a face. */
static bool is_facing(const end_face *face, double s, double t, const joint_question *q)
{
    vec3 u, v;
    bilinear(face->corner, s, t, &u, &v);
    vec3 outward = vec3_normalize(vec3_cross(u, v));
    outward = vec3_scale(outward, vec3_dot(outward, face->inward) > 0.0 ? -1.0 : 1.0);
    bool any = false;
    for (int n = 0; n < 3; n++) {
        const vec3 inward = vec3_make(q->inward[n][0], q->inward[n][1], q->inward[n][2]);
        any = any || vec3_dot(inward, outward) > 127.0 * FACING;
    }
    return any;
}

/* A question, for a list by brick. */
typedef struct asked_brick {
    int64_t brick, question;
} asked_brick;

/* The bricks of a rank that are asked, and their hits. */
typedef struct face_pass {
    const joint_search *search;
    const joint_question *questions;
    int64_t count;
    asked_brick *order; /* [count] */
    joint_hit *hits;    /* [count] */
    int64_t nbricks;
    int64_t *bricks; /* [nbricks], ascending */
} face_pass;

/* The vertex of a brick as a member has it: in the highest brick, before a seam. */
static io_joint_member member_at(const grid_layout *layout, const grid_brick_place *place,
                                 const int at[3])
{
    const grid_block *block = &layout->blocks[place->block];
    int64_t vertex[3];
    for (int axis = 0; axis < 3; axis++) {
        vertex[axis] = place->lo[axis] + at[axis];
        if (block->closed[axis] && vertex[axis] == block->n[axis] - 1) {
            vertex[axis] = 0;
        }
    }
    const int64_t brick = io_joints_brick(layout, place->block, vertex);
    const grid_brick_place home = grid_layout_place(layout, brick);
    int64_t local = 0;
    for (int axis = 2; axis >= 0; axis--) {
        local = local * (home.n[axis] + 1) + vertex[axis] - home.lo[axis];
    }
    return (io_joint_member){(int32_t)brick, (int32_t)local};
}

/* Makes a face the hit of a question, if none is nearer. */
static void try_face(const face_pass *p, const grid_brick_place *place,
                     const end_face *face, const joint_question *q, joint_hit *hit)
{
    double s, t;
    if (!is_inside(&face->bounds, q->at, FAR * (double)q->edge)) {
        return;
    }
    const vec3 at = vec3_make((double)q->at[0], (double)q->at[1], (double)q->at[2]);
    const double edge = fmin((double)q->edge, face->edge);
    const double reach = joints_reach(q->at, q->edge);
    const double distance = project(face, at, &s, &t);
    if (!(distance < hit->distance) || distance > fmax(FAR * edge, reach) ||
        !is_facing(face, s, t, q)) {
        return;
    }
    s = snap(s);
    t = snap(t);
    hit->distance = distance;
    hit->is_near = distance <= fmax(NEAR * edge, reach);
    for (int n = 0; n < 4; n++) {
        int corner[3] = {face->cell[0], face->cell[1], face->cell[2]};
        corner[(face->axis + 1) % 3] += n & 1;
        corner[(face->axis + 2) % 3] += n >> 1;
        hit->corner[n] = member_at(p->search->layout, place, corner);
        hit->weight[n] = (float)((n & 1 ? s : 1.0 - s) * (n >> 1 ? t : 1.0 - t));
    }
}

static vec3 load_vertex(const grid_patch *patch, const int lo[3], const int at[3])
{
    const size_t index =
        ((size_t)(lo[2] + at[2]) * (size_t)patch->n[1] + (size_t)(lo[1] + at[1])) *
            (size_t)patch->n[0] +
        (size_t)(lo[0] + at[0]);
    return vec3_make((double)patch->x[index], (double)patch->y[index],
                     (double)patch->z[index]);
}

static void take_edge(vec3 from, vec3 to, double *shortest)
{
    const double length = vec3_length(vec3_sub(to, from));
    *shortest = length > 0.0 ? fmin(*shortest, length) : *shortest;
}

/* Loads the face of a cell whose lowest corner is set. way: 1 or -1, to the inside. */
static void load_face(const grid_patch *patch, const int lo[3], int way, end_face *face)
{
    face->bounds = box3_empty();
    face->edge = INFINITY;
    face->inward = vec3_make(0.0, 0.0, 0.0);
    for (int n = 0; n < 4; n++) {
        int at[3] = {face->cell[0], face->cell[1], face->cell[2]};
        at[(face->axis + 1) % 3] += n & 1;
        at[(face->axis + 2) % 3] += n >> 1;
        const vec3 here = face->corner[n] = load_vertex(patch, lo, at);
        at[face->axis] += way;
        const vec3 inside = load_vertex(patch, lo, at);
        face->bounds = box3_union(face->bounds, (box3){here, here});
        face->inward = vec3_add(face->inward, vec3_sub(inside, here));
        take_edge(here, inside, &face->edge);
    }
    static const int ring[5] = {0, 1, 3, 2, 0};
    for (int n = 0; n < 4; n++) {
        take_edge(face->corner[ring[n]], face->corner[ring[n + 1]], &face->edge);
    }
}

/* Tries the faces of a brick at one end of its block. */
static void try_end(const face_pass *p, const grid_patch *patch, const int lo[3],
                    const grid_brick_place *place, const int axis_and_side[2],
                    const int64_t range[2])
{
    const int axis = axis_and_side[0], side = axis_and_side[1];
    const int b = (axis + 1) % 3, c = (axis + 2) % 3;
    end_face face = {.axis = axis};
    for (int n = 0; n < place->n[b] * place->n[c]; n++) {
        int cell[3];
        cell[b] = n % place->n[b];
        cell[c] = n / place->n[b];
        cell[axis] = side == 0 ? 0 : place->n[axis] - 1;
        const size_t lowest = ((size_t)(lo[2] + cell[2]) * (size_t)patch->n[1] +
                               (size_t)(lo[1] + cell[1])) *
                                  (size_t)patch->n[0] +
                              (size_t)(lo[0] + cell[0]);
        if (!io_load_has_cell(patch, lowest)) {
            continue;
        }
        cell[axis] += side;
        memcpy(face.cell, cell, sizeof cell);
        load_face(patch, lo, side == 0 ? 1 : -1, &face);
        for (int64_t m = range[0]; m < range[1]; m++) {
            const int64_t q = p->order[m].question;
            try_face(p, place, &face, &p->questions[q], &p->hits[q]);
        }
    }
}

/* The questions to a brick: [range[0], range[1]) of the order. */
static void find_range(const face_pass *p, int64_t brick, int64_t range[2])
{
    for (int side = 0; side < 2; side++) {
        int64_t lo = 0, hi = p->count;
        while (lo < hi) {
            const int64_t middle = (lo + hi) / 2;
            if (p->order[middle].brick < brick + side) {
                lo = middle + 1;
            } else {
                hi = middle;
            }
        }
        range[side] = lo;
    }
}

static void try_brick(const face_pass *p, const io_window *window,
                      const grid_patch *patch, int64_t brick)
{
    const grid_layout *layout = p->search->layout;
    const grid_brick_place place = grid_layout_place(layout, brick);
    const grid_block *block = &layout->blocks[place.block];
    int lo[3];
    int64_t range[2];
    find_range(p, brick, range);
    for (int axis = 0; axis < 3; axis++) {
        lo[axis] = (int)(place.lo[axis] - window->lo[axis] * GRID_BRICK_CELLS) +
                   patch->core_lo[axis];
    }
    for (int axis = 0; axis < 3; axis++) {
        for (int side = 0; side < 2 && !block->closed[axis]; side++) {
            const int64_t end = side == 0
                                    ? place.lo[axis]
                                    : block->n[axis] - 1 - place.lo[axis] - place.n[axis];
            if (end == 0) {
                try_end(p, patch, lo, &place, (const int[2]){axis, side}, range);
            }
        }
    }
}

static status visit_faces(void *context, const io_window *window, const grid_patch *patch)
{
    const face_pass *p = context;
#pragma omp parallel for schedule(dynamic)
    for (int64_t n = 0; n < io_window_brick_count(window); n++) {
        try_brick(p, window, patch, io_window_brick(p->search->layout, window, n));
    }
    return STATUS_OK;
}

/* ---- Hits -------------------------------------------------------------------------- */

static int compare_asked(const void *first, const void *second)
{
    const asked_brick *a = first, *b = second;
    const int order = (a->brick > b->brick) - (a->brick < b->brick);
    return order != 0 ? order : (a->question > b->question) - (a->question < b->question);
}

/* Lists the bricks that are asked, and makes room for their hits. */
static status list_asked(face_pass *p)
{
    const size_t count = (size_t)p->count + 1;
    p->order = malloc(count * sizeof *p->order);
    p->hits = calloc(count, sizeof *p->hits);
    p->bricks = malloc(count * sizeof *p->bricks);
    if (!p->order || !p->hits || !p->bricks) {
        return base_fail_memory(count * sizeof *p->hits,
                                "the vertices that blocks share");
    }
    for (int64_t n = 0; n < p->count; n++) {
        p->order[n] = (asked_brick){p->questions[n].brick, n};
        p->hits[n].distance = INFINITY;
    }
    qsort(p->order, (size_t)p->count, sizeof *p->order, compare_asked);
    for (int64_t n = 0; n < p->count; n++) {
        if (n == 0 || p->order[n].brick != p->order[n - 1].brick) {
            p->bricks[p->nbricks++] = p->order[n].brick;
        }
    }
    return STATUS_OK;
}

/* Finds the hits of questions to bricks of this rank. Collective. */
static status answer(face_pass *p)
{
    const joint_search *s = p->search;
    const io_sweep sweep = {.comm = s->joints->comm,
                            .source = s->source,
                            .layout = s->layout,
                            .step = IO_GRID_STEP,
                            .coordinates = true,
                            .blanked = true,
                            .visit = visit_faces,
                            .context = p};
    const status result = parallel_agree(sweep.comm, list_asked(p));
    return result == STATUS_OK ? io_sweep_run(&sweep, p->nbricks, p->bricks) : result;
}

/* The nearest hit of a joint on a block comes first. */
static int compare_hits(const void *first, const void *second)
{
    const joint_hit *a = first, *b = second;
    int order = (a->joint > b->joint) - (a->joint < b->joint);
    order = order != 0 ? order : (a->block > b->block) - (a->block < b->block);
    order =
        order != 0 ? order : (a->distance > b->distance) - (a->distance < b->distance);
    order = order != 0 ? order : (a->brick > b->brick) - (a->brick < b->brick);
    return order != 0 ? order : joints_compare_members(&a->member, &b->member);
}

/* Keeps the nearest hits of this rank's questions. hits: [nquestions] */
static void keep_hits(joint_search *s, joint_hit *hits)
{
    for (int64_t n = 0; n < s->nquestions; n++) {
        hits[n].joint = s->questions[n].joint;
        hits[n].brick = s->questions[n].brick;
        hits[n].block = grid_layout_place(s->layout, hits[n].brick).block;
        hits[n].member = s->questions[n].member;
    }
    qsort(hits, (size_t)s->nquestions, sizeof *hits, compare_hits);
    for (int64_t n = 0; n < s->nquestions; n++) {
        const joint_hit *last = s->nhits > 0 ? &hits[s->nhits - 1] : NULL;
        if (isfinite(hits[n].distance) &&
            !(last && last->joint == hits[n].joint && last->block == hits[n].block)) {
            hits[s->nhits++] = hits[n];
        }
    }
    s->hits = hits;
}

status joints_find_hits(joint_search *s)
{
    io_joints *joints = s->joints;
    const MPI_Comm comm = joints->comm;
    int64_t total = 0;
    joint_question *questions = NULL;
    joint_hit *hits = NULL;
    face_pass p = {.search = s};
    parallel_allreduce(&s->nquestions, &total, 1, MPI_INT64_T, MPI_SUM, comm);
    if (total == 0) {
        return STATUS_OK;
    }
    memset(joints->to, 0, (size_t)joints->ranks * sizeof *joints->to);
    for (int64_t n = 0; n < s->nquestions; n++) {
        joints->to[io_joints_rank(joints, s->layout, s->questions[n].brick)]++;
    }
    if (s->nquestions > 0) {
        qsort(s->questions, (size_t)s->nquestions, sizeof *questions, compare_questions);
    }
    status result = io_exchange(comm, sizeof *questions, s->questions, joints->to,
                                (void **)&questions, joints->from);
    if (result == STATUS_OK) {
        p.questions = questions;
        p.count = io_exchange_total(joints->ranks, joints->from);
        result = answer(&p);
    }
    if (result == STATUS_OK) {
        result = io_exchange(comm, sizeof *hits, p.hits, joints->from, (void **)&hits,
                             joints->to);
    }
    if (result == STATUS_OK) {
        keep_hits(s, hits);
    }
    free(questions);
    free(p.order);
    free(p.hits);
    free(p.bricks);
    return result;
}
