#include "halo.h"

#include "base/array.h"
#include "base/parallel/parallel.h"

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

static status append(link_list *list, ghost_link l)
{
    ghost_link *links =
        base_array_reserve(list->links, &list->capacity, list->count + 1, sizeof *links);
    if (!links) {
        return base_fail_memory((size_t)list->count * sizeof *links, "a list of ghosts");
    }
    list->links = links;
    list->links[list->count++] = l;
    return STATUS_OK;
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

static status link_ghost(const solver_grid *grid, const solver_parts *parts,
                         const solver_box *box, const int64_t at[3], link_list *list)
{
    int block = box->part.block;
    int64_t there[3], stride[3], origin;
    double shift[3] = {0.0, 0.0, 0.0};
    for (int axis = 0; axis < 3; axis++) {
        there[axis] = box->part.lo[axis] + at[axis];
    }
    if (!solver_grid_resolve(grid, 0, &block, there, shift)) {
        return STATUS_OK;
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

static status link_box(const solver_grid *grid, const solver_parts *parts,
                       const solver_box *box, link_list *list)
{
    const int64_t *n = box->part.n;
    int64_t at[3];
    status s = STATUS_OK;
    for (at[2] = -SOLVER_GHOSTS; at[2] < n[2] + SOLVER_GHOSTS; at[2]++) {
        for (at[1] = -SOLVER_GHOSTS; at[1] < n[1] + SOLVER_GHOSTS; at[1]++) {
            for (at[0] = -SOLVER_GHOSTS; at[0] < n[0] + SOLVER_GHOSTS; at[0]++) {
                if (s == STATUS_OK && is_needed(box, at)) {
                    s = link_ghost(grid, parts, box, at, list);
                }
            }
        }
    }
    return s;
}

/* ---- Senders and receivers ---- */

static status allocate_peer(peer *p)
{
    size_t send = (size_t)p->nsend + 1, receive = (size_t)p->nreceive + 1;
    p->send = calloc(send, sizeof *p->send);
    p->receive = calloc(receive, sizeof *p->receive);
    p->out = calloc(send, VALUES * sizeof *p->out);
    p->in = calloc(receive, VALUES * sizeof *p->in);
    return p->send && p->receive && p->out && p->in
               ? STATUS_OK
               : base_fail_memory((send + receive) * 56, "a ghost exchange");
}

/* Makes the peers. wanted[r] cells come from rank r, asked[r] cells go to it. */
static status create_peers(solver_halo *halo, const int64_t *wanted, const int64_t *asked)
{
    int size = parallel_size(halo->comm);
    for (int rank = 0; rank < size; rank++) {
        halo->npeers += wanted[rank] + asked[rank] > 0;
    }
    size_t npeers = (size_t)halo->npeers + 1;
    halo->peers = calloc(npeers, sizeof *halo->peers);
    halo->requests = calloc(npeers, 2 * sizeof(MPI_Request));
    if (!halo->peers || !halo->requests) {
        return base_fail_memory(npeers * sizeof *halo->peers, "a ghost exchange");
    }
    status s = STATUS_OK;
    peer *p = halo->peers;
    for (int rank = 0; s == STATUS_OK && rank < size; rank++) {
        if (wanted[rank] + asked[rank] > 0) {
            *p = (peer){.rank = rank, .nsend = asked[rank], .nreceive = wanted[rank]};
            s = allocate_peer(p++);
        }
    }
    return s;
}

static void wait_all(solver_halo *halo)
{
    for (int r = 0; r < 2 * halo->npeers; r++) {
        parallel_wait(&halo->requests[r]);
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
        MPI_Isend(from[i], parallel_count(2 * p->nreceive), MPI_INT64_T, p->rank,
                  TAG_REQUEST, halo->comm, &halo->requests[2 * i]);
        MPI_Irecv(p->send, parallel_count(2 * p->nsend), MPI_INT64_T, p->rank,
                  TAG_REQUEST, halo->comm, &halo->requests[2 * i + 1]);
    }
    wait_all(halo);
}

static status plan_places(solver_halo *halo, const link_list *list)
{
    place **from = calloc((size_t)halo->npeers + 1, sizeof *from);
    status s = from ? STATUS_OK : base_fail_memory(0, "a ghost exchange");
    for (int i = 0; s == STATUS_OK && i < halo->npeers; i++) {
        from[i] = calloc((size_t)halo->peers[i].nreceive + 1, sizeof **from);
        s = from[i] ? STATUS_OK : base_fail_memory(0, "a ghost exchange");
    }
    s = parallel_agree(halo->comm, s);
    if (s == STATUS_OK) {
        exchange_places(halo, list, from);
    }
    for (int i = 0; from && i < halo->npeers; i++) {
        free(from[i]);
    }
    free(from);
    return s;
}

static status plan(solver_halo *halo, const link_list *list, int64_t *wanted,
                   int64_t *asked)
{
    MPI_Request request;
    for (int64_t l = 0; l < list->count; l++) {
        wanted[list->links[l].rank]++;
    }
    MPI_Ialltoall(wanted, 1, MPI_INT64_T, asked, 1, MPI_INT64_T, halo->comm, &request);
    parallel_wait(&request);
    status s = parallel_agree(halo->comm, create_peers(halo, wanted, asked));
    return s == STATUS_OK ? plan_places(halo, list) : s;
}

static status create_halo(const solver_grid *grid, const solver_parts *parts, int nboxes,
                          solver_halo *halo)
{
    size_t size = (size_t)parallel_size(halo->comm);
    link_list list = {0};
    int64_t *counts = calloc(size, 2 * sizeof *counts);
    status s = counts ? STATUS_OK : base_fail_memory(size * 16, "a ghost exchange");
    for (int b = 0; s == STATUS_OK && b < nboxes; b++) {
        s = link_box(grid, parts, &halo->boxes[b], &list);
    }
    s = parallel_agree(halo->comm, s);
    if (s == STATUS_OK) {
        s = plan(halo, &list, counts, counts + size);
    }
    free(counts);
    free(list.links);
    return s;
}

status solver_halo_create(MPI_Comm comm, const solver_grid *grid,
                          const solver_parts *parts, int nboxes, solver_box *boxes,
                          solver_halo **out)
{
    solver_halo *halo = calloc(1, sizeof *halo);
    status s =
        parallel_agree(comm, halo ? STATUS_OK : base_fail_memory(sizeof *halo, "a halo"));
    if (s == STATUS_OK) {
        halo->comm = comm;
        halo->boxes = boxes;
        s = create_halo(grid, parts, nboxes, halo);
    }
    if (s != STATUS_OK) {
        solver_halo_destroy(&halo);
        return s;
    }
    *out = halo;
    return STATUS_OK;
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
    int self = parallel_rank(halo->comm);
    for (int i = 0; i < halo->npeers; i++) {
        peer *p = &halo->peers[i];
        halo->requests[2 * i] = halo->requests[2 * i + 1] = MPI_REQUEST_NULL;
        pack(halo, p);
        if (p->rank == self) {
            continue; /* unpacked from the same buffer */
        }
        MPI_Irecv(p->in, parallel_count(VALUES * p->nreceive), MPI_DOUBLE, p->rank,
                  TAG_VALUES, halo->comm, &halo->requests[2 * i]);
        MPI_Isend(p->out, parallel_count(VALUES * p->nsend), MPI_DOUBLE, p->rank,
                  TAG_VALUES, halo->comm, &halo->requests[2 * i + 1]);
    }
    wait_all(halo);
    for (int i = 0; i < halo->npeers; i++) {
        const peer *p = &halo->peers[i];
        unpack(halo, p, p->rank == self ? p->out : p->in);
    }
}
