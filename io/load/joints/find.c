/* Where blocks meet, found by the coordinates of vertices at ends of blocks. */
#include "search.h"

#include "base/array.h"
#include "exchange.h"
#include "io/load/geometry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SLABS = 1 << 20 };

/* ---- Places ------------------------------------------------------------------------ */

/* The line is askew, so that few vertices of a grid's planes share a place on it. */
static double along_line(const float at[3])
{
    return (double)at[0] + 0.7548776662466927 * (double)at[1] +
           0.5698402909980532 * (double)at[2];
}

static int32_t slab_of(const joint_search *s, double along)
{
    const double slab = (along - s->lo) * s->per_slab;
    return slab > 0.0 ? slab < SLABS ? (int32_t)slab : SLABS - 1 : 0;
}

static void add_place(joint_search *s, const joint_place *p)
{
    if (base_array_add(s->places, s->count, *p, "the vertices that blocks share") !=
        STATUS_OK) {
        s->status = STATUS_MEMORY;
    }
}

static void load_place(const grid_patch *patch, size_t index, float at[3])
{
    at[0] = patch->x[index];
    at[1] = patch->y[index];
    at[2] = patch->z[index];
}

/* The length of the shortest edge at a vertex; 0 if there is none. */
static float find_edge(const grid_patch *patch, const int at[3], size_t index,
                       const float here[3], float *longest_edge)
{
    const size_t step[3] = {1, (size_t)patch->n[0],
                            (size_t)patch->n[0] * (size_t)patch->n[1]};
    double shortest = INFINITY, longest = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        float there[3];
        for (int side = 0; side < 2; side++) {
            if (side == 0 ? at[axis] > 0 : at[axis] + 1 < patch->n[axis]) {
                load_place(patch, side == 0 ? index - step[axis] : index + step[axis],
                           there);
                const double square = joints_distance_squared(here, there);
                shortest = fmin(shortest, square);
                longest = fmax(longest, square);
            }
        }
    }
    *longest_edge = (float)sqrt(longest);
    return isfinite(shortest) ? (float)sqrt(shortest) : 0.0F;
}

/* The vector from the vertex before a vertex along an axis to the one behind it. */
static vec3 span_along(const grid_patch *patch, const int at[3], size_t index, int axis)
{
    const size_t step[3] = {1, (size_t)patch->n[0],
                            (size_t)patch->n[0] * (size_t)patch->n[1]};
    const size_t from = at[axis] > 0 ? index - step[axis] : index;
    const size_t to = at[axis] + 1 < patch->n[axis] ? index + step[axis] : index;
    return vec3_make((double)patch->x[to] - (double)patch->x[from],
                     (double)patch->y[to] - (double)patch->y[from],
                     (double)patch->z[to] - (double)patch->z[from]);
}

/* Finds the inward normals of the ends at a vertex. ends: 1 and -1 where an axis begins
 * and ends. */
static void find_normals(const grid_patch *patch, const int at[3], size_t index,
                         const int ends[3], joint_place *p)
{
    vec3 span[3];
    for (int axis = 0; axis < 3; axis++) {
        span[axis] = span_along(patch, at, index, axis);
    }
    for (int axis = 0; axis < 3; axis++) {
        const vec3 normal =
            vec3_normalize(vec3_cross(span[(axis + 1) % 3], span[(axis + 2) % 3]));
        const double way = vec3_dot(normal, span[axis]) * ends[axis];
        for (int c = 0; c < 3 && isfinite(way) && way != 0.0; c++) {
            p->inward[axis][c] = (int8_t)lround(copysign(127.0, way) * normal.v[c]);
        }
    }
}

/* Adds a vertex of a patch to the list. */
static void take_vertex(joint_search *s, const grid_patch *patch, joint_vertex *vertex,
                        io_joint_member member)
{
    const int *at = vertex->at;
    const size_t index =
        ((size_t)at[2] * (size_t)patch->n[1] + (size_t)at[1]) * (size_t)patch->n[0] +
        (size_t)at[0];
    joint_place p = {.member = member, .first = member};
    load_place(patch, index, p.at);
    if (!io_load_has_point(patch, index)) {
        return;
    }
    p.edge = find_edge(patch, at, index, p.at, &vertex->longest);
    if (s->tree || s->contacts) {
        find_normals(patch, at, index, vertex->ends, &p);
    }
    if (s->contacts) {
        joints_know(s, vertex, &p);
    }
    add_place(s, &p);
}

