#include "bricks.h"

#include "base/parallel/parallel.h"

#include <stdlib.h>

status probe_load(MPI_Comm comm, io_source *source, const probe_bricks *bricks,
                  grid_location location, grid_store **out)
{
    const grid_layout *layout = bricks->layout;
    int64_t count = 0;
    int64_t *numbers = malloc(((size_t)layout->nbricks + 1) * sizeof *numbers);
    status s = numbers ? STATUS_OK : base_fail_memory(0, "the bricks of points");
    s = parallel_agree(comm, s);
    for (int64_t n = 0; n < layout->nbricks && s == STATUS_OK; n++) {
        if (bricks->wanted[n]) {
            numbers[count++] = n;
        }
    }
    if (s == STATUS_OK) {
        const io_load_list list = {layout, count, numbers, location};
        s = io_load_bricks(comm, source, &list, out);
    }
    free(numbers);
    return s;
}
