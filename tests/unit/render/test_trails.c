/* Lines, tubes and spheres as fragments: where they are, and how they look. */
#include "check.h"
#include "support/random.h"

#include "render/cells/cell.h"
#include "render/lines/trails.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH = 90, HEIGHT = 70 };

static const vec3 upward = {{0.0, 0.0, 1.0}};
static render_camera camera_from(vec3 position, vec3 up, bool orthographic)
{
    const render_view view = {.position = position,
                              .up = up,
                              .orthographic = orthographic,
                              .fov = 40.0,
                              .height = 4.5};
    render_camera camera;
    assert_int_equal(
        render_camera_create(&view, WIDTH, HEIGHT, vec3_make(0.0, 0.0, 0.0), &camera),
        STATUS_OK);
    return camera;
}

static render_camera camera_of(bool orthographic)
{
    return camera_from(vec3_make(0.3, -6.0, 0.4), vec3_make(0.1, 0.0, 1.0), orthographic);
}

static render_fragments draw(const render_trails *trails, const render_camera *camera,
                             int threads)
{
    render_fragments fragments;
    assert_int_equal(render_trails_draw(trails, camera, threads, &fragments), STATUS_OK);
    return fragments;
}

static int64_t count_of(const render_fragments *f)
{
    return f->first[(int64_t)f->columns * f->rows];
}

/* The fragment of a pixel, NULL where there is none; *count: how many there are. */
static const render_fragment *at_pixel(const render_fragments *f, int column, int row,
                                       int *count)
{
    const render_fragment *found = NULL;
    *count = 0;
    for (int64_t n = 0; n < count_of(f); n++) {
        if (f->items[n].pixel == row * WIDTH + column) {
            found = &f->items[n];
            ++*count;
        }
    }
    return found;
}

/* The point that a fragment stands for. */
static vec3 point_of(const render_camera *camera, const render_fragment *fragment)
{
    const render_ray ray =
        render_camera_ray(camera, fragment->pixel % WIDTH, fragment->pixel / WIDTH);
    const double t = (double)fragment->t + render_cell_ray(ray).start;
    return vec3_add(ray.origin, vec3_scale(ray.direction, t));
}

static double distance_to_segment(vec3 p, vec3 a, vec3 b)
{
    const vec3 along = vec3_sub(b, a);
    const double square = vec3_dot(along, along);
    double share = square > 0.0 ? vec3_dot(vec3_sub(p, a), along) / square : 0.0;
    share = fmin(fmax(share, 0.0), 1.0);
    return vec3_length(vec3_sub(p, vec3_add(a, vec3_scale(along, share))));
}

/* The least distance of a ray and a segment, found by ternary search: the distance is a
 * convex function of the place on the segment. */
static double distance_to_ray(const render_ray *ray, vec3 a, vec3 b)
{
    double lo = 0.0, hi = 1.0, least = INFINITY;
    for (int n = 0; n < 100; n++) {
        double at[2] = {lo + (hi - lo) / 3.0, hi - (hi - lo) / 3.0}, off[2];
        for (int side = 0; side < 2; side++) {
            const vec3 p = vec3_add(a, vec3_scale(vec3_sub(b, a), at[side]));
            const vec3 from = vec3_sub(p, ray->origin);
            off[side] = vec3_length(vec3_cross(from, ray->direction));
            least = fmin(least, off[side]);
        }
        *(off[0] < off[1] ? &hi : &lo) = off[0] < off[1] ? at[1] : at[0];
    }
    return least;
}

static vec3 to_vec3(const float p[3])
{
    return vec3_make((double)p[0], (double)p[1], (double)p[2]);
}

static render_trails tube_of(const render_trail *trail, const float (*points)[3])
{
    return (render_trails){.kind = RENDER_TRAILS_TUBES,
                           .ntrails = 1,
                           .trails = trail,
                           .points = points,
                           .radius = 0.2,
                           .width = 3.0,
                           .color = {1.0f, 0.5f, 0.25f},
                           .opacity = 1.0f};
}

