/* Bricks: the store, the flags of cells and faces, volumes and counts. */
#include "grid/brick.h"

#include "support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

/* ---- bricks for tests ------------------------------------------------------------- */

/* A store of all bricks of one block. */
static grid_store *create_store(int64_t ni, int64_t nj, int64_t nk)
{
    grid_block block = {.name = "block", .n = {ni, nj, nk}};
    grid_layout *layout = NULL;
    assert_int_equal(grid_layout_create(1, &block, &layout), STATUS_OK);
    int64_t *numbers = malloc((size_t)layout->nbricks * sizeof *numbers);
    assert_non_null(numbers);
    for (int64_t number = 0; number < layout->nbricks; number++) {
        numbers[number] = number;
    }
    grid_store *store = NULL;
    assert_int_equal(grid_store_create(layout, layout->nbricks, numbers, false, &store),
                     STATUS_OK);
    free(numbers);
    return store;
}

static void destroy_store(grid_store **store)
{
    grid_layout *layout = (grid_layout *)(uintptr_t)(*store)->layout;
    grid_store_destroy(store);
    grid_layout_destroy(&layout);
}

static size_t vertex_index(const grid_brick *brick, int i, int j, int k)
{
    const int *n = brick->place.n;
    return ((size_t)k * (size_t)(n[1] + 1) + (size_t)j) * (size_t)(n[0] + 1) + (size_t)i;
}

static float *vertex_at(const grid_brick *brick, int i, int j, int k)
{
    return brick->vertex[vertex_index(brick, i, j, k)];
}

/* Coordinates of the vertex (i, j, k) of a block. */
typedef void place_vertex(int i, int j, int k, float p[3]);

static void place_box(int i, int j, int k, float p[3])
{
    p[0] = (float)i;
    p[1] = (float)j;
    p[2] = (float)k;
}

/* Random, but a function of the indices; few values, so that corners often share them. */
static void place_random(int i, int j, int k, float p[3])
{
    uint64_t seed = 77 + (uint64_t)i + 100 * (uint64_t)j + 10000 * (uint64_t)k;
    for (int axis = 0; axis < 3; axis++) {
        random_bits(&seed);
        p[axis] = (float)random_below(&seed, 4);
    }
}

static void fill(grid_store *store, place_vertex *place)
{
    for (int64_t slot = 0; slot < store->nbricks; slot++) {
        grid_brick *brick = &store->bricks[slot];
        const grid_brick_place *at = &brick->place;
        for (int k = 0; k <= at->n[2]; k++) {
            for (int j = 0; j <= at->n[1]; j++) {
                for (int i = 0; i <= at->n[0]; i++) {
                    place((int)at->lo[0] + i, (int)at->lo[1] + j, (int)at->lo[2] + k,
                          vertex_at(brick, i, j, k));
                }
            }
        }
        grid_brick_flag(brick, NULL);
    }
}

/* ---- the store -------------------------------------------------------------------- */

static void a_store_finds_its_bricks_by_number(void **state)
{
    (void)state;
    grid_block block = {.name = "block", .n = {40, 40, 20}};
    grid_layout *layout = NULL;
    assert_int_equal(grid_layout_create(1, &block, &layout), STATUS_OK);
    const int64_t numbers[3] = {1, 8, 17};
    grid_store *store = NULL;
    assert_int_equal(grid_store_create(layout, 3, numbers, false, &store), STATUS_OK);
    assert_int_equal(store->nbricks, 3);
    for (int64_t number = 0; number < layout->nbricks; number++) {
        int expected = number == 1 ? 0 : number == 8 ? 1 : number == 17 ? 2 : -1;
        assert_int_equal(store->slot[number], expected);
    }
    assert_int_equal(store->bricks[1].number, 8);
    assert_int_equal(store->bricks[1].place.lo[1], 32);
    assert_int_equal(store->bricks[2].place.n[2], 3);
    grid_store_destroy(&store);
    assert_null(store);
    grid_layout_destroy(&layout);
}

static void a_new_store_holds_zeros(void **state)
{
    (void)state;
    grid_store *store = create_store(17, 5, 4);
    const grid_brick *brick = &store->bricks[0];
    for (size_t v = 0; v < 17 * 5 * 4; v++) {
        assert_true(brick->vertex[v][0] == 0.0f && brick->vertex[v][3] == 0.0f);
        assert_int_equal(brick->flags[v], 0);
    }
    assert_null(brick->cell);
    destroy_store(&store);
}

static void cell_values_are_there_where_asked_for(void **state)
{
    (void)state;
    grid_block block = {.name = "block", .n = {17, 5, 4}};
    grid_layout *layout = NULL;
    grid_store *plain = NULL, *with_cells = NULL;
    const int64_t number = 0;
    assert_int_equal(grid_layout_create(1, &block, &layout), STATUS_OK);
    assert_int_equal(grid_store_create(layout, 1, &number, false, &plain), STATUS_OK);
    assert_int_equal(grid_store_create(layout, 1, &number, true, &with_cells), STATUS_OK);
    for (int cell = 0; cell < 16 * 4 * 3; cell++) {
        assert_true(with_cells->bricks[0].cell[cell] == 0.0f);
    }
    assert_int_equal(grid_store_bytes(with_cells) - grid_store_bytes(plain),
                     16 * 4 * 3 * 4);
    assert_true(grid_store_bytes(plain) >= 17 * 5 * 4 * 17);
    assert_true(grid_store_bytes(plain) < 17 * 5 * 4 * 17 + 1000);
    grid_store_destroy(&plain);
    grid_store_destroy(&with_cells);
    grid_layout_destroy(&layout);
}

