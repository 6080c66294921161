/* Joints on faces of other blocks: what the corners of the faces show, and links to them.
 */
#include "search.h"

#include "exchange.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The blocks of a joint, the first eight of them, ascending; -1: no more. */
enum { MOST_BLOCKS = 8 };

typedef struct joint_blocks {
    int32_t block[MOST_BLOCKS];
} joint_blocks;

static const joint_blocks no_blocks = {{-1, -1, -1, -1, -1, -1, -1, -1}};

/* A corner, for a list by rank. */
typedef struct new_corner {
    int rank;
    io_joint_member member;
    io_joint_corner corner; /* its face is that of the hit of the same number */
} new_corner;

/* The state on one rank. */
typedef struct linking {
    joint_search *search;
    const joint_part *parts;
    new_corner *made;     /* [ncorners] */
    joint_blocks *joints; /* [njoints]: of the joints at home */
    joint_blocks *corner; /* [ncorners]: of the joints at corners */
    int *ways;            /* [nhits]: SHARES and so on */
} linking;

enum { SHARES = 1, MAY_HANG = 2, IS_EXACT = 4, HANGS = 8 };

static int compare_corners(const void *first, const void *second)
{
    const new_corner *a = first, *b = second;
    const int64_t face = a->corner.face, other = b->corner.face;
    int order = (a->rank > b->rank) - (a->rank < b->rank);
    order = order != 0 ? order : (face > other) - (face < other);
    return order != 0 ? order : joints_compare_members(&a->member, &b->member);
}

static status make_corners(linking *l)
{
    const joint_search *s = l->search;
    io_joint_faces *faces = &s->joints->faces;
    const size_t ranks = (size_t)s->joints->ranks, most = 4 * (size_t)s->nhits + 1;
    l->made = malloc(most * sizeof *l->made);
    l->ways = calloc((size_t)s->nhits + 1, sizeof *l->ways);
    faces->faces = malloc(most * sizeof *faces->faces);
    faces->corners = malloc(most * sizeof *faces->corners);
    faces->from = calloc(ranks, sizeof *faces->from);
    faces->to = calloc(ranks, sizeof *faces->to);
    if (!l->made || !l->ways || !faces->faces || !faces->corners || !faces->from ||
        !faces->to) {
        return base_fail_memory(most * sizeof *l->made, "the vertices that blocks share");
    }
    faces->count = s->nhits;
    for (int64_t n = 0; n < 4 * s->nhits; n++) {
        const joint_hit *hit = &s->hits[n / 4];
        const io_joint_member member = hit->corner[n % 4];
        const int rank = io_joints_rank(s->joints, s->layout, member.brick);
        if (hit->weight[n % 4] > 0.0F) {
            l->made[faces->ncorners++] =
                (new_corner){rank, member, {n / 4, hit->weight[n % 4]}};
            faces->from[rank]++;
        }
    }
    qsort(l->made, (size_t)faces->ncorners, sizeof *l->made, compare_corners);
    for (int64_t n = 0; n < faces->ncorners; n++) {
        faces->corners[n] = l->made[n].corner;
    }
    return STATUS_OK;
}

/* Finds the members at the corners that all ranks ask for. Collective. */
static status find_corners(const linking *l)
{
    io_joints *joints = l->search->joints;
    io_joint_faces *faces = &joints->faces;
    io_joint_member *wanted = malloc((size_t)(faces->ncorners + 1) * sizeof *wanted);
    io_joint_member *asked = NULL;
    status s = wanted ? STATUS_OK
                      : base_fail_memory((size_t)faces->ncorners * sizeof *wanted,
                                         "the vertices that blocks share");
    s = parallel_agree(joints->comm, s);
    for (int64_t n = 0; n < faces->ncorners && s == STATUS_OK; n++) {
        wanted[n] = l->made[n].member;
    }
    if (s == STATUS_OK) {
        s = io_exchange(joints->comm, sizeof *wanted, wanted, faces->from,
                        (void **)&asked, faces->to);
    }
    if (s == STATUS_OK) {
        faces->nasked = io_exchange_total(joints->ranks, faces->to);
        faces->asked = malloc((size_t)(faces->nasked + 1) * sizeof *faces->asked);
        s = faces->asked ? STATUS_OK
                         : base_fail_memory((size_t)faces->nasked,
                                            "the vertices that blocks share");
        s = parallel_agree(joints->comm, s);
    }
    for (int64_t n = 0; n < faces->nasked && s == STATUS_OK; n++) {
        faces->asked[n] = io_joints_member(joints, &asked[n]);
    }
    free(wanted);
    free(asked);
    return s;
}

