/* Memory that is given back to the system. */
#define _DEFAULT_SOURCE /* mincore, MAP_ANONYMOUS */
#include "base/system.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum { FRAME = 1 << 18 };

/* Fills a large frame; returns where it began. */
__attribute__((noinline)) static uintptr_t fill_frame(int value)
{
    volatile unsigned char frame[FRAME];
    for (size_t n = 0; n < FRAME; n++) {
        frame[n] = (unsigned char)value;
    }
    const uintptr_t place = (uintptr_t)frame;
    return place;
}

/* How many of `count` pages are in memory. */
static int count_pages(uintptr_t begin, int count)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    int held = 0;
    for (int n = 0; n < count; n++) {
        unsigned char is_held = 0;
        void *at = (void *)((begin / page + (uintptr_t)n) * page);
        assert_int_equal(mincore(at, page, &is_held), 0);
        held += is_held & 1;
    }
    return held;
}

static void a_stack_gives_back_what_is_not_in_use(void **state)
{
    (void)state;
#if defined(__GLIBC__) && defined(__linux__)
    enum { PAGES = 8 };
    unsigned char mine[64];
    memset(mine, 42, sizeof mine);
    const uintptr_t begin = fill_frame(7);
    assert_int_equal(count_pages(begin, PAGES), PAGES);
    base_trim_memory();
    assert_int_equal(count_pages(begin, PAGES), 0);
    for (size_t n = 0; n < sizeof mine; n++) {
        assert_int_equal(mine[n], 42);
    }
    assert_int_equal(fill_frame(9), begin);
    assert_int_equal(count_pages(begin, PAGES), PAGES);
#else
    skip();
#endif
}

/* State of another thread that runs while memory is trimmed. */
typedef struct mapper {
    _Atomic int has_ended;
    void *wanted; /* where it asks for memory */
    int64_t times, spoiled;
} mapper;

/* Takes pages again and again, and checks that they keep the bytes written to them. */
static void *map_pages(void *context)
{
    enum { BYTES = 1 << 16, LOOKS = 100 };
    mapper *m = context;
    while (!atomic_load(&m->has_ended)) {
        volatile unsigned char *pages = mmap(m->wanted, BYTES, PROT_READ | PROT_WRITE,
                                             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if ((void *)pages == MAP_FAILED) {
            break;
        }
        bool is_spoiled = false;
        memset((void *)pages, 7, BYTES);
        for (int n = 0; n < LOOKS && !is_spoiled; n++) {
            is_spoiled = pages[n * (BYTES / LOOKS)] != 7;
        }
        munmap((void *)pages, BYTES);
        m->spoiled += is_spoiled;
        m->times++;
    }
    return NULL;
}

/* Without a limit the stack is said to reach down to the memory of other threads. */
static void a_stack_without_limit_ends_before_the_memory_of_others(void **state)
{
    (void)state;
#if defined(__GLIBC__) && defined(__linux__)
    enum { ROUNDS = 3000 };
    const struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY};
    struct rlimit before;
    pthread_t thread;
    assert_int_equal(getrlimit(RLIMIT_STACK, &before), 0);
    if (before.rlim_max != RLIM_INFINITY) {
        skip();
    }
    assert_int_equal(setrlimit(RLIMIT_STACK, &none), 0);
    mapper m = {.wanted = (void *)((uintptr_t)&m - ((uintptr_t)96 << 20))};
    assert_int_equal(pthread_create(&thread, NULL, map_pages, &m), 0);
    for (int n = 0; n < ROUNDS; n++) {
        base_trim_memory();
    }
    atomic_store(&m.has_ended, 1);
    pthread_join(thread, NULL);
    setrlimit(RLIMIT_STACK, &before);
    assert_true(m.times > 0);
    assert_int_equal(m.spoiled, 0);
#else
    skip();
#endif
}

/* Whether the page of a byte is mapped. */
static bool is_mapped(const unsigned char *byte)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    unsigned char is_held;
    return mincore((void *)((uintptr_t)byte / page * page), page, &is_held) == 0;
}

/* Sizes below, at and above a large page. */
static void whole_pages_are_given_back(void **state)
{
    (void)state;
    const size_t large = (size_t)1 << 21;
    const size_t sizes[] = {1, 4097, large - 1, large, large + 1, 7 * large / 2};
    for (size_t n = 0; n < sizeof sizes / sizeof sizes[0]; n++) {
        unsigned char *bytes = base_allocate_pages(sizes[n]);
        assert_non_null(bytes);
        assert_int_equal((uintptr_t)bytes % 64, 0);
        memset(bytes, 7, sizes[n]);
        assert_int_equal(bytes[sizes[n] - 1], 7);
        base_free_pages(bytes, sizes[n]);
        assert_true(sizes[n] < large || !is_mapped(bytes + sizes[n] - 1));
    }
    base_free_pages(NULL, 1);
    base_free_pages(NULL, large);
}

/* Of memory that has never been touched, only whole pages are mapped. */
static void mapped_pages_keep_their_bytes(void **state)
{
    (void)state;
#ifdef MADV_POPULATE_WRITE
    enum { PAGES = 8 };
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), size = (PAGES + 2) * page;
    unsigned char *bytes =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true((void *)bytes != MAP_FAILED);
    bytes[page + 5] = 7;
    base_map_pages(bytes + 5, size - page);
    for (size_t n = 0; n < size; n++) {
        assert_int_equal(bytes[n], n == page + 5 ? 7 : 0);
    }
    munmap(bytes, size);
    bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    base_map_pages(bytes + 5, size - page);
    const int held = count_pages((uintptr_t)bytes + page, PAGES);
    assert_true(held == PAGES || held == 0); /* none: Linux before 5.14 */
    munmap(bytes, size);
#else
    skip();
#endif
}

static void memory_that_no_machine_has_is_refused(void **state)
{
    (void)state;
    assert_null(base_allocate_pages(SIZE_MAX / 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_pages_are_given_back),
        cmocka_unit_test(mapped_pages_keep_their_bytes),
        cmocka_unit_test(memory_that_no_machine_has_is_refused),
        cmocka_unit_test(a_stack_gives_back_what_is_not_in_use),
        cmocka_unit_test(a_stack_without_limit_ends_before_the_memory_of_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