/* Random tubes of one segment: a pixel has a fragment where its ray meets the tube, and
 * it lies on the tube. */
static void tubes_are_where_they_should_be(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        uint64_t bits = seed;
        float points[2][3];
        for (int n = 0; n < 6; n++) {
            points[n / 3][n % 3] = (float)random_between(&bits, -2.0, 2.0);
        }
        const render_trail trail = {0, seed % 5 == 0 ? 1 : 2};
        const vec3 a = to_vec3(points[0]), b = to_vec3(points[trail.count - 1]);
        const render_trails tube = tube_of(&trail, (const float(*)[3])points);
        const render_camera camera = camera_of(seed % 2 == 0);
        render_fragments f = draw(&tube, &camera, 1);
        for (int pixel = 0; pixel < WIDTH * HEIGHT; pixel++) {
            int count;
            const render_ray ray =
                render_camera_ray(&camera, pixel % WIDTH, pixel / WIDTH);
            const render_fragment *found =
                at_pixel(&f, pixel % WIDTH, pixel / WIDTH, &count);
            const double off = distance_to_ray(&ray, a, b);
            if (fabs(off - tube.radius) > 1e-6) {
                check_count("fragments", seed, off < tube.radius, count);
            }
            if (found) {
                check_near("distance from the axis", seed, tube.radius,
                           distance_to_segment(point_of(&camera, found), a, b), 2e-6);
                assert_true(vec3_dot(ray.direction,
                                     vec3_sub(point_of(&camera, found), ray.origin)) <
                            vec3_dot(ray.direction, vec3_sub(a, ray.origin)) + 5.0);
            }
        }
        render_fragments_clear(&f);
    }
}

/* A sphere's nearest point looks at the viewer. */
static void spheres_show_their_front(void **state)
{
    (void)state;
    const float points[2][3] = {{0.0f, 0.0f, 0.0f}, {0.5f, 0.0f, 0.0f}};
    const render_trail trail = {0, 2};
    render_trails spheres = tube_of(&trail, points);
    spheres.kind = RENDER_TRAILS_SPHERES;
    spheres.radius = 1.0;
    spheres.opacity = 0.5f;
    const render_camera camera = camera_of(false);
    int count;
    render_fragments f = draw(&spheres, &camera, 1);
    at_pixel(&f, WIDTH / 2 + 5, HEIGHT / 2, &count);
    check_count("two spheres, each for itself", 0, 2, count);
    for (int64_t n = 0; n < count_of(&f); n++) {
        const vec3 p = point_of(&camera, &f.items[n]);
        const double a = vec3_length(vec3_sub(p, to_vec3(points[0])));
        const double b = vec3_length(vec3_sub(p, to_vec3(points[1])));
        check_near("radius", 0, 0.0, fmin(fabs(a - 1.0), fabs(b - 1.0)), 2e-6);
        assert_true(p.v[1] < 0.1); /* the viewer is at y = -6 */
        check_near("alpha", 0, 0.5, (double)f.items[n].rgba[3], 1e-7);
        check_near("red", 0, 0.5, (double)f.items[n].rgba[0], 1e-7);
        check_near("green", 0, 0.25, (double)f.items[n].rgba[1], 1e-7);
    }
    render_fragments_clear(&f);
}

static const float zigzag[6][3] = {{-1.5f, 0.0f, -0.8f}, {-1.0f, 0.5f, 0.9f},
                                   {-0.4f, 0.0f, -0.7f}, {0.3f, -0.5f, 0.8f},
                                   {0.9f, 0.0f, -0.6f},  {1.4f, 0.3f, 0.7f}};

