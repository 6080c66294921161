/*
 * Parts of running programs: random blocks are cut into parts in 1 to 3 directions, which
 * 1 to 5 ranks describe to libkarman. Parts consist of own vertices alone, or count
 * ghosts as their own. Ghosts hold other values than their owners, as stale ones do. Each
 * value that karman reads must be the owner's.
 *
 *     mpiexec -n 5 fuzz_parts [--cases N] [--seed S] [--only N]
 */
#include "base/parallel/parallel.h"
#include "library/insitu.h"
#include "library/state.h"
#include "support/random.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PARTS = 256, MOST_BLOCKS = 3, ARRAYS = 6, BEYOND = 12345 };

/* Vertices that a part has beside its own ones. */
typedef enum sharing { NONE, PLANE_ABOVE, PLANE_BELOW, BOTH_PLANES, SHARINGS } sharing;

typedef struct part {
    int block, rank;
    int64_t own[3], own_n[3]; /* vertices of its own */
    int64_t lo[3], n[3];      /* described vertices */
    void *memory[ARRAYS];
} part;

typedef struct fuzz_case {
    uint64_t seed, random; /* `random` is the same on every rank */
    MPI_Comm comm;
    sharing sharing;
    int ghosts;     /* layers around a part's own vertices in the program */
    double stale;   /* share of ghosts that are stale */
    bool is_double; /* coordinates and fields */
    int nblocks;
    int64_t size[MOST_BLOCKS][3];
    int nparts;
    part parts[MOST_PARTS];
    bool is_wrong[3]; /* whether a described coordinate is stale, of x, y, z */
} fuzz_case;

/* ---- Cases ------------------------------------------------------------------------- */

static void add_part(fuzz_case *c, int block, const int64_t lo[3], const int64_t n[3])
{
    part *p = &c->parts[c->nparts++];
    *p = (part){.block = block, .rank = random_below(&c->random, parallel_size(c->comm))};
    for (int axis = 0; axis < 3; axis++) {
        const bool begins = lo[axis] == 0,
                   ends = lo[axis] + n[axis] == c->size[block][axis];
        const int below =
            !begins && (c->sharing == PLANE_BELOW || c->sharing == BOTH_PLANES);
        const int above =
            !ends && (c->sharing == PLANE_ABOVE || c->sharing == BOTH_PLANES);
        p->own[axis] = lo[axis];
        p->own_n[axis] = n[axis];
        p->lo[axis] = lo[axis] - below;
        p->n[axis] = n[axis] + below + above;
    }
}

/* Cuts vertices in two again and again, along the first `axes` axes. */
static void cut(fuzz_case *c, int block, const int64_t lo[3], const int64_t n[3],
                int levels, int axes)
{
    const int axis = random_below(&c->random, axes);
    if (levels == 0 || n[axis] < 2) {
        add_part(c, block, lo, n);
        return;
    }
    int64_t lower[3], upper[3], above[3];
    memcpy(lower, n, sizeof lower);
    memcpy(upper, n, sizeof upper);
    memcpy(above, lo, sizeof above);
    lower[axis] = 1 + random_below(&c->random, (int)n[axis] - 1);
    upper[axis] -= lower[axis];
    above[axis] += lower[axis];
    cut(c, block, lo, lower, levels - 1, axes);
    cut(c, block, above, upper, levels - 1, axes);
}

