/* Saving the particles of a running program, and going on with them after a restart. */
#include "base/parallel/share.h"
#include "particles.h"
#include "saved.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Saving ------------------------------------------------------------------------ */

/* Gathers items of `size` bytes on rank 0, in the order of ranks; *all: malloc'ed there,
 * NULL elsewhere. Collective. Errors: STATUS_MEMORY. */
static status gather(MPI_Comm comm, size_t size, int64_t count, const void *items,
                     int64_t *total, void **all)
{
    const int ranks = parallel_size(comm), rank = parallel_rank(comm);
    const bool is_root = rank == 0;
    const int mine = parallel_count(count);
    int *counts = calloc(2 * (size_t)ranks, sizeof *counts);
    MPI_Request request;
    MPI_Datatype type;
    parallel_allreduce(&count, total, 1, MPI_INT64_T, MPI_SUM, comm);
    *all = is_root ? malloc((size_t)*total * size + 1) : NULL;
    status s = counts && (*all || !is_root) && *total <= INT32_MAX
                   ? STATUS_OK
                   : base_fail_memory((size_t)*total * size, "the state of particles");
    s = parallel_agree(comm, s);
    if (s == STATUS_OK) {
        MPI_Igather(&mine, 1, MPI_INT, counts, 1, MPI_INT, 0, comm, &request);
        parallel_wait(&request);
        int *at = counts + ranks;
        for (int n = 1; n < ranks; n++) {
            at[n] = at[n - 1] + counts[n - 1];
        }
        MPI_Type_contiguous((int)size, MPI_BYTE, &type);
        MPI_Type_commit(&type);
        MPI_Igatherv(items, mine, type, *all, counts, at, type, 0, comm, &request);
        parallel_wait(&request);
        MPI_Type_free(&type);
    }
    free(counts);
    if (s != STATUS_OK) {
        free(*all);
        *all = NULL;
    }
    return s;
}

static int compare_travellers(const void *a, const void *b)
{
    const trace_traveller *one = a, *other = b;
    return (one->number > other->number) - (one->number < other->number);
}

/* Moves the particles of all ranks to rank 0, sorted, so that the file does not depend on
 * the ranks. Collective. */
static status gather_snapshot(MPI_Comm comm, trace_snapshot *snapshot)
{
    void *travellers = NULL, *records = NULL;
    int64_t ntravellers = 0, nrecords = 0;
    const bool is_root = parallel_rank(comm) == 0;
    status s = gather(comm, sizeof(trace_traveller), snapshot->ntravellers,
                      snapshot->travellers, &ntravellers, &travellers);
    if (s == STATUS_OK) {
        s = gather(comm, sizeof(trace_record), snapshot->records.count,
                   snapshot->records.items, &nrecords, &records);
    }
    if (s != STATUS_OK) {
        free(travellers);
        return s;
    }
    parallel_allreduce(MPI_IN_PLACE, &snapshot->ended, 1, MPI_INT64_T, MPI_SUM, comm);
    if (is_root) {
        free(snapshot->travellers);
        trace_records_clear(&snapshot->records);
        qsort(travellers, (size_t)ntravellers, sizeof(trace_traveller),
              compare_travellers);
        snapshot->travellers = travellers;
        snapshot->ntravellers = ntravellers;
        snapshot->records = (trace_records){nrecords, nrecords, records, false};
        trace_records_sort(&snapshot->records);
    }
    return STATUS_OK;
}

/* Takes snapshots of all swarms, complete on rank 0. Collective. */
static status keep_all(frame_particles *p)
{
    status s = STATUS_OK;
    for (int n = 0; n < p->nlives && s == STATUS_OK; n++) {
        s = p->lives[n].flow >= 0 ? frame_swarm_keep(p->lives[n].swarm) : STATUS_OK;
    }
    s = parallel_agree(p->comm, s);
    for (int n = 0; n < p->nlives; n++) {
        const frame_swarm *swarm = p->lives[n].flow >= 0 ? p->lives[n].swarm : NULL;
        for (int l = 0; s == STATUS_OK && swarm && l < frame_swarm_lists(swarm); l++) {
            frame_swarm_list *list = frame_swarm_list_at(swarm, l);
            s = list->has_snapshot ? gather_snapshot(p->comm, &list->snapshot)
                                   : STATUS_OK;
        }
    }
    return s;
}

static status write_file(const frame_particles *p, const char *path)
{
    io_state *state = NULL;
    status s = io_state_create(&state);
    if (s == STATUS_OK) {
        s = saved_put(p, state);
    }
    if (s != STATUS_OK) {
        io_state_close(&state);
        return s;
    }
    return io_state_write(&state, path);
}