/* Whether a vertex of a block lies at one of its ends, and counts. ends: find_normals. */
static bool is_end(const grid_block *block, const int64_t vertex[3], int ends[3])
{
    bool any = false;
    for (int axis = 0; axis < 3; axis++) {
        const bool is_last = vertex[axis] == block->n[axis] - 1;
        if (block->closed[axis] && is_last) {
            return false; /* it is the first one once more */
        }
        ends[axis] = block->closed[axis] ? 0 : (vertex[axis] == 0) - is_last;
        any = any || ends[axis] != 0;
    }
    return any;
}

static void take_brick(joint_search *s, const io_window *window, const grid_patch *patch,
                       int64_t number)
{
    const grid_brick_place place = grid_layout_place(s->layout, number);
    const grid_block *block = &s->layout->blocks[place.block];
    int32_t local = 0;
    for (int k = 0; k <= place.n[2]; k++) {
        for (int j = 0; j <= place.n[1]; j++) {
            for (int i = 0; i <= place.n[0]; i++, local++) {
                joint_vertex vertex = {
                    .block = place.block,
                    .of_block = {place.lo[0] + i, place.lo[1] + j, place.lo[2] + k}};
                const int64_t *v = vertex.of_block;
                if (!is_end(block, v, vertex.ends) ||
                    io_joints_brick(s->layout, place.block, v) != number) {
                    continue;
                }
                for (int axis = 0; axis < 3; axis++) {
                    vertex.at[axis] =
                        (int)(v[axis] - window->lo[axis] * GRID_BRICK_CELLS) +
                        patch->core_lo[axis];
                }
                take_vertex(s, patch, &vertex, (io_joint_member){(int32_t)number, local});
            }
        }
    }
}

static status visit_places(void *context, const io_window *window,
                           const grid_patch *patch)
{
    joint_search *s = context;
    for (int64_t n = 0; n < io_window_brick_count(window); n++) {
        take_brick(s, window, patch, io_window_brick(s->layout, window, n));
    }
    return s->status;
}

/* ---- Joints at home ---------------------------------------------------------------- */

static int compare_numbers(double a, double b)
{
    return (a > b) - (a < b);
}

static int compare_places(const void *first, const void *second)
{
    const joint_place *a = first, *b = second;
    int order = (a->slab > b->slab) - (a->slab < b->slab);
    order = order != 0 ? order : compare_numbers(a->along, b->along);
    for (int axis = 0; axis < 3 && order == 0; axis++) {
        order = compare_numbers((double)a->at[axis], (double)b->at[axis]);
    }
    return order != 0 ? order : joints_compare_members(&a->member, &b->member);
}

static int compare_parts(const void *first, const void *second)
{
    const joint_part *a = first, *b = second;
    int order = (a->rank > b->rank) - (a->rank < b->rank);
    order = order != 0 ? order : (a->joint > b->joint) - (a->joint < b->joint);
    return order != 0 ? order : joints_compare_members(&a->member, &b->member);
}

static bool are_same(const joint_place *a, const joint_place *b)
{
    const double reach = fmin(joints_reach(a->at, a->edge), joints_reach(b->at, b->edge));
    return memcmp(a->at, b->at, sizeof a->at) == 0 ||
           joints_distance_squared(a->at, b->at) <= reach * reach;
}

/* Adds the n-th member to a group; the group is empty if there are too many. */
static void add_to_group(const joint_search *s, const joint_place *place, int64_t n,
                         joint_group *group)
{
    group->count = n < JOINT_MOST_MEMBERS && s->tree ? n + 1 : 0;
    if (group->count > 0) {
        group->places[n] = place;
        group->blocks[n] = grid_layout_place(s->layout, place->member.brick).block;
    }
}