/* A line with any joints and turns has one fragment at a pixel; two lines have two. */
static void joints_are_not_drawn_twice(void **state)
{
    (void)state;
    const render_trail trails[2] = {{0, 6}, {0, 6}};
    const render_camera camera = camera_of(false);
    for (int kind = RENDER_TRAILS_TUBES; kind <= RENDER_TRAILS_LINES; kind++) {
        for (int lines = 1; lines <= 2; lines++) {
            render_trails spec = tube_of(trails, zigzag);
            int found = 0, count;
            spec.kind = (render_trails_kind)kind;
            spec.ntrails = lines;
            spec.opacity = 0.5f;
            render_fragments f = draw(&spec, &camera, 1);
            for (int pixel = 0; pixel < WIDTH * HEIGHT; pixel++) {
                if (at_pixel(&f, pixel % WIDTH, pixel / WIDTH, &count)) {
                    check_count("fragments", (uint64_t)pixel, lines, count);
                    found++;
                }
            }
            assert_true(found > 300);
            render_fragments_clear(&f);
        }
    }
}

/* Each fragment of the whole line is the nearest of those of its segments. */
static void check_nearest(double x)
{
    const render_trail whole = {0, 6};
    const render_trail parts[5] = {{0, 2}, {1, 2}, {2, 2}, {3, 2}, {4, 2}};
    const render_camera camera = camera_from(vec3_make(x, 0.5, 0.3), upward, false);
    render_trails spec = tube_of(&whole, zigzag);
    render_fragments one = draw(&spec, &camera, 1);
    spec.trails = parts;
    spec.ntrails = 5;
    render_fragments many = draw(&spec, &camera, 1);
    assert_true(count_of(&many) > count_of(&one) + 500);
    for (int64_t n = 0; n < count_of(&one); n++) {
        float nearest = INFINITY;
        for (int64_t m = 0; m < count_of(&many); m++) {
            if (many.items[m].pixel == one.items[n].pixel) {
                nearest = fminf(nearest, many.items[m].t);
            }
        }
        check_near("distance", (uint64_t)n, (double)nearest, (double)one.items[n].t, 0.0);
    }
    render_fragments_clear(&one);
    render_fragments_clear(&many);
}

static void the_nearest_segment_of_a_tube_is_seen(void **state)
{
    (void)state;
    check_nearest(6.0); /* from the line's end, where later segments are nearer */
    check_nearest(-6.0);
}

static void single_points_are_lines_of_their_own(void **state)
{
    (void)state;
    const render_trail trails[3] = {{0, 3}, {2, 1}, {2, 2}};
    const render_camera camera = camera_of(true);
    render_trails spec = tube_of(trails, zigzag);
    spec.ntrails = 3;
    spec.opacity = 0.25f;
    render_fragments f = draw(&spec, &camera, 1);
    int most = 0, count;
    for (int pixel = 0; pixel < WIDTH * HEIGHT; pixel++) {
        at_pixel(&f, pixel % WIDTH, pixel / WIDTH, &count);
        most = count > most ? count : most;
    }
    check_count("lines that meet at a point", 0, 3, most);
    render_fragments_clear(&f);
}

static int compare_fragments(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(render_fragment));
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    const render_trail trails[3] = {{0, 6}, {1, 4}, {3, 1}};
    const render_camera camera = camera_of(false);
    for (int kind = RENDER_TRAILS_TUBES; kind <= RENDER_TRAILS_SPHERES; kind++) {
        render_trails spec = tube_of(trails, zigzag);
        spec.kind = (render_trails_kind)kind;
        spec.ntrails = 3;
        render_fragments one = draw(&spec, &camera, 1);
        for (int threads = 2; threads <= 5; threads += 3) {
            render_fragments many = draw(&spec, &camera, threads);
            const size_t count = (size_t)count_of(&one);
            assert_true(count > 0);
            check_count("fragments", 0, count_of(&one), count_of(&many));
            qsort(one.items, count, sizeof *one.items, compare_fragments);
            qsort(many.items, count, sizeof *many.items, compare_fragments);
            assert_memory_equal(one.items, many.items, count * sizeof *one.items);
            render_fragments_clear(&many);
        }
        render_fragments_clear(&one);
    }
}

