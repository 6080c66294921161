/*
 * Bricks that move from rank to rank equal those that are read.
 *
 *   test_move DATA_SET
 *
 * Ranks hold some bricks, chosen at random, and then others. After the exchange, their
 * bricks must equal those of the file to the last bit. Before it, stores hold all their
 * bricks, some of them, parts of some, or none.
 */
#include "test_io_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *data_set;

typedef struct grid_case {
    io_source *source;
    grid_layout *layout;
    grid_recipe *recipe;
} grid_case;

static bool open_case(const char *file, grid_case *c)
{
    const io_data_config config = {.file = (char *)file};
    status s = io_source_open(MPI_COMM_WORLD, &config, &c->source);
    if (s == STATUS_OK) {
        s = io_load_layout(MPI_COMM_WORLD, c->source, &c->layout);
    }
    if (s == STATUS_OK) {
        s = grid_recipe_create("pressure", io_source_field_count(c->source),
                               io_source_fields(c->source), test_gas, &c->recipe);
    }
    return check_ok(parallel_agree(MPI_COMM_WORLD, s), "opening");
}

static void close_case(grid_case *c)
{
    grid_recipe_destroy(&c->recipe);
    grid_layout_destroy(&c->layout);
    if (c->source) {
        io_source_close(&c->source);
    }
}

static size_t vertices_of(const grid_brick *brick)
{
    const int *n = brick->place.n;
    return (size_t)(n[0] + 1) * (size_t)(n[1] + 1) * (size_t)(n[2] + 1);
}

static bool has_same_geometry(const grid_brick *a, const grid_brick *b)
{
    const size_t count = vertices_of(a);
    bool same = memcmp(a->flags, b->flags, count) == 0 && a->windings == b->windings;
    for (size_t n = 0; n < count; n++) {
        same = same && memcmp(a->vertex[n], b->vertex[n], 3 * sizeof(float)) == 0;
    }
    return same;
}

/* io_load_filter: every other brick; none on every other rank. */
static bool is_odd(const void *context, const grid_brick *brick)
{
    (void)context;
    return brick->number % 2 == 1 && parallel_rank(MPI_COMM_WORLD) % 2 == 0;
}

/* The bricks of a rank before the exchange. */
enum before { HAS_ALL, HAS_SOME, HAS_PARTS, HAS_NOTHING };

/* io_load_filter: every third brick is there in part. */
static bool is_any(const void *context, const grid_brick *brick)
{
    (void)context;
    (void)brick;
    return true;
}

static grid_brick_place half_of_some(const void *context, const grid_brick *brick)
{
    (void)context;
    grid_brick_place place = brick->place;
    if (brick->number % 3 == 0) {
        place.lo[0] += place.n[0] / 2;
        place.n[0] -= place.n[0] / 2;
    }
    return place;
}

static status make_before(const grid_case *c, enum before before, int64_t count,
                          const int64_t *numbers, grid_store **out)
{
    static const io_load_filter odd = {is_odd, NULL, NULL};
    static const io_load_filter parts = {is_any, half_of_some, NULL};
    if (before == HAS_NOTHING) {
        return STATUS_OK;
    }
    if (before == HAS_ALL) {
        return io_load_bricks(MPI_COMM_WORLD, c->source,
                              &(io_load_list){c->layout, count, numbers, GRID_VERTEX},
                              out);
    }
    status s = io_load_later(
        MPI_COMM_WORLD, &(io_load_list){c->layout, count, numbers, GRID_VERTEX}, out);
    if (s == STATUS_OK) {
        s = io_load_wanted(MPI_COMM_WORLD, c->source, c->recipe, 0,
                           before == HAS_SOME ? &odd : &parts, *out);
        check(before == HAS_SOME || grid_store_has_parts(*out) || count < 3,
              "there are no parts");
    }
    return s;
}

/* Compares bricks that are in memory. */
static void compare(const grid_store *expected, const grid_store *found)
{
    check(expected->nbricks == found->nbricks, "%lld bricks are expected, not %lld",
          (long long)expected->nbricks, (long long)found->nbricks);
    for (int64_t b = 0; b < expected->nbricks && b < found->nbricks; b++) {
        const grid_brick *brick = &found->bricks[b];
        check(!brick->vertex || has_same_geometry(&expected->bricks[b], brick),
              "brick %lld is another one", (long long)brick->number);
    }
}