/* Makes a joint of the n-th place and those behind it that are the same; none of a single
 * one that lies in no bounds of other blocks' bricks. A joint belongs to the slab of its
 * first place. taken: [count]. */
static void make_joint(joint_search *s, const joint_place *places, int64_t count,
                       int64_t n, uint8_t *taken, joint_part *parts)
{
    io_joints *joints = s->joints;
    const joint_place *first = &places[n];
    const double end = first->along + 1.4 * joints_reach(first->at, first->edge);
    const bool is_here = slab_of(s, first->along) == first->slab;
    joint_part *own = parts + joints->nparts;
    joint_group group = {.joint = joints->njoints};
    int64_t members = 0;
    for (int64_t m = n;
         m < count && places[m].slab == first->slab && (places[m].along <= end); m++) {
        if (!taken[m] && are_same(first, &places[m]) &&
            !joints_are_apart(first, &places[m])) {
            const io_joint_member member = places[m].member;
            taken[m] = 1;
            add_to_group(s, &places[m], members, &group);
            own[members++] = (joint_part){io_joints_rank(joints, s->layout, member.brick),
                                          joints->njoints, member};
        }
    }
    const bool asks = is_here && joints_ask(s, &group);
    if (is_here && (members > 1 || asks)) {
        joints->nparts += members;
        joints->njoints++;
    }
}

/* Makes the joints of the places that came to this rank. */
static status make_joints(joint_search *s, int64_t count, joint_place *places,
                          joint_part **parts)
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
    free(taken);
    return s->status;
}

/* Drops joints of one member that lie on no face. Parts are in the order of their joints,
 * and so are hits. */
static void drop_lonely(joint_search *s, joint_part *parts)
{
    io_joints *joints = s->joints;
    const int64_t count = joints->nparts;
    int64_t kept = 0, hit = 0;
    int32_t number = 0;
    for (int64_t n = 0, end; n < count; n = end) {
        const int32_t joint = parts[n].joint;
        for (end = n + 1; end < count && parts[end].joint == joint; end++) {
        }
        const bool has_hits = hit < s->nhits && s->hits[hit].joint == joint;
        if (end > n + 1 || has_hits) {
            for (int64_t m = n; m < end; m++) {
                parts[kept] = parts[m];
                parts[kept++].joint = number;
            }
            for (; hit < s->nhits && s->hits[hit].joint == joint; hit++) {
                s->hits[hit].joint = number;
            }
            number++;
        }
    }
    joints->nparts = kept;
    joints->njoints = number;
}

/* The slabs of a place: two or three if borders are within its reach. */
static int list_slabs(const joint_search *s, const joint_place *p, int32_t slabs[3])
{
    const double width = 1.4 * joints_reach(p->at, p->edge);
    const int32_t below = slab_of(s, p->along - width),
                  above = slab_of(s, p->along + width);
    int count = 1;
    slabs[0] = slab_of(s, p->along);
    if (below != slabs[0]) {
        slabs[count++] = below;
    }
    if (above != slabs[0]) {
        slabs[count++] = above;
    }
    return count;
}

/* Deals out the places to slabs, sorted by their ranks; *count of them in all. */
static status deal_places(joint_search *s, int64_t *count, joint_place **out)
{
    const int ranks = s->joints->ranks;
    int64_t *first = calloc((size_t)ranks + 1, sizeof *first), *to = s->joints->to;
    int32_t slabs[3];
    memset(to, 0, (size_t)ranks * sizeof *to);
    for (int64_t n = 0; n < s->count; n++) {
        s->places[n].along = along_line(s->places[n].at);
        for (int m = list_slabs(s, &s->places[n], slabs) - 1; m >= 0; m--) {
            to[slabs[m] % ranks]++;
        }
    }
    *count = io_exchange_total(ranks, to);
    *out = malloc((size_t)(*count + 1) * sizeof **out);
    if (!first || !*out) {
        free(first);
        return base_fail_memory((size_t)*count * sizeof **out,
                                "the vertices that blocks share");
    }
    for (int rank = 0; rank < ranks; rank++) {
        first[rank + 1] = first[rank] + to[rank];
    }
    for (int64_t n = 0; n < s->count; n++) {
        for (int m = list_slabs(s, &s->places[n], slabs) - 1; m >= 0; m--) {
            joint_place *place = &(*out)[first[slabs[m] % ranks]++];
            *place = s->places[n];
            place->slab = slabs[m];
        }
    }
    free(first);
    return STATUS_OK;
}

