#include "schedule.h"

#include <stdbool.h>

static bool is_cut(const composite_cuts *cuts)
{
    return cuts->before[COMPOSITE_BANDS] > 0;
}

/* The last band that has no more than `wanted` work before it; it is not empty. */
static int find_band(const composite_cuts *cuts, int64_t wanted)
{
    int low = 0;
    int high = COMPOSITE_BANDS;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (cuts->before[middle] <= wanted) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

int64_t composite_cuts_pixel(const composite_cuts *cuts, int64_t pixels, int64_t n)
{
    if (!is_cut(cuts) || n <= 0 || n >= pixels) {
        return n;
    }
    const int64_t wanted = n * cuts->before[COMPOSITE_BANDS] / pixels;
    const int band = find_band(cuts, wanted);
    const int64_t begin = composite_share_begin(pixels, COMPOSITE_BANDS, band);
    const int64_t count =
        composite_share_begin(pixels, COMPOSITE_BANDS, band + 1) - begin;
    return begin + (wanted - cuts->before[band]) * count /
                       (cuts->before[band + 1] - cuts->before[band]);
}

int composite_visit_range(composite_op op, composite_range range, composite_visit *visit,
                          void *context)
{
    op.pix0 = range.pix0;
    op.npix = range.pix1 - range.pix0;
    return op.npix > 0 ? visit(&op, context) : 0;
}

/* The visitor that gets the ops, once they have their pixels. */
typedef struct cutter {
    const composite_problem *problem;
    composite_visit *visit;
    void *context;
} cutter;

static int cut_op(const composite_op *op, void *context)
{
    const cutter *c = context;
    const composite_problem *problem = c->problem;
    const composite_range range = {
        composite_cuts_pixel(&problem->cuts, problem->pixels, op->pix0),
        composite_cuts_pixel(&problem->cuts, problem->pixels, op->pix0 + op->npix)};
    return composite_visit_range(*op, range, c->visit, c->context);
}

int composite_schedule_generate(const composite_algorithm *algorithm,
                                const composite_problem *problem,
                                const composite_params *params, int position,
                                composite_visit *visit, void *context)
{
    if (!is_cut(&problem->cuts)) {
        return algorithm->generate(problem, params, position, visit, context);
    }
    cutter c = {problem, visit, context};
    return algorithm->generate(problem, params, position, cut_op, &c);
}