static void a_store_may_be_empty(void **state)
{
    (void)state;
    grid_block block = {.name = "block", .n = {5, 5, 5}};
    grid_layout *layout = NULL;
    grid_store *store = NULL;
    assert_int_equal(grid_layout_create(1, &block, &layout), STATUS_OK);
    assert_int_equal(grid_store_create(layout, 0, NULL, true, &store), STATUS_OK);
    assert_int_equal(store->nbricks, 0);
    assert_int_equal(store->slot[0], -1);
    grid_store_destroy(&store);
    grid_store_destroy(&store);
    grid_layout_destroy(&layout);
}

static void bricks_come_into_memory_one_by_one(void **state)
{
    (void)state;
    grid_block block = {.name = "block", .n = {40, 40, 20}};
    grid_layout *layout = NULL;
    grid_store *store = NULL;
    const int64_t numbers[3] = {1, 8, 17};
    assert_int_equal(grid_layout_create(1, &block, &layout), STATUS_OK);
    assert_int_equal(grid_store_reserve(layout, 3, numbers, true, &store), STATUS_OK);
    const int64_t empty = grid_store_bytes(store);
    for (int slot = 0; slot < 3; slot++) {
        assert_int_equal(store->bricks[slot].number, numbers[slot]);
        assert_null(store->bricks[slot].vertex);
        assert_null(store->bricks[slot].cell);
    }
    grid_store_claim(store, &store->bricks[2]);
    grid_store_claim(store, &store->bricks[0]);
    assert_ptr_equal(store->bricks[2].vertex, store->vertex);
    assert_ptr_equal(store->bricks[0].vertex, store->vertex + 8 * 8 * 4);
    assert_ptr_equal(store->bricks[0].flags, store->flags + 8 * 8 * 4);
    assert_ptr_equal(store->bricks[0].cell, store->cell + 7 * 7 * 3);
    assert_null(store->bricks[1].vertex);
    assert_true(store->bricks[0].vertex[17 * 17 * 17 - 1][3] == 0.0f);
    assert_int_equal(grid_store_bytes(store) - empty,
                     17 * (8 * 8 * 4 + 17 * 17 * 17) + 4 * (7 * 7 * 3 + 16 * 16 * 16));
    grid_store_destroy(&store);
    grid_layout_destroy(&layout);
}

static void a_range_is_that_of_finite_values(void **state)
{
    (void)state;
    float values[37];
    for (int n = 0; n < 37; n++) {
        values[n] = (float)((n * 11) % 37) - 5.0f;
    }
    grid_brick brick = {0};
    grid_brick_set_range(&brick, 37, values);
    assert_true(brick.has_range && brick.range[0] == -5.0f && brick.range[1] == 31.0f);
    grid_brick_set_range(&brick, 3, values);
    assert_true(brick.has_range && brick.range[0] == -5.0f && brick.range[1] == 17.0f);
    values[36] = NAN;
    grid_brick_set_range(&brick, 37, values);
    assert_false(brick.has_range);
    values[36] = -INFINITY;
    grid_brick_set_range(&brick, 37, values);
    assert_false(brick.has_range);
}

/* Checks that a brick of the store of 40 x 40 x 20 below has the values of
 * number_contents. */
static void check_contents(const grid_brick *brick)
{
    const int *n = brick->place.n;
    size_t vertices = (size_t)(n[0] + 1) * (size_t)(n[1] + 1) * (size_t)(n[2] + 1);
    for (size_t v = 0; v < vertices; v++) {
        assert_true(brick->vertex[v][1] == (float)(brick->number * 10000 + (int64_t)v));
        assert_int_equal(brick->flags[v], brick->number * 7 + (int64_t)(v % 5));
    }
    assert_true(brick->cell[0] == -(float)brick->number);
    assert_int_equal(brick->windings, brick->number % 4);
}

static void number_contents(grid_store *store)
{
    for (int64_t slot = 0; slot < store->nbricks; slot++) {
        grid_brick *brick = &store->bricks[slot];
        const int *n = brick->place.n;
        size_t vertices = (size_t)(n[0] + 1) * (size_t)(n[1] + 1) * (size_t)(n[2] + 1);
        for (size_t v = 0; v < vertices; v++) {
            brick->vertex[v][1] = (float)(brick->number * 10000 + (int64_t)v);
            brick->flags[v] = (uint8_t)(brick->number * 7 + (int64_t)(v % 5));
        }
        brick->cell[0] = -(float)brick->number;
        brick->gradient[0][2] = 3.0f * (float)brick->number;
        brick->windings = (unsigned)brick->number % 4;
    }
}

