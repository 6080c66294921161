/* The bricks of vertices; members of joints on their ranks, and sums over the members of
 * a joint. */
#include "search.h"

#include "exchange.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rounds until the values of joints that hang on each other are found: blocks that meet
 * at one edge have few different sizes of cells. */
enum { ROUNDS = 3 };

/* ---- Bricks ------------------------------------------------------------------------ */

int io_joints_rank(const io_joints *joints, const grid_layout *layout, int64_t brick)
{
    return (int)(((brick + 1) * joints->ranks - 1) / layout->nbricks);
}

int64_t io_joints_brick(const grid_layout *layout, int block, const int64_t vertex[3])
{
    const grid_block *of = &layout->blocks[block];
    int64_t number = 0;
    for (int axis = 2; axis >= 0; axis--) {
        const int64_t at = vertex[axis] / GRID_BRICK_CELLS, last = of->bricks[axis] - 1;
        number = number * of->bricks[axis] + (at < last ? at : last);
    }
    return of->first_brick + number;
}

bool joints_is_at_end(const grid_layout *layout, int64_t number)
{
    const grid_brick_place place = grid_layout_place(layout, number);
    const grid_block *block = &layout->blocks[place.block];
    bool any = false;
    for (int axis = 0; axis < 3; axis++) {
        any = any || (!block->closed[axis] &&
                      (place.lo[axis] == 0 ||
                       place.lo[axis] + place.n[axis] == block->n[axis] - 1));
    }
    return any && layout->bricks[number].cells > 0;
}

/* ---- Members ----------------------------------------------------------------------- */

int joints_compare_members(const io_joint_member *a, const io_joint_member *b)
{
    return a->brick != b->brick ? (a->brick > b->brick) - (a->brick < b->brick)
                                : (a->vertex > b->vertex) - (a->vertex < b->vertex);
}

/* Tells the ranks which of their vertices are members. */
status joints_send_members(io_joints *joints, const joint_part *parts)
{
    const size_t count = (size_t)joints->nparts + 1;
    io_joint_member *members = malloc(count * sizeof *members);
    joints->joint = malloc(count * sizeof *joints->joint);
    status s =
        members && joints->joint
            ? STATUS_OK
            : base_fail_memory(count * sizeof *members, "the vertices that blocks share");
    s = parallel_agree(joints->comm, s);
    if (s == STATUS_OK) {
        memset(joints->from, 0, (size_t)joints->ranks * sizeof *joints->from);
        for (int64_t n = 0; n < joints->nparts; n++) {
            members[n] = parts[n].member;
            joints->joint[n] = parts[n].joint;
            joints->from[parts[n].rank]++;
        }
        s = io_exchange(joints->comm, sizeof *members, members, joints->from,
                        (void **)&joints->members, joints->to);
        joints->count = io_exchange_total(joints->ranks, joints->to);
    }
    free(members);
    return s;
}

static int compare_order(const void *first, const void *second)
{
    return joints_compare_members(&((const io_joint_order *)first)->member,
                                  &((const io_joint_order *)second)->member);
}

/* Sorts this rank's members, and lists the bricks that have some. */
status joints_sort_members(io_joints *joints)
{
    const size_t count = (size_t)joints->count + 1;
    joints->order = malloc(count * sizeof *joints->order);
    joints->bricks = malloc(count * sizeof *joints->bricks);
    if (!joints->order || !joints->bricks) {
        return base_fail_memory(count * sizeof *joints->order,
                                "the vertices that blocks share");
    }
    joints->norder = joints->count;
    for (int64_t n = 0; n < joints->count; n++) {
        joints->order[n] = (io_joint_order){joints->members[n], n};
    }
    qsort(joints->order, (size_t)joints->count, sizeof *joints->order, compare_order);
    for (int64_t n = 0; n < joints->count; n++) {
        const int64_t brick = joints->order[n].member.brick;
        if (joints->nbricks == 0 || joints->bricks[joints->nbricks - 1] != brick) {
            joints->bricks[joints->nbricks++] = brick;
        }
    }
    return STATUS_OK;
}

/* The place of a member, or of the first one behind it, in the order. */
static int64_t find_member(const io_joints *joints, const io_joint_member *member)
{
    int64_t lo = 0, hi = joints->norder;
    while (lo < hi) {
        const int64_t middle = (lo + hi) / 2;
        if (joints_compare_members(&joints->order[middle].member, member) < 0) {
            lo = middle + 1;
        } else {
            hi = middle;
        }
    }
    return lo;
}

