/* Coordinates of other ranks that memory sources keep: the answer must be of the read
 * asked for. */
#include "base/hash.h"
#include "io/sources/memory/box_cache.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static memory_asked ask(int block, const double *origin, const io_box *boxes)
{
    return (memory_asked){block, IO_ARRAY_X, origin, boxes};
}

static char *text(const char *what)
{
    char *copy = strdup(what);
    assert_non_null(copy);
    return copy;
}

/* Reads twice, in two steps, as kept reads are; `what` is sent. */
static void keep(memory_kept *kept, const memory_asked *asked, const char *what)
{
    const char *data = NULL;
    assert_int_equal(io_memory_kept_find(kept, asked, &data), MEMORY_NEW);
    io_memory_kept_next_step(kept);
    assert_int_equal(io_memory_kept_find(kept, asked, &data), MEMORY_SEEN);
    assert_int_equal(io_memory_kept_prepare(kept, asked), STATUS_OK);
    io_memory_kept_put(kept, text(what));
}

static void expect(memory_kept *kept, const memory_asked *asked, const char *what)
{
    const char *data = NULL;
    assert_int_equal(io_memory_kept_find(kept, asked, &data), MEMORY_IS_KEPT);
    assert_string_equal(data, what);
}

static void reads_with_the_same_hash_are_told_apart(void **unused)
{
    (void)unused;
    memory_kept *kept = NULL;
    assert_int_equal(io_memory_kept_create(1, &kept), STATUS_OK);
    io_box one = {{0, 0, 0}, {4, 5, 6}}, other = {{1, 2, 3}, {7, 8, 0}};
    const memory_asked a = ask(0, NULL, &one), b = ask(0, NULL, &other);
    /* The last number goes into the hash by an exclusive or before one last mixing, which
     * can be undone: so numbers that differ in it alone have hashes that do. */
    int64_t *last = &other.n[2];
    const uint64_t wanted = io_memory_kept_hash(kept, &a);
    uint64_t inverse = 1, hash = wanted;
    for (int n = 0; n < 6; n++) {
        inverse *= 2 - BASE_HASH_PRIME * inverse;
    }
    hash ^= hash >> 32;
    const uint64_t mixed_a = hash * inverse;
    hash = io_memory_kept_hash(kept, &b);
    hash ^= hash >> 32;
    const uint64_t mixed_b = hash * inverse;
    *last ^= (int64_t)(mixed_a ^ mixed_b);
    assert_true(io_memory_kept_hash(kept, &b) == wanted);

    keep(kept, &a, "of the one");
    keep(kept, &b, "of the other");
    expect(kept, &a, "of the one");
    expect(kept, &b, "of the other");
    io_memory_kept_destroy(&kept);
}

static void everything_that_is_asked_for_counts(void **unused)
{
    (void)unused;
    memory_kept *kept = NULL;
    assert_int_equal(io_memory_kept_create(2, &kept), STATUS_OK);
    const io_box boxes[2] = {{{0, 0, 0}, {4, 5, 6}}, {{4, 0, 0}, {4, 5, 6}}};
    const io_box moved[2] = {{{0, 0, 0}, {4, 5, 6}}, {{5, 0, 0}, {4, 5, 6}}};
    const double zero = 0.0, half = 0.5;
    const memory_asked asked[] = {ask(0, NULL, boxes), ask(1, NULL, boxes),
                                  ask(0, &zero, boxes), ask(0, &half, boxes),
                                  ask(0, NULL, moved)};
    const char *const texts[] = {"a", "b", "c", "d", "e"};
    for (int n = 0; n < 5; n++) {
        keep(kept, &asked[n], texts[n]);
    }
    for (int n = 0; n < 5; n++) {
        expect(kept, &asked[n], texts[n]);
    }
    io_memory_kept_destroy(&kept);
}

/* Room was made, but the exchange failed on some rank: all ask anew. */
static void what_did_not_come_is_asked_for_again(void **unused)
{
    (void)unused;
    memory_kept *kept = NULL;
    assert_int_equal(io_memory_kept_create(1, &kept), STATUS_OK);
    const io_box box = {{0, 0, 0}, {4, 5, 6}};
    const memory_asked asked = ask(0, NULL, &box);
    const char *data = NULL;
    assert_int_equal(io_memory_kept_find(kept, &asked, &data), MEMORY_NEW);
    io_memory_kept_next_step(kept);
    for (int n = 0; n < 2; n++) {
        assert_int_equal(io_memory_kept_find(kept, &asked, &data), MEMORY_SEEN);
        assert_int_equal(io_memory_kept_prepare(kept, &asked), STATUS_OK);
    }
    io_memory_kept_put(kept, text("at last"));
    expect(kept, &asked, "at last");
    io_memory_kept_destroy(&kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_with_the_same_hash_are_told_apart),
        cmocka_unit_test(everything_that_is_asked_for_counts),
        cmocka_unit_test(what_did_not_come_is_asked_for_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