static void a_store_can_be_reduced_to_some_of_its_bricks(void **state)
{
    (void)state;
    grid_block block = {.name = "block", .n = {40, 40, 20}};
    grid_layout *layout = NULL;
    grid_store *store = NULL, *fresh = NULL;
    const int64_t numbers[5] = {1, 2, 8, 11, 17}, kept[3] = {2, 8, 17};
    assert_int_equal(grid_layout_create(1, &block, &layout), STATUS_OK);
    assert_int_equal(grid_store_create(layout, 5, numbers, true, &store), STATUS_OK);
    assert_int_equal(grid_store_create(layout, 3, kept, true, &fresh), STATUS_OK);
    assert_int_equal(grid_store_add_gradients(store), STATUS_OK);
    assert_int_equal(grid_store_add_gradients(fresh), STATUS_OK);
    number_contents(store);
    grid_store_reduce(store, 3, kept);
    assert_int_equal(store->nbricks, 3);
    assert_int_equal(store->nvertices, fresh->nvertices);
    assert_int_equal(grid_store_bytes(store), grid_store_bytes(fresh));
    assert_memory_equal(store->slot, fresh->slot,
                        (size_t)layout->nbricks * sizeof *store->slot);
    for (int slot = 0; slot < 3; slot++) {
        const grid_brick *brick = &store->bricks[slot];
        assert_int_equal(brick->number, kept[slot]);
        assert_int_equal(brick->vertex - store->vertex,
                         fresh->bricks[slot].vertex - fresh->vertex);
        assert_int_equal(brick->gradient - store->gradient,
                         brick->vertex - store->vertex);
        assert_true(brick->gradient[0][2] == 3.0f * (float)kept[slot]);
        check_contents(brick);
    }
    grid_store_reduce(store, 0, NULL);
    assert_int_equal(store->nbricks, 0);
    assert_int_equal(store->nvertices, 0);
    assert_int_equal(store->slot[8], -1);
    grid_store_destroy(&store);
    grid_store_destroy(&fresh);
    grid_layout_destroy(&layout);
}

/* A brick of 16 cells along each axis that is in no store, full of different values. */
typedef struct lone_brick {
    float vertex[17 * 17 * 17][4], gradient[17 * 17 * 17][3], cell[16 * 16 * 16];
    uint8_t flags[17 * 17 * 17];
    grid_brick brick;
} lone_brick;

static lone_brick *create_lone_brick(const grid_layout *layout, int64_t number)
{
    lone_brick *lone = malloc(sizeof *lone);
    assert_non_null(lone);
    for (int v = 0; v < 17 * 17 * 17; v++) {
        for (int n = 0; n < 4; n++) {
            lone->vertex[v][n] = (float)(4 * v + n);
            lone->gradient[v][n % 3] = (float)(-4 * v - n);
        }
        lone->flags[v] = GRID_PRESENT;
    }
    for (int c = 0; c < 16 * 16 * 16; c++) {
        lone->cell[c] = (float)c + 0.5f;
    }
    lone->brick = (grid_brick){.number = number,
                               .place = grid_layout_place(layout, number),
                               .vertex = lone->vertex,
                               .flags = lone->flags,
                               .cell = lone->cell,
                               .gradient = lone->gradient,
                               .windings = GRID_WINDS_LEFT};
    return lone;
}

/* Bricks that come after a part lie behind it, and are zero. */
static void a_store_with_parts_has_room_for_more(void **state)
{
    (void)state;
    grid_block block = {.name = "block", .n = {40, 40, 20}};
    grid_layout *layout = NULL;
    grid_store *store = NULL;
    const int64_t numbers[3] = {0, 1, 8};
    assert_int_equal(grid_layout_create(1, &block, &layout), STATUS_OK);
    assert_int_equal(grid_store_reserve(layout, 3, numbers, true, &store), STATUS_OK);
    assert_int_equal(grid_store_add_gradients(store), STATUS_OK);
    lone_brick *whole = create_lone_brick(layout, 0);
    const grid_brick_place place = {.lo = {5, 6, 7}, .n = {4, 3, 5}};
    grid_brick *part = &store->bricks[0];
    grid_store_claim(store, &store->bricks[1]);
    grid_store_claim_part(store, part, &place);
    grid_brick_copy_part(&whole->brick, part);
    assert_int_equal(part->vertex - store->vertex, 17 * 17 * 17);
    assert_int_equal(store->used_vertices, 17 * 17 * 17 + 5 * 4 * 6);
    assert_int_equal(store->used_cells, 16 * 16 * 16 + 4 * 3 * 5);
    const int from = 8 + 17 * (7 + 17 * 9), to = 3 + 5 * (1 + 4 * 2);
    assert_memory_equal(part->vertex[to], whole->vertex[from], sizeof whole->vertex[0]);
    assert_memory_equal(part->gradient[to], whole->gradient[from],
                        sizeof whole->gradient[0]);
    assert_true(part->cell[3 + 4 * (2 + 3 * 4)] == whole->cell[8 + 16 * (8 + 16 * 11)]);
    assert_int_equal(part->flags[to], GRID_PRESENT);
    assert_int_equal(part->flags[4], 0); /* its cell is not of the part */
    assert_int_equal(part->windings, GRID_WINDS_LEFT);
    assert_true(grid_brick_is_whole(store, &store->bricks[1]));
    assert_false(grid_brick_is_whole(store, part));
    grid_store_give_back(store); /* memory that no brick uses yet */
    assert_memory_equal(part->vertex[to], whole->vertex[from], sizeof whole->vertex[0]);
    const grid_brick *later = &store->bricks[2];
    grid_store_claim(store, &store->bricks[2]);
    assert_int_equal(later->vertex - store->vertex, 17 * 17 * 17 + 5 * 4 * 6);
    static const float zeros[17 * 17 * 17][4];
    assert_memory_equal(later->vertex, zeros, 8 * 8 * 17 * sizeof *zeros);
    assert_memory_equal(later->flags, zeros, 8 * 8 * 17);
    assert_memory_equal(later->cell, zeros, 7 * 7 * 16 * sizeof(float));
    assert_memory_equal(later->gradient, zeros, 8 * 8 * 17 * 3 * sizeof(float));
    free(whole);
    grid_store_destroy(&store);
    grid_layout_destroy(&layout);
}