int64_t io_joints_member(const io_joints *joints, const io_joint_member *member)
{
    const int64_t at = find_member(joints, member);
    const io_joint_order *found = &joints->order[at];
    return at < joints->norder && joints_compare_members(&found->member, member) == 0
               ? found->index
               : -1;
}

void io_joints_of_brick(const io_joints *joints, int64_t brick, int64_t *first,
                        int64_t *end)
{
    *first = *end = find_member(joints, &(io_joint_member){(int32_t)brick, 0});
    while (*end < joints->norder && joints->order[*end].member.brick == brick) {
        (*end)++;
    }
}

/* ---- Faces ------------------------------------------------------------------------- */

/* Sends rows of this rank's members to the joints that lie on their faces, with means in
 * place of sums (joints.h); `group` 1: they are values. *received: malloc'ed,
 * [ncorners][width]; NaN where a corner is no member. Collective. */
static status pull(const io_joints *joints, int width, int group, const double *rows,
                   double **received)
{
    const io_joint_faces *faces = &joints->faces;
    const size_t size = (size_t)width;
    int64_t *counts = malloc((size_t)joints->ranks * sizeof *counts);
    double *out = malloc(((size_t)faces->nasked * size + 1) * sizeof *out);
    status s = counts && out ? STATUS_OK
                             : base_fail_memory((size_t)faces->nasked * size,
                                                "the vertices that blocks share");
    s = parallel_agree(joints->comm, s);
    if (s == STATUS_OK) {
        for (int64_t n = 0; n < faces->nasked * width; n++) {
            const int64_t member = faces->asked[n / width], c = n % width;
            const int64_t at = member * width + c;
            const bool is_sum = group > 1 && c % group > 0;
            out[n] = member < 0 ? (double)NAN
                     : is_sum   ? rows[at] / rows[at - c % group]
                                : rows[at];
        }
        s = io_exchange(joints->comm, size * sizeof *out, out, faces->to,
                        (void **)received, counts);
    }
    free(out);
    free(counts);
    return s;
}

/* Finds the values on faces, [faces->count][width], from those at corners: bilinear, or
 * the largest one of weights. NaN: no corner has a value. */
static status interpolate(const io_joints *joints, int width, int group,
                          const double *corners, double **out)
{
    const io_joint_faces *faces = &joints->faces;
    const size_t size = (size_t)width, count = (size_t)faces->count * size + 1;
    double *weights = calloc(count, sizeof *weights);
    *out = calloc(count, sizeof **out);
    if (!weights || !*out) {
        free(weights);
        return base_fail_memory(2 * count * sizeof *weights,
                                "the vertices that blocks share");
    }
    for (int64_t n = 0; n < faces->ncorners * width; n++) {
        const io_joint_corner *corner = &faces->corners[n / width];
        const int64_t at = corner->face * width + n % width;
        const double weight = (double)corner->weight;
        if (group > 1 && n % group == 0) {
            (*out)[at] = fmax((*out)[at], corners[n]);
            weights[at] = 1.0;
        } else if (!isnan(corners[n])) {
            (*out)[at] += weight * corners[n];
            weights[at] += weight;
        }
    }
    for (size_t n = 0; n < count; n++) {
        (*out)[n] /= weights[n];
    }
    free(weights);
    return STATUS_OK;
}

/* Gets the values on the faces of this rank's joints. Collective. */
static status find_on_faces(const io_joints *joints, int width, int group,
                            const double *rows, double **out)
{
    double *corners = NULL;
    status s = pull(joints, width, group, rows, &corners);
    if (s == STATUS_OK) {
        s = parallel_agree(joints->comm, interpolate(joints, width, group, corners, out));
    }
    free(corners);
    return s;
}

/* ---- Sums -------------------------------------------------------------------------- */

/* Adds the parts of faces to the sums of joints. */
static void add_faces(const io_joints *joints, int width, int group, const double *means,
                      double *sums)
{
    for (int64_t n = 0; n < joints->faces.count * width; n++) {
        const io_joint_face *face = &joints->faces.faces[n / width];
        const int64_t c = n % width;
        const double weight = means[n - c % group];
        if (face->shares && !isnan(weight) && !isnan(means[n])) {
            sums[face->joint * width + c] += c % group == 0 ? weight : weight * means[n];
        }
    }
}

/* Adds up the parts at home and those of faces (NULL: there are none), and gives each
 * member the sum in its place. */