/* Sends places to the ranks of their slabs; *received: malloc'ed. */
static status send_places(joint_search *s, int64_t *count, joint_place **received)
{
    io_joints *joints = s->joints;
    int64_t dealt;
    joint_place *sorted = NULL;
    status result = parallel_agree(joints->comm, deal_places(s, &dealt, &sorted));
    if (result == STATUS_OK) {
        result = io_exchange(joints->comm, sizeof *sorted, sorted, joints->to,
                             (void **)received, joints->from);
        *count = io_exchange_total(joints->ranks, joints->from);
    }
    free(sorted);
    return result;
}

/* ---- The search -------------------------------------------------------------------- */

/* Lists the places of this rank's share of the bricks. Collective. */
static status list_places(joint_search *s)
{
    const io_sweep sweep = {.comm = s->joints->comm,
                            .source = s->source,
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
            if (joints_is_at_end(s->layout, number)) {
                numbers[count++] = number;
            }
        }
        result = io_sweep_run(&sweep, count, numbers);
    }
    free(numbers);
    return result;
}

static void span_line(joint_search *s)
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
static status join(joint_search *s)
{
    io_joints *joints = s->joints;
    int64_t count = 0;
    joint_place *received = NULL;
    joint_part *parts = NULL;
    status result = send_places(s, &count, &received);
    free(s->places);
    s->places = NULL;
    if (result == STATUS_OK) {
        result = parallel_agree(joints->comm, make_joints(s, count, received, &parts));
    }
    if (result == STATUS_OK) {
        result = joints_find_hits(s);
    }
    if (result == STATUS_OK) {
        drop_lonely(s, parts);
        qsort(parts, (size_t)joints->nparts, sizeof *parts, compare_parts);
        result = joints_send_members(joints, parts);
    }
    free(received);
    if (result == STATUS_OK) {
        result = parallel_agree(joints->comm, joints_sort_members(joints));
    }
    if (result == STATUS_OK) {
        result = joints_link(s, parts);
    }
    free(parts);
    return result;
}

status io_joints_find(MPI_Comm comm, io_source *source, const grid_layout *layout,
                      io_joints **out)
{
    io_joints *joints = calloc(1, sizeof *joints);
    joint_search s = {.joints = joints, .layout = layout, .source = source};
    status result = joints ? STATUS_OK : base_fail_memory(sizeof *joints, "joints");
    if (joints) {
        *joints = (io_joints){.comm = comm, .ranks = parallel_size(comm)};
        joints->to = calloc((size_t)joints->ranks, sizeof *joints->to);
        joints->from = calloc((size_t)joints->ranks, sizeof *joints->from);
        result = joints->to && joints->from
                     ? STATUS_OK
                     : base_fail_memory((size_t)joints->ranks, "the list of ranks");
    }
    if (result == STATUS_OK && layout->nblocks > 1) {
        result = joints_tree_create(layout, &s.tree);
    }
    if (result == STATUS_OK) {
        result = joints_contacts_create(source, layout, &s.contacts);
    }
    result = parallel_agree(comm, result);
    if (result == STATUS_OK) {
        span_line(&s);
        result = list_places(&s);
    }
    if (result == STATUS_OK) {
        result = joints_move_places(&s);
    }
    if (result == STATUS_OK) {
        result = join(&s);
    }
    free(s.places);
    free(s.questions);
    free(s.hits);
    joints_tree_destroy(&s.tree);
    joints_contacts_destroy(&s.contacts);
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
        free(old->faces.faces);
        free(old->faces.corners);
        free(old->faces.from);
        free(old->faces.asked);
        free(old->faces.to);
        free(old->faces.ways);
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
