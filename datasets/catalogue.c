#include "datasets/dataset.h"

#include <string.h>

/* In the order of --help. A new data set is one file and one line here. */
static const dataset *const catalogue[] = {
    &dataset_karman, &dataset_annulus,        &dataset_warped_box,    &dataset_two_blocks,
    &dataset_pole,   &dataset_boundary_layer, &dataset_iblank_sphere,
};

const dataset *dataset_at(int place)
{
    int count = (int)(sizeof catalogue / sizeof catalogue[0]);
    return place >= 0 && place < count ? catalogue[place] : NULL;
}

const dataset *dataset_find(const char *name)
{
    for (int place = 0; dataset_at(place); place++) {
        if (strcmp(dataset_at(place)->name, name) == 0) {
            return dataset_at(place);
        }
    }
    return NULL;
}

void dataset_block_size(const dataset *set, const int64_t size[3], int block,
                        int64_t n[3])
{
    if (set->block_size) {
        set->block_size(size, block, n);
    } else {
        memcpy(n, size, 3 * sizeof n[0]);
    }
}

double dataset_time(const dataset *set, int step, int steps)
{
    return set->period > 0.0 ? set->period * step / steps : (double)step;
}