status frame_particles_save(frame_particles *particles, const char *path)
{
    frame_particles *p = particles;
    if (p->nlives == 0 || !p->layout) {
        return STATUS_OK;
    }
    status s = keep_all(p);
    if (s == STATUS_OK) {
        s = parallel_agree(p->comm,
                           parallel_rank(p->comm) == 0 ? write_file(p, path) : STATUS_OK);
    }
    for (int n = 0; n < p->nlives; n++) {
        if (p->lives[n].flow >= 0) {
            frame_swarm_forget(p->lives[n].swarm);
        }
    }
    return s;
}

/* ---- Sharing ----------------------------------------------------------------------- */

/* The members of a list of seeds that have a fixed size. */
typedef struct list_head {
    io_seed_config seeds; /* without its pointers */
    bool has_block, is_closed, has_snapshot;
    char block[GRID_NAME_SIZE];
    int64_t first_seed;
    trace_snapshot snapshot; /* without its pointers */
} list_head;

static void pack_head(const frame_swarm_list *list, list_head *head)
{
    *head = (list_head){.seeds = list->seeds,
                        .has_block = list->seeds.block != NULL,
                        .is_closed = list->is_closed,
                        .has_snapshot = list->has_snapshot,
                        .first_seed = list->first_seed,
                        .snapshot = list->snapshot};
    snprintf(head->block, sizeof head->block, "%s",
             list->seeds.block ? list->seeds.block : "");
}

/* What the other ranks make of it: particles and points stay on rank 0, and so does the
 * number of those that have ended, which adds up. */
static status unpack_head(const list_head *head, frame_swarm_list *list)
{
    *list = (frame_swarm_list){.seeds = head->seeds,
                               .is_closed = head->is_closed,
                               .has_snapshot = head->has_snapshot,
                               .first_seed = head->first_seed,
                               .snapshot = head->snapshot};
    list->seeds.points = NULL;
    list->seeds.block = head->has_block ? strdup(head->block) : NULL;
    list->snapshot.times = NULL;
    list->snapshot.travellers = calloc(1, sizeof *list->snapshot.travellers);
    list->snapshot.ntravellers = list->snapshot.ended = 0;
    list->snapshot.records = (trace_records){0};
    return list->snapshot.travellers && (list->seeds.block || !head->has_block)
               ? STATUS_OK
               : base_fail_memory(sizeof *list, "the state of particles");
}

/* Gives all ranks rank 0's list. Collective. */
static status share_list(MPI_Comm comm, frame_swarm_list *list)
{
    list_head head;
    memset(&head, 0, sizeof head);
    if (parallel_rank(comm) == 0) {
        pack_head(list, &head);
    }
    parallel_bcast(&head, (int)sizeof head, MPI_BYTE, 0, comm);
    status s = STATUS_OK;
    if (parallel_rank(comm) != 0) {
        s = unpack_head(&head, list);
    }
    const parallel_list lists[] = {
        PARALLEL_LIST(list->seeds.points, head.seeds.npoints),
        PARALLEL_LIST(list->snapshot.times,
                      head.has_snapshot ? head.snapshot.ntimes : -1)};
    return parallel_share(comm, s, 2, lists, "the state of particles");
}

/* Gives all ranks rank 0's swarm. Collective. */
static status share_live(MPI_Comm comm, particles_live *live)
{
    const bool is_root = parallel_rank(comm) == 0;
    int head[3] = {(int)live->plan.config.mode, live->nowners,
                   is_root ? frame_swarm_lists(live->swarm) : 0};
    parallel_bcast(head, 3, MPI_INT, 0, comm);
    const parallel_list owners = PARALLEL_LIST(live->owners, head[1]);
    status s = parallel_share(comm, STATUS_OK, 1, &owners, "the state of particles");
    live->nowners = s == STATUS_OK ? head[1] : 0;
    live->plan.config.mode = (io_particle_mode)head[0];
    if (s == STATUS_OK) {
        status made = is_root ? STATUS_OK
                              : frame_swarm_create(&live->plan.config, particles_limits(),
                                                   &live->swarm);
        s = parallel_agree(comm, made);
    }
    for (int n = 0; s == STATUS_OK && n < head[2]; n++) {
        frame_swarm_list fresh = {0};
        s = share_list(comm, is_root ? frame_swarm_list_at(live->swarm, n) : &fresh);
        status added = is_root ? STATUS_OK : frame_swarm_add_list(live->swarm, &fresh);
        s = s == STATUS_OK ? parallel_agree(comm, added) : s;
    }
    return s;
}

/* ---- Going on ---------------------------------------------------------------------- */

static status read_file(const frame_particles *p, const char *path, saved_about *about,
                        int *count, particles_live **lives)
{
    io_state *state = NULL;
    status s = io_state_open(path, &state);
    if (s == STATUS_OK) {
        s = saved_get(state, p->layout, about, count, lives);
    }
    io_state_close(&state);
    return s;
}

