#include "halo.h"

#include "failure.h"

#include <limits.h>
#include <stdlib.h>

enum { VALUES = 5, TAG_REQUEST = 71, TAG_VALUES = 72 };

/* A cell of this rank. */
typedef struct place {
    int64_t box, index;
} place;

/* A ghost cell, and the cell that it stands for. */
typedef struct ghost_link {
    int rank;
    place from, to;
} ghost_link;

/* The values exchanged with one rank, possibly this one. */
typedef struct peer {
    int rank;
    int64_t nsend, nreceive;
    place *send, *receive; /* [nsend], [nreceive] */
    double *out, *in;      /* [nsend][VALUES], [nreceive][VALUES] */
} peer;

struct solver_halo {
    MPI_Comm comm;
    solver_box *boxes;
    int npeers;
    peer *peers;           /* [npeers], by rank */
    MPI_Request *requests; /* [2 * npeers] */
};

/* ---- The cells to exchange ---- */

typedef struct link_list {
    int64_t count, capacity;
    ghost_link *links;
} link_list;

static bool append(link_list *list, ghost_link l)
{
    if (list->count == list->capacity) {
        const int64_t capacity = 2 * list->capacity + 64;
        ghost_link *links = realloc(list->links, (size_t)capacity * sizeof *links);
        if (!links) {
            return solver_fail_memory((size_t)capacity * sizeof *links,
                                      "a list of ghosts");
        }
        list->links = links;
        list->capacity = capacity;
    }
    list->links[list->count++] = l;
    return true;
}

/* Two layers behind faces; one layer behind edges and along flat axes. No other ghosts
 * are read. */
static bool is_needed(const solver_box *box, const int64_t at[3])
{
    int64_t depth = 0;
    int axes = 0;
    for (int axis = 0; axis < 3; axis++) {
        int64_t out = at[axis] < 0 ? -at[axis] : at[axis] - box->part.n[axis] + 1;
        if (box->flat[axis] && out > 1) {
            return false;
        }
        axes += out > 0;
        depth += out > 0 ? out : 0;
    }
    return axes == 1 || (axes == 2 && depth == 2);
}

static bool link_ghost(const solver_grid *grid, const solver_parts *parts,
                       const solver_box *box, const int64_t at[3], link_list *list)
{
    int block = box->part.block;
    int64_t there[3], stride[3], origin;
    double shift[3] = {0.0, 0.0, 0.0};
    for (int axis = 0; axis < 3; axis++) {
        there[axis] = box->part.lo[axis] + at[axis];
    }
    if (!solver_grid_resolve(grid, 0, &block, there, shift)) {
        return true;
    }
    const solver_part *owner = solver_parts_find(parts, block, there);
    solver_part_strides(owner, stride, &origin);
    ghost_link l = {.rank = owner->rank,
                    .from = {.box = owner->local, .index = origin},
                    .to = {.box = box->part.local,
                           .index = solver_box_index(box, at[0], at[1], at[2])}};
    for (int axis = 0; axis < 3; axis++) {
        l.from.index += (there[axis] - owner->lo[axis]) * stride[axis];
    }
    return append(list, l);
}

static bool link_box(const solver_grid *grid, const solver_parts *parts,
                     const solver_box *box, link_list *list)
{
    const int64_t *n = box->part.n;
    int64_t at[3];
    bool works = true;
    for (at[2] = -SOLVER_GHOSTS; at[2] < n[2] + SOLVER_GHOSTS; at[2]++) {
        for (at[1] = -SOLVER_GHOSTS; at[1] < n[1] + SOLVER_GHOSTS; at[1]++) {
            for (at[0] = -SOLVER_GHOSTS; at[0] < n[0] + SOLVER_GHOSTS; at[0]++) {
                if (works && is_needed(box, at)) {
                    works = link_ghost(grid, parts, box, at, list);
                }
            }
        }
    }
    return works;
}

/* ---- Senders and receivers ---- */

static bool allocate_peer(peer *p)
{
    if (p->nsend > INT_MAX / VALUES || p->nreceive > INT_MAX / VALUES) {
        return solver_fail(SOLVER_FAILED,
                           "two ranks have too many cells in common: use more ranks");
    }
    size_t send = (size_t)p->nsend + 1, receive = (size_t)p->nreceive + 1;
    p->send = calloc(send, sizeof *p->send);
    p->receive = calloc(receive, sizeof *p->receive);
    p->out = calloc(send, VALUES * sizeof *p->out);
    p->in = calloc(receive, VALUES * sizeof *p->in);
    return (p->send && p->receive && p->out && p->in) ||
           solver_fail_memory((send + receive) * 56, "a ghost exchange");
}

/* Makes the peers. wanted[r] cells come from rank r, asked[r] cells go to it. */
static bool create_peers(solver_halo *halo, const int64_t *wanted, const int64_t *asked)
{
    int size = solver_size(halo->comm);
    for (int rank = 0; rank < size; rank++) {
        halo->npeers += wanted[rank] + asked[rank] > 0;
    }
    size_t npeers = (size_t)halo->npeers + 1;
    halo->peers = calloc(npeers, sizeof *halo->peers);
    halo->requests = calloc(npeers, 2 * sizeof(MPI_Request));
    if (!halo->peers || !halo->requests) {
        return solver_fail_memory(npeers * sizeof *halo->peers, "a ghost exchange");
    }
    bool works = true;
    peer *p = halo->peers;
    for (int rank = 0; works && rank < size; rank++) {
        if (wanted[rank] + asked[rank] > 0) {
            *p = (peer){.rank = rank, .nsend = asked[rank], .nreceive = wanted[rank]};
            works = allocate_peer(p++);
        }
    }
    return works;
}