/* If a rank had a brick, it must be in memory now; with `later`, no other brick may
 * be. */
static void check_presence(const grid_store *found, const uint8_t *had, bool later)
{
    for (int64_t b = 0; b < found->nbricks; b++) {
        const grid_brick *brick = &found->bricks[b];
        check((brick->vertex != NULL) == (!later || had[brick->number]),
              "brick %lld is %sin memory", (long long)brick->number,
              brick->vertex ? "" : "not ");
    }
}

static void list_presence(const grid_case *c, const grid_store *store, uint8_t *had)
{
    uint8_t *mine = calloc((size_t)c->layout->nbricks, 1);
    for (int64_t b = 0; store && b < store->nbricks; b++) {
        mine[store->bricks[b].number] =
            store->bricks[b].vertex && grid_brick_is_whole(store, &store->bricks[b]);
    }
    parallel_allreduce(mine, had, (int)c->layout->nbricks, MPI_UINT8_T, MPI_MAX,
                       MPI_COMM_WORLD);
    free(mine);
}

static void compare_fields(const grid_case *c, grid_store *expected, grid_store *found)
{
    check_ok(io_load_field(MPI_COMM_WORLD, c->source, c->recipe, 1, expected), "field");
    check_ok(io_load_field(MPI_COMM_WORLD, c->source, c->recipe, 1, found), "field");
    for (int64_t b = 0; b < expected->nbricks; b++) {
        const grid_brick *one = &expected->bricks[b], *two = &found->bricks[b];
        check(two->vertex && memcmp(one->vertex, two->vertex,
                                    vertices_of(one) * sizeof *one->vertex) == 0,
              "the field of brick %lld is another one", (long long)one->number);
    }
}

static void move_to(const grid_case *c, int trial, enum before before, bool later,
                    int64_t *numbers)
{
    grid_store *store = NULL, *expected = NULL;
    uint8_t *had = calloc((size_t)c->layout->nbricks, 1);
    int64_t count = choose_bricks(c->layout, 2 * trial, numbers);
    bool good =
        check_ok(make_before(c, before, count, numbers, &store), "a store of bricks");
    count = choose_bricks(c->layout, 2 * trial + 1, numbers);
    good =
        good &&
        check_ok(io_load_bricks(MPI_COMM_WORLD, c->source,
                                &(io_load_list){c->layout, count, numbers, GRID_VERTEX},
                                &expected),
                 "reading");
    list_presence(c, store, had);
    if (good &&
        check_ok(io_load_moved(MPI_COMM_WORLD, c->source,
                               &(io_load_list){c->layout, count, numbers, GRID_VERTEX},
                               later, &store),
                 "moving")) {
        compare(expected, store);
        check_presence(store, had, later);
        compare_fields(c, expected, store);
    }
    grid_store_destroy(&store);
    grid_store_destroy(&expected);
    free(had);
}

static void move_all(enum before before)
{
    grid_case c = {0};
    if (open_case(data_set, &c)) {
        int64_t *numbers = calloc((size_t)c.layout->nbricks, sizeof *numbers);
        for (int trial = 0; trial < 2; trial++) {
            move_to(&c, trial, before, false, numbers);
            move_to(&c, trial, before, true, numbers);
        }
        free(numbers);
    }
    close_case(&c);
}

static void bricks_move_from_full_stores(void)
{
    move_all(HAS_ALL);
}

static void bricks_move_from_stores_with_gaps(void)
{
    move_all(HAS_SOME);
}

static void parts_of_bricks_do_not_count(void)
{
    move_all(HAS_PARTS);
}

static void bricks_that_nobody_has_are_read(void)
{
    move_all(HAS_NOTHING);
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (argc != 2) {
        fprintf(stderr, "usage: test_move DATA_SET\n");
        return EXIT_FAILURE;
    }
    data_set = argv[1];
    run_test("bricks move from full stores", bricks_move_from_full_stores);
    run_test("bricks move from stores with gaps", bricks_move_from_stores_with_gaps);
    run_test("parts of bricks do not count", parts_of_bricks_do_not_count);
    run_test("bricks that nobody has are read", bricks_that_nobody_has_are_read);
    int failures = finish_tests();
    MPI_Finalize();
    return failures;
}