/* Across a line's width the covered parts of pixels add up to the width. */
static void lines_cover_their_width(void **state)
{
    (void)state;
    const double pixel = 4.5 / HEIGHT;
    const double widths[4] = {0.4, 1.0, 2.5, 6.0};
    const render_camera camera = camera_from(vec3_make(0.0, -6.0, 0.0), upward, true);
    for (int n = 0; n < 4; n++) {
        const float height = (float)(0.5 * pixel); /* along the middle of a row */
        const float points[2][3] = {{-5.0f, 0.0f, height}, {5.0f, 1.0f, height}};
        const render_trail trail = {0, 2};
        render_trails spec = tube_of(&trail, points);
        spec.kind = RENDER_TRAILS_LINES;
        spec.width = widths[n];
        render_fragments f = draw(&spec, &camera, 1);
        double sum = 0.0;
        for (int64_t i = 0; i < count_of(&f); i++) {
            sum += f.items[i].pixel % WIDTH == 30 ? (double)f.items[i].rgba[3] : 0.0;
        }
        check_near("cover", (uint64_t)n, widths[n], sum, 1e-4);
        /* On the line itself: y = (x + 5) / 10, x that of the pixel's centre. */
        int count;
        const render_fragment *middle = at_pixel(&f, 30, HEIGHT / 2 - 1, &count);
        check_count("fragments", (uint64_t)n, 1, count);
        const double x = (30.5 - 0.5 * WIDTH) * pixel;
        check_near("depth", (uint64_t)n, (x + 5.0) / 10.0, point_of(&camera, middle).v[1],
                   1e-5);
        render_fragments_clear(&f);
    }
}

/* A line in the plane of a row's rays, from depth 3 to 12: each ray meets it. */
static void depth_along_a_line_is_that_in_space(void **state)
{
    (void)state;
    const render_camera camera = camera_from(vec3_make(0.0, -6.0, 0.0), upward, false);
    const float rise = (float)(camera.scale / HEIGHT);
    const float points[2][3] = {{-1.0f, -3.0f, 3.0f * rise}, {1.0f, 6.0f, 12.0f * rise}};
    const render_trail trail = {0, 2};
    render_trails spec = tube_of(&trail, points);
    spec.kind = RENDER_TRAILS_LINES;
    render_fragments f = draw(&spec, &camera, 1);
    for (int column = 30, count; column < 46; column++) {
        const render_fragment *found = at_pixel(&f, column, HEIGHT / 2 - 1, &count);
        const double slope = (2 * column + 1 - WIDTH) * camera.scale / HEIGHT;
        const double share = (3.0 * slope + 1.0) / (2.0 - 9.0 * slope);
        check_count("fragments", (uint64_t)column, 1, count);
        check_near("depth", (uint64_t)column, 9.0 * share - 3.0,
                   point_of(&camera, found).v[1], 2e-5);
    }
    render_fragments_clear(&f);
}

/* A long slanted line in perspective, from far away to beside the viewer: each of its
 * pixels is near the line, and the line's own points find their pixels. */
