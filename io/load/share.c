#include "share.h"

#include "base/parallel/parallel.h"

#include <stdlib.h>

void io_load_share(MPI_Comm comm, int rank, const grid_layout *layout, int64_t *first,
                   int64_t *end)
{
    int size = parallel_size(comm);
    *first = layout->nbricks * rank / size;
    *end = layout->nbricks * (rank + 1) / size;
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
