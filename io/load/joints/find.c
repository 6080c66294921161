/* Where blocks meet, found by the coordinates of vertices at ends of blocks. */
#include "joints.h"

#include "exchange.h"
#include "io/load/geometry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SLABS = 1 << 20 };

/* A vertex at the end of a block. */
typedef struct joint_place {
    double along; /* its place along a line askew to all axes */
    float at[3];
    float reach; /* two places within both reaches are the same */
    int32_t slab;
    io_joint_member member;
} joint_place;

/* The search on one rank. */
typedef struct search {
    io_joints *joints;
    const grid_layout *layout;
    double lo, per_slab; /* of the line */
    int64_t count, room;
    joint_place *places;
    status status;
} search;

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

/* Whether a brick has vertices at an end of its block that is no seam. */
static bool is_at_end(const grid_layout *layout, int64_t number)
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

/* ---- Places ------------------------------------------------------------------------ */

/* The line is askew, so that few vertices of a grid's planes share a place on it. */
static double along_line(const float at[3])
{
    return (double)at[0] + 0.7548776662466927 * (double)at[1] +
           0.5698402909980532 * (double)at[2];
}

static int32_t slab_of(const search *s, double along)
{
    const double slab = (along - s->lo) * s->per_slab;
    return slab > 0.0 ? slab < SLABS ? (int32_t)slab : SLABS - 1 : 0;
}

static double distance_squared(const float a[3], const float b[3])
{
    double sum = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const double d = (double)a[axis] - (double)b[axis];
        sum += d * d;
    }
    return sum;
}

static void add_place(search *s, const joint_place *p, double along)
{
    if (s->count == s->room) {
        const int64_t room = 2 * s->room + 4096;
        joint_place *places = realloc(s->places, (size_t)room * sizeof *places);
        if (!places) {
            s->status = base_fail_memory((size_t)room * sizeof *places,
                                         "the vertices that blocks share");
            return;
        }
        s->places = places;
        s->room = room;
    }
    s->places[s->count] = *p;
    s->places[s->count++].slab = slab_of(s, along);
}

static void load_place(const grid_patch *patch, size_t index, float at[3])
{
    at[0] = patch->x[index];
    at[1] = patch->y[index];
    at[2] = patch->z[index];
}

/* The distance within which a vertex may be another one: some roundings of its
 * coordinates, but less than its shortest edge. */
static float find_reach(const grid_patch *patch, const int at[3], size_t index,
                        const float here[3])
{
    const size_t step[3] = {1, (size_t)patch->n[0],
                            (size_t)patch->n[0] * (size_t)patch->n[1]};
    double shortest = INFINITY, size = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        float there[3];
        size = fmax(size, fabs((double)here[axis]));
        for (int side = 0; side < 2; side++) {
            if (side == 0 ? at[axis] > 0 : at[axis] + 1 < patch->n[axis]) {
                load_place(patch, side == 0 ? index - step[axis] : index + step[axis],
                           there);
                shortest = fmin(shortest, distance_squared(here, there));
            }
        }
    }
    const double reach = fmin(size * 5e-7, 0.25 * sqrt(shortest));
    return isfinite(reach) ? (float)reach : 0.0F;
}

/* Adds a vertex of a patch to the list; twice if the border of a slab is within its
 * reach. */
static void take_vertex(search *s, const grid_patch *patch, const int at[3],
                        io_joint_member member)
{
    const size_t index =
        ((size_t)at[2] * (size_t)patch->n[1] + (size_t)at[1]) * (size_t)patch->n[0] +
        (size_t)at[0];
    joint_place p = {.member = member};
    load_place(patch, index, p.at);
    if (!io_load_has_point(patch, index)) {
        return;
    }
    p.reach = find_reach(patch, at, index, p.at);
    p.along = along_line(p.at);
    const double width = 1.4 * (double)p.reach;
    add_place(s, &p, p.along);
    if (slab_of(s, p.along - width) != slab_of(s, p.along)) {
        add_place(s, &p, p.along - width);
    }
    if (slab_of(s, p.along + width) != slab_of(s, p.along)) {
        add_place(s, &p, p.along + width);
    }
}