static void long_lines_lack_nothing(void **state)
{
    (void)state;
    const float points[2][3] = {{-30.0f, 60.0f, -20.0f}, {3.0f, -8.0f, 2.0f}};
    const render_trail trail = {0, 2};
    const render_camera camera = camera_of(false);
    render_trails spec = tube_of(&trail, points);
    spec.kind = RENDER_TRAILS_LINES;
    render_fragments f = draw(&spec, &camera, 1);
    const vec3 a = to_vec3(points[0]), b = to_vec3(points[1]);
    int seen = 0;
    for (int n = 0; n <= 20000; n++) {
        const vec3 p = vec3_add(a, vec3_scale(vec3_sub(b, a), n / 20000.0));
        const vec3 from = vec3_sub(p, camera.eye);
        const double depth = vec3_dot(from, camera.forward);
        const double per_unit = HEIGHT / (2.0 * camera.scale) / depth;
        const double x = 0.5 * WIDTH + vec3_dot(from, camera.right) * per_unit;
        const double y = 0.5 * HEIGHT - vec3_dot(from, camera.up) * per_unit;
        if (depth > 0.0 && x > 0.0 && y > 0.0 && x < WIDTH && y < HEIGHT) {
            int count;
            const render_fragment *found = at_pixel(&f, (int)x, (int)y, &count);
            check_count("fragments", (uint64_t)n, 1, count);
            check_near("alpha", (uint64_t)n, 1.0, (double)found->rgba[3], 1e-6);
            seen++;
        }
    }
    assert_true(seen > 1000);
    for (int64_t n = 0; n < count_of(&f); n++) {
        const vec3 p = point_of(&camera, &f.items[n]);
        const double pixel =
            2.0 * camera.scale / HEIGHT * render_camera_depth(&camera, p);
        check_within("distance in pixels", (uint64_t)n, 0.0, 2.2,
                     distance_to_segment(p, a, b) / pixel);
    }
    render_fragments_clear(&f);
}

static void what_is_behind_the_viewer_is_not_drawn(void **state)
{
    (void)state;
    const float points[2][3] = {{-0.5f, -7.0f, 0.0f}, {0.9f, -9.0f, 0.6f}};
    const render_trail trail = {0, 2};
    for (int kind = RENDER_TRAILS_TUBES; kind <= RENDER_TRAILS_SPHERES; kind++) {
        for (int orthographic = 0; orthographic < 2; orthographic++) {
            const render_camera camera = camera_of(orthographic == 1);
            render_trails spec = tube_of(&trail, points);
            spec.kind = (render_trails_kind)kind;
            render_fragments f = draw(&spec, &camera, 1);
            check_count("fragments", 0, 0, count_of(&f));
            render_fragments_clear(&f);
        }
    }
}

static void colours_and_opacities_run_along_segments(void **state)
{
    (void)state;
    const double map[2][4] = {{0.0, 0.0, 0.0, 0.0}, {1.0, 1.0, 0.5, 0.0}};
    const render_colors_points colors = {
        .count = 2, .points = map, .range = {10.0, 20.0}};
    const float points[2][3] = {{-2.0f, 0.0f, 0.0f}, {2.0f, 0.0f, 0.0f}};
    const float values[2] = {10.0f, 20.0f}, fade[2] = {1.0f, 0.0f};
    const render_trail trail = {0, 2};
    const render_camera camera = camera_of(false);
    render_trails spec = tube_of(&trail, points);
    render_colors *made = NULL;
    assert_int_equal(render_colors_create(&colors, &made), STATUS_OK);
    spec.colors = made;
    spec.values = values;
    spec.fade = fade;
    spec.opacity = 0.8f;
    render_fragments f = draw(&spec, &camera, 1);
    assert_true(count_of(&f) > 100);
    for (int64_t n = 0; n < count_of(&f); n++) {
        const float *rgba = f.items[n].rgba;
        double share = 0.25 * (point_of(&camera, &f.items[n]).v[0] + 2.0);
        share = fmin(fmax(share, 0.0), 1.0);
        check_near("alpha", (uint64_t)n, 0.8 * (1.0 - share), (double)rgba[3], 1e-5);
        check_near("red", (uint64_t)n, share * (double)rgba[3], (double)rgba[0], 1e-5);
        check_near("green", (uint64_t)n, 0.5 * share * (double)rgba[3], (double)rgba[1],
                   1e-5);
    }
    render_fragments_clear(&f);
    render_colors_destroy(&made);
}