static void add_block(joint_blocks *blocks, int32_t block)
{
    int at = 0;
    while (at < MOST_BLOCKS && blocks->block[at] >= 0 && blocks->block[at] != block) {
        at++;
    }
    if (at < MOST_BLOCKS) {
        blocks->block[at] = block;
    }
}

static bool have_common(const joint_blocks *a, const joint_blocks *b)
{
    bool any = false;
    for (int n = 0; n < MOST_BLOCKS * MOST_BLOCKS && !any; n++) {
        const int32_t block = a->block[n % MOST_BLOCKS];
        any = block >= 0 && block == b->block[n / MOST_BLOCKS];
    }
    return any;
}

/* Lists the blocks of the joints at home, in a row for each member. */
static status list_blocks(linking *l, joint_blocks **rows)
{
    const io_joints *joints = l->search->joints;
    const size_t count = (size_t)joints->njoints + 1, parts = (size_t)joints->nparts + 1;
    l->joints = malloc(count * sizeof *l->joints);
    *rows = malloc(parts * sizeof **rows);
    if (!l->joints || !*rows) {
        return base_fail_memory(parts * sizeof **rows, "the vertices that blocks share");
    }
    for (size_t n = 0; n < count; n++) {
        l->joints[n] = no_blocks;
    }
    for (int64_t n = 0; n < joints->nparts; n++) {
        const int64_t brick = l->parts[n].member.brick;
        add_block(&l->joints[l->parts[n].joint],
                  grid_layout_place(l->search->layout, brick).block);
    }
    for (int64_t n = 0; n < joints->nparts; n++) {
        (*rows)[n] = l->joints[l->parts[n].joint];
    }
    return STATUS_OK;
}

/* Finds the blocks of the joints at the corners of links. Collective. */
static status find_blocks(linking *l)
{
    const io_joints *joints = l->search->joints;
    const io_joint_faces *faces = &joints->faces;
    joint_blocks *rows = NULL, *of_members = NULL, *out = NULL;
    int64_t *counts = malloc((size_t)joints->ranks * sizeof *counts);
    status s = list_blocks(l, &rows);
    if (s == STATUS_OK) {
        out = malloc((size_t)(faces->nasked + 1) * sizeof *out);
        s = counts && out ? STATUS_OK
                          : base_fail_memory((size_t)faces->nasked * sizeof *out,
                                             "the vertices that blocks share");
    }
    s = parallel_agree(joints->comm, s);
    if (s == STATUS_OK) {
        s = io_exchange(joints->comm, sizeof *rows, rows, joints->from,
                        (void **)&of_members, counts);
    }
    for (int64_t n = 0; n < faces->nasked && s == STATUS_OK; n++) {
        out[n] = faces->asked[n] < 0 ? no_blocks : of_members[faces->asked[n]];
    }
    if (s == STATUS_OK) {
        s = io_exchange(joints->comm, sizeof *out, out, faces->to, (void **)&l->corner,
                        counts);
    }
    free(rows);
    free(of_members);
    free(out);
    free(counts);
    return s;
}

/* Finds out what the corners show of the hits. A joint hangs on a face whose corners all
 * belong to joints of several blocks. If one of them is the joint's own, this proves that
 * the blocks meet. */
static void judge_hits(linking *l)
{
    const joint_search *s = l->search;
    const io_joint_faces *faces = &s->joints->faces;
    for (int64_t n = 0; n < s->nhits; n++) {
        l->ways[n] = MAY_HANG | IS_EXACT;
    }
    for (int64_t n = 0; n < faces->ncorners; n++) {
        const joint_blocks *corner = &l->corner[n];
        const int64_t hit = faces->corners[n].face;
        if (corner->block[1] < 0) {
            l->ways[hit] &= ~MAY_HANG;
        }
        if (!have_common(corner, &l->joints[s->hits[hit].joint])) {
            l->ways[hit] &= ~IS_EXACT;
        }
    }
    for (int64_t n = 0; n < s->nhits; n++) {
        const bool is_meant = s->hits[n].is_near || (l->ways[n] & IS_EXACT);
        l->ways[n] = is_meant ? l->ways[n] | SHARES : 0;
    }
}

