/* What is given back to the system. */
#define _DEFAULT_SOURCE /* mincore */
#include "base/system.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { FRAME = 1 << 18 };

/* Fills a large frame; returns where it began. */
__attribute__((noinline)) static uintptr_t fill_frame(int value)
{
    volatile unsigned char frame[FRAME];
    for (size_t n = 0; n < FRAME; n++) {
        frame[n] = (unsigned char)value;
    }
    return (uintptr_t)&frame[0];
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stack_gives_back_what_is_not_in_use),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