/* If a surface faces a light at the viewer, D = ambient + diffuse and S = specular. */
static void light_falls_on_what_faces_it(void **state)
{
    (void)state;
    const render_shade shade = {
        .ambient = 0.25f,
        .diffuse = 0.5f,
        .specular = 0.125f,
        .shininess = 8,
        .nlights = 1,
        .lights = {{.kind = RENDER_LIGHT_HEAD, .color = {1.0f, 1.0f, 1.0f}}}};
    const float points[1][3] = {{0.0f, 0.0f, 0.0f}};
    const render_trail trail = {0, 1};
    const render_camera camera = camera_of(false);
    render_trails spec = tube_of(&trail, points);
    spec.radius = 1.0;
    spec.shade = &shade;
    render_fragments f = draw(&spec, &camera, 1);
    for (int64_t n = 0; n < count_of(&f); n++) {
        const render_ray ray = render_camera_ray(&camera, f.items[n].pixel % WIDTH,
                                                 f.items[n].pixel / WIDTH);
        const vec3 normal = point_of(&camera, &f.items[n]); /* of the unit sphere */
        const double facing = fabs(vec3_dot(normal, ray.direction));
        const double lit = 0.25 + 0.5 * facing, gleam = 0.125 * pow(facing, 8.0);
        check_near("red", (uint64_t)n, lit + gleam, (double)f.items[n].rgba[0], 1e-5);
        check_near("green", (uint64_t)n, 0.5 * lit + gleam, (double)f.items[n].rgba[1],
                   1e-5);
    }
    assert_true(count_of(&f) > 500);
    render_fragments_clear(&f);
}

/* A line is lit like the side of a thin tube that faces the light best. */
static void lines_are_lit_by_their_best_normal(void **state)
{
    (void)state;
    const render_shade shade = {.diffuse = 1.0f,
                                .shininess = 1,
                                .nlights = 1,
                                .lights = {{.kind = RENDER_LIGHT_DIRECTION,
                                            .at = {0.6f, 0.0f, 0.8f},
                                            .color = {1.0f, 1.0f, 1.0f}}}};
    const float points[2][3] = {{-1.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}};
    const render_trail trail = {0, 2};
    const render_camera camera = camera_of(true);
    render_trails spec = tube_of(&trail, points);
    spec.kind = RENDER_TRAILS_LINES;
    spec.shade = &shade;
    render_fragments f = draw(&spec, &camera, 1);
    assert_true(count_of(&f) > 50);
    for (int64_t n = 0; n < count_of(&f); n++) {
        check_near("red over alpha", (uint64_t)n, 0.8,
                   (double)(f.items[n].rgba[0] / f.items[n].rgba[3]), 1e-5);
    }
    render_fragments_clear(&f);
}

static void points_that_are_no_numbers_break_lines(void **state)
{
    (void)state;
    float points[6][3];
    const render_trail trail = {0, 6}, parts[2] = {{0, 2}, {3, 3}};
    const render_camera camera = camera_of(false);
    memcpy(points, zigzag, sizeof points);
    points[2][1] = NAN;
    render_trails spec = tube_of(&trail, (const float(*)[3])points);
    render_fragments f = draw(&spec, &camera, 1);
    spec.trails = parts;
    spec.ntrails = 2;
    spec.points = zigzag;
    render_fragments expected = draw(&spec, &camera, 1);
    check_count("fragments", 0, count_of(&expected), count_of(&f));
    assert_memory_equal(expected.items, f.items, (size_t)count_of(&f) * sizeof *f.items);
    render_fragments_clear(&f);
    render_fragments_clear(&expected);
}

/* How far a point lies outside of a cone's side and of its base; below 0 inside. */
static void cone_distance(vec3 p, vec3 base, vec3 tip, double radius, double off[2])
{
    const vec3 along = vec3_sub(tip, base), from = vec3_sub(p, base);
    const double height = vec3_length(along), place = vec3_dot(from, along) / height;
    const double aside = vec3_length(vec3_cross(from, along)) / height;
    off[0] = aside - radius * (1.0 - place / height);
    off[1] = fmax(-place, place - height);
}

/* Checks a pixel of a picture of one cone: a ray that passes well inside has a fragment,
 * and a fragment lies on the surface. */
