/* Records of values at joints that lie in a box. */
#include "records.h"

#include <string.h>

/* The first record of a brick or a later one. */
static int64_t find_record(const io_joint_values *v, int64_t brick)
{
    int64_t lo = 0, hi = v->count;
    while (lo < hi) {
        const int64_t middle = (lo + hi) / 2;
        if (joint_record_at(v, middle)->member.brick < brick) {
            lo = middle + 1;
        } else {
            hi = middle;
        }
    }
    return lo;
}

/* Passes on the records of a brick that lie in a box, moved by `shift`. */
static void visit_brick(const io_joint_values *v, int64_t brick, const joint_box *box,
                        const int64_t shift[3], joint_take *take, void *context)
{
    const grid_brick_place place = grid_layout_place(v->layout, brick);
    for (int64_t r = find_record(v, brick); r < v->count; r++) {
        const joint_record *found = joint_record_at(v, r);
        if (found->member.brick != brick) {
            return;
        }
        int rest = found->member.vertex, at[3];
        bool inside = true;
        for (int axis = 0; axis < 3; axis++) {
            const int64_t vertex = place.lo[axis] + rest % (place.n[axis] + 1);
            const int64_t to = vertex + shift[axis] - box->lo[axis];
            rest /= place.n[axis] + 1;
            inside = inside && to >= 0 && to < box->n[axis];
            at[axis] = (int)to;
        }
        if (inside) {
            take(context, (size_t)((at[2] * box->n[1] + at[1]) * box->n[0] + at[0]), at,
                 found);
        }
    }
}

/* Lists the bricks that have vertices of a box, moved back by `shift`: from lo to end. */
static bool find_bricks(const grid_layout *layout, const joint_box *box,
                        const int64_t shift[3], int64_t lo[3], int64_t end[3])
{
    const grid_block *block = &layout->blocks[box->block];
    bool any = true;
    for (int axis = 0; axis < 3; axis++) {
        int64_t first = box->lo[axis] - shift[axis];
        int64_t last = first + box->n[axis] - 1;
        first = first < 0 ? 0 : first;
        last = last > block->n[axis] - 1 ? block->n[axis] - 1 : last;
        any = any && first <= last;
        lo[axis] = first / GRID_BRICK_CELLS;
        lo[axis] = lo[axis] < block->bricks[axis] ? lo[axis] : block->bricks[axis] - 1;
        end[axis] = last / GRID_BRICK_CELLS + 1;
        end[axis] = end[axis] < block->bricks[axis] ? end[axis] : block->bricks[axis];
    }
    return any;
}

/* Passes on the bricks that have vertices of a box; those beyond a seam with their
 * shifts. */
void joints_visit_bricks(const grid_layout *layout, const joint_box *box,
                         joint_take_brick *take, void *context)
{
    const grid_block *block = &layout->blocks[box->block];
    for (int n = 0; n < 27; n++) {
        const int way[3] = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
        int64_t shift[3], lo[3], end[3];
        bool is_meant = true;
        for (int axis = 0; axis < 3; axis++) {
            is_meant = is_meant && (way[axis] == 0 || block->closed[axis]);
            shift[axis] = way[axis] * (block->n[axis] - 1);
        }
        if (!is_meant || !find_bricks(layout, box, shift, lo, end)) {
            continue;
        }
        for (int64_t k = lo[2]; k < end[2]; k++) {
            for (int64_t j = lo[1]; j < end[1]; j++) {
                for (int64_t i = lo[0]; i < end[0]; i++) {
                    take(context,
                         block->first_brick +
                             (k * block->bricks[1] + j) * block->bricks[0] + i,
                         shift);
                }
            }
        }
    }
}

/* A walk over records in a box. */
typedef struct walk {
    const io_joint_values *values;
    const joint_box *box;
    joint_take *take;
    void *context;
} walk;

static void walk_brick(void *context, int64_t brick, const int64_t shift[3])
{
    const walk *w = context;
    visit_brick(w->values, brick, w->box, shift, w->take, w->context);
}

void joints_visit_records(const io_joint_values *v, const joint_box *box,
                          joint_take *take, void *context)
{
    walk w = {v, box, take, context};
    joints_visit_bricks(v->layout, box, walk_brick, &w);
}

joint_box joints_box_of_window(const io_sweep *sweep, const io_window *window)
{
    const io_window_box box = io_window_vertices(sweep->layout, window, sweep->layers);
    joint_box out = {.block = window->block};
    memcpy(out.lo, box.lo, sizeof out.lo);
    memcpy(out.n, box.n, sizeof out.n);
    return out;
}