/* A case of this number, cut into parts; on the ranks of `comm`. */
static void draw_case(fuzz_case *c, uint64_t seed, int64_t number, MPI_Comm comm)
{
    *c = (fuzz_case){.seed = seed + (uint64_t)number, .comm = comm};
    c->random = random_start(seed, (uint64_t)number);
    c->sharing = (sharing)random_below(&c->random, SHARINGS);
    c->ghosts = 1 + random_below(&c->random, 2);
    c->stale = random_below(&c->random, 3) ? random_between(&c->random, 0.0, 1.0) : 0.0;
    c->is_double = random_below(&c->random, 2);
    c->nblocks = 1 + random_below(&c->random, MOST_BLOCKS);
    const int axes = 1 + random_below(&c->random, 3);
    for (int b = 0; b < c->nblocks; b++) {
        const int64_t zero[3] = {0, 0, 0};
        for (int axis = 0; axis < 3; axis++) {
            c->size[b][axis] = 2 + random_below(&c->random, 11);
        }
        cut(c, b, zero, c->size[b], random_below(&c->random, 6), axes);
    }
}

/* ---- The program's memory ---------------------------------------------------------- */

static uint64_t hash_of(const fuzz_case *c, int block, int array, const int64_t at[3])
{
    const uint64_t place = (uint64_t)(at[0] + 64 * (at[1] + 64 * at[2]));
    uint64_t state = random_start(c->seed + (uint64_t)(block * ARRAYS + array), place);
    return random_bits(&state) >> 32;
}

/* The true value: x, y, z, iblank, the field v at vertices, the field e in elements. */
static double value_of(const fuzz_case *c, int block, int array, const int64_t at[3])
{
    const uint64_t hash = hash_of(c, block, array, at);
    return array < 3    ? (double)at[array] + (double)(hash % 64) / 256.0
           : array == 3 ? (double)(hash % 3)
                        : (double)(hash % 100000) / 8.0;
}

/* Whether it is the part's own value; a cell goes with its lowest vertex. */
static bool is_own(const fuzz_case *c, const part *p, int array, const int64_t at[3])
{
    bool own = true;
    for (int axis = 0; axis < 3; axis++) {
        const bool below = c->sharing == PLANE_BELOW && array == 5;
        const int64_t lo = below ? p->lo[axis] : p->own[axis];
        own &= at[axis] >= lo && at[axis] < p->own[axis] + p->own_n[axis];
    }
    return own;
}

static bool is_inside(const part *p, const int64_t at[3])
{
    bool inside = true;
    for (int axis = 0; axis < 3; axis++) {
        inside &= at[axis] >= p->lo[axis] && at[axis] < p->lo[axis] + p->n[axis];
    }
    return inside;
}

static void put(const fuzz_case *c, void *memory, int64_t n, int array, double value)
{
    if (array == 3) {
        ((int32_t *)memory)[n] = (int32_t)value;
    } else if (c->is_double) {
        ((double *)memory)[n] = value;
    } else {
        ((float *)memory)[n] = (float)value;
    }
}

/* Fills an array of a part with true values, and with stale ones in ghosts. Collective in
 * that all ranks fill all parts, so that all know what is stale. */
static karman_array fill_array(fuzz_case *c, part *p, int array)
{
    karman_array a = {.type = array == 3     ? KARMAN_INT32
                              : c->is_double ? KARMAN_FLOAT64
                                             : KARMAN_FLOAT32};
    int64_t n[3], first[3];
    for (int axis = 0; axis < 3; axis++) {
        const int64_t begin = p->own[axis] - c->ghosts;
        const int64_t end = p->own[axis] + p->own_n[axis] + c->ghosts;
        a.ghosts_before[axis] = (int)(p->lo[axis] - begin);
        a.ghosts_after[axis] = (int)(end - p->lo[axis] - p->n[axis]);
        first[axis] = begin;
        n[axis] = end - begin - (array == 5);
    }
    p->memory[array] = calloc((size_t)(n[0] * n[1] * n[2]), sizeof(double));
    for (int64_t v = 0; v < n[0] * n[1] * n[2]; v++) {
        const int64_t at[3] = {first[0] + v % n[0], first[1] + v / n[0] % n[1],
                               first[2] + v / (n[0] * n[1])};
        const bool own = is_own(c, p, array, at), inside = is_inside(p, at);
        const bool stale = !own && random_between(&c->random, 0.0, 1.0) < c->stale;
        const double value = value_of(c, p->block, array, at);
        put(c, p->memory[array], v, array,
            own || (inside && !stale) ? value : value + 1 + BEYOND * !inside);
        c->is_wrong[array % 3] |= array < 3 && inside && stale;
    }
    a.data = p->memory[array];
    return a;
}

