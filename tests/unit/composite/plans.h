/* What tests of plans share. */
#ifndef TESTS_UNIT_COMPOSITE_PLANS_H
#define TESTS_UNIT_COMPOSITE_PLANS_H

#include "composite/plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka.h needs the headers above it. */
#include <cmocka.h>

static inline composite_plan_key make_key(const composite_algorithm *algorithm, int size,
                                          int64_t pixels, int position, int segment)
{
    return (composite_plan_key){.algorithm = algorithm,
                                .problem = {.size = size, .pixels = pixels},
                                .position = position,
                                .segment = segment};
}

static inline const composite_algorithm *direct_send(void)
{
    return composite_algorithm_find("direct-send");
}

/* The members of a part that matter below. */
typedef struct expected_part {
    int peer;
    int64_t pix0;
    int npix;
} expected_part;

static inline void expect_parts(const composite_part_list *actual, int64_t begin,
                                const expected_part *expected, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        const composite_part *part = &actual->items[begin + i];
        if (part->peer != expected[i].peer || part->pix0 != expected[i].pix0 ||
            part->npix != expected[i].npix) {
            fail_msg("part %d: expected peer %d, pixels %d + %d; actual %d, %d + %d",
                     (int)i, expected[i].peer, (int)expected[i].pix0, expected[i].npix,
                     part->peer, (int)part->pix0, part->npix);
        }
    }
}

#endif
