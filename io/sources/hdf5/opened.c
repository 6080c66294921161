#include "opened.h"

io_hdf5_opened *io_hdf5_opened_find(io_hdf5_opened_list *list, int step, int block,
                                    int array)
{
    for (int n = 0; n < IO_HDF5_OPENED; n++) {
        io_hdf5_opened *one = &list->all[n];
        if (one->used > 0 && one->step == step && one->block == block &&
            one->array == array) {
            one->used = ++list->uses;
            return one;
        }
    }
    return NULL;
}

io_hdf5_opened *io_hdf5_opened_make(io_hdf5_opened_list *list)
{
    io_hdf5_opened *oldest = &list->all[0];
    for (int n = 1; n < IO_HDF5_OPENED; n++) {
        oldest = list->all[n].used < oldest->used ? &list->all[n] : oldest;
    }
    io_hdf5_dataset_close(&oldest->dataset);
    *oldest = (io_hdf5_opened){.used = 0};
    return oldest;
}

void io_hdf5_opened_keep(io_hdf5_opened_list *list, io_hdf5_opened *opened, int step,
                         int block, int array)
{
    opened->step = step;
    opened->block = block;
    opened->array = array;
    opened->used = ++list->uses;
}

void io_hdf5_opened_close(io_hdf5_opened_list *list)
{
    for (int n = 0; n < IO_HDF5_OPENED; n++) {
        io_hdf5_dataset_close(&list->all[n].dataset);
    }
}