static void check_cone_pixel(const render_fragments *drawn, const render_camera *camera,
                             int pixel, const vec3 ends[2], double radius)
{
    int count;
    const render_fragment *found = at_pixel(drawn, pixel % WIDTH, pixel / WIDTH, &count);
    const render_ray ray = render_camera_ray(camera, pixel % WIDTH, pixel / WIDTH);
    double least = INFINITY, off[2];
    for (double t = 3.0; t < 10.0; t += 0.01) {
        const vec3 p = vec3_add(ray.origin, vec3_scale(ray.direction, t));
        cone_distance(p, ends[0], ends[1], radius, off);
        least = fmin(least, fmax(off[0], off[1]));
    }
    assert_true(count <= 1);
    assert_true(least > -0.02 || found != NULL);
    if (found) {
        cone_distance(point_of(camera, found), ends[0], ends[1], radius, off);
        assert_true(off[0] < 1e-4 && off[1] < 1e-4);
        assert_true(fmax(off[0], off[1]) > -1e-4);
        const vec3 along = vec3_sub(ends[1], ends[0]), axis = vec3_normalize(along);
        const vec3 from = vec3_sub(point_of(camera, found), ends[0]);
        const vec3 out =
            vec3_normalize(vec3_sub(from, vec3_scale(axis, vec3_dot(from, axis))));
        const double slope = radius / vec3_length(along);
        const vec3 side = vec3_normalize(vec3_add(out, vec3_scale(axis, slope)));
        if (off[1] < -1e-3 && off[1] > 1e-2 - vec3_length(along)) { /* lit by facing */
            check_near("red", (uint64_t)pixel, fabs(vec3_dot(side, ray.direction)),
                       (double)found->rgba[0], 1e-4);
        }
    }
}

static void cones_are_where_they_should_be(void **state)
{
    (void)state;
    const render_shade facing = {
        .diffuse = 1.0f,
        .shininess = 1,
        .nlights = 1,
        .lights = {{.kind = RENDER_LIGHT_HEAD, .color = {1.0f, 1.0f, 1.0f}}}};
    for (uint64_t seed = 1; seed <= 12; seed++) {
        uint64_t bits = seed;
        float points[2][3];
        for (int n = 0; n < 6; n++) {
            points[n / 3][n % 3] = (float)random_between(&bits, -1.2, 1.2);
        }
        const render_trail trail = {0, 2};
        render_trails cone = tube_of(&trail, (const float(*)[3])points);
        cone.kind = RENDER_TRAILS_CONES;
        cone.radius = 0.5;
        cone.shade = &facing;
        const render_camera camera = camera_of(seed % 2 == 0);
        render_fragments drawn = draw(&cone, &camera, 1);
        assert_true(count_of(&drawn) > 0);
        const vec3 ends[2] = {to_vec3(points[0]), to_vec3(points[1])};
        for (int pixel = 0; pixel < WIDTH * HEIGHT; pixel += 3) {
            check_cone_pixel(&drawn, &camera, pixel, ends, cone.radius);
        }
        render_fragments_clear(&drawn);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tubes_are_where_they_should_be),
        cmocka_unit_test(cones_are_where_they_should_be),
        cmocka_unit_test(spheres_show_their_front),
        cmocka_unit_test(joints_are_not_drawn_twice),
        cmocka_unit_test(the_nearest_segment_of_a_tube_is_seen),
        cmocka_unit_test(single_points_are_lines_of_their_own),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(lines_cover_their_width),
        cmocka_unit_test(depth_along_a_line_is_that_in_space),
        cmocka_unit_test(long_lines_lack_nothing),
        cmocka_unit_test(what_is_behind_the_viewer_is_not_drawn),
        cmocka_unit_test(colours_and_opacities_run_along_segments),
        cmocka_unit_test(light_falls_on_what_faces_it),
        cmocka_unit_test(lines_are_lit_by_their_best_normal),
        cmocka_unit_test(points_that_are_no_numbers_break_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