/* Folds and parts are told of bricks in memory; forgotten bricks come again as new. */
static void a_store_forgets_its_bricks(void **state)
{
    (void)state;
    grid_block block = {.name = "block", .n = {40, 40, 20}};
    grid_layout *layout = NULL;
    grid_store *store = NULL;
    const int64_t numbers[2] = {0, 8};
    assert_int_equal(grid_layout_create(1, &block, &layout), STATUS_OK);
    assert_int_equal(grid_store_reserve(layout, 2, numbers, true, &store), STATUS_OK);
    lone_brick *whole = create_lone_brick(layout, 0);
    const grid_brick_place place = {.lo = {5, 6, 7}, .n = {4, 3, 5}};
    assert_false(grid_store_has_folds(store) || grid_store_has_parts(store));
    grid_store_claim_part(store, &store->bricks[0], &place);
    grid_brick_copy_part(&whole->brick, &store->bricks[0]);
    assert_true(grid_store_has_folds(store) && grid_store_has_parts(store));
    layout->blocks[0].left_handed = true;
    assert_false(grid_store_has_folds(store));
    layout->blocks[0].left_handed = false;
    grid_store_forget(store);
    assert_int_equal(store->times_forgotten, 1);
    assert_false(grid_store_has_folds(store) || grid_store_has_parts(store));
    assert_null(store->bricks[0].vertex);
    grid_store_claim(store, &store->bricks[0]);
    assert_ptr_equal(store->bricks[0].vertex, store->vertex);
    assert_true(grid_brick_is_whole(store, &store->bricks[0]));
    static const float zeros[17 * 17 * 17][4];
    assert_memory_equal(store->bricks[0].vertex, zeros, sizeof zeros);
    assert_memory_equal(store->bricks[0].flags, zeros, 17 * 17 * 17);
    assert_memory_equal(store->bricks[0].cell, zeros, 16 * 16 * 16 * sizeof(float));
    free(whole);
    grid_store_destroy(&store);
    grid_layout_destroy(&layout);
}

/* ---- flags ------------------------------------------------------------------------ */

static int compare_points(const float *a, const float *b)
{
    for (int axis = 0; axis < 3; axis++) {
        if (a[axis] != b[axis]) {
            return a[axis] < b[axis] ? -1 : 1;
        }
    }
    return 0;
}

/* The corner of a face, as drawn in brick.h. */
static const float *face_corner(const grid_brick *brick, int axis, const int at[3],
                                int corner)
{
    int to[3] = {at[0], at[1], at[2]};
    to[(axis + 1) % 3] += corner == 1 || corner == 2;
    to[(axis + 2) % 3] += corner == 2 || corner == 3;
    return vertex_at(brick, to[0], to[1], to[2]);
}

static bool face_is_in_brick(const grid_brick *brick, int axis, const int at[3])
{
    int next = (axis + 1) % 3, last = (axis + 2) % 3;
    return at[next] < brick->place.n[next] && at[last] < brick->place.n[last];
}

/* Checks the diagonal of one face against its definition; a tie may go either way as long
 * as the cut starts at a smallest point. */
static void check_face(const grid_brick *brick, int axis, const int at[3])
{
    int bit = brick->flags[vertex_index(brick, at[0], at[1], at[2])] &
              (GRID_DIAGONAL_I << axis);
    if (!face_is_in_brick(brick, axis, at)) {
        assert_int_equal(bit, 0);
        return;
    }
    const float *ends[2] = {face_corner(brick, axis, at, bit != 0 ? 1 : 0),
                            face_corner(brick, axis, at, bit != 0 ? 3 : 2)};
    const float *start = compare_points(ends[0], ends[1]) <= 0 ? ends[0] : ends[1];
    for (int corner = 0; corner < 4; corner++) {
        const float *p = face_corner(brick, axis, at, corner);
        if (compare_points(p, start) < 0) {
            fail_msg("face of axis %d at %d %d %d: expected a diagonal from corner %d at "
                     "%g %g %g, starts at %g %g %g (seed 77)",
                     axis, at[0], at[1], at[2], corner, (double)p[0], (double)p[1],
                     (double)p[2], (double)start[0], (double)start[1], (double)start[2]);
        }
    }
}

