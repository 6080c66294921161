#include "share.h"

#include "base/parallel/parallel.h"

#include <stdlib.h>

/* With so many rows of bricks a rank, shares begin with a row. */
enum { ROWS = 2 };

/* The first brick of a rank's share, or of those after all. */
static int64_t first_of(const grid_layout *layout, int64_t rank, int64_t size)
{
    const int64_t first = layout->nbricks * rank / size;
    if (first == layout->nbricks) {
        return first;
    }
    const grid_block *block = &layout->blocks[grid_layout_place(layout, first).block];
    const int64_t row = block->bricks[0];
    const int64_t rows = (first - block->first_brick + row / 2) / row;
    return layout->nbricks / size < ROWS * row ? first : block->first_brick + rows * row;
}

void io_load_share(MPI_Comm comm, int rank, const grid_layout *layout, int64_t *first,
                   int64_t *end)
{
    const int size = parallel_size(comm);
    *first = first_of(layout, rank, size);
    *end = first_of(layout, rank + 1, size);
}

status io_load_numbers(int64_t first, int64_t end, int64_t **numbers)
{
    size_t bytes = (size_t)(end - first + 1) * sizeof **numbers;
    int64_t *list = malloc(bytes);
    if (!list) {
        return base_fail_memory(bytes, "the list of bricks");
    }
    for (int64_t number = first; number < end; number++) {
        list[number - first] = number;
    }
    *numbers = list;
    return STATUS_OK;
}
