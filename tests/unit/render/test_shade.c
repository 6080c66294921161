/* Shading: known answers, the same bits from all kernels, and pictures that are cut. */
#include "check.h"
#include "picture.h"
#include "render/scene.h"
#include "shape.h"

#include "render/kernel/walk.h"
#include "support/random.h"
#include "tests/support/draw_volume.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE = 24 };

/* ---- Grids with gradients ---------------------------------------------------------- */

/* The gradient at a vertex of the grid, of its position and scalar. */
typedef void vertex_gradient(const float vertex[4], float gradient[3]);

static void set_gradients(test_grid *grid, vertex_gradient *find)
{
    grid_store *store = grid->store;
    assert_int_equal(grid_store_add_gradients(store), STATUS_OK);
    for (int64_t v = 0; v < store->nvertices; v++) {
        find(store->vertex[v], store->gradient[v]);
    }
}

/* Of SHAPE_LINEAR. */
static void linear_gradient(const float vertex[4], float gradient[3])
{
    (void)vertex;
    for (int axis = 0; axis < 3; axis++) {
        gradient[axis] = (float)(axis + 1) / 40.0f;
    }
}

/* Turns from vertex to vertex, and vanishes at some. */
static void turning_gradient(const float vertex[4], float gradient[3])
{
    gradient[0] = sinf(1.1f * vertex[0] + 0.4f * vertex[2]);
    gradient[1] = cosf(0.9f * vertex[1] - 0.3f * vertex[0]);
    gradient[2] = sinf(0.7f * vertex[2] + 0.5f * vertex[1] + 1.0f);
    if (fmodf(vertex[0] + vertex[1], 5.0f) == 0.0f) {
        memset(gradient, 0, 3 * sizeof *gradient);
    }
}

/* ---- Shades ------------------------------------------------------------------------ */

static render_light far_light(double x, double y, double z, double r, double g, double b)
{
    vec3 to = vec3_normalize(vec3_make(x, y, z));
    return (render_light){.kind = RENDER_LIGHT_DIRECTION,
                          .at = {(float)to.v[0], (float)to.v[1], (float)to.v[2]},
                          .color = {(float)r, (float)g, (float)b}};
}

/* All kinds of light, coloured. */
static render_shade many_lights(void)
{
    render_shade shade = {.ambient = 0.2f,
                          .diffuse = 0.6f,
                          .specular = 0.3f,
                          .shininess = 13,
                          .per_gradient = 4.0f,
                          .nlights = 3};
    shade.lights[0] = far_light(0.3, -1.0, 0.5, 1.0, 0.5, 0.25);
    shade.lights[1] = (render_light){.kind = RENDER_LIGHT_POSITION,
                                     .at = {2.0f, 3.5f, 9.0f},
                                     .color = {0.0f, 0.5f, 1.0f}};
    shade.lights[2] =
        (render_light){.kind = RENDER_LIGHT_HEAD, .color = {0.25f, 0.25f, 0.5f}};
    return shade;
}

/* ---- One gradient everywhere ------------------------------------------------------- */

/* A linear field under one far light without gloss is D times as bright as unlit. */
static void a_linear_field_is_lit_evenly(void **state)
{
    (void)state;
    const shape wanted = {.kind = SHAPE_BOX,
                          .scalar = SHAPE_LINEAR,
                          .n = {7, 8, 6},
                          .seed = 5,
                          .jitter = 0.3};
    test_grid grid = shape_create(&wanted);
    set_gradients(&grid, linear_gradient);
    render_transfer *transfer = picture_transfer_ramp(0.1, 0.9);
    render_shade shade = {.ambient = 0.3f,
                          .diffuse = 0.7f,
                          .shininess = 20,
                          .per_gradient = 2.0f,
                          .nlights = 1,
                          .lights = {far_light(-1.0, 0.5, 1.0, 1.0, 0.5, 0.25)}};
    vec3 gradient = vec3_make(1.0 / 40, 2.0 / 40, 3.0 / 40);
    vec3 to_light = vec3_normalize(vec3_make(-1.0, 0.5, 1.0));
    double facing = fabs(vec3_dot(vec3_normalize(gradient), to_light));
    double square = 4.0 * vec3_dot(gradient, gradient), weight = square / (square + 1.0);
    double light = (1.0 - weight) + weight * facing;
    uint64_t seed = 31;
    for (int view = 0; view < 6; view++) {
        picture p = picture_of(
            &grid, transfer,
            picture_view_random(&seed, shape_center(&grid), shape_radius(&grid)), SIDE);
        p.style.trilinear = view % 2 == 1;
        render_counters counters;
        image *plain = picture_draw(&p, &counters);
        p.style.shade = &shade;
        image *lit = picture_draw(&p, &counters);
        for (int pixel = 0; pixel < SIDE * SIDE; pixel++) {
            for (int c = 0; c < 3; c++) {
                double color = (double)shade.lights[0].color[c];
                plain->rgba[4 * pixel + c] *= (float)(0.3 + 0.7 * color * light);
            }
        }
        picture_compare("a linear field, lit", (uint64_t)view, plain, lit, 1e-5);
        image_destroy(&plain);
        image_destroy(&lit);
    }
    render_transfer_destroy(&transfer);
    test_grid_destroy(&grid);
}

