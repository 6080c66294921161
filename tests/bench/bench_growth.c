/*
 * What loading a frame asks of a rank as data and ranks grow: reads, rounds and messages.
 *
 *   bench_growth FILE one|blocks RANKS…
 *
 * Each rank has 256^3 cells: of one block that grows, or in a block of its own. Writes a
 * sparse HDF5 file for each number of ranks, counts for the rank in the middle, and runs
 * no other. Reads are those of the real reader, with the rank's share of the bricks.
 * Rounds and messages are planned as sweep.c and delivery.c of io/load do, with the boxes
 * of the real partition by cells. The linker (--wrap) redirects pread to this file.
 *
 * Prints for each number of ranks: calls of pread, and bytes over those of the arrays,
 * for the geometry, and for the values; then of one pass, if ranks read alone and
 * together: rounds, exchanges, messages that the rank sends; the ranks that get them, the
 * copies of a brick, and megabytes of the layout.
 */
#include "base/array.h"
#include "grid/partition/partition.h"
#include "io/config/config.h"
#include "io/load/load.h"
#include "io/window.h"

#include <hdf5.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIDE = 256, BRICKS = SIDE / GRID_BRICK_CELLS, EVERY = 128 }; /* delivery.h */

static int64_t reads, bytes_read;

ssize_t __real_pread(int descriptor, void *bytes, size_t size, off_t at);
ssize_t __wrap_pread(int descriptor, void *bytes, size_t size, off_t at);

ssize_t __wrap_pread(int descriptor, void *bytes, size_t size, off_t at)
{
#pragma omp atomic
    reads++;
#pragma omp atomic
    bytes_read += (int64_t)size;
    return __real_pread(descriptor, bytes, size, at);
}

static void stop(const char *what)
{
    fprintf(stderr, "bench_growth: %s\n", what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void check(status s)
{
    if (s != STATUS_OK) {
        stop(base_fail_message());
    }
}

/* ---- The file ---------------------------------------------------------------------- */

/* Arrays have their place in the file, and no bytes are written. */
static void add_arrays(hid_t file, const char *folder, const char *const names[3],
                       const hsize_t n[3])
{
    char path[128];
    const hid_t space = H5Screate_simple(3, n, NULL);
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE), links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_alloc_time(how, H5D_ALLOC_TIME_EARLY);
    H5Pset_fill_time(how, H5D_FILL_TIME_NEVER);
    H5Pset_create_intermediate_group(links, 1);
    for (int a = 0; a < 3; a++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[a]);
        const hid_t made =
            H5Dcreate2(file, path, H5T_NATIVE_FLOAT, space, links, how, H5P_DEFAULT);
        if (made < 0) {
            stop("the file cannot be written");
        }
        H5Dclose(made);
    }
    H5Pclose(links);
    H5Pclose(how);
    H5Sclose(space);
}

/* `along`: ranks along each axis. */
static void write_file(const char *path, bool is_one, int along)
{
    static const char *const places[] = {"x", "y", "z"};
    static const char *const fields[] = {"velocity_x", "velocity_y", "velocity_z"};
    const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hsize_t side = (hsize_t)(is_one ? along : 1) * SIDE + 1;
    const hsize_t n[3] = {side, side, side};
    for (int b = 0; b < (is_one ? 1 : along * along * along); b++) {
        char folder[64];
        snprintf(folder, sizeof folder, "grid/b%05d", b);
        add_arrays(file, folder, places, n);
        snprintf(folder, sizeof folder, "flow/0/b%05d", b);
        add_arrays(file, folder, fields, n);
    }
    H5Fclose(file);
}

/* ---- The layout -------------------------------------------------------------------- */

