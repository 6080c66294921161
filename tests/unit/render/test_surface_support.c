#include "test_surface_support.h"

#include "render/cells/cell.h"

#include <string.h>

render_surface *surface_make(const grid_store *store, const surface_spec *spec)
{
    render_surface *surface = NULL;
    assert_int_equal(render_surface_create(store, spec, &surface), STATUS_OK);
    return surface;
}

surface_range surface_part(int block, int64_t i0, int64_t j0, int64_t k0, int64_t i1,
                           int64_t j1, int64_t k1)
{
    return (surface_range){block, {i0, j0, k0}, {i1, j1, k1}};
}

surface_look surface_white(void)
{
    return (surface_look){
        .fill = SURFACE_PLAIN, .color = {1.0f, 1.0f, 1.0f}, .opacity = 1.0f};
}

render_colors *surface_grey(double lo, double hi)
{
    static const double points[2][4] = {{0.0, 0.0, 0.0, 0.0}, {1.0, 1.0, 1.0, 1.0}};
    const render_colors_points grey = {
        .count = 2, .points = points, .range = {lo, hi}, .nan_color = {1.0, 0.0, 0.0}};
    render_colors *colors = NULL;
    assert_int_equal(render_colors_create(&grey, &colors), STATUS_OK);
    return colors;
}

render_camera surface_camera(render_view view, int width, int height)
{
    render_camera camera;
    assert_int_equal(
        render_camera_create(&view, width, height, vec3_make(0.0, 0.0, 0.0), &camera),
        STATUS_OK);
    return camera;
}

const render_fragments *surface_drawn(render_surface *surface, const surface_look *look,
                                      const render_camera *camera, int threads)
{
    const render_fragments *fragments = NULL;
    assert_int_equal(
        render_surface_draw(surface, look,
                            &(render_clip_view){camera, box3_everything(), NULL}, threads,
                            &fragments),
        STATUS_OK);
    assert_int_equal(fragments->columns,
                     (camera->width + FRAGMENTS_TILE - 1) / FRAGMENTS_TILE);
    return fragments;
}

int64_t surface_total(const render_fragments *fragments)
{
    return fragments->first[(int64_t)fragments->columns * fragments->rows];
}

const render_fragment *surface_at(const render_fragments *fragments,
                                  const render_camera *camera, int column, int row)
{
    int64_t tile =
        (int64_t)(row / FRAGMENTS_TILE) * fragments->columns + column / FRAGMENTS_TILE;
    for (int64_t n = fragments->first[tile]; n < fragments->first[tile + 1]; n++) {
        if (fragments->items[n].pixel == row * camera->width + column) {
            return &fragments->items[n];
        }
    }
    return NULL;
}

void surface_count_pixels(const render_fragments *fragments, const render_camera *camera,
                          int *counts)
{
    memset(counts, 0, (size_t)(camera->width * camera->height) * sizeof *counts);
    int64_t tiles = (int64_t)fragments->columns * fragments->rows;
    for (int64_t tile = 0; tile < tiles; tile++) {
        pixel_rect rect = render_fragments_rect(camera->width, camera->height, tile);
        for (int64_t n = fragments->first[tile]; n < fragments->first[tile + 1]; n++) {
            int pixel = fragments->items[n].pixel;
            int column = pixel % camera->width, row = pixel / camera->width;
            assert_in_range(column, rect.x0, rect.x1 - 1);
            assert_in_range(row, rect.y0, rect.y1 - 1);
            counts[pixel]++;
        }
    }
}

void surface_compare(const char *what, const render_fragments *expected,
                     const render_fragments *actual)
{
    int64_t tiles = (int64_t)expected->columns * expected->rows;
    check_count(what, 0, surface_total(expected), surface_total(actual));
    for (int64_t tile = 0; tile <= tiles; tile++) {
        check_count(what, 0, expected->first[tile], actual->first[tile]);
    }
    for (int64_t n = 0; n < surface_total(expected); n++) {
        if (memcmp(&expected->items[n], &actual->items[n], sizeof *expected->items) !=
            0) {
            fail_msg("%s: fragment %lld differs", what, (long long)n);
        }
    }
}

void surface_check_sound(const char *what, uint64_t seed,
                         const render_fragments *fragments)
{
    for (int64_t n = 0; n < surface_total(fragments); n++) {
        const render_fragment *at = &fragments->items[n];
        check_within(what, seed, -1e30, 1e30, (double)at->t);
        check_within(what, seed, 0.0, 1.0, (double)at->rgba[3]);
        for (int c = 0; c < 3; c++) {
            check_within(what, seed, 0.0, 1e3, (double)at->rgba[c]);
        }
    }
}

vec3 surface_hit(const render_camera *camera, int column, int row, vec3 point,
                 vec3 normal)
{
    render_ray ray = render_camera_ray(camera, column, row);
    double t =
        vec3_dot(vec3_sub(point, ray.origin), normal) / vec3_dot(ray.direction, normal);
    return vec3_add(ray.origin, vec3_scale(ray.direction, t));
}

double surface_distance(const render_camera *camera, int column, int row, vec3 point)
{
    render_ray ray = render_camera_ray(camera, column, row);
    return vec3_dot(vec3_sub(point, ray.origin), ray.direction) -
           render_cell_ray(ray).start;
}

double surface_coverage(double width, double distance)
{
    double from = fmax(distance - 0.5 * width, -0.5);
    double to = fmin(distance + 0.5 * width, 0.5);
    return fmax(to - from, 0.0);
}