/* ---- A ray on paper ---------------------------------------------------------------- */

/* The gradient of a box of unit cells at a point on a face of a cell: bilinear, as all of
 * the trilinear map is there. */
static vec3 gradient_at(const grid_brick *brick, vec3 point)
{
    const int *n = brick->place.n;
    double part[3], sum[3] = {0.0, 0.0, 0.0};
    int cell[3];
    for (int axis = 0; axis < 3; axis++) {
        cell[axis] = (int)floor(point.v[axis]);
        cell[axis] = cell[axis] < 0 ? 0 : cell[axis];
        cell[axis] = cell[axis] >= n[axis] ? n[axis] - 1 : cell[axis];
        part[axis] = point.v[axis] - cell[axis];
    }
    for (int corner = 0; corner < 8; corner++) {
        int at[3];
        double weight = 1.0;
        for (int axis = 0; axis < 3; axis++) {
            int up = corner >> axis & 1;
            at[axis] = cell[axis] + up;
            weight *= up ? part[axis] : 1.0 - part[axis];
        }
        int v = at[0] + (n[0] + 1) * (at[1] + (n[1] + 1) * at[2]);
        for (int axis = 0; axis < 3; axis++) {
            sum[axis] += weight * (double)brick->gradient[v][axis];
        }
    }
    return vec3_make(sum[0], sum[1], sum[2]);
}

static vec3 vec3_of(const float v[3])
{
    return vec3_make((double)v[0], (double)v[1], (double)v[2]);
}

/* The formulas of render/light/shade.h as they stand there: D, then S. */
static void light_point(const render_shade *shade, vec3 point, vec3 viewer, vec3 gradient,
                        double factors[6])
{
    gradient = vec3_scale(gradient, (double)shade->per_gradient);
    double square = vec3_dot(gradient, gradient), w = square / (square + 1.0);
    vec3 normal = vec3_normalize(gradient);
    for (int c = 0; c < 3; c++) {
        factors[c] = (double)shade->ambient;
        factors[3 + c] = 0.0;
    }
    for (int n = 0; n < shade->nlights; n++) {
        const render_light *light = &shade->lights[n];
        vec3 to = light->kind == RENDER_LIGHT_HEAD ? viewer
                  : light->kind == RENDER_LIGHT_DIRECTION
                      ? vec3_of(light->at)
                      : vec3_normalize(vec3_sub(vec3_of(light->at), point));
        vec3 between = vec3_normalize(vec3_add(to, viewer));
        double soft = (1.0 - w) + w * fabs(vec3_dot(normal, to));
        double gleam = w * pow(fabs(vec3_dot(normal, between)), shade->shininess);
        for (int c = 0; c < 3; c++) {
            double color = (double)light->color[c];
            factors[c] += (double)shade->diffuse * color * soft;
            factors[3 + c] += (double)shade->specular * color * gleam;
        }
    }
}

/* Distances along a ray at which it crosses planes between cells, ascending. */
static int list_planes(const grid_brick *brick, render_ray ray, double *t)
{
    int count = 0;
    for (int axis = 0; axis < 3; axis++) {
        for (int plane = 0; plane <= brick->place.n[axis]; plane++) {
            double at = (plane - ray.origin.v[axis]) / ray.direction.v[axis];
            int place = count++;
            for (; place > 0 && t[place - 1] > at; place--) {
                t[place] = t[place - 1];
            }
            t[place] = at;
        }
    }
    return count;
}