/* Fails if the file is of another step. */
static status check_step(const saved_about *about, const io_step *step)
{
    const double span = fabs(about->time - step->time);
    if (about->cycle == step->number && span <= 1e-6 * fabs(step->time)) {
        return STATUS_OK;
    }
    return base_fail(STATUS_INPUT,
                     "the state of the particles is of step %" PRId64
                     ", time %g, not of step %" PRId64 ", time %g",
                     about->cycle, about->time, step->number, step->time);
}

/* Whether a swarm of the file belongs to a swarm: it was shown by one of its layers. */
static bool belongs(const particles_live *saved, const particles_live *live)
{
    for (int n = 0; n < live->nowners; n++) {
        for (int m = 0; m < saved->nowners; m++) {
            if (strcmp(live->owners[n], saved->owners[m]) == 0) {
                return saved->plan.config.mode == live->plan.config.mode;
            }
        }
    }
    return false;
}

/* The times of a snapshot may have been rounded on their way through the checkpoint. */
static void set_time(const frame_swarm *swarm, double time)
{
    for (int n = 0; n < frame_swarm_lists(swarm); n++) {
        frame_swarm_list *list = frame_swarm_list_at(swarm, n);
        list->snapshot.now = time;
        for (int64_t t = 0; t < list->snapshot.ntimes; t++) {
            list->snapshot.times[t] = fmin(list->snapshot.times[t], time);
        }
    }
}

/* Fails if a snapshot is of another number of seeds than its list. */
static status check_seeds(const frame_swarm *swarm)
{
    for (int n = 0; n < frame_swarm_lists(swarm); n++) {
        const frame_swarm_list *list = frame_swarm_list_at(swarm, n);
        if (list->has_snapshot && !list->is_closed &&
            list->snapshot.nseeds != frame_seeds_count(&list->seeds)) {
            return base_fail(STATUS_INPUT,
                             "the state of the particles has another number of seeds");
        }
    }
    return STATUS_OK;
}

/* Gives swarms the particles of the file. */
static status take_over(frame_particles *p, const saved_about *about, int count,
                        particles_live *saved)
{
    status s = STATUS_OK;
    for (int n = 0; s == STATUS_OK && n < p->nlives; n++) {
        particles_live *live = &p->lives[n];
        int m = 0;
        while (m < count && !(saved[m].swarm && belongs(&saved[m], live))) {
            m++;
        }
        if (m == count) {
            continue;
        }
        frame_swarm_destroy(&live->swarm);
        live->swarm = saved[m].swarm;
        saved[m].swarm = NULL;
        live->flow = -1;
        live->seeks = !about->same_grid;
        set_time(live->swarm, p->time);
        s = frame_swarm_change(live->swarm, &live->plan.config, particles_limits());
        s = s == STATUS_OK ? check_seeds(live->swarm) : s;
    }
    return s;
}

/* Reads the file on rank 0, and gives all ranks its swarms. Collective. */
static status read_all(frame_particles *p, const char *path, const io_step *step,
                       saved_about *about, particles_live **lives, int *count)
{
    const bool is_root = parallel_rank(p->comm) == 0;
    status s = is_root ? read_file(p, path, about, count, lives) : STATUS_OK;
    if (s == STATUS_OK && is_root) {
        s = check_step(about, step);
    }
    s = parallel_agree(p->comm, s);
    if (s != STATUS_OK) {
        return s;
    }
    parallel_bcast(about, (int)sizeof *about, MPI_BYTE, 0, p->comm);
    parallel_bcast(count, 1, MPI_INT, 0, p->comm);
    if (!is_root) {
        *lives = calloc((size_t)*count + 1, sizeof **lives);
        s = *lives ? STATUS_OK : base_fail_memory((size_t)*count, "particles");
    }
    s = parallel_agree(p->comm, s);
    for (int n = 0; s == STATUS_OK && n < *count; n++) {
        s = share_live(p->comm, &(*lives)[n]);
    }
    return s;
}

status frame_particles_restore(frame_particles *particles, io_source *source, int step,
                               const char *path)
{
    frame_particles *p = particles;
    saved_about about;
    particles_live *lives = NULL;
    int count = 0;
    memset(&about, 0, sizeof about);
    status s = frame_particles_begin(p, source, step);
    if (s != STATUS_OK || p->nlives == 0) {
        return s;
    }
    s = read_all(p, path, &io_source_steps(source)[step], &about, &lives, &count);
    if (s == STATUS_OK) {
        s = parallel_agree(p->comm, take_over(p, &about, count, lives));
    }
    if (s != STATUS_OK) {
        particles_restart(p);
    }
    for (int n = 0; lives && n < count; n++) {
        particles_live_clear(&lives[n]);
    }
    free(lives);
    char reason[NOTE_SIZE];
    snprintf(reason, sizeof reason, "%s", base_fail_message());
    const status moved = frame_particles_step(p, source, step);
    if (s != STATUS_OK) {
        base_fail_set_message(reason);
    }
    return s == STATUS_OK ? moved : s;
}
