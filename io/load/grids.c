/* Layouts of grids that move: those of other steps than the one that was chosen. */
#include "closed.h"
#include "io/view.h"
#include "load.h"

status io_load_grid_of(MPI_Comm comm, io_source *source, int step, grid_layout **out)
{
    const status s = io_source_choose_grid(source, step);
    return s == STATUS_OK ? io_load_layout(comm, source, out) : s;
}

status io_load_return(MPI_Comm comm, io_source *source, int step,
                      const grid_layout *layout)
{
    status s = io_source_choose_grid(source, step);
    s = s == STATUS_OK ? io_load_rings(comm, source) : s;
    if (s == STATUS_OK) {
        io_implied_take_hands(source, layout->blocks);
    }
    return s;
}
