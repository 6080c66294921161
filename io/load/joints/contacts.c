/* What the data say of ends of blocks, where coordinates alone do not tell: vertices that
 * are one though rounding moved them, and walls without thickness. */
#include "search.h"

#include "base/array.h"
#include "exchange.h"
#include "io/catalog.h"

#include <stdlib.h>
#include <string.h>

/* Vertices that are one lie within this part of their longest edge. Those of periodic
 * borders are farther away. */
#define NEAR_BY 0.25

/* The vertices that are one by connections: more than eight blocks meet at few vertices.
 */
enum { MOST_KNOWN = 32 };

typedef struct known_vertex {
    int block;
    int64_t at[3];
} known_vertex;

/* A vertex whose place is that of another one, the first of those that are one. */
typedef struct joint_wish {
    int64_t place;
    int rank;
    io_joint_member first;
    float longest; /* edge at the vertex */
} joint_wish;

struct joint_contacts {
    const grid_layout *layout;
    int flat; /* axis along which contacts have one plane of vertices; -1: none */
    const io_contact *all;
    int *begin; /* [nblocks + 1]: the contacts of a block */
    int64_t nwishes;
    joint_wish *wishes;
};

status joints_contacts_create(const io_source *source, const grid_layout *layout,
                              joint_contacts **out)
{
    const int count = io_source_contact_count(source);
    *out = NULL;
    if (count == 0) {
        return STATUS_OK;
    }
    joint_contacts *c = calloc(1, sizeof *c);
    int *begin = calloc((size_t)layout->nblocks + 2, sizeof *begin);
    if (!c || !begin) {
        free(c);
        free(begin);
        return base_fail_memory((size_t)layout->nblocks, "the ends of blocks");
    }
    *c = (joint_contacts){
        layout, io_source_flat_axis(source), io_source_contacts(source), begin, 0, NULL};
    for (int n = 0; n < count; n++) {
        begin[c->all[n].block + 1] = n + 1;
    }
    for (int b = 0; b < layout->nblocks; b++) {
        begin[b + 1] = begin[b + 1] > begin[b] ? begin[b + 1] : begin[b];
    }
    *out = c;
    return STATUS_OK;
}

void joints_contacts_destroy(joint_contacts **contacts)
{
    if (*contacts) {
        free((*contacts)->begin);
        free((*contacts)->wishes);
        free(*contacts);
        *contacts = NULL;
    }
}

/* ---- Vertices ---------------------------------------------------------------------- */

static bool covers(const joint_contacts *c, const io_contact *contact,
                   const int64_t at[3])
{
    bool is = true;
    for (int axis = 0; axis < 3; axis++) {
        is = is && (axis == c->flat ||
                    (at[axis] >= contact->lo[axis] && at[axis] <= contact->hi[axis]));
    }
    return is;
}

static known_vertex vertex_behind(const joint_contacts *c, const io_contact *contact,
                                  const int64_t at[3])
{
    known_vertex v = {.block = contact->donor};
    for (int axis = 0; axis < 3; axis++) {
        const int to = contact->axis[axis];
        v.at[to] = axis == c->flat
                       ? at[axis]
                       : contact->begin[to] +
                             contact->way[axis] * (at[axis] - contact->lo[axis]);
    }
    const grid_block *block = &c->layout->blocks[v.block];
    for (int axis = 0; axis < 3; axis++) {
        const bool is_seam = block->closed[axis] && v.at[axis] == block->n[axis] - 1;
        v.at[axis] = is_seam ? 0 : v.at[axis];
    }
    return v;
}

static int compare_vertices(const known_vertex *a, const known_vertex *b)
{
    int order = (a->block > b->block) - (a->block < b->block);
    for (int axis = 2; axis >= 0 && order == 0; axis--) {
        order = (a->at[axis] > b->at[axis]) - (a->at[axis] < b->at[axis]);
    }
    return order;
}

