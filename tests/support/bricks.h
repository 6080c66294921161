/* The bricks of a part of space. */
#ifndef TESTS_SUPPORT_BRICKS_H
#define TESTS_SUPPORT_BRICKS_H

#include "grid/layout.h"

#include <stdlib.h>

/* Numbers of the bricks that a rank needs for this box (grid_layout_brick_meets),
 * ascending, malloc'ed; NULL without memory. */
static inline int64_t *test_bricks_meet(const grid_layout *layout, box3 box,
                                        int64_t *count)
{
    int64_t *numbers = malloc(((size_t)layout->nbricks + 1) * sizeof *numbers);
    *count = 0;
    for (int64_t number = 0; numbers && number < layout->nbricks; number++) {
        if (grid_layout_brick_meets(layout, number, box)) {
            numbers[(*count)++] = number;
        }
    }
    return numbers;
}

#endif
