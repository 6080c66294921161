#include "opened.h"

#include "base/array.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

/* An array whose values lie in the file. */
struct io_hdf5_lying {
    int step, block, array;
    int64_t unpacking; /* in the list */
    io_array_place bytes;
    const void *place;
};

static uint64_t key_of(int step, int block, int array)
{
    const int64_t key[3] = {step, block, array};
    return base_hash_words(BASE_HASH_START, key, sizeof key);
}

/* Finds an array whose values lie in the file; NULL: there is none. */
static io_hdf5_opened *find_lying(io_hdf5_opened_list *list, int step, int block,
                                  int array)
{
    int64_t at = 0, n;
    while ((n = base_lookup_next(&list->places, key_of(step, block, array), &at)) >= 0) {
        const struct io_hdf5_lying *one = &list->lying[n];
        if (one->step == step && one->block == block && one->array == array) {
            list->found.lies = true;
            list->found.bytes = one->bytes;
            list->found.place = one->place;
            list->found.unpacking = list->unpackings[one->unpacking];
            return &list->found;
        }
    }
    return NULL;
}

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
    return find_lying(list, step, block, array);
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

/* Finds an unpacking among the last in the list, or adds it; -1: there is no memory.
 * Arrays that are read in turn mostly have a few. */
static int64_t keep_unpacking(io_hdf5_opened_list *list, const io_unpacking *unpacking)
{
    const int64_t count = list->nunpackings;
    for (int64_t n = count - 1; n >= 0 && n >= count - IO_HDF5_OPENED; n--) {
        if (memcmp(&list->unpackings[n], unpacking, sizeof *unpacking) == 0) {
            return n;
        }
    }
    return base_array_add(list->unpackings, list->nunpackings, *unpacking, NULL) ==
                   STATUS_OK
               ? count
               : -1;
}

status io_hdf5_opened_place(io_hdf5_opened_list *list, io_hdf5_opened *opened,
                            const io_array_place *bytes)
{
    const int64_t unpacking = keep_unpacking(list, &opened->unpacking);
    if (unpacking < 0 ||
        base_array_room(list->lying, list->nlying, 1, NULL) != STATUS_OK) {
        return base_fail_memory(sizeof *list->lying, "the arrays of a file");
    }
    const status s = base_lookup_add(
        &list->places, key_of(opened->step, opened->block, opened->array), list->nlying);
    if (s != STATUS_OK) {
        return s;
    }
    list->lying[list->nlying++] = (struct io_hdf5_lying){
        opened->step, opened->block, opened->array, unpacking, *bytes, opened->place};
    io_hdf5_dataset_close(&opened->dataset);
    opened->used = 0;
    opened->lies = true;
    opened->bytes = *bytes;
    return STATUS_OK;
}

void io_hdf5_opened_close(io_hdf5_opened_list *list)
{
    for (int n = 0; n < IO_HDF5_OPENED; n++) {
        io_hdf5_dataset_close(&list->all[n].dataset);
    }
    base_lookup_clear(&list->places);
    free(list->lying);
    free(list->unpackings);
}