/* Follows the connections of a vertex; returns the first of those that are one. */
static known_vertex find_first(const joint_contacts *c, int block, const int64_t at[3])
{
    known_vertex known[MOST_KNOWN] = {{block, {at[0], at[1], at[2]}}};
    int count = 1, first = 0;
    for (int n = 0; n < count; n++) {
        first = compare_vertices(&known[n], &known[first]) < 0 ? n : first;
        for (int m = c->begin[known[n].block]; m < c->begin[known[n].block + 1]; m++) {
            const io_contact *contact = &c->all[m];
            if (contact->donor < 0 || count == MOST_KNOWN ||
                !covers(c, contact, known[n].at)) {
                continue;
            }
            known[count] = vertex_behind(c, contact, known[n].at);
            int same = 0;
            while (compare_vertices(&known[same], &known[count]) != 0) {
                same++;
            }
            count += same == count;
        }
    }
    return known[first];
}

/* The axes whose end at a vertex is a wall, as bits; 0 unless contacts cover all ends. */
static uint8_t find_walls(const joint_contacts *c, int block, const int64_t at[3],
                          const int ends[3])
{
    int walls = 0, covered = 0, all = 0;
    for (int axis = 0; axis < 3; axis++) {
        all |= ends[axis] != 0 && axis != c->flat ? 1 << axis : 0;
    }
    for (int n = c->begin[block]; n < c->begin[block + 1]; n++) {
        const io_contact *contact = &c->all[n];
        for (int axis = 0; axis < 3 && covers(c, contact, at); axis++) {
            const bool is_of_axis = contact->lo[axis] == contact->hi[axis];
            covered |= is_of_axis ? 1 << axis : 0;
            walls |= is_of_axis && contact->is_wall ? 1 << axis : 0;
        }
    }
    return (uint8_t)((all & ~covered) == 0 ? walls & all : 0);
}

/* ---- Places ------------------------------------------------------------------------ */

static io_joint_member member_of(const grid_layout *layout, const known_vertex *v)
{
    const int64_t brick = io_joints_brick(layout, v->block, v->at);
    const grid_brick_place home = grid_layout_place(layout, brick);
    int64_t local = 0;
    for (int axis = 2; axis >= 0; axis--) {
        local = local * (home.n[axis] + 1) + v->at[axis] - home.lo[axis];
    }
    return (io_joint_member){(int32_t)brick, (int32_t)local};
}

static void add_wish(joint_search *s, const joint_place *p, float longest)
{
    joint_contacts *c = s->contacts;
    if (base_array_room(c->wishes, c->nwishes, 1, "the vertices that blocks share") !=
        STATUS_OK) {
        s->status = STATUS_MEMORY;
        return;
    }
    const int rank = io_joints_rank(s->joints, s->layout, p->first.brick);
    c->wishes[c->nwishes++] = (joint_wish){s->count, rank, p->first, longest};
}

void joints_know(joint_search *s, const joint_vertex *vertex, joint_place *p)
{
    const known_vertex first = find_first(s->contacts, vertex->block, vertex->of_block);
    p->first = member_of(s->layout, &first);
    p->walls = find_walls(s->contacts, vertex->block, vertex->of_block, vertex->ends);
    if (joints_compare_members(&p->first, &p->member) != 0) {
        add_wish(s, p, vertex->longest);
    }
}

bool joints_are_apart(const joint_place *a, const joint_place *b)
{
    bool are = false;
    for (int n = 0; n < 9 && a->walls && b->walls; n++) {
        const int i = n / 3, j = n % 3;
        int dot = 0;
        for (int c = 0; c < 3; c++) {
            dot += a->inward[i][c] * b->inward[j][c];
        }
        are = are || ((a->walls >> i & 1) && (b->walls >> j & 1) && dot < -127 * 127 / 2);
    }
    return are && joints_compare_members(&a->first, &b->first) != 0;
}