/* Whether a vertex of a block lies at one of its ends, and counts. */
static bool is_end(const grid_block *block, const int64_t vertex[3])
{
    bool any = false;
    for (int axis = 0; axis < 3; axis++) {
        const bool is_last = vertex[axis] == block->n[axis] - 1;
        if (block->closed[axis] && is_last) {
            return false; /* it is the first one once more */
        }
        any = any || (!block->closed[axis] && (vertex[axis] == 0 || is_last));
    }
    return any;
}

static void take_brick(search *s, const io_window *window, const grid_patch *patch,
                       int64_t number)
{
    const grid_brick_place place = grid_layout_place(s->layout, number);
    const grid_block *block = &s->layout->blocks[place.block];
    int32_t local = 0;
    for (int k = 0; k <= place.n[2]; k++) {
        for (int j = 0; j <= place.n[1]; j++) {
            for (int i = 0; i <= place.n[0]; i++, local++) {
                const int64_t v[3] = {place.lo[0] + i, place.lo[1] + j, place.lo[2] + k};
                if (!is_end(block, v) ||
                    io_joints_brick(s->layout, place.block, v) != number) {
                    continue;
                }
                int at[3];
                for (int axis = 0; axis < 3; axis++) {
                    at[axis] = (int)(v[axis] - window->lo[axis] * GRID_BRICK_CELLS) +
                               patch->core_lo[axis];
                }
                take_vertex(s, patch, at, (io_joint_member){(int32_t)number, local});
            }
        }
    }
}

static status visit_places(void *context, const io_window *window,
                           const grid_patch *patch)
{
    search *s = context;
    for (int64_t n = 0; n < io_window_brick_count(window); n++) {
        take_brick(s, window, patch, io_window_brick(s->layout, window, n));
    }
    return s->status;
}

/* ---- Joints at home ---------------------------------------------------------------- */

/* A member of a joint that is at home on this rank. */
typedef struct part {
    int rank; /* of the member */
    int32_t joint;
    io_joint_member member;
} part;

static int compare_numbers(double a, double b)
{
    return (a > b) - (a < b);
}

static int compare_members(const io_joint_member *a, const io_joint_member *b)
{
    return a->brick != b->brick ? (a->brick > b->brick) - (a->brick < b->brick)
                                : (a->vertex > b->vertex) - (a->vertex < b->vertex);
}

static int compare_places(const void *first, const void *second)
{
    const joint_place *a = first, *b = second;
    int order = (a->slab > b->slab) - (a->slab < b->slab);
    order = order != 0 ? order : compare_numbers(a->along, b->along);
    for (int axis = 0; axis < 3 && order == 0; axis++) {
        order = compare_numbers((double)a->at[axis], (double)b->at[axis]);
    }
    return order != 0 ? order : compare_members(&a->member, &b->member);
}

static int compare_parts(const void *first, const void *second)
{
    const part *a = first, *b = second;
    int order = (a->rank > b->rank) - (a->rank < b->rank);
    order = order != 0 ? order : (a->joint > b->joint) - (a->joint < b->joint);
    return order != 0 ? order : compare_members(&a->member, &b->member);
}

static bool are_same(const joint_place *a, const joint_place *b)
{
    const double reach = (double)fminf(a->reach, b->reach);
    return memcmp(a->at, b->at, sizeof a->at) == 0 ||
           distance_squared(a->at, b->at) <= reach * reach;
}

/* Makes a joint of the n-th place and those behind it that are the same, unless there are
 * none. A joint belongs to the slab of its first place. taken: [count]. */
static void make_joint(const search *s, const joint_place *places, int64_t count,
                       int64_t n, uint8_t *taken, part *parts)
{
    io_joints *joints = s->joints;
    const joint_place *first = &places[n];
    const double end = first->along + 1.4 * (double)first->reach;
    const bool is_here = slab_of(s, first->along) == first->slab;
    int64_t members = 0;
    for (int64_t m = n;
         m < count && places[m].slab == first->slab && (places[m].along <= end); m++) {
        if (!taken[m] && are_same(first, &places[m])) {
            const io_joint_member *member = &places[m].member;
            taken[m] = 1;
            parts[joints->nparts + members++] =
                (part){io_joints_rank(joints, s->layout, member->brick), joints->njoints,
                       *member};
        }
    }
    if (members > 1 && is_here) {
        joints->nparts += members;
        joints->njoints++;
    }
}

