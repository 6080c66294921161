#include "cuts.h"

#include "check.h"
#include "shape.h"

#include "support/random.h"

#include <string.h>

enum { SIDE = CUTS_SIDE, CUTS = 3 /* levels of cuts: up to 8 boxes */ };

/* The picture of all boxes of a cut together, composited front to back. */
typedef struct cut_sum {
    double rgba[SIDE * SIDE][4];
    double depth[SIDE * SIDE];
} cut_sum;

static cut_sum clear_sum(void)
{
    cut_sum sum;
    memset(sum.rgba, 0, sizeof sum.rgba);
    for (int pixel = 0; pixel < SIDE * SIDE; pixel++) {
        sum.depth[pixel] = INFINITY;
    }
    return sum;
}

/* Composites a picture behind the sum. */
static void add_behind(cut_sum *sum, const image *img)
{
    for (int pixel = 0; pixel < SIDE * SIDE; pixel++) {
        double through = 1.0 - sum->rgba[pixel][3];
        for (int c = 0; c < 4; c++) {
            sum->rgba[pixel][c] += through * (double)img->rgba[4 * pixel + c];
        }
        sum->depth[pixel] = fmin(sum->depth[pixel], (double)img->depth[pixel]);
    }
}

/* Chooses the place to cut a box: anywhere, through a vertex, or through the eye; in a
 * box of integer vertices the second runs along faces. */
static double choose_plane(uint64_t *state, const picture *p, int axis)
{
    const grid_brick *brick = &p->grid->store->bricks[0];
    const int *n = brick->place.n;
    int vertices = (n[0] + 1) * (n[1] + 1) * (n[2] + 1);
    box3 bounds = p->grid->layout->bounds;
    switch (random_below(state, 3)) {
    case 0:
        return (double)brick->vertex[random_below(state, vertices)][axis];
    case 1:
        return p->view.position.v[axis];
    default:
        return random_between(state, bounds.lo.v[axis], bounds.hi.v[axis]);
    }
}

/* Whether rays meet the lower side of a plane before the upper. */
static bool lower_is_nearer(const picture *p, int axis, double plane)
{
    if (p->view.orthographic) {
        return p->view.look_at.v[axis] > p->view.position.v[axis];
    }
    return p->view.position.v[axis] < plane;
}

/* Cuts p's box at random planes, `levels` deep, and adds the pictures of its parts; `p`
 * says how each is drawn. */
static void add_cuts(uint64_t *state, picture p, int levels, cut_sum *sum)
{
    if (levels == 0) {
        render_counters counters;
        image *img = picture_draw(&p, &counters);
        add_behind(sum, img);
        image_destroy(&img);
        return;
    }
    int axis = random_below(state, 3);
    double plane = choose_plane(state, &p, axis);
    plane = fmin(fmax(plane, p.clip.lo.v[axis]), p.clip.hi.v[axis]);
    picture lower = p, upper = p;
    lower.clip.hi.v[axis] = plane;
    upper.clip.lo.v[axis] = plane;
    bool lower_first = lower_is_nearer(&p, axis, plane);
    add_cuts(state, lower_first ? lower : upper, levels - 1, sum);
    add_cuts(state, lower_first ? upper : lower, levels - 1, sum);
}

static void compare_sum(const image *whole, const cut_sum *sum, uint64_t seed,
                        double tolerance)
{
    for (int pixel = 0; pixel < SIDE * SIDE; pixel++) {
        for (int c = 0; c < 4; c++) {
            check_near(c < 3 ? "colour of a cut picture" : "alpha of a cut picture", seed,
                       (double)whole->rgba[4 * pixel + c], sum->rgba[pixel][c],
                       tolerance);
        }
        if (isinf(whole->depth[pixel])) {
            check_count("pixel with a depth", seed, 1, isinf(sum->depth[pixel]) != 0);
        } else {
            check_near("depth of a cut picture", seed, (double)whole->depth[pixel],
                       sum->depth[pixel], 1e-5);
        }
    }
}

void cuts_check(const test_grid *grid, const render_transfer *transfer, uint64_t seed,
                double tolerance, render_style style)
{
    uint64_t state = seed;
    render_view view =
        picture_view_random(&state, shape_center(grid), shape_radius(grid));
    if (random_below(&state, 3) == 0) { /* on a vertex */
        const float *vertex = grid->store->bricks[0].vertex[random_below(&state, 8)];
        for (int axis = 0; axis < 3; axis++) {
            view.position.v[axis] = (double)vertex[axis];
        }
    }
    picture p = picture_of(grid, transfer, view, SIDE);
    p.style = style;
    render_counters counters;
    image *whole = picture_draw(&p, &counters);
    cut_sum sum = clear_sum();
    add_cuts(&state, p, CUTS, &sum);
    compare_sum(whole, &sum, seed, tolerance);
    image_destroy(&whole);
}