static void check_faces(const grid_brick *brick)
{
    for (int k = 0; k <= brick->place.n[2]; k++) {
        for (int j = 0; j <= brick->place.n[1]; j++) {
            for (int i = 0; i <= brick->place.n[0]; i++) {
                for (int axis = 0; axis < 3; axis++) {
                    check_face(brick, axis, (const int[3]){i, j, k});
                }
            }
        }
    }
}

static void a_diagonal_starts_at_the_smallest_vertex_of_its_face(void **state)
{
    (void)state;
    grid_store *store = create_store(20, 19, 18);
    fill(store, place_random);
    for (int64_t slot = 0; slot < store->nbricks; slot++) {
        check_faces(&store->bricks[slot]);
    }
    destroy_store(&store);
}

static void bricks_agree_on_the_faces_between_them(void **state)
{
    (void)state;
    grid_store *store = create_store(33, 9, 9);
    fill(store, place_random);
    const grid_brick *left = &store->bricks[0], *right = &store->bricks[1];
    int set = 0;
    for (int k = 0; k < 8; k++) {
        for (int j = 0; j < 8; j++) {
            int l = left->flags[vertex_index(left, 16, j, k)] & GRID_DIAGONAL_I;
            int r = right->flags[vertex_index(right, 0, j, k)] & GRID_DIAGONAL_I;
            assert_int_equal(l, r);
            set += l != 0;
        }
    }
    assert_true(set > 10 && set < 54);
    destroy_store(&store);
}

/* A shared face as a second block sees it: axes turned and reversed. */
static void place_turned(int i, int j, int k, float p[3])
{
    place_random(6 - k, i, 6 - j, p);
}

/* Whether a face of the first store's brick and its image in the second are cut between
 * the same two points. Faces with equal corners are cut alike in any case. */
static void compare_turned_face(const grid_brick *a, const grid_brick *b, const int at[3])
{
    /* The face of constant i at (i, j, k) of a is the one of constant k at (j, 5 - k, 6 -
     * i). */
    const float *corner[4];
    for (int c = 0; c < 4; c++) {
        corner[c] = face_corner(a, 0, at, c);
        for (int d = 0; d < c; d++) {
            if (compare_points(corner[c], corner[d]) == 0) {
                return;
            }
        }
    }
    int bit_a = a->flags[vertex_index(a, at[0], at[1], at[2])] & GRID_DIAGONAL_I;
    const int image[3] = {at[1], 5 - at[2], 6 - at[0]};
    int bit_b = b->flags[vertex_index(b, image[0], image[1], image[2])] & GRID_DIAGONAL_K;
    const float *start_a = corner[bit_a != 0 ? 1 : 0];
    const float *ends_b[2] = {face_corner(b, 2, image, bit_b != 0 ? 1 : 0),
                              face_corner(b, 2, image, bit_b != 0 ? 3 : 2)};
    assert_true(compare_points(start_a, ends_b[0]) == 0 ||
                compare_points(start_a, ends_b[1]) == 0);
}

static void differently_oriented_blocks_cut_a_shared_face_alike(void **state)
{
    (void)state;
    grid_store *a = create_store(7, 7, 7), *b = create_store(7, 7, 7);
    fill(a, place_random);
    fill(b, place_turned);
    for (int k = 0; k < 6; k++) {
        for (int j = 0; j < 6; j++) {
            for (int i = 0; i <= 6; i++) {
                compare_turned_face(&a->bricks[0], &b->bricks[0],
                                    (const int[3]){i, j, k});
            }
        }
    }
    destroy_store(&a);
    destroy_store(&b);
}

static void zeros_of_either_sign_are_the_same_coordinate(void **state)
{
    (void)state;
    grid_store *plus = create_store(2, 2, 2), *minus = create_store(2, 2, 2);
    fill(plus, place_box);
    fill(minus, place_box);
    for (size_t v = 0; v < 8; v++) {
        for (int axis = 0; axis < 3; axis++) {
            float *c = &minus->bricks[0].vertex[v][axis];
            *c = *c == 0.0f && v % 2 == 1 ? -0.0f : *c;
        }
    }
    grid_brick_flag(&minus->bricks[0], NULL);
    assert_memory_equal(plus->bricks[0].flags, minus->bricks[0].flags, 8);
    destroy_store(&plus);
    destroy_store(&minus);
}

static int count_present(const grid_brick *brick)
{
    int present = 0;
    for (int k = 0; k <= brick->place.n[2]; k++) {
        for (int j = 0; j <= brick->place.n[1]; j++) {
            for (int i = 0; i <= brick->place.n[0]; i++) {
                present +=
                    (brick->flags[vertex_index(brick, i, j, k)] & GRID_PRESENT) != 0;
            }
        }
    }
    return present;
}

static void cells_end_where_the_brick_ends(void **state)
{
    (void)state;
    grid_store *store = create_store(6, 5, 4);
    fill(store, place_box);
    const grid_brick *brick = &store->bricks[0];
    assert_int_equal(count_present(brick), 5 * 4 * 3);
    assert_int_equal(brick->flags[vertex_index(brick, 5, 0, 0)] & GRID_PRESENT, 0);
    assert_int_equal(brick->flags[vertex_index(brick, 0, 4, 0)] & GRID_PRESENT, 0);
    assert_int_equal(brick->flags[vertex_index(brick, 0, 0, 3)] & GRID_PRESENT, 0);
    destroy_store(&store);
}