/* Makes the joints of the places that came to this rank. */
static status make_joints(const search *s, int64_t count, joint_place *places,
                          part **parts)
{
    uint8_t *taken = calloc((size_t)count + 1, 1);
    *parts = malloc((size_t)(count + 1) * sizeof **parts);
    if (!taken || !*parts) {
        free(taken);
        return base_fail_memory((size_t)count * sizeof **parts,
                                "the vertices that blocks share");
    }
    qsort(places, (size_t)count, sizeof *places, compare_places);
    for (int64_t n = 0; n < count; n++) {
        if (!taken[n]) {
            make_joint(s, places, count, n, taken, *parts);
        }
    }
    qsort(*parts, (size_t)s->joints->nparts, sizeof **parts, compare_parts);
    free(taken);
    return STATUS_OK;
}

/* ---- Members ----------------------------------------------------------------------- */

/* Sends places to the ranks of their slabs; *received: malloc'ed. */
static status send_places(search *s, int64_t *count, joint_place **received)
{
    io_joints *joints = s->joints;
    const int ranks = joints->ranks;
    int64_t *first = calloc((size_t)ranks + 1, sizeof *first);
    joint_place *sorted = malloc((size_t)(s->count + 1) * sizeof *sorted);
    status result = first && sorted ? STATUS_OK
                                    : base_fail_memory((size_t)s->count * sizeof *sorted,
                                                       "the vertices that blocks share");
    result = parallel_agree(joints->comm, result);
    if (result == STATUS_OK) {
        memset(joints->to, 0, (size_t)ranks * sizeof *joints->to);
        for (int64_t n = 0; n < s->count; n++) {
            joints->to[s->places[n].slab % ranks]++;
        }
        for (int rank = 0; rank < ranks; rank++) {
            first[rank + 1] = first[rank] + joints->to[rank];
        }
        for (int64_t n = 0; n < s->count; n++) {
            sorted[first[s->places[n].slab % ranks]++] = s->places[n];
        }
        result = io_exchange(joints->comm, sizeof *sorted, sorted, joints->to,
                             (void **)received, joints->from);
        *count = io_exchange_total(ranks, joints->from);
    }
    free(first);
    free(sorted);
    return result;
}

/* Tells the ranks which of their vertices are members. */
static status send_members(io_joints *joints, const part *parts)
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
    return compare_members(&((const io_joint_order *)first)->member,
                           &((const io_joint_order *)second)->member);
}