static bool is_inside(const grid_brick *brick, vec3 point)
{
    for (int axis = 0; axis < 3; axis++) {
        if (point.v[axis] < 0.0 || point.v[axis] > brick->place.n[axis]) {
            return false;
        }
    }
    return true;
}

static vec3 point_at(render_ray ray, double t)
{
    return vec3_add(ray.origin, vec3_scale(ray.direction, t));
}

/* The way of a ray through a cell, and its gradients at both ends. */
typedef struct paper_way {
    render_ray ray;
    double t[2];
    vec3 from, to;
} paper_way;

static void light_way(const render_shade *shade, const paper_way *way, double share,
                      double factors[6])
{
    vec3 gradient = vec3_add(way->from, vec3_scale(vec3_sub(way->to, way->from), share));
    light_point(shade, point_at(way->ray, way->t[0] + share * (way->t[1] - way->t[0])),
                vec3_scale(way->ray.direction, -1.0), gradient, factors);
}

static double change_between(const double a[6], const double b[6])
{
    double change[2] = {0.0, 0.0};
    for (int n = 0; n < 6; n++) {
        change[n / 3] = fmax(change[n / 3], fabs(b[n] - a[n]));
    }
    return change[0] + change[1];
}

/* The steps of a way after which the light is looked at: 2, or more if the normal turns
 * by three times the half-width of a highlight, about sqrt(12 / shininess), or by 60
 * degrees. */
static int count_steps(const render_shade *shade, const paper_way *way)
{
    const double both = vec3_length(way->from) * vec3_length(way->to);
    if (both == 0.0) {
        return 2;
    }
    const double turn = acos(fmin(fmax(vec3_dot(way->from, way->to) / both, -1.0), 1.0));
    const double much = acos(fmax(1.0 - 6.0 / shade->shininess, 0.5));
    return turn > 2.0 * much ? 8 : turn > much ? 4 : 2;
}

/* All changes of the light along a way. */
static double add_changes(const render_shade *shade, const paper_way *way)
{
    const int steps = count_steps(shade, way);
    double last[6], next[6], sum = 0.0;
    light_way(shade, way, 0.0, last);
    for (int n = 1; n <= steps; n++) {
        light_way(shade, way, (double)n / steps, next);
        sum += change_between(last, next);
        memcpy(last, next, sizeof last);
    }
    return sum;
}

/* The fewest parts n, up to 16, for which the change of light times the opacity of the
 * way is at most n^2 / 256. */
static int count_parts(double change, double depth)
{
    int parts = 1;
    while (parts < 16 && change * fmin(depth, 1.0) > parts * parts / 256.0) {
        parts++;
    }
    return parts;
}

/* Adds the colour and opacity of one cell. A way of one part has its mean light, by
 * Simpson's rule. */
static void add_cell(const render_shade *shade, const paper_way *way, double extinction,
                     double rgba[4])
{
    double at[3][6];
    for (int n = 0; n < 3; n++) {
        light_way(shade, way, 0.5 * n, at[n]);
    }
    const double depth = extinction * (way->t[1] - way->t[0]);
    const int parts = count_parts(add_changes(shade, way), depth);
    const double absorbed = -expm1(-depth / parts);
    for (int n = 0; n < parts; n++) {
        double factors[6], through = 1.0 - rgba[3];
        light_way(shade, way, (n + 0.5) / parts, factors);
        for (int f = 0; f < 6 && parts == 1; f++) {
            factors[f] = (at[0][f] + 4.0 * at[1][f] + at[2][f]) / 6.0;
        }
        for (int c = 0; c < 3; c++) {
            rgba[c] += through * absorbed * (factors[c] + factors[3 + c]);
        }
        rgba[3] += through * absorbed;
    }
}

static void trace_ray(const grid_brick *brick, const render_shade *shade, render_ray ray,
                      double extinction, double rgba[4])
{
    double t[64];
    int count = list_planes(brick, ray, t);
    memset(rgba, 0, 4 * sizeof *rgba);
    for (int n = 0; n + 1 < count; n++) {
        if (t[n] >= 0.0 && is_inside(brick, point_at(ray, 0.5 * (t[n] + t[n + 1])))) {
            paper_way way = {ray,
                             {t[n], t[n + 1]},
                             gradient_at(brick, point_at(ray, t[n])),
                             gradient_at(brick, point_at(ray, t[n + 1]))};
            add_cell(shade, &way, extinction, rgba);
        }
    }
}