static void a_blanked_vertex_takes_out_the_cells_around_it(void **state)
{
    (void)state;
    grid_store *store = create_store(6, 6, 6);
    fill(store, place_box);
    grid_brick *brick = &store->bricks[0];
    uint8_t blanked[6 * 6 * 6] = {0};
    blanked[vertex_index(brick, 2, 3, 1)] = 1;
    grid_brick_flag(brick, blanked);
    assert_int_equal(count_present(brick), 125 - 8);
    assert_int_equal(brick->flags[vertex_index(brick, 1, 2, 0)] & GRID_PRESENT, 0);
    assert_int_equal(brick->flags[vertex_index(brick, 2, 3, 1)] & GRID_PRESENT, 0);
    assert_int_not_equal(brick->flags[vertex_index(brick, 3, 3, 1)] & GRID_PRESENT, 0);
    destroy_store(&store);
}

static void a_wall_is_remembered_and_takes_out_nothing(void **state)
{
    (void)state;
    grid_store *store = create_store(6, 6, 6);
    fill(store, place_box);
    grid_brick *brick = &store->bricks[0];
    uint8_t kinds[6 * 6 * 6] = {0};
    kinds[vertex_index(brick, 2, 3, 1)] = GRID_POINT_WALL;
    kinds[vertex_index(brick, 5, 5, 5)] = GRID_POINT_WALL;
    grid_brick_flag(brick, kinds);
    assert_int_equal(count_present(brick), 125);
    for (int v = 0; v < 6 * 6 * 6; v++) {
        assert_int_equal((brick->flags[v] & GRID_WALL) != 0, kinds[v] != 0);
    }
    memset(kinds, 0, sizeof kinds);
    grid_brick_flag(brick, kinds);
    assert_int_equal(brick->flags[vertex_index(brick, 2, 3, 1)] & GRID_WALL, 0);
    destroy_store(&store);
}

static void a_vertex_that_is_nowhere_takes_out_the_cells_around_it(void **state)
{
    (void)state;
    const float nowhere[] = {NAN, INFINITY, -INFINITY, 2e18f, -1e30f, 9.96921e36f};
    for (int n = 0; n < 18; n++) {
        grid_store *store = create_store(6, 6, 6);
        fill(store, place_box);
        grid_brick *brick = &store->bricks[0];
        vertex_at(brick, 5, 3, 2)[n % 3] = nowhere[n / 3];
        grid_brick_flag(brick, NULL);
        assert_int_equal(count_present(brick), 125 - 4);
        destroy_store(&store);
    }
}

/* ---- windings ---------------------------------------------------------------------- */

static void place_mirrored(int i, int j, int k, float p[3])
{
    place_box(i, -j, k, p);
}

/* The upper corner is pushed through the opposite one. */
static void place_folded(int i, int j, int k, float p[3])
{
    place_box(i, j, k, p);
    for (int axis = 0; axis < 3 && i + j + k == 3; axis++) {
        p[axis] = -2.0f;
    }
}

static void place_flat(int i, int j, int k, float p[3])
{
    (void)k;
    place_box(i, j, 0, p);
}

static double wedge_turn;

/* A wedge at some angle: a face is collapsed to an edge, and the tetrahedra to it are
 * flat. */
static void place_wedge(int i, int j, int k, float p[3])
{
    const double angle = wedge_turn + 0.5 * j, x = 0.3 * i * cos(angle),
                 y = 0.3 * i * sin(angle), z = 0.1 + 0.37 * k;
    p[0] = (float)(0.77 * x - 0.41 * y + 0.31 * z);
    p[1] = (float)(0.52 * x + 0.79 * y - 0.23 * z);
    p[2] = (float)(-0.17 * x + 0.35 * y + 0.91 * z);
}

static unsigned windings_of(place_vertex *place, const uint8_t *blanked)
{
    grid_store *store = create_store(2, 2, 2);
    fill(store, place);
    grid_brick_flag(&store->bricks[0], blanked);
    unsigned windings = store->bricks[0].windings;
    destroy_store(&store);
    return windings >> GRID_WINDS_CLEARLY;
}

static void windings_tell_handedness_and_folds(void **state)
{
    (void)state;
    const uint8_t blanked[8] = {[3] = 1};
    assert_int_equal(windings_of(place_box, NULL), GRID_WINDS_RIGHT);
    assert_int_equal(windings_of(place_mirrored, NULL), GRID_WINDS_LEFT);
    assert_int_equal(windings_of(place_folded, NULL), GRID_WINDS_RIGHT | GRID_WINDS_LEFT);
    assert_int_equal(windings_of(place_flat, NULL), 0);
    for (wedge_turn = 0.0; wedge_turn < 6.0; wedge_turn += 0.1) {
        assert_int_equal(windings_of(place_wedge, NULL), GRID_WINDS_RIGHT);
    }
    assert_int_equal(windings_of(place_box, blanked), 0);
}

/* ---- volumes ---------------------------------------------------------------------- */

static void make_cube(double c[8][3])
{
    for (int corner = 0; corner < 8; corner++) {
        c[corner][0] = corner & 1;
        c[corner][1] = corner >> 1 & 1;
        c[corner][2] = corner >> 2;
    }
}