/* ---- One place for vertices that are one ------------------------------------------- */

typedef struct listed_place {
    io_joint_member member;
    int64_t place;
} listed_place;

typedef struct found_place {
    float at[3];
    bool is_there;
} found_place;

static int compare_listed(const void *first, const void *second)
{
    return joints_compare_members(&((const listed_place *)first)->member,
                                  &((const listed_place *)second)->member);
}

static int compare_wishes(const void *first, const void *second)
{
    const joint_wish *a = first, *b = second;
    const int order = (a->rank > b->rank) - (a->rank < b->rank);
    return order != 0 ? order : (a->place > b->place) - (a->place < b->place);
}

/* Looks up the places that other ranks ask for, [count]. */
static status answer(const joint_search *s, int64_t count, const io_joint_member *asked,
                     found_place **out)
{
    listed_place *list = malloc((size_t)(s->count + 1) * sizeof *list);
    *out = calloc((size_t)count + 1, sizeof **out);
    if (!list || !*out) {
        free(list);
        return base_fail_memory((size_t)s->count * sizeof *list,
                                "the vertices that blocks share");
    }
    for (int64_t n = 0; n < s->count; n++) {
        list[n] = (listed_place){s->places[n].member, n};
    }
    qsort(list, (size_t)s->count, sizeof *list, compare_listed);
    for (int64_t n = 0; n < count; n++) {
        const listed_place key = {asked[n], 0};
        const listed_place *found =
            bsearch(&key, list, (size_t)s->count, sizeof *list, compare_listed);
        if (found) {
            (*out)[n].is_there = true;
            memcpy((*out)[n].at, s->places[found->place].at, sizeof(*out)[n].at);
        }
    }
    free(list);
    return STATUS_OK;
}

/* Gives wishes the places that were found. */
static void take_places(joint_search *s, const found_place *found)
{
    for (int64_t n = 0; n < s->contacts->nwishes; n++) {
        const joint_wish *wish = &s->contacts->wishes[n];
        joint_place *p = &s->places[wish->place];
        const double most = NEAR_BY * (double)wish->longest;
        if (found[n].is_there &&
            joints_distance_squared(p->at, found[n].at) < most * most) {
            memcpy(p->at, found[n].at, sizeof p->at);
        }
    }
}

status joints_move_places(joint_search *s)
{
    joint_contacts *c = s->contacts;
    if (!c) {
        return STATUS_OK;
    }
    const int ranks = s->joints->ranks;
    int64_t *to = calloc(2 * (size_t)ranks, sizeof *to), *from = to ? to + ranks : NULL;
    io_joint_member *wanted = malloc((size_t)(c->nwishes + 1) * sizeof *wanted);
    io_joint_member *asked = NULL;
    found_place *answers = NULL, *found = NULL;
    status result = to && wanted ? STATUS_OK
                                 : base_fail_memory((size_t)c->nwishes * sizeof *wanted,
                                                    "the vertices that blocks share");
    result = parallel_agree(s->joints->comm, result);
    if (result == STATUS_OK) {
        qsort(c->wishes, (size_t)c->nwishes, sizeof *c->wishes, compare_wishes);
        for (int64_t n = 0; n < c->nwishes; n++) {
            wanted[n] = c->wishes[n].first;
            to[c->wishes[n].rank]++;
        }
        result = io_exchange(s->joints->comm, sizeof *wanted, wanted, to, (void **)&asked,
                             from);
    }
    if (result == STATUS_OK) {
        result = parallel_agree(
            s->joints->comm, answer(s, io_exchange_total(ranks, from), asked, &answers));
    }
    if (result == STATUS_OK) {
        result = io_exchange(s->joints->comm, sizeof *answers, answers, from,
                             (void **)&found, to);
    }
    if (result == STATUS_OK) {
        take_places(s, found);
    }
    free(to);
    free(wanted);
    free(asked);
    free(answers);
    free(found);
    return result;
}