/* Sorts this rank's members, and lists the bricks that have some. */
static status sort_members(io_joints *joints)
{
    const size_t count = (size_t)joints->count + 1;
    joints->order = malloc(count * sizeof *joints->order);
    joints->bricks = malloc(count * sizeof *joints->bricks);
    if (!joints->order || !joints->bricks) {
        return base_fail_memory(count * sizeof *joints->order,
                                "the vertices that blocks share");
    }
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

void io_joints_of_brick(const io_joints *joints, int64_t brick, int64_t *first,
                        int64_t *end)
{
    int64_t lo = 0, hi = joints->count;
    while (lo < hi) {
        const int64_t middle = (lo + hi) / 2;
        if (joints->order[middle].member.brick < brick) {
            lo = middle + 1;
        } else {
            hi = middle;
        }
    }
    *first = *end = lo;
    while (*end < joints->count && joints->order[*end].member.brick == brick) {
        (*end)++;
    }
}

/* ---- The search -------------------------------------------------------------------- */

/* Lists the places of this rank's share of the bricks. Collective. */
static status list_places(io_source *source, search *s)
{
    const io_sweep sweep = {.comm = s->joints->comm,
                            .source = source,
                            .layout = s->layout,
                            .step = IO_GRID_STEP,
                            .coordinates = true,
                            .blanked = true,
                            .layers = 1,
                            .visit = visit_places,
                            .context = s};
    int64_t first, end, count = 0, *numbers = NULL;
    io_load_share(sweep.comm, parallel_rank(sweep.comm), s->layout, &first, &end);
    status result = parallel_agree(sweep.comm, io_load_numbers(first, end, &numbers));
    if (result == STATUS_OK) {
        for (int64_t number = first; number < end; number++) {
            if (is_at_end(s->layout, number)) {
                numbers[count++] = number;
            }
        }
        result = io_sweep_run(&sweep, count, numbers);
    }
    free(numbers);
    return result;
}

static void span_line(search *s)
{
    const box3 bounds = s->layout->bounds;
    float lo[3], hi[3];
    for (int axis = 0; axis < 3; axis++) {
        lo[axis] = (float)bounds.lo.v[axis];
        hi[axis] = (float)bounds.hi.v[axis];
    }
    s->lo = along_line(lo);
    s->per_slab = along_line(hi) > s->lo ? SLABS / (along_line(hi) - s->lo) : 0.0;
}

/* Finds the joints whose places come to this rank. Collective. */
static status join(search *s)
{
    io_joints *joints = s->joints;
    int64_t count = 0;
    joint_place *received = NULL;
    part *parts = NULL;
    status result = send_places(s, &count, &received);
    free(s->places);
    s->places = NULL;
    if (result == STATUS_OK) {
        result = parallel_agree(joints->comm, make_joints(s, count, received, &parts));
    }
    free(received);
    if (result == STATUS_OK) {
        result = send_members(joints, parts);
    }
    free(parts);
    if (result == STATUS_OK) {
        result = parallel_agree(joints->comm, sort_members(joints));
    }
    return result;
}

status io_joints_find(MPI_Comm comm, io_source *source, const grid_layout *layout,
                      io_joints **out)
{
    io_joints *joints = calloc(1, sizeof *joints);
    search s = {.joints = joints, .layout = layout};
    status result = joints ? STATUS_OK : base_fail_memory(sizeof *joints, "joints");
    if (joints) {
        *joints = (io_joints){.comm = comm, .ranks = parallel_size(comm)};
        joints->to = calloc((size_t)joints->ranks, sizeof *joints->to);
        joints->from = calloc((size_t)joints->ranks, sizeof *joints->from);
        result = joints->to && joints->from
                     ? STATUS_OK
                     : base_fail_memory((size_t)joints->ranks, "the list of ranks");
    }
    result = parallel_agree(comm, result);
    if (result == STATUS_OK) {
        span_line(&s);
        result = list_places(source, &s);
    }
    if (result == STATUS_OK) {
        result = join(&s);
    }
    free(s.places);
    if (result != STATUS_OK) {
        io_joints_destroy(&joints);
        return result;
    }
    parallel_allreduce(&joints->count, &joints->total, 1, MPI_INT64_T, MPI_SUM, comm);
    *out = joints;
    return STATUS_OK;
}

void io_joints_destroy(io_joints **joints)
{
    io_joints *old = *joints;
    if (old) {
        free(old->members);
        free(old->order);
        free(old->to);
        free(old->joint);
        free(old->from);
        free(old->bricks);
        free(old->held);
        free(old);
        *joints = NULL;
    }
}

void io_joints_forget(void **joints)
{
    io_joints *old = *joints;
    io_joints_destroy(&old);
    *joints = NULL;
}

/* ---- Sums -------------------------------------------------------------------------- */

/* Adds up the parts at home, and gives each the sum in its place. */
static status add_at_home(const io_joints *joints, int width, double *parts)
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
    for (int64_t n = 0; n < joints->nparts; n++) {
        memcpy(parts + (size_t)n * size, sums + (size_t)joints->joint[n] * size,
               size * sizeof *parts);
    }
    free(sums);
    return STATUS_OK;
}

status io_joints_add(const io_joints *joints, int width, double *parts)
{
    const size_t bytes = (size_t)width * sizeof *parts;
    int64_t *counts = malloc((size_t)joints->ranks * sizeof *counts);
    double *at_home = NULL, *sums = NULL;
    status s = counts ? STATUS_OK : base_fail_memory(bytes, "the list of ranks");
    s = parallel_agree(joints->comm, s);
    if (s == STATUS_OK) {
        s = io_exchange(joints->comm, bytes, parts, joints->to, (void **)&at_home,
                        counts);
    }
    if (s == STATUS_OK) {
        s = parallel_agree(joints->comm, add_at_home(joints, width, at_home));
    }
    if (s == STATUS_OK) {
        s = io_exchange(joints->comm, bytes, at_home, joints->from, (void **)&sums,
                        counts);
    }
    if (s == STATUS_OK) {
        memcpy(parts, sums, (size_t)joints->count * bytes);
    }
    free(counts);
    free(at_home);
    free(sums);
    return s;
}
