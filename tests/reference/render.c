#include "reference/reference.h"
#include "reference/segment.h"

#include <math.h>
#include <omp.h>

/* Halvings of a step that find the point at which a ray enters or leaves the grid. */
enum { BOUNDARY_HALVINGS = 30 };

/* The state at one point of a ray. */
typedef struct sample {
    double t;
    bool inside;
    double scalar;
    double extinction;  /* 0 outside */
    double emission[3]; /* colour times extinction */
} sample;

/* A ray on its way. */
typedef struct walk {
    const reference_scene *scene;
    reference_ray ray;
    reference_place place; /* of the last sample that was inside */
    reference_pixel pixel; /* the result so far */
} walk;

static vec3 point_at(reference_ray ray, double t)
{
    return vec3_add(ray.origin, vec3_scale(ray.direction, t));
}

/* The factor of the extinction at a place: linear between points, constant beyond. */
static double factor_at(const reference_scene *scene, const reference_place *place)
{
    const double(*point)[2] = scene->gradients;
    const double size = vec3_length(reference_grid_gradient(scene->grid, place));
    int n = 0;
    while (n + 1 < scene->ngradients && size >= point[n + 1][0]) {
        n++;
    }
    if (n + 1 == scene->ngradients || size <= point[n][0]) {
        return point[n][1];
    }
    const double share = (size - point[n][0]) / (point[n + 1][0] - point[n][0]);
    return point[n][1] + share * (point[n + 1][1] - point[n][1]);
}

static sample take_sample(walk *w, double t)
{
    sample s = {.t = t};
    s.inside = reference_locator_find(w->scene->locator, point_at(w->ray, t), &w->place);
    if (s.inside) {
        double rgb[3];
        s.scalar = reference_grid_scalar(w->scene->grid, &w->place);
        reference_transfer_evaluate(&w->scene->transfer, s.scalar, rgb, &s.extinction);
        if (w->scene->ngradients > 0) {
            s.extinction *= factor_at(w->scene, &w->place);
        }
        for (int channel = 0; channel < 3; channel++) {
            s.emission[channel] = rgb[channel] * s.extinction;
        }
    }
    return s;
}

/* The innermost sample at the boundary between a sample inside the grid and one
 * outside. */
static sample find_boundary(walk *w, sample inside, double outside)
{
    for (int halving = 0; halving < BOUNDARY_HALVINGS; halving++) {
        sample middle = take_sample(w, 0.5 * (inside.t + outside));
        if (middle.inside) {
            inside = middle;
        } else {
            outside = middle.t;
        }
    }
    return inside;
}

/*
 * Adds the piece of the ray between two samples inside the grid. Emission and extinction
 * are taken as constant there; the means of their values at both ends make this second
 * order.
 */
static void add_piece(reference_pixel *pixel, const sample *a, const sample *b)
{
    double length = b->t - a->t;
    double extinction = 0.5 * (a->extinction + b->extinction);
    /* (1 - exp(-x)) / x goes to 1: without absorption, emission simply adds up. */
    double depth = extinction * length;
    double share = depth > 0.0 ? -expm1(-depth) / depth : 1.0;
    for (int channel = 0; channel < 3; channel++) {
        double emission = 0.5 * (a->emission[channel] + b->emission[channel]);
        pixel->rgb[channel] += pixel->transmittance * emission * length * share;
    }
    pixel->transmittance *= exp(-depth);
    pixel->length += length;
}

static void enter(reference_pixel *pixel, double t)
{
    pixel->entry = pixel->runs == 0 ? t : pixel->entry;
    pixel->runs++;
}

/* Goes from sample a to sample b, one step further. */
static void step_forward(walk *w, sample a, sample b)
{
    if (!a.inside && b.inside) {
        a = find_boundary(w, b, a.t);
        enter(&w->pixel, a.t);
    } else if (a.inside && !b.inside) {
        b = find_boundary(w, a, b.t);
        w->pixel.exit = b.t;
    }
    if (a.inside && b.inside && w->scene->exact_steps) {
        reference_segment_add(&w->pixel, &w->scene->transfer,
                              (const double[]){a.scalar, b.scalar}, b.t - a.t);
    } else if (a.inside && b.inside) {
        add_piece(&w->pixel, &a, &b);
    }
}

/* Cuts the ray to a box: *near and *far are t where it enters and leaves, in front of the
 * viewer. False if the ray misses the box, or if the box is empty. */
static bool clip_to_box(reference_ray ray, box3 box, double *near, double *far)
{
    *near = 0.0;
    *far = box.lo.v[0] <= box.hi.v[0] ? INFINITY : 0.0;
    for (int axis = 0; axis < 3; axis++) {
        double origin = ray.origin.v[axis];
        double direction = ray.direction.v[axis];
        if (direction == 0.0) {
            if (origin < box.lo.v[axis] || origin > box.hi.v[axis]) {
                return false;
            }
            continue;
        }
        double t0 = (box.lo.v[axis] - origin) / direction;
        double t1 = (box.hi.v[axis] - origin) / direction;
        *near = fmax(*near, fmin(t0, t1));
        *far = fmin(*far, fmax(t0, t1));
    }
    return *near < *far;
}

reference_pixel reference_ray_render(const reference_scene *scene, reference_ray ray)
{
    walk w = {scene, ray, {.block = -1}, {.transmittance = 1.0}};
    double near, far;
    if (!clip_to_box(ray, reference_locator_bounds(scene->locator), &near, &far)) {
        return w.pixel;
    }
    int64_t steps = (int64_t)ceil((far - near) / scene->step);
    sample last = take_sample(&w, near);
    if (last.inside) {
        enter(&w.pixel, near);
    }
    for (int64_t i = 1; i <= steps; i++) {
        double t = near + (far - near) * (double)i / (double)steps;
        sample next = take_sample(&w, t);
        step_forward(&w, last, next);
        last = next;
    }
    if (last.inside) {
        w.pixel.exit = last.t;
    }
    return w.pixel;
}

void reference_scene_render(const reference_scene *scene, int64_t count,
                            const double (*points)[2], reference_pixel *pixels)
{
#pragma omp parallel for schedule(dynamic, 16)
    for (int64_t p = 0; p < count; p++) {
        pixels[p] = reference_ray_render(
            scene, reference_camera_ray(&scene->camera, points[p][0], points[p][1]));
    }
}
