#include "load.h"

#include "base/parallel/parallel.h"
#include "geometry.h"

status io_load_bricks(MPI_Comm comm, io_source *source, const io_load_list *list,
                      grid_store **out)
{
    grid_store *store = NULL;
    status s = grid_store_create(list->layout, list->count, list->numbers,
                                 list->location == GRID_CELL, &store);
    s = parallel_agree(comm, s);
    if (s == STATUS_OK) {
        s = io_load_geometry(comm, source, list->count, list->numbers, store);
    }
    if (s != STATUS_OK) {
        grid_store_destroy(&store);
        return s;
    }
    *out = store;
    return STATUS_OK;
}

status io_load_later(MPI_Comm comm, const io_load_list *list, grid_store **out)
{
    grid_store *store = NULL;
    status s = grid_store_reserve(list->layout, list->count, list->numbers,
                                  list->location == GRID_CELL, &store);
    s = parallel_agree(comm, s);
    if (s != STATUS_OK) {
        grid_store_destroy(&store);
        return s;
    }
    *out = store;
    return STATUS_OK;
}

status io_load_kept_bricks(MPI_Comm comm, io_source *source, const io_load_list *list,
                           grid_store **store)
{
    if (*store == NULL) {
        return io_load_bricks(comm, source, list, store);
    }
    grid_store_reduce(*store, list->count, list->numbers);
    return STATUS_OK;
}