/* Lets each joint hang on one face: the nearest one, an exact one first. */
static void choose_hits(linking *l)
{
    const joint_search *s = l->search;
    for (int64_t n = 0, end; n < s->nhits; n = end) {
        int64_t best = -1;
        for (end = n; end < s->nhits && s->hits[end].joint == s->hits[n].joint; end++) {
            const int way = l->ways[end] & (MAY_HANG | IS_EXACT);
            const int other = best < 0 ? 0 : l->ways[best] & (MAY_HANG | IS_EXACT);
            if ((way & MAY_HANG) &&
                (best < 0 || way > other ||
                 (way == other && s->hits[end].distance < s->hits[best].distance))) {
                best = end;
            }
        }
        if (best >= 0) {
            l->ways[best] |= HANGS;
        }
    }
}

/* Takes members of joints that turned out to meet nothing out of the order. */
static void drop_apart(io_joints *joints)
{
    int64_t kept = 0;
    for (int64_t n = 0; n < joints->norder; n++) {
        if (joints->faces.ways[joints->order[n].index] != JOINT_APART) {
            joints->order[kept++] = joints->order[n];
        }
    }
    joints->norder = kept;
}

/* Finds what the joints at home are, in a row for each member. */
static status put_faces(const linking *l, uint8_t **rows, int64_t totals[2])
{
    const joint_search *s = l->search;
    const io_joints *joints = s->joints;
    const size_t njoints = (size_t)joints->njoints + 1;
    uint8_t *of = calloc(njoints, 1);
    int32_t *members = calloc(njoints, sizeof *members);
    *rows = calloc((size_t)joints->nparts + 1, 1);
    if (!of || !members || !*rows) {
        free(of);
        free(members);
        return base_fail_memory(njoints, "the vertices that blocks share");
    }
    for (int64_t n = 0; n < s->nhits; n++) {
        const int way = l->ways[n];
        joints->faces.faces[n] =
            (io_joint_face){s->hits[n].joint, way & SHARES, way & HANGS};
        of[s->hits[n].joint] |= (uint8_t)way;
        totals[0] += way & SHARES ? 1 : 0;
        totals[1] += way & HANGS ? 1 : 0;
    }
    for (int64_t n = 0; n < joints->nparts; n++) {
        members[joints->joint[n]]++;
    }
    for (int64_t n = 0; n < joints->nparts; n++) {
        const int32_t joint = joints->joint[n];
        const bool is_apart = !(of[joint] & SHARES) && members[joint] == 1;
        (*rows)[n] = of[joint] & HANGS ? JOINT_HANGS : is_apart ? JOINT_APART : 0;
    }
    free(of);
    free(members);
    return STATUS_OK;
}

/* Tells the members which of them hang on faces. Collective. */
static status send_ways(const linking *l)
{
    io_joints *joints = l->search->joints;
    io_joint_faces *faces = &joints->faces;
    int64_t totals[2] = {0, 0}, *counts = malloc((size_t)joints->ranks * sizeof *counts);
    uint8_t *rows = NULL;
    status s = counts ? put_faces(l, &rows, totals)
                      : base_fail_memory((size_t)joints->ranks, "the list of ranks");
    s = parallel_agree(joints->comm, s);
    if (s == STATUS_OK) {
        s = io_exchange(joints->comm, 1, rows, joints->from, (void **)&faces->ways,
                        counts);
    }
    if (s == STATUS_OK) {
        parallel_allreduce(MPI_IN_PLACE, totals, 2, MPI_INT64_T, MPI_SUM, joints->comm);
        faces->total = totals[0];
        faces->hanging = totals[1];
        drop_apart(joints);
    }
    free(rows);
    free(counts);
    return s;
}

status joints_link(joint_search *s, const joint_part *parts)
{
    linking l = {.search = s, .parts = parts};
    int64_t total = 0;
    parallel_allreduce(&s->nhits, &total, 1, MPI_INT64_T, MPI_SUM, s->joints->comm);
    if (total == 0) {
        return STATUS_OK;
    }
    status result = parallel_agree(s->joints->comm, make_corners(&l));
    if (result == STATUS_OK) {
        result = find_corners(&l);
    }
    if (result == STATUS_OK) {
        result = find_blocks(&l);
    }
    if (result == STATUS_OK) {
        judge_hits(&l);
        choose_hits(&l);
        result = send_ways(&l);
    }
    free(l.made);
    free(l.joints);
    free(l.corner);
    free(l.ways);
    return result;
}