static status add_at_home(const io_joints *joints, int width, int group,
                          const double *of_faces, double *parts)
{
    const size_t size = (size_t)width;
    double *sums = calloc((size_t)joints->njoints * size + 1, sizeof *sums);
    if (!sums) {
        return base_fail_memory((size_t)joints->njoints * size * sizeof *sums,
                                "the vertices that blocks share");
    }
    for (int64_t n = 0; n < joints->nparts; n++) {
        double *sum = sums + (size_t)joints->joint[n] * size;
        for (size_t c = 0; c < size; c++) {
            sum[c] += parts[(size_t)n * size + c];
        }
    }
    if (of_faces) {
        add_faces(joints, width, group, of_faces, sums);
    }
    for (int64_t n = 0; n < joints->nparts; n++) {
        memcpy(parts + (size_t)n * size, sums + (size_t)joints->joint[n] * size,
               size * sizeof *parts);
    }
    free(sums);
    return STATUS_OK;
}

status io_joints_add(const io_joints *joints, int groups, int group, double *parts)
{
    const int width = groups * group;
    const size_t bytes = (size_t)width * sizeof *parts;
    int64_t *counts = malloc((size_t)joints->ranks * sizeof *counts);
    double *at_home = NULL, *sums = NULL, *of_faces = NULL;
    status s = counts ? STATUS_OK : base_fail_memory(bytes, "the list of ranks");
    s = parallel_agree(joints->comm, s);
    if (s == STATUS_OK && joints->faces.total > 0) {
        s = find_on_faces(joints, width, group, parts, &of_faces);
    }
    if (s == STATUS_OK) {
        s = io_exchange(joints->comm, bytes, parts, joints->to, (void **)&at_home,
                        counts);
    }
    if (s == STATUS_OK) {
        s = parallel_agree(joints->comm,
                           add_at_home(joints, width, group, of_faces, at_home));
    }
    if (s == STATUS_OK) {
        s = io_exchange(joints->comm, bytes, at_home, joints->from, (void **)&sums,
                        counts);
    }
    if (s == STATUS_OK) {
        memcpy(parts, sums, (size_t)joints->count * bytes);
    }
    free(counts);
    free(of_faces);
    free(at_home);
    free(sums);
    return s;
}

/* ---- Joints that hang on faces ----------------------------------------------------- */

/* Puts the values of faces in the rows of members at home; others have any. */
static status put_values(const io_joints *joints, int width, const double *of_faces,
                         double **rows)
{
    const size_t size = (size_t)width;
    int64_t *face = malloc(((size_t)joints->njoints + 1) * sizeof *face);
    *rows = calloc((size_t)joints->nparts * size + 1, sizeof **rows);
    if (!face || !*rows) {
        free(face);
        return base_fail_memory((size_t)joints->nparts * size * sizeof **rows,
                                "the vertices that blocks share");
    }
    for (int32_t n = 0; n < joints->njoints; n++) {
        face[n] = -1;
    }
    for (int64_t n = 0; n < joints->faces.count; n++) {
        const io_joint_face *of = &joints->faces.faces[n];
        face[of->joint] = of->hangs ? n : face[of->joint];
    }
    for (int64_t n = 0; n < joints->nparts; n++) {
        const int64_t from = face[joints->joint[n]];
        if (from >= 0) {
            memcpy(*rows + (size_t)n * size, of_faces + (size_t)from * size,
                   size * sizeof **rows);
        }
    }
    free(face);
    return STATUS_OK;
}

/* One round: corners that hang themselves have the values of the round before. */
static status hang(const io_joints *joints, int width, double *values)
{
    const size_t bytes = (size_t)width * sizeof *values;
    double *of_faces = NULL, *at_home = NULL, *rows = NULL;
    int64_t *counts = malloc((size_t)joints->ranks * sizeof *counts);
    status s = counts ? STATUS_OK : base_fail_memory(bytes, "the list of ranks");
    s = parallel_agree(joints->comm, s);
    if (s == STATUS_OK) {
        s = find_on_faces(joints, width, 1, values, &of_faces);
    }
    if (s == STATUS_OK) {
        s = parallel_agree(joints->comm, put_values(joints, width, of_faces, &at_home));
    }
    if (s == STATUS_OK) {
        s = io_exchange(joints->comm, bytes, at_home, joints->from, (void **)&rows,
                        counts);
    }
    for (int64_t m = 0; s == STATUS_OK && m < joints->count; m++) {
        if (joints->faces.ways[m] == JOINT_HANGS) {
            memcpy(values + m * width, rows + m * width, bytes);
        }
    }
    free(counts);
    free(of_faces);
    free(at_home);
    free(rows);
    return s;
}

status io_joints_hang(const io_joints *joints, int width, double *values)
{
    status s = STATUS_OK;
    for (int n = 0; n < ROUNDS && s == STATUS_OK && joints->faces.hanging > 0; n++) {
        s = hang(joints, width, values);
    }
    return s;
}