/* Cells are cubes of side 1; blocks lie side by side, i fastest. */
static void place_bricks(grid_layout *layout, int along)
{
    for (int64_t number = 0; number < layout->nbricks; number++) {
        const grid_brick_place place = grid_layout_place(layout, number);
        const int b = place.block;
        const int64_t first[3] = {b % along, b / along % along, b / along / along};
        grid_brick_info *info = &layout->bricks[number];
        info->cells = place.n[0] * place.n[1] * place.n[2];
        for (int axis = 0; axis < 3; axis++) {
            info->lo[axis] = (float)(first[axis] * SIDE + place.lo[axis]);
            info->hi[axis] = info->lo[axis] + (float)place.n[axis];
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        layout->bounds.lo.v[axis] = 0.0;
        layout->bounds.hi.v[axis] = (double)along * SIDE;
    }
}

/* ---- Rounds and messages ----------------------------------------------------------- */

typedef struct plan {
    const grid_layout *layout;
    const grid_partition *boxes;
    int ranks, rank;
    int64_t count, *numbers; /* the rank's share */
    int64_t nwindows;
    io_window *windows;
    bool is_alone;    /* ranks need not be in the same block: one list of rounds */
    int nlists;       /* the number of blocks, or 1 */
    int (*rounds)[2]; /* [nlists]: most windows of a rank, and bricks of a window */
} plan;

typedef struct growth {
    int64_t rounds, exchanges, messages, receivers, copies;
} growth;

static void list_share(const plan *p, int rank, int64_t *count, int64_t **numbers)
{
    const int64_t first = p->layout->nbricks * rank / p->ranks;
    *count = p->layout->nbricks * (rank + 1) / p->ranks - first;
    *numbers = malloc((size_t)(*count + 1) * sizeof **numbers);
    for (int64_t n = 0; *numbers && n < *count; n++) {
        (*numbers)[n] = first + n;
    }
}

static void count_rounds(plan *p, bool is_alone)
{
    p->is_alone = is_alone;
    p->nlists = is_alone ? 1 : p->layout->nblocks;
    p->rounds = calloc((size_t)p->nlists, sizeof *p->rounds);
    int *mine = calloc((size_t)p->nlists, sizeof *mine);
    for (int rank = 0; rank < p->ranks && p->rounds && mine; rank++) {
        int64_t count, nwindows, *numbers;
        io_window *windows;
        list_share(p, rank, &count, &numbers);
        check(io_window_gather(p->layout, count, numbers, IO_WINDOW_VERTICES, &nwindows,
                               &windows));
        for (int64_t n = 0; n < nwindows; n++) {
            const int b = is_alone ? 0 : windows[n].block;
            const int bricks = (int)io_window_brick_count(&windows[n]);
            mine[b]++;
            p->rounds[b][0] = mine[b] > p->rounds[b][0] ? mine[b] : p->rounds[b][0];
            p->rounds[b][1] = bricks > p->rounds[b][1] ? bricks : p->rounds[b][1];
        }
        for (int64_t n = 0; n < nwindows; n++) {
            mine[is_alone ? 0 : windows[n].block] = 0;
        }
        free(windows);
        free(numbers);
    }
    free(mine);
}

/* Notes the ranks to which the bricks of a window go: sent: [ranks]. */
static void send_window(const plan *p, const io_window *window, growth *g, uint8_t *sent)
{
    for (int64_t n = 0; n < io_window_brick_count(window); n++) {
        const int64_t number = io_window_brick(p->layout, window, n);
        for (int rank = 0; rank < p->ranks; rank++) {
            const box3 box = grid_partition_box(p->boxes, rank);
            if (rank != p->rank && grid_layout_brick_meets(p->layout, number, box)) {
                sent[rank] = 3; /* in this exchange, and in any */
                g->copies++;
            }
        }
    }
}

static void exchange(const plan *p, growth *g, uint8_t *sent)
{
    g->exchanges++;
    for (int rank = 0; rank < p->ranks; rank++) {
        g->messages += sent[rank] & 1;
        sent[rank] &= 2;
    }
}

static void run_rounds(const plan *p, growth *g, uint8_t *sent)
{
    int64_t next = 0, bricks = 0;
    for (int list = 0; list < p->nlists; list++) {
        for (int round = 0; round < p->rounds[list][0]; round++) {
            if (next < p->nwindows && (p->is_alone || p->windows[next].block == list)) {
                send_window(p, &p->windows[next++], g, sent);
            }
            g->rounds++;
            bricks += p->rounds[list][1];
            if (bricks >= EVERY) {
                exchange(p, g, sent);
                bricks = 0;
            }
        }
    }
    if (bricks > 0) {
        exchange(p, g, sent);
    }
}

/* Of one pass over the bricks. */
static growth count_messages(plan *p, bool is_alone)
{
    growth g = {.rounds = 0};
    uint8_t *sent = calloc((size_t)p->ranks, 1);
    count_rounds(p, is_alone);
    if (!sent || !p->rounds) {
        stop("memory is short");
    }
    run_rounds(p, &g, sent);
    for (int rank = 0; rank < p->ranks; rank++) {
        g.receivers += sent[rank] != 0;
    }
    free(sent);
    free(p->rounds);
    return g;
}

/* ---- Reads ------------------------------------------------------------------------- */

/* Loads the share: geometry, then values of a derivative of three fields. calls, bytes:
 * of both. */
static void load_share(io_source *source, const plan *p, int64_t calls[2],
                       int64_t bytes[2])
{
    const io_load_list list = {p->layout, p->count, p->numbers, GRID_VERTEX};
    const grid_terms terms = {.gamma = 1.4};
    grid_recipe *recipe = NULL;
    grid_store *store = NULL;
    check(grid_recipe_create("vorticity_magnitude", io_source_field_count(source),
                             io_source_fields(source), terms, &recipe));
    reads = bytes_read = 0;
    check(io_load_bricks(MPI_COMM_SELF, source, &list, &store));
    calls[0] = reads;
    bytes[0] = bytes_read;
    reads = bytes_read = 0;
    check(io_load_field(MPI_COMM_SELF, source, recipe, 0, store));
    calls[1] = reads;
    bytes[1] = bytes_read;
    grid_store_destroy(&store);
    grid_recipe_destroy(&recipe);
}

static void report(const char *kind, const plan *p, const growth g[2],
                   const int64_t calls[2], const int64_t bytes[2])
{
    const double own = 12.0 * SIDE * SIDE * SIDE; /* of three arrays */
    printf("| %s, %d | %lld, %.2f | %lld, %.2f | %lld, %lld | %lld, %lld | %lld, %lld | "
           "%lld | %.2f | %.0f |\n",
           kind, p->ranks, (long long)calls[0], (double)bytes[0] / own,
           (long long)calls[1], (double)bytes[1] / (2.0 * own), (long long)g[0].rounds,
           (long long)g[1].rounds, (long long)g[0].exchanges, (long long)g[1].exchanges,
           (long long)g[0].messages, (long long)g[1].messages, (long long)g[0].receivers,
           (double)g[0].copies / (double)p->count,
           (double)p->layout->nbricks * sizeof(grid_brick_info) / 1e6);
    fflush(stdout);
}

static void measure(const char *path, bool is_one, int ranks)
{
    const int along = (int)lround(cbrt((double)ranks));
    io_data_config config = {.file = (char *)(uintptr_t)path};
    io_source *source = NULL;
    grid_layout *layout = NULL;
    grid_partition *boxes = NULL;
    int64_t calls[2], bytes[2];
    if (ranks < 1 || along * along * along != ranks) {
        stop("numbers of ranks must be cubes, such as 64");
    }
    write_file(path, is_one, along);
    check(io_source_open(MPI_COMM_SELF, &config, &source));
    check(grid_layout_create(io_source_block_count(source), io_source_blocks(source),
                             &layout));
    place_bricks(layout, along);
    check(grid_partition_create(layout, ranks, &boxes));
    plan p = {.layout = layout, .boxes = boxes, .ranks = ranks, .rank = ranks / 2};
    list_share(&p, p.rank, &p.count, &p.numbers);
    check(io_window_gather(layout, p.count, p.numbers, IO_WINDOW_VERTICES, &p.nwindows,
                           &p.windows));
    const growth g[2] = {count_messages(&p, true), count_messages(&p, false)};
    load_share(source, &p, calls, bytes);
    report(is_one ? "one block" : "blocks", &p, g, calls, bytes);
    free(p.windows);
    free(p.numbers);
    grid_partition_destroy(&boxes);
    grid_layout_destroy(&layout);
    io_source_close(&source);
    unlink(path);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    if (argc < 4) {
        fprintf(stderr, "usage: bench_growth FILE one|blocks RANKS…, cubes such as 64\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    for (int n = 3; n < argc; n++) {
        measure(argv[1], strcmp(argv[2], "one") == 0, atoi(argv[n]));
    }
    MPI_Finalize();
    return 0;
}