static double volume_of(double c[8][3])
{
    return grid_cell_volume((const double(*)[3])c);
}

static void expect_close(double actual, double expected, double tolerance,
                         const char *what)
{
    if (!(fabs(actual - expected) <= tolerance)) {
        fail_msg("%s: expected %.17g, got %.17g", what, expected, actual);
    }
}

static void volumes_of_known_solids_are_right(void **state)
{
    (void)state;
    double c[8][3];
    make_cube(c);
    expect_close(volume_of(c), 1.0, 1e-15, "unit cube");
    for (int corner = 4; corner < 8; corner++) {
        c[corner][0] += 3.0;
    }
    expect_close(volume_of(c), 1.0, 1e-14, "sheared cube");
    make_cube(c);
    for (int corner = 4; corner < 8; corner++) {
        memcpy(c[corner], (const double[3]){0.5, 0.5, 1.0}, sizeof c[corner]);
    }
    expect_close(volume_of(c), 1.0 / 3.0, 1e-15, "pyramid");
    make_cube(c);
    memcpy(c[2], c[0], sizeof c[2]);
    memcpy(c[6], c[4], sizeof c[6]);
    expect_close(volume_of(c), 0.5, 1e-15, "wedge with a collapsed side");
    make_cube(c);
    c[7][0] = c[7][1] = c[7][2] = 2.0;
    expect_close(volume_of(c), 1.75, 1e-14, "cube with a corner pulled out");
}

static void an_inverted_cell_has_a_negative_volume(void **state)
{
    (void)state;
    double c[8][3];
    make_cube(c);
    for (int corner = 0; corner < 8; corner++) {
        c[corner][1] = -c[corner][1];
    }
    expect_close(volume_of(c), -1.0, 1e-15, "mirrored cube");
}

static void a_flat_cell_has_no_volume(void **state)
{
    (void)state;
    double c[8][3];
    make_cube(c);
    for (int corner = 0; corner < 8; corner++) {
        c[corner][2] = 0.25 * c[corner][0];
    }
    expect_close(volume_of(c), 0.0, 1e-15, "cube pressed into a plane");
}

/* Jacobian determinant of the trilinear map at (u, v, w). */
static double jacobian(double c[8][3], double u, double v, double w)
{
    double d[3][3] = {{0.0}};
    for (int corner = 0; corner < 8; corner++) {
        double a = corner & 1 ? u : 1.0 - u, da = corner & 1 ? 1.0 : -1.0;
        double b = corner & 2 ? v : 1.0 - v, db = corner & 2 ? 1.0 : -1.0;
        double e = corner & 4 ? w : 1.0 - w, de = corner & 4 ? 1.0 : -1.0;
        for (int axis = 0; axis < 3; axis++) {
            d[0][axis] += da * b * e * c[corner][axis];
            d[1][axis] += a * db * e * c[corner][axis];
            d[2][axis] += a * b * de * c[corner][axis];
        }
    }
    return d[0][0] * (d[1][1] * d[2][2] - d[1][2] * d[2][1]) -
           d[0][1] * (d[1][0] * d[2][2] - d[1][2] * d[2][0]) +
           d[0][2] * (d[1][0] * d[2][1] - d[1][1] * d[2][0]);
}

static void the_volume_is_that_of_the_trilinear_map(void **state)
{
    (void)state;
    /* The determinant is quadratic along each axis: two Gauss points integrate it
     * exactly. */
    const double gauss[2] = {0.5 - 0.5 / sqrt(3.0), 0.5 + 0.5 / sqrt(3.0)};
    uint64_t seed = 4711;
    for (int round = 0; round < 1000; round++) {
        double c[8][3], expected = 0.0;
        for (int corner = 0; corner < 8; corner++) {
            for (int axis = 0; axis < 3; axis++) {
                c[corner][axis] = random_between(&seed, -1.0, 1.0);
            }
        }
        for (int point = 0; point < 8; point++) {
            expected += 0.125 * jacobian(c, gauss[point & 1], gauss[point >> 1 & 1],
                                         gauss[point >> 2]);
        }
        expect_close(volume_of(c), expected, 1e-14, "random hexahedron (seed 4711)");
    }
}

/* ---- counts ----------------------------------------------------------------------- */

static void measuring_counts_cells_and_bounds(void **state)
{
    (void)state;
    grid_store *store = create_store(5, 4, 3);
    fill(store, place_box);
    grid_brick_info info;
    int64_t volumes[3];
    grid_brick_measure(&store->bricks[0], &info, volumes);
    assert_int_equal(info.cells, 4 * 3 * 2);
    assert_int_equal(volumes[0], 4 * 3 * 2);
    assert_int_equal(volumes[1], 0);
    assert_int_equal(volumes[2], 0);
    for (int axis = 0; axis < 3; axis++) {
        assert_true(info.lo[axis] == 0.0f);
        assert_true(info.hi[axis] == (float)(4 - axis));
    }
    destroy_store(&store);
}

