/* How lights see the things that cast shadows. */
#include "cast.h"

#include <math.h>

/* Things on the border of a map would have texels on one side only. */
static const double BORDER = 1.02;

static vec3 corner_of(const box3 *box, int number)
{
    vec3 point;
    for (int axis = 0; axis < 3; axis++) {
        point.v[axis] = number >> axis & 1 ? box->hi.v[axis] : box->lo.v[axis];
    }
    return point;
}

/* Axes across a direction. */
static void make_axes(vec3 forward, shadow_view *view)
{
    int least = 0;
    for (int axis = 1; axis < 3; axis++) {
        least = fabs(forward.v[axis]) < fabs(forward.v[least]) ? axis : least;
    }
    vec3 helper = vec3_make(0.0, 0.0, 0.0);
    helper.v[least] = 1.0;
    view->forward = forward;
    view->right = vec3_normalize(vec3_cross(forward, helper));
    view->down = vec3_cross(forward, view->right);
}

/* The ranges of the bounds along the axes of a view; with perspective those across are
 * divided by the depth. */
static void find_ranges(const box3 *bounds, const shadow_view *view, double lo[3],
                        double hi[3])
{
    for (int corner = 0; corner < 8; corner++) {
        const vec3 from = vec3_sub(corner_of(bounds, corner), view->eye);
        const double depth = vec3_dot(from, view->forward);
        const double per = view->is_perspective ? 1.0 / depth : 1.0;
        const double along[3] = {vec3_dot(from, view->right) * per,
                                 vec3_dot(from, view->down) * per, depth};
        for (int n = 0; n < 3; n++) {
            lo[n] = corner == 0 ? along[n] : fmin(lo[n], along[n]);
            hi[n] = corner == 0 ? along[n] : fmax(hi[n], along[n]);
        }
    }
}

/* Numbers of points and texels for an extent. */
static void find_sizes(const shadow_size *size, shadow_sight *sight)
{
    const double longest = fmax(sight->extent[0], sight->extent[1]);
    const double spacing = longest > 0.0 ? longest / size->points : 1.0;
    int count[2];
    for (int n = 0; n < 2; n++) {
        count[n] = (int)ceil(sight->extent[n] / spacing - 1e-9);
        count[n] = count[n] < 2 ? 2 : count[n];
        sight->extent[n] = spacing * count[n];
        sight->view.scale[n] = 1.0 / sight->extent[n];
    }
    if (sight->depths[1] - sight->depths[0] < 1e-3 * spacing) {
        sight->depths[1] = sight->depths[0] + spacing; /* a flat grid, seen from above */
    }
    sight->width = count[0];
    sight->height = count[1];
    sight->texels_per_point = (size->texels + size->points - 1) / size->points;
}

status shadow_sight_far(const shadow_casters *casters, vec3 to_light,
                        const shadow_size *size, shadow_sight *out)
{
    double lo[3], hi[3];
    *out = (shadow_sight){0};
    make_axes(vec3_scale(to_light, -1.0), &out->view);
    find_ranges(&casters->bounds, &out->view, lo, hi);
    const double length = hi[2] - lo[2];
    vec3 eye = vec3_scale(out->view.forward, lo[2] - 0.01 * length);
    eye = vec3_add(eye, vec3_scale(out->view.right, 0.5 * (lo[0] + hi[0])));
    out->view.eye = vec3_add(eye, vec3_scale(out->view.down, 0.5 * (lo[1] + hi[1])));
    out->extent[0] = BORDER * (hi[0] - lo[0]);
    out->extent[1] = BORDER * (hi[1] - lo[1]);
    out->depths[0] = 0.01 * length;
    out->depths[1] = 1.01 * length;
    find_sizes(size, out);
    return STATUS_OK;
}

status shadow_sight_near(const shadow_casters *casters, vec3 place,
                         const shadow_size *size, shadow_sight *out)
{
    const double widest = 5.0; /* half of a map at distance 1 */
    const box3 *bounds = &casters->bounds;
    double lo[3], hi[3];
    *out = (shadow_sight){.view = {.is_perspective = true, .eye = place}};
    const vec3 middle = vec3_scale(vec3_add(bounds->lo, bounds->hi), 0.5);
    make_axes(vec3_normalize(vec3_sub(middle, place)), &out->view);
    find_ranges(bounds, &out->view, lo, hi);
    double half[2];
    for (int n = 0; n < 2; n++) {
        half[n] = fmax(fabs(lo[n]), fabs(hi[n]));
        out->extent[n] = 2.0 * BORDER * half[n];
    }
    if (!(lo[2] > 0.0) || !(half[0] < widest && half[1] < widest)) {
        return base_fail(STATUS_USAGE,
                         "the light lies within the grid or next to it, and cannot cast "
                         "shadows from there: move it away, cut the grid with clip, or "
                         "give a direction");
    }
    out->depths[0] = lo[2];
    out->depths[1] = hi[2];
    find_sizes(size, out);
    return STATUS_OK;
}

static void set_row(vec3 along, double factor, vec3 eye, double constant, float row[4])
{
    for (int n = 0; n < 3; n++) {
        row[n] = (float)(factor * along.v[n]);
    }
    row[3] = (float)(constant - factor * vec3_dot(along, eye));
}

shadow_grid shadow_sight_grid(const shadow_sight *sight, const shadow_size *size)
{
    const shadow_view *view = &sight->view;
    const double distance =
        (sight->depths[1] - sight->depths[0]) / fmax(size->points - 1, 1.0);
    shadow_grid grid = {.is_perspective = view->is_perspective,
                        .n = {sight->width, sight->height, size->points}};
    const vec3 across[2] = {view->right, view->down};
    for (int n = 0; n < 2; n++) {
        /* The points are the middles of pixels. */
        const double count = grid.n[n], middle = 0.5 * count - 0.5;
        if (view->is_perspective) {
            const vec3 along = vec3_add(vec3_scale(across[n], count * view->scale[n]),
                                        vec3_scale(view->forward, middle));
            set_row(along, 1.0, view->eye, 0.0, grid.to[n]);
        } else {
            set_row(across[n], count * view->scale[n], view->eye, middle, grid.to[n]);
        }
    }
    set_row(view->forward, 1.0 / distance, view->eye, -sight->depths[0] / distance,
            grid.to[2]);
    set_row(view->forward, 1.0, view->eye, 0.0, grid.divisor);
    return grid;
}