static void lights_of_all_kinds_shine_as_computed_on_paper(void **state)
{
    (void)state;
    const shape wanted = {.kind = SHAPE_BOX, .scalar = SHAPE_LINEAR, .n = {6, 5, 7}};
    test_grid grid = shape_create(&wanted);
    set_gradients(&grid, turning_gradient);
    const double extinction = 0.3;
    render_transfer *transfer = picture_transfer_constant(extinction);
    render_shade shade = many_lights();
    for (int parallel = 0; parallel < 2; parallel++) {
        vec3 eye = vec3_make(-5.3, -4.1, 12.7), middle = vec3_make(2.6, 2.1, 2.9);
        picture p = picture_of(&grid, transfer,
                               parallel ? picture_view_parallel(eye, middle, 7.0)
                                        : picture_view_from(eye, middle, 30.0),
                               SIDE);
        p.style.shade = &shade;
        render_camera camera = picture_camera(&p);
        render_counters counters;
        image *img = picture_draw(&p, &counters);
        int seen = 0;
        for (int pixel = 0; pixel < SIDE * SIDE; pixel++) {
            double rgba[4];
            trace_ray(&grid.store->bricks[0], &shade,
                      render_camera_ray(&camera, pixel % SIDE, pixel / SIDE), extinction,
                      rgba);
            for (int c = 0; c < 4; c++) {
                check_near("light", (uint64_t)pixel, rgba[c],
                           (double)img->rgba[4 * pixel + c], 1e-5);
            }
            seen += rgba[3] > 0.5;
        }
        assert_true(seen > SIDE * SIDE / 8);
        image_destroy(&img);
    }
    render_transfer_destroy(&transfer);
    test_grid_destroy(&grid);
}

/* ---- Kernels ----------------------------------------------------------------------- */

static image *draw_with(const walk_kernel *kernel, const picture *p)
{
    render_camera camera = picture_camera(p);
    render_counters counters;
    image *img = NULL;
    assert_int_equal(image_create(p->width, p->height, true, &img), STATUS_OK);
    assert_int_equal(draw_volume(p->grid->store,
                                 &(render_request){.kernel = kernel,
                                                   .style = &p->style,
                                                   .transfer = p->transfer,
                                                   .camera = &camera,
                                                   .clip = p->clip,
                                                   .threads = p->threads},
                                 img, &counters),
                     STATUS_OK);
    check_count("lost rays", 0, 0, counters.lost_rays);
    return img;
}

static const shape warped_shapes[] = {
    {.kind = SHAPE_BOX, .scalar = SHAPE_RANDOM, .n = {21, 7, 18}, .jitter = 0.35},
    {.kind = SHAPE_RING, .scalar = SHAPE_RANDOM, .n = {4, 21, 5}, .jitter = 0.2},
    {.kind = SHAPE_BOX,
     .scalar = SHAPE_HOLED,
     .n = {9, 8, 10},
     .jitter = 0.4,
     .has_hole = true,
     .mirrored = true},
    {.kind = SHAPE_POLE, .scalar = SHAPE_RANDOM, .n = {5, 11, 4}, .split = 2},
};
enum { WARPED_SHAPES = sizeof warped_shapes / sizeof warped_shapes[0] };

static void all_kernels_and_threads_light_alike(void **state)
{
    (void)state;
    uint64_t seed = 33;
    render_transfer *transfer = picture_transfer_ramp(0.0, 3.0);
    render_shade shade = many_lights();
    const walk_kernel *const *kernels = render_walk_kernels();
    for (int s = 0; s < 3 * WARPED_SHAPES; s++) {
        test_grid grid = shape_create(&warped_shapes[s % WARPED_SHAPES]);
        set_gradients(&grid, turning_gradient);
        picture p = picture_of(
            &grid, transfer,
            picture_view_random(&seed, shape_center(&grid), shape_radius(&grid)), SIDE);
        p.style = (render_style){.method = RENDER_AUTO,
                                 .trilinear = s / WARPED_SHAPES == 1,
                                 .quadratic = s / WARPED_SHAPES == 2,
                                 .shade = &shade};
        image *expected = draw_with(kernels[0], &p);
        for (int k = 0; kernels[k]; k++) {
            p.threads = 1 + k;
            image *actual = draw_with(kernels[k], &p);
            picture_compare(kernels[k]->name, (uint64_t)s, expected, actual, 0.0);
            image_destroy(&actual);
        }
        image_destroy(&expected);
        test_grid_destroy(&grid);
    }
    render_transfer_destroy(&transfer);
}

