/* Shapes of arrays: their values, and strides that reach them. */
#include "item.h"

int64_t xdmf_count_values(int rank, const int64_t n[])
{
    double count = 1.0;
    for (int axis = 0; axis < rank; axis++) {
        count *= (double)n[axis];
    }
    return count <= 0x1p48 ? (int64_t)count : -1;
}

int64_t xdmf_item_values(const xdmf_item *item)
{
    int64_t count = 0;
    for (int n = 0; n < item->count; n++) {
        count += xdmf_count_values(item->parts[n].rank, item->parts[n].n);
    }
    return count;
}

void xdmf_set_strides(xdmf_array *array)
{
    int64_t stride = (int64_t)io_number_size(array->place.type);
    for (int axis = array->rank - 1; axis >= 0; axis--) {
        array->stride[axis] = stride;
        stride *= array->n[axis];
    }
}

/* Joins axes of which the values lie as along one; leaves out those of one value. */
static int join_axes(const xdmf_array *array, int64_t n[XDMF_AXES],
                     int64_t stride[XDMF_AXES])
{
    int rank = 0;
    for (int axis = 0; axis < array->rank; axis++) {
        const bool joins =
            rank > 0 && stride[rank - 1] == array->n[axis] * array->stride[axis];
        if (array->n[axis] == 1) {
            continue;
        }
        n[joins ? rank - 1 : rank] = (joins ? n[rank - 1] : 1) * array->n[axis];
        stride[joins ? rank - 1 : rank] = array->stride[axis];
        rank += !joins;
    }
    return rank;
}

/*
 * Strides of the same values in another shape: joined axes are cut again, the fastest
 * first. False: a new axis would lie across two of them.
 */
static bool reshape(const xdmf_array *array, int rank, const int64_t n[],
                    int64_t stride[XDMF_AXES])
{
    int64_t left[XDMF_AXES], step[XDMF_AXES];
    int axis = join_axes(array, left, step) - 1;
    for (int to = rank - 1; to >= 0; to--) {
        stride[to] = 0;
        if (n[to] == 1) {
            continue;
        }
        if (axis < 0 || left[axis] % n[to] != 0) {
            return false;
        }
        stride[to] = step[axis];
        step[axis] *= n[to];
        left[axis] /= n[to];
        axis -= left[axis] == 1;
    }
    return axis < 0;
}

bool xdmf_item_place(const xdmf_item *item, const int64_t n[3], int components,
                     int component, io_array_place *out)
{
    const bool is_joined = item->count > 1;
    const xdmf_array *array = &item->parts[is_joined ? component : 0];
    const int64_t shape[4] = {n[2], n[1], n[0], is_joined ? 1 : components};
    int64_t stride[XDMF_AXES];
    if (!reshape(array, 4, shape, stride)) {
        return false;
    }
    *out = array->place;
    for (int axis = 0; axis < 3; axis++) {
        out->stride[axis] = stride[2 - axis];
    }
    out->offset += is_joined ? 0 : component * stride[3];
    return true;
}