static void measuring_tells_inverted_and_flat_cells(void **state)
{
    (void)state;
    grid_store *store = create_store(5, 2, 2);
    fill(store, place_box);
    grid_brick *brick = &store->bricks[0];
    for (int corner = 0; corner < 4; corner++) {
        /* x of the vertex planes: 0, 1, then back to 0.3, on to 2, and again 2. */
        int j = corner & 1, k = corner >> 1;
        vertex_at(brick, 2, j, k)[0] = 0.3f;
        vertex_at(brick, 3, j, k)[0] = 2.0f;
        vertex_at(brick, 4, j, k)[0] = 2.0f;
    }
    grid_brick_info info;
    int64_t volumes[3];
    grid_brick_measure(brick, &info, volumes);
    assert_int_equal(volumes[0], 2);
    assert_int_equal(volumes[1], 1);
    assert_int_equal(volumes[2], 1);
    destroy_store(&store);
}

/* Random places in a slanted plane, with so many digits that volumes, which are zero,
 * come out as rounding errors. */
static void place_slanted(int i, int j, int k, float p[3])
{
    uint64_t seed = 99 + (uint64_t)i + 100 * (uint64_t)j + 10000 * (uint64_t)k;
    for (int axis = 0; axis < 2; axis++) {
        random_bits(&seed);
        p[axis] = (float)random_below(&seed, 1 << 22) / 1048576.0f;
    }
    p[2] = p[0] + p[1];
}

static void cells_in_a_slanted_plane_have_no_volume(void **state)
{
    (void)state;
    grid_store *store = create_store(9, 9, 3);
    fill(store, place_slanted);
    grid_brick_info info;
    int64_t volumes[3];
    grid_brick_measure(&store->bricks[0], &info, volumes);
    assert_int_equal(volumes[2], 8 * 8 * 2);
    destroy_store(&store);
}

/* Cells of aspect ratio 1 : 10^4 : 10^4 far from the origin. */
static void place_thin(int i, int j, int k, float p[3])
{
    p[0] = 1000.0f + 10.0f * (float)i;
    p[1] = 0.001f * (float)j;
    p[2] = 1000.0f + 10.0f * (float)k;
}

static void thin_cells_are_not_flat(void **state)
{
    (void)state;
    grid_store *store = create_store(9, 9, 9);
    fill(store, place_thin);
    grid_brick_info info;
    int64_t volumes[3];
    grid_brick_measure(&store->bricks[0], &info, volumes);
    assert_int_equal(volumes[0], 8 * 8 * 8);
    destroy_store(&store);
}

static void absent_cells_are_not_measured(void **state)
{
    (void)state;
    grid_store *store = create_store(5, 2, 2);
    fill(store, place_box);
    uint8_t blanked[5 * 2 * 2] = {0};
    blanked[4] = 1;
    grid_brick_flag(&store->bricks[0], blanked);
    grid_brick_info info;
    int64_t volumes[3];
    grid_brick_measure(&store->bricks[0], &info, volumes);
    assert_int_equal(info.cells, 3);
    assert_true(info.hi[0] == 3.0f);
    memset(blanked, 1, sizeof blanked);
    grid_brick_flag(&store->bricks[0], blanked);
    grid_brick_measure(&store->bricks[0], &info, volumes);
    assert_int_equal(info.cells, 0);
    assert_int_equal(volumes[0] + volumes[1] + volumes[2], 0);
    assert_true(info.lo[0] > info.hi[0]);
    destroy_store(&store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_store_finds_its_bricks_by_number),
        cmocka_unit_test(a_new_store_holds_zeros),
        cmocka_unit_test(cell_values_are_there_where_asked_for),
        cmocka_unit_test(a_store_may_be_empty),
        cmocka_unit_test(bricks_come_into_memory_one_by_one),
        cmocka_unit_test(a_range_is_that_of_finite_values),
        cmocka_unit_test(a_store_can_be_reduced_to_some_of_its_bricks),
        cmocka_unit_test(a_store_with_parts_has_room_for_more),
        cmocka_unit_test(a_store_forgets_its_bricks),
        cmocka_unit_test(a_diagonal_starts_at_the_smallest_vertex_of_its_face),
        cmocka_unit_test(bricks_agree_on_the_faces_between_them),
        cmocka_unit_test(differently_oriented_blocks_cut_a_shared_face_alike),
        cmocka_unit_test(zeros_of_either_sign_are_the_same_coordinate),
        cmocka_unit_test(cells_end_where_the_brick_ends),
        cmocka_unit_test(a_blanked_vertex_takes_out_the_cells_around_it),
        cmocka_unit_test(a_wall_is_remembered_and_takes_out_nothing),
        cmocka_unit_test(a_vertex_that_is_nowhere_takes_out_the_cells_around_it),
        cmocka_unit_test(windings_tell_handedness_and_folds),
        cmocka_unit_test(volumes_of_known_solids_are_right),
        cmocka_unit_test(an_inverted_cell_has_a_negative_volume),
        cmocka_unit_test(a_flat_cell_has_no_volume),
        cmocka_unit_test(the_volume_is_that_of_the_trilinear_map),
        cmocka_unit_test(measuring_counts_cells_and_bounds),
        cmocka_unit_test(measuring_tells_inverted_and_flat_cells),
        cmocka_unit_test(cells_in_a_slanted_plane_have_no_volume),
        cmocka_unit_test(thin_cells_are_not_flat),
        cmocka_unit_test(absent_cells_are_not_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