/* ---- Cuts -------------------------------------------------------------------------- */

/* Draws the part of p below and above a plane, and puts the farther behind the nearer. */
static void compare_cut(const picture *p, int axis, double plane, bool lower_first,
                        uint64_t seed)
{
    picture parts[2] = {*p, *p};
    parts[lower_first ? 0 : 1].clip.hi.v[axis] = plane;
    parts[lower_first ? 1 : 0].clip.lo.v[axis] = plane;
    render_counters counters;
    image *whole = picture_draw(p, &counters);
    image *near = picture_draw(&parts[0], &counters);
    image *far = picture_draw(&parts[1], &counters);
    for (int pixel = 0; pixel < SIDE * SIDE; pixel++) {
        const float through = 1.0f - near->rgba[4 * pixel + 3];
        for (int c = 0; c < 4; c++) {
            near->rgba[4 * pixel + c] += through * far->rgba[4 * pixel + c];
        }
    }
    picture_compare("a lit picture that is cut", seed, whole, near, 1e-5);
    image_destroy(&whole);
    image_destroy(&near);
    image_destroy(&far);
}

static void light_does_not_depend_on_where_rays_are_cut(void **state)
{
    (void)state;
    uint64_t seed = 34;
    const shape wanted = {.kind = SHAPE_BOX,
                          .scalar = SHAPE_RANDOM,
                          .n = {9, 8, 7},
                          .jitter = 0.2,
                          .boundary_is_even = true};
    test_grid grid = shape_create(&wanted);
    set_gradients(&grid, turning_gradient);
    render_transfer *transfer = picture_transfer_ramp(0.05, 2.0);
    render_shade shade = many_lights();
    for (int trial = 0; trial < 18; trial++) {
        int axis = trial % 3;
        vec3 middle = shape_center(&grid), eye = middle;
        for (int a = 0; a < 3; a++) {
            eye.v[a] += random_between(&seed, -2.0, 2.0) + (a == axis ? 14.0 : 0.0);
        }
        picture p =
            picture_of(&grid, transfer, picture_view_parallel(eye, middle, 9.0), SIDE);
        p.style.shade = &shade;
        p.style.trilinear = trial / 6 == 1;
        p.style.quadratic = trial / 6 == 2;
        compare_cut(&p, axis, random_between(&seed, 0.5, 5.5), false, (uint64_t)trial);
    }
    render_transfer_destroy(&transfer);
    test_grid_destroy(&grid);
}

/* ---- Blocks that overlap ----------------------------------------------------------- */

static bool place_twice(int block, const int64_t at[3], const int64_t n[3], double xyz[3],
                        double *scalar)
{
    (void)block;
    (void)n;
    for (int axis = 0; axis < 3; axis++) {
        xyz[axis] = (double)at[axis] + 0.125 * (double)(at[(axis + 1) % 3] % 2);
    }
    *scalar = 0.1 * (double)(at[0] + 2 * at[1]);
    return true;
}

