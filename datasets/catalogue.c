#include "dataset.h"

#include <string.h>

/* In the order of --help. To add a data set, write its file and one line here. */
static const dataset *const catalogue[] = {
    &dataset_karman, &dataset_annulus,        &dataset_warped_box,    &dataset_two_blocks,
    &dataset_pole,   &dataset_boundary_layer, &dataset_iblank_sphere, &dataset_vanes,
};

static const dataset *const hard[] = {
    &dataset_ball,    &dataset_c_grid,    &dataset_o_grid,   &dataset_orientations,
    &dataset_wall,    &dataset_far,       &dataset_inverted, &dataset_mismatched,
    &dataset_overset, &dataset_nan_field, &dataset_flat,     &dataset_vane_ring,
};

const dataset *dataset_at(int place)
{
    int count = (int)(sizeof catalogue / sizeof catalogue[0]);
    return place >= 0 && place < count ? catalogue[place] : NULL;
}

const dataset *dataset_hard_at(int place)
{
    int count = (int)(sizeof hard / sizeof hard[0]);
    return place >= 0 && place < count ? hard[place] : NULL;
}

/* The data set of this name among those of `at`, or NULL. */
static const dataset *find_among(const dataset *(*at)(int), const char *name)
{
    for (int place = 0; at(place); place++) {
        if (strcmp(at(place)->name, name) == 0) {
            return at(place);
        }
    }
    return NULL;
}

const dataset *dataset_find(const char *name)
{
    const dataset *found = find_among(dataset_at, name);
    return found ? found : find_among(dataset_hard_at, name);
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
