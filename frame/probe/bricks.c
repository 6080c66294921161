#include "bricks.h"

#include "base/parallel/parallel.h"

#include <stdlib.h>

status probe_bricks_make(const grid_layout *layout, probe_bricks *out)
{
    box3 *boxes = malloc(((size_t)layout->nbricks + 1) * sizeof *boxes);
    *out = (probe_bricks){layout, calloc((size_t)layout->nbricks + 1, 1), NULL};
    status s = boxes && out->wanted
                   ? STATUS_OK
                   : base_fail_memory((size_t)layout->nbricks * sizeof *boxes, "points");
    for (int64_t n = 0; n < layout->nbricks && s == STATUS_OK; n++) {
        boxes[n] = grid_brick_bounds(&layout->bricks[n]);
        for (int axis = 0; axis < 3; axis++) {
            const double margin = 1e-6 * (boxes[n].hi.v[axis] - boxes[n].lo.v[axis]);
            boxes[n].lo.v[axis] -= margin;
            boxes[n].hi.v[axis] += margin;
        }
    }
    s = s == STATUS_OK ? grid_boxes_create(layout->nbricks, boxes, &out->boxes) : s;
    free(boxes);
    return s;
}

void probe_bricks_clear(probe_bricks *bricks)
{
    free(bricks->wanted);
    grid_boxes_destroy(&bricks->boxes);
}

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