/* Rays that other code follows, one by one, are lit as the kernels light them. */
static void overlapping_blocks_are_lit_like_one(void **state)
{
    (void)state;
    static const int64_t n[2][3] = {{6, 5, 7}, {6, 5, 7}};
    test_grid one = test_grid_create(1, n, place_twice);
    test_grid two = test_grid_create(2, n, place_twice);
    two.layout->blocks[1].priority = 1;
    set_gradients(&one, turning_gradient);
    set_gradients(&two, turning_gradient);
    render_transfer *transfer = picture_transfer_ramp(0.1, 0.8);
    render_shade shade = many_lights();
    picture p = picture_of(
        &one, transfer,
        picture_view_from(vec3_make(-6.0, 11.0, 9.0), vec3_make(2.5, 2.0, 3.0), 35.0),
        SIDE);
    p.style.shade = &shade;
    for (int style = 0; style < 3; style++) {
        render_counters counters;
        p.style.trilinear = style == 1;
        p.style.quadratic = style == 2;
        p.grid = &one;
        image *expected = picture_draw(&p, &counters);
        p.grid = &two;
        image *actual = picture_draw(&p, &counters);
        picture_compare("blocks that overlap", (uint64_t)style, expected, actual, 1e-5);
        image_destroy(&expected);
        image_destroy(&actual);
    }
    render_transfer_destroy(&transfer);
    test_grid_destroy(&one);
    test_grid_destroy(&two);
}

/* ---- Odds and ends ----------------------------------------------------------------- */

static void light_may_exceed_1(void **state)
{
    (void)state;
    const shape wanted = {.kind = SHAPE_BOX, .scalar = SHAPE_LINEAR, .n = {4, 4, 4}};
    test_grid grid = shape_create(&wanted);
    set_gradients(&grid, linear_gradient);
    render_transfer *transfer = picture_transfer_constant(50.0);
    render_shade shade = {.ambient = 3.0f, .shininess = 1, .per_gradient = 1.0f};
    picture p = picture_of(
        &grid, transfer,
        picture_view_parallel(vec3_make(1.4, 1.6, 9.0), vec3_make(1.5, 1.5, 1.5), 1.0),
        SIDE);
    p.style.shade = &shade;
    render_counters counters;
    image *img = picture_draw(&p, &counters);
    for (int pixel = 0; pixel < SIDE * SIDE; pixel++) {
        check_near("brightness", 0, 3.0, (double)img->rgba[4 * pixel], 1e-4);
        check_near("alpha", 0, 1.0, (double)img->rgba[4 * pixel + 3], 1e-5);
    }
    image_destroy(&img);
    render_transfer_destroy(&transfer);
    test_grid_destroy(&grid);
}

static void gradients_are_measured_by_the_range_and_the_grid(void **state)
{
    (void)state;
    static const double range[2] = {1.0, 3.0}, none[2] = {1.0, 1.0};
    check_near("1 / g0", 0, 500.0, (double)render_shade_per_gradient(range, 10.0), 1e-3);
    assert_true(isfinite(render_shade_per_gradient(none, 10.0)));
    assert_true(isfinite(render_shade_per_gradient(none, 0.0)));
    assert_true(render_shade_per_gradient(none, 0.0) > 0.0f);
}

static void shading_without_gradients_is_refused(void **state)
{
    (void)state;
    const shape wanted = {.kind = SHAPE_BOX, .scalar = SHAPE_LINEAR, .n = {3, 3, 3}};
    test_grid grid = shape_create(&wanted);
    render_transfer *transfer = picture_transfer_constant(1.0);
    render_shade shade = many_lights();
    picture p = picture_of(
        &grid, transfer,
        picture_view_parallel(vec3_make(1.0, 1.0, 9.0), vec3_make(1.0, 1.1, 1.0), 1.0),
        SIDE);
    p.style.shade = &shade;
    render_camera camera = picture_camera(&p);
    render_counters counters;
    image *img = NULL;
    assert_int_equal(image_create(SIDE, SIDE, false, &img), STATUS_OK);
    assert_int_equal(draw_volume(grid.store,
                                 &(render_request){.style = &p.style,
                                                   .transfer = transfer,
                                                   .camera = &camera,
                                                   .clip = p.clip,
                                                   .threads = 1},
                                 img, &counters),
                     STATUS_INTERNAL);
    image_destroy(&img);
    render_transfer_destroy(&transfer);
    test_grid_destroy(&grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_linear_field_is_lit_evenly),
        cmocka_unit_test(lights_of_all_kinds_shine_as_computed_on_paper),
        cmocka_unit_test(all_kernels_and_threads_light_alike),
        cmocka_unit_test(light_does_not_depend_on_where_rays_are_cut),
        cmocka_unit_test(overlapping_blocks_are_lit_like_one),
        cmocka_unit_test(light_may_exceed_1),
        cmocka_unit_test(gradients_are_measured_by_the_range_and_the_grid),
        cmocka_unit_test(shading_without_gradients_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