static void check(status s)
{
    if (s != STATUS_OK) {
        fprintf(stderr, "%s\n", base_fail_message());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

/* Describes the parts of this rank. */
static void describe(fuzz_case *c, insitu_session *session)
{
    static const char *const names[] = {"a", "b", "c"};
    for (int n = 0, mine = 0; n < c->nparts; n++) {
        part *p = &c->parts[n];
        karman_array arrays[ARRAYS];
        for (int array = 0; array < ARRAYS; array++) {
            arrays[array] = fill_array(c, p, array);
        }
        if (p->rank != parallel_rank(c->comm)) {
            continue;
        }
        karman_block block = {.name = names[p->block],
                              .x = arrays[0],
                              .y = arrays[1],
                              .z = arrays[2],
                              .iblank = arrays[3]};
        memcpy(block.size, c->size[p->block], sizeof block.size);
        memcpy(block.first, p->lo, sizeof block.first);
        memcpy(block.count, p->n, sizeof block.count);
        check(insitu_set_block(session, mine, &block));
        check(insitu_set_field(session, mine, "v", KARMAN_VERTEX, &arrays[4]));
        check(insitu_set_field(session, mine, "e", KARMAN_ELEMENT, &arrays[5]));
        mine++;
    }
}

/* ---- Checks ------------------------------------------------------------------------ */

static double value_in(int array, const void *values, int64_t n)
{
    return array < 3    ? ((const double *)values)[n]
           : array == 3 ? (double)((const int32_t *)values)[n]
                        : (double)((const float *)values)[n];
}

/* Whether the values of a box are the true ones. */
static bool is_true(const fuzz_case *c, int block, int array, const io_box *box,
                    const void *values)
{
    for (int64_t n = 0; n < box->n[0] * box->n[1] * box->n[2]; n++) {
        const int64_t at[3] = {box->lo[0] + n % box->n[0],
                               box->lo[1] + n / box->n[0] % box->n[1],
                               box->lo[2] + n / (box->n[0] * box->n[1])};
        const double expected = value_of(c, block, array, at);
        const double value = value_in(array, values, n);
        if (value != expected) {
            printf("rank %d: block %d, array %d at (%d, %d, %d): expected %g, got %g\n",
                   parallel_rank(c->comm), block, array, (int)at[0], (int)at[1],
                   (int)at[2], expected, value);
            return false;
        }
    }
    return true;
}

/* Reads a box by messages, and without them where this rank has all of it. */
static bool check_box(const fuzz_case *c, io_source *source, int block, int array,
                      const io_box *box)
{
    const size_t count = (size_t)(box->n[0] * box->n[1] * box->n[2]);
    const int number = array < 4 ? IO_ARRAY_X + array : 5 - array; /* e is the first */
    double *values = malloc((count + 1) * sizeof *values);
    check(io_source_read(source, 0, block, number, box, values));
    bool ok = is_true(c, block, array, box, values);
    if (array >= 4 && count > 0 && io_source_holds(source, block, number, box)) {
        const io_fields field = {block, 1, &number};
        const io_rows rows = {(float *)values, box->n[0], box->n[0] * box->n[1], 0};
        memset(values, 0xff, count * sizeof *values);
        io_source_copy(source, &field, box, &rows);
        ok &= is_true(c, block, array, box, values);
    }
    free(values);
    return ok;
}

static bool check_values(const fuzz_case *c, io_source *source)
{
    uint64_t own = random_start(c->seed, 1000 + (uint64_t)parallel_rank(c->comm));
    bool ok = true;
    for (int block = 0; block < c->nblocks; block++) {
        for (int n = 0; n < 3 * ARRAYS; n++) {
            const int array = n % ARRAYS;
            io_box box = {{0, 0, 0}, {0, 0, 0}};
            for (int axis = 0; axis < 3; axis++) {
                const int size = (int)c->size[block][axis] - (array == 5);
                box.lo[axis] = n < ARRAYS ? 0 : random_below(&own, size);
                box.n[axis] =
                    n < ARRAYS ? size : random_below(&own, size - (int)box.lo[axis]) + 1;
            }
            ok &= check_box(c, source, block, array, &box);
        }
    }
    return ok;
}

/* Stale coordinates are found, and no others. */
static bool check_differences(const fuzz_case *c, io_source *source)
{
    bool ok = true;
    for (int axis = 0; axis < 3; axis++) {
        bool found = false;
        io_memory_difference d;
        check(io_memory_compare(source, IO_ARRAY_X + axis, &found, &d));
        if (found != c->is_wrong[axis] ||
            (found && d.owners != value_of(c, d.block, axis, d.at))) {
            printf("stale coordinates along %c: expected %d, found %d\n", "xyz"[axis],
                   c -> is_wrong[axis], found);
            ok = false;
        }
    }
    return ok;
}

static bool run_case(fuzz_case *c)
{
    struct karman_session session = {
        .comm = c->comm, .rank = parallel_rank(c->comm), .ranks = parallel_size(c->comm)};
    describe(c, &session);
    check(insitu_grid_open(&session));
    int mine = check_values(c, session.grid.source);
    mine = check_differences(c, session.grid.source) && mine;
    int ok = 0;
    parallel_allreduce(&mine, &ok, 1, MPI_INT, MPI_MIN, c->comm);
    insitu_grid_free(&session);
    for (int n = 0; n < c->nparts * ARRAYS; n++) {
        free(c->parts[n / ARRAYS].memory[n % ARRAYS]);
    }
    return ok;
}

/* Runs a case on the first ranks, as many as its number says. Collective. */
static bool run_number(fuzz_case *c, uint64_t seed, int64_t number)
{
    const int rank = parallel_rank(MPI_COMM_WORLD), all = parallel_size(MPI_COMM_WORLD);
    const int ranks = 1 + (int)(number % all);
    int mine = 1, ok = 0;
    MPI_Comm comm;
    MPI_Comm_split(MPI_COMM_WORLD, rank < ranks, rank, &comm);
    if (rank < ranks) {
        draw_case(c, seed, number, comm);
        mine = run_case(c);
    }
    MPI_Comm_free(&comm);
    parallel_allreduce(&mine, &ok, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (!ok && rank == 0) {
        printf("FAILED: --seed %" PRIu64 " --only %" PRId64
               " on %d ranks of %d, sharing %d, %d parts\n",
               seed, number, ranks, all, (int)c->sharing, c->nparts);
    }
    return ok;
}

int main(int argc, char **argv)
{
    static fuzz_case c;
    int64_t cases = 1000, only = -1, failed = 0;
    uint64_t seed = 1;
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    for (int n = 1; n + 1 < argc; n += 2) {
        const int64_t value = strtoll(argv[n + 1], NULL, 10);
        cases = strcmp(argv[n], "--cases") == 0 ? value : cases;
        only = strcmp(argv[n], "--only") == 0 ? value : only;
        seed = strcmp(argv[n], "--seed") == 0 ? (uint64_t)value : seed;
    }
    for (int64_t n = only < 0 ? 0 : only; n < (only < 0 ? cases : only + 1); n++) {
        failed += !run_number(&c, seed, n);
    }
    if (parallel_rank(MPI_COMM_WORLD) == 0) {
        printf("%" PRId64 " cases, %" PRId64 " failed\n", only < 0 ? cases : 1, failed);
    }
    MPI_Finalize();
    return failed > 0;
}
