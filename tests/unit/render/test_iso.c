/* Isosurfaces: known answers, and the same fragments however the grid is cut. */
#include "check.h"
#include "picture.h"
#include "shape.h"

#include "render/cells/cell.h"
#include "render/iso.h"
#include "support/random.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE = 48, SPHERE = 33 /* vertices along an axis */ };

static const double radius = 0.7;

/* Distance from the middle of a cube from -1 to 1, somewhat warped. */
static bool sphere_vertex(int block, const int64_t at[3], const int64_t n[3],
                          double xyz[3], double *scalar)
{
    (void)block;
    for (int axis = 0; axis < 3; axis++) {
        double x = 2.0 * (double)at[axis] / (double)(n[axis] - 1) - 1.0;
        xyz[axis] = (double)(float)(x + 0.05 * sin(3.0 * x + (double)at[(axis + 1) % 3]));
    }
    *scalar = sqrt(xyz[0] * xyz[0] + xyz[1] * xyz[1] + xyz[2] * xyz[2]);
    return true;
}

static void set_gradients(test_grid *grid)
{
    grid_store *store = grid->store;
    assert_int_equal(grid_store_add_gradients(store), STATUS_OK);
    for (int64_t v = 0; v < store->nvertices; v++) {
        const float *p = store->vertex[v];
        float length = sqrtf(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
        for (int axis = 0; axis < 3; axis++) {
            store->gradient[v][axis] = length > 0.0f ? p[axis] / length : 0.0f;
        }
    }
}

/* Draws the isosurfaces of a grid inside a box. */
static render_fragments draw(const picture *p, const render_iso_look *look)
{
    render_camera camera = picture_camera(p);
    render_scene *scene = NULL;
    render_transfer *places = NULL;
    render_fragments fragments;
    render_counters counters;
    assert_int_equal(render_scene_create(p->grid->store, &scene), STATUS_OK);
    assert_int_equal(render_iso_places(look, &places), STATUS_OK);
    assert_int_equal(render_iso_draw(scene, look,
                                     &(render_request){.transfer = places,
                                                       .camera = &camera,
                                                       .clip = p->clip,
                                                       .threads = p->threads},
                                     &fragments, &counters),
                     STATUS_OK);
    assert_int_equal(counters.lost_rays, 0);
    render_transfer_destroy(&places);
    render_scene_destroy(&scene);
    return fragments;
}

static int64_t count_of(const render_fragments *f)
{
    return f->first[f->columns * f->rows];
}

/* Distances at which a ray meets the sphere; false where it misses. */
static bool meet_sphere(render_ray ray, double t[2])
{
    double middle = -vec3_dot(ray.origin, ray.direction);
    vec3 nearest = vec3_add(ray.origin, vec3_scale(ray.direction, middle));
    double half = radius * radius - vec3_dot(nearest, nearest);
    t[0] = middle - sqrt(fmax(half, 0.0));
    t[1] = middle + sqrt(fmax(half, 0.0));
    return half > 0.0;
}

/* The isosurface of a distance is a sphere: silhouette, place, normals. */
static void a_distance_has_spheres(void **state)
{
    (void)state;
    const int64_t n[1][3] = {{SPHERE, SPHERE, SPHERE}};
    test_grid grid = test_grid_create(1, n, sphere_vertex);
    set_gradients(&grid);
    render_shade shade = {.diffuse = 1.0f, .shininess = 1, .nlights = 1};
    shade.lights[0] =
        (render_light){.kind = RENDER_LIGHT_HEAD, .color = {1.0f, 1.0f, 1.0f}};
    render_iso_look look = {.nvalues = 1,
                            .values = {(float)radius},
                            .color = {1.0f, 0.5f, 0.25f},
                            .opacity = 0.5f,
                            .shade = &shade};
    uint64_t random = 3;
    for (int view = 0; view < 6; view++) {
        picture p =
            picture_of(&grid, NULL,
                       picture_view_random(&random, vec3_make(0.0, 0.0, 0.0), 1.9), SIDE);
        render_camera camera = picture_camera(&p);
        render_fragments f = draw(&p, &look);
        int found[SIDE * SIDE] = {0};
        for (int64_t i = 0; i < count_of(&f); i++) {
            const render_fragment *hit = &f.items[i];
            render_ray ray =
                render_camera_ray(&camera, hit->pixel % SIDE, hit->pixel / SIDE);
            double t = (double)hit->t + render_cell_ray(ray).start;
            vec3 at = vec3_add(ray.origin, vec3_scale(ray.direction, t));
            double facing = fabs(vec3_dot(vec3_normalize(at), ray.direction));
            /* Second order in the size of cells, 1/16. */
            check_near("distance from the middle", (uint64_t)view, radius,
                       vec3_length(at), 6e-3);
            check_near("light", (uint64_t)view, 0.5 * facing, (double)hit->rgba[0], 0.02);
            check_near("light", (uint64_t)view, 0.125 * facing, (double)hit->rgba[2],
                       0.02);
            check_near("alpha", (uint64_t)view, 0.5, (double)hit->rgba[3], 0.0);
            found[hit->pixel]++;
        }
        for (int pixel = 0; pixel < SIDE * SIDE; pixel++) {
            double t[2];
            render_ray ray = render_camera_ray(&camera, pixel % SIDE, pixel / SIDE);
            bool meets = meet_sphere(ray, t);
            if (t[1] - t[0] > 0.15) { /* not at the silhouette */
                check_count("hits", (uint64_t)pixel, (t[0] > 0.0) + (t[1] > 0.0),
                            found[pixel]);
            }
            vec3 off = vec3_cross(ray.origin, ray.direction);
            if (!meets && vec3_length(off) > radius + 6e-3) {
                check_count("hits outside", (uint64_t)pixel, 0, found[pixel]);
            }
        }
        render_fragments_clear(&f);
    }
    test_grid_destroy(&grid);
}

/* A linear field has planes, exactly; a colour map takes another field. */
static void a_linear_field_has_planes(void **state)
{
    (void)state;
    const shape wanted = {.kind = SHAPE_BOX, .scalar = SHAPE_LINEAR, .n = {19, 8, 7}};
    test_grid grid = shape_create(&wanted), other = shape_create(&wanted);
    for (int64_t v = 0; v < other.store->nvertices; v++) {
        other.store->vertex[v][3] = other.store->vertex[v][0] / 20.0f;
    }
    const double points[2][4] = {{0.0, 0.0, 0.0, 1.0}, {1.0, 1.0, 1.0, 0.0}};
    render_colors *colors = NULL;
    const render_colors_points map = {.count = 2, .points = points, .range = {0.0, 1.0}};
    assert_int_equal(render_colors_create(&map, &colors), STATUS_OK);
    render_iso_look look = {.nvalues = 3,
                            .values = {0.6f, 0.3f, 0.9f},
                            .colors = colors,
                            .color_store = other.store,
                            .opacity = 1.0f};
    uint64_t random = 9;
    for (int view = 0; view < 6; view++) {
        picture p = picture_of(
            &grid, NULL,
            picture_view_random(&random, shape_center(&grid), shape_radius(&grid)), SIDE);
        render_camera camera = picture_camera(&p);
        look.opacity = view % 2 ? 1.0f : 0.75f;
        render_fragments f = draw(&p, &look);
        assert_true(count_of(&f) > 50);
        for (int64_t i = 0; i < count_of(&f); i++) {
            const render_fragment *hit = &f.items[i];
            render_ray ray =
                render_camera_ray(&camera, hit->pixel % SIDE, hit->pixel / SIDE);
            double t = (double)hit->t + render_cell_ray(ray).start;
            vec3 at = vec3_add(ray.origin, vec3_scale(ray.direction, t));
            double scalar = (at.v[0] + 2.0 * at.v[1] + 3.0 * at.v[2]) / 40.0;
            double off =
                fmin(fmin(fabs(scalar - 0.3), fabs(scalar - 0.6)), fabs(scalar - 0.9));
            check_near("scalar", (uint64_t)view, 0.0, off, 1e-5);
            check_near("colour", (uint64_t)view, (double)look.opacity * at.v[0] / 20.0,
                       (double)hit->rgba[0], 1e-5);
        }
        render_fragments_clear(&f);
    }
    render_colors_destroy(&colors);
    test_grid_destroy(&grid);
    test_grid_destroy(&other);
}

static int compare_fragments(const void *left, const void *right)
{
    const render_fragment *a = left, *b = right;
    if (a->pixel != b->pixel) {
        return (a->pixel > b->pixel) - (a->pixel < b->pixel);
    }
    return (a->t > b->t) - (a->t < b->t);
}

static void compare_lists(uint64_t seed, render_fragments *whole, render_fragment *parts,
                          int64_t count)
{
    check_count("fragments", seed, count_of(whole), count);
    qsort(whole->items, (size_t)count, sizeof *parts, compare_fragments);
    qsort(parts, (size_t)count, sizeof *parts, compare_fragments);
    for (int64_t n = 0; n < count; n++) {
        check_count("pixel", seed, whole->items[n].pixel, parts[n].pixel);
        check_near("t", seed, (double)whole->items[n].t, (double)parts[n].t, 2e-6);
        for (int c = 0; c < 4; c++) {
            check_near("colour", seed, (double)whole->items[n].rgba[c],
                       (double)parts[n].rgba[c], 1e-5);
        }
    }
}

/* On fields that jump about, boxes side by side find together the hits of a single box;
 * several threads find them too. */
static void boxes_share_hits(void **state)
{
    (void)state;
    uint64_t random = 21;
    for (int round = 0; round < 16; round++) {
        const shape wanted = {.kind = round % 2 ? SHAPE_RING : SHAPE_BOX,
                              .scalar = round % 3 ? SHAPE_RANDOM : SHAPE_HOLED,
                              .n = {18, 19, 6},
                              .seed = (uint64_t)round,
                              .jitter = 0.25,
                              .split = round % 4 == 3 ? 7 : 0};
        test_grid grid = shape_create(&wanted);
        picture p = picture_of(
            &grid, NULL,
            picture_view_random(&random, shape_center(&grid), shape_radius(&grid)), SIDE);
        render_iso_look look = {.nvalues = 2,
                                .values = {0.4f, 0.8f},
                                .color = {1.0f, 1.0f, 1.0f},
                                .opacity = 0.5f};
        render_fragments whole = draw(&p, &look);
        double plane = shape_center(&grid).v[round % 3] + 0.05;
        picture part[2] = {p, p};
        part[0].clip.hi.v[round % 3] = plane;
        part[1].clip.lo.v[round % 3] = plane;
        part[1].threads = 3;
        render_fragments a = draw(&part[0], &look), b = draw(&part[1], &look);
        int64_t count = count_of(&a) + count_of(&b);
        assert_true(count > 20);
        render_fragment *both = malloc((size_t)count * sizeof *both);
        assert_non_null(both);
        memcpy(both, a.items, (size_t)count_of(&a) * sizeof *both);
        memcpy(both + count_of(&a), b.items, (size_t)count_of(&b) * sizeof *both);
        compare_lists((uint64_t)round, &whole, both, count);
        free(both);
        render_fragments_clear(&whole);
        render_fragments_clear(&a);
        render_fragments_clear(&b);
        test_grid_destroy(&grid);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_distance_has_spheres),
        cmocka_unit_test(a_linear_field_has_planes),
        cmocka_unit_test(boxes_share_hits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