static void wait_all(solver_halo *halo)
{
    for (int r = 0; r < 2 * halo->npeers; r++) {
        MPI_Wait(&halo->requests[r], MPI_STATUS_IGNORE);
    }
}

/* Tells the owners of cells which of them are needed here, in the order of the links. */
static void exchange_places(solver_halo *halo, const link_list *list, place **from)
{
    for (int i = 0; i < halo->npeers; i++) {
        peer *p = &halo->peers[i];
        int64_t n = 0;
        for (int64_t l = 0; l < list->count; l++) {
            if (list->links[l].rank == p->rank) {
                from[i][n] = list->links[l].from;
                p->receive[n++] = list->links[l].to;
            }
        }
        MPI_Isend(from[i], (int)(2 * p->nreceive), MPI_INT64_T, p->rank, TAG_REQUEST,
                  halo->comm, &halo->requests[2 * i]);
        MPI_Irecv(p->send, (int)(2 * p->nsend), MPI_INT64_T, p->rank, TAG_REQUEST,
                  halo->comm, &halo->requests[2 * i + 1]);
    }
    wait_all(halo);
}

static bool plan_places(solver_halo *halo, const link_list *list)
{
    place **from = calloc((size_t)halo->npeers + 1, sizeof *from);
    bool works = from != NULL;
    for (int i = 0; works && i < halo->npeers; i++) {
        from[i] = calloc((size_t)halo->peers[i].nreceive + 1, sizeof **from);
        works = from[i] != NULL;
    }
    works = solver_agree(halo->comm, works || solver_fail_memory(0, "a ghost exchange"));
    if (works) {
        exchange_places(halo, list, from);
    }
    for (int i = 0; from && i < halo->npeers; i++) {
        free(from[i]);
    }
    free(from);
    return works;
}

static bool plan(solver_halo *halo, const link_list *list, int64_t *wanted,
                 int64_t *asked)
{
    for (int64_t l = 0; l < list->count; l++) {
        wanted[list->links[l].rank]++;
    }
    MPI_Alltoall(wanted, 1, MPI_INT64_T, asked, 1, MPI_INT64_T, halo->comm);
    return solver_agree(halo->comm, create_peers(halo, wanted, asked)) &&
           plan_places(halo, list);
}

static bool create_halo(const solver_grid *grid, const solver_parts *parts, int nboxes,
                        solver_halo *halo)
{
    size_t size = (size_t)solver_size(halo->comm);
    link_list list = {0};
    int64_t *counts = calloc(size, 2 * sizeof *counts);
    bool works = counts || solver_fail_memory(size * 16, "a ghost exchange");
    for (int b = 0; works && b < nboxes; b++) {
        works = link_box(grid, parts, &halo->boxes[b], &list);
    }
    works = solver_agree(halo->comm, works) && plan(halo, &list, counts, counts + size);
    free(counts);
    free(list.links);
    return works;
}

bool solver_halo_create(MPI_Comm comm, const solver_grid *grid, const solver_parts *parts,
                        int nboxes, solver_box *boxes, solver_halo **out)
{
    solver_halo *halo = calloc(1, sizeof *halo);
    if (halo) {
        *halo = (solver_halo){.comm = comm, .boxes = boxes};
    }
    bool works = solver_agree(comm, halo || solver_fail_memory(sizeof *halo, "a halo")) &&
                 create_halo(grid, parts, nboxes, halo);
    if (!works) {
        solver_halo_destroy(&halo);
        return false;
    }
    *out = halo;
    return true;
}

void solver_halo_destroy(solver_halo **halo)
{
    if (*halo) {
        for (int i = 0; (*halo)->peers && i < (*halo)->npeers; i++) {
            peer *p = &(*halo)->peers[i];
            free(p->send);
            free(p->receive);
            free(p->out);
            free(p->in);
        }
        free((*halo)->peers);
        free((*halo)->requests);
        free(*halo);
        *halo = NULL;
    }
}

/* ---- Exchanging ---- */

static void pack(const solver_halo *halo, peer *p)
{
    for (int64_t n = 0; n < p->nsend; n++) {
        const solver_box *box = &halo->boxes[p->send[n].box];
        for (int v = 0; v < VALUES; v++) {
            p->out[n * VALUES + v] = box->primitive[v][p->send[n].index];
        }
    }
}

static void unpack(const solver_halo *halo, const peer *p, const double *in)
{
    for (int64_t n = 0; n < p->nreceive; n++) {
        const solver_box *box = &halo->boxes[p->receive[n].box];
        for (int v = 0; v < VALUES; v++) {
            box->primitive[v][p->receive[n].index] = in[n * VALUES + v];
        }
    }
}

void solver_halo_exchange(solver_halo *halo)
{
    int self = solver_rank(halo->comm);
    for (int i = 0; i < halo->npeers; i++) {
        peer *p = &halo->peers[i];
        halo->requests[2 * i] = halo->requests[2 * i + 1] = MPI_REQUEST_NULL;
        pack(halo, p);
        if (p->rank == self) {
            continue; /* unpacked from the same buffer */
        }
        MPI_Irecv(p->in, (int)(VALUES * p->nreceive), MPI_DOUBLE, p->rank, TAG_VALUES,
                  halo->comm, &halo->requests[2 * i]);
        MPI_Isend(p->out, (int)(VALUES * p->nsend), MPI_DOUBLE, p->rank, TAG_VALUES,
                  halo->comm, &halo->requests[2 * i + 1]);
    }
    wait_all(halo);
    for (int i = 0; i < halo->npeers; i++) {
        const peer *p = &halo->peers[i];
        unpack(halo, p, p->rank == self ? p->out : p->in);
    }
}
