/* Fragments within the volume: they are composited in order of depth in any picture. */
#include "check.h"
#include "picture.h"
#include "render/scene.h"
#include "shape.h"

#include "render/cells/cell.h"
#include "render/kernel/walk.h"
#include "render/stack.h"
#include "support/random.h"
#include "tests/support/draw_volume.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE = 40, MOST = 6 /* fragments of a pixel and layer */ };

/* ---- Fragments at random ----------------------------------------------------------- */

/* Parameters from which fragments are made. */
typedef struct scatter {
    render_camera camera;
    uint64_t seed;
    vec3 center;
    double radius;
    bool are_clear, with_opaque;
} scatter;

/* Puts some fragments on the ray of each pixel of a tile. */
static void scatter_tile(const void *context, int64_t tile, pixel_rect rect,
                         fragment_list *list)
{
    const scatter *s = context;
    uint64_t state = s->seed + 977 * (uint64_t)tile;
    for (int y = rect.y0; y < rect.y1; y++) {
        for (int x = rect.x0; x < rect.x1; x++) {
            const render_ray ray = render_camera_ray(&s->camera, x, y);
            const double start = render_cell_ray(ray).start;
            const double middle =
                vec3_dot(vec3_sub(s->center, ray.origin), ray.direction);
            for (int n = random_below(&state, MOST); n > 0; n--) {
                double t = middle + random_between(&state, -1.3, 1.3) * s->radius;
                float alpha =
                    s->are_clear ? 1e-30f : (float)random_between(&state, 0.05, 0.9);
                alpha = s->with_opaque && random_below(&state, 8) == 0 ? 1.0f : alpha;
                float rgba[4] = {0.0f, 0.0f, 0.0f, alpha};
                for (int c = 0; c < 3; c++) {
                    rgba[c] = alpha * (float)random_between(&state, 0.0, 1.0);
                }
                render_fragments_push(list, y * s->camera.width + x, (float)(t - start),
                                      rgba);
            }
        }
    }
}

static render_fragments scatter_fragments(const scatter *s)
{
    render_fragments fragments;
    assert_int_equal(render_fragments_create(s->camera.width, s->camera.height, 2,
                                             scatter_tile, s, &fragments),
                     STATUS_OK);
    return fragments;
}

static scatter scatter_of(const picture *p, uint64_t seed)
{
    return (scatter){.camera = picture_camera(p),
                     .seed = seed,
                     .center = shape_center(p->grid),
                     .radius = shape_radius(p->grid),
                     .with_opaque = seed % 2 == 0};
}

static int compare_fragments(const void *left, const void *right)
{
    const render_fragment *a = left, *b = right;
    return (a->t > b->t) - (a->t < b->t);
}

/* The fragments of a pixel, by their distance. */
static int list_pixel(const render_fragments *layers, int nlayers, int pixel,
                      render_fragment *out)
{
    int count = 0;
    for (int layer = 0; layer < nlayers; layer++) {
        const render_fragments *f = &layers[layer];
        for (int64_t n = 0; n < f->first[f->columns * f->rows]; n++) {
            if (f->items[n].pixel == pixel) {
                out[count++] = f->items[n];
            }
        }
    }
    qsort(out, (size_t)count, sizeof *out, compare_fragments);
    return count;
}

/* ---- On paper ---------------------------------------------------------------------- */

/* Blends a stretch of white fog of this extinction behind `rgba`. */
static void add_fog(double length, double extinction, double rgba[4])
{
    double absorbed = (1.0 - rgba[3]) * -expm1(-extinction * fmax(length, 0.0));
    for (int c = 0; c < 4; c++) {
        rgba[c] += absorbed;
    }
}

static void add_fragment(const render_fragment *fragment, double rgba[4])
{
    double through = 1.0 - rgba[3];
    for (int c = 0; c < 4; c++) {
        rgba[c] += through * (double)fragment->rgba[c];
    }
}

/* White fog in [lo, hi] of the ray, and fragments. */
static void trace(double lo, double hi, double extinction, int count,
                  const render_fragment *fragments, double rgba[4])
{
    memset(rgba, 0, 4 * sizeof *rgba);
    double at = lo;
    for (int n = 0; n < count; n++) {
        double t = fmin(fmax((double)fragments[n].t, lo), hi);
        add_fog(t - at, extinction, rgba);
        at = fmax(at, t);
        add_fragment(&fragments[n], rgba);
    }
    add_fog(hi - at, extinction, rgba);
}

/* The distances at which a ray enters and leaves the box of a SHAPE_BOX grid. */
static void cross_box(const test_grid *grid, render_ray ray, double t[2])
{
    t[0] = 0.0;
    t[1] = INFINITY;
    for (int axis = 0; axis < 3; axis++) {
        double a = (grid->layout->bounds.lo.v[axis] - ray.origin.v[axis]) /
                   ray.direction.v[axis];
        double b = (grid->layout->bounds.hi.v[axis] - ray.origin.v[axis]) /
                   ray.direction.v[axis];
        t[0] = fmax(t[0], fmin(a, b));
        t[1] = fmin(t[1], fmax(a, b));
    }
}

static image *draw_with(const walk_kernel *kernel, const picture *p)
{
    render_camera camera = picture_camera(p);
    image *img = NULL;
    render_counters counters;
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
    assert_int_equal(counters.lost_rays, 0);
    return img;
}

/* Fog and fragments of two layers, by each kernel, as computed on paper. */
static void fragments_lie_within_the_volume(void **state)
{
    (void)state;
    const shape wanted = {.kind = SHAPE_BOX,
                          .scalar = SHAPE_LINEAR,
                          .n = {9, 19, 7},
                          .seed = 4,
                          .jitter = 0.3,
                          .boundary_is_even = true};
    test_grid grid = shape_create(&wanted);
    const double extinction = 0.2;
    render_transfer *transfer = picture_transfer_constant(extinction);
    uint64_t random = 12;
    for (int view = 0; view < 6; view++) {
        picture p = picture_of(
            &grid, transfer,
            picture_view_random(&random, shape_center(&grid), shape_radius(&grid)), SIDE);
        p.style.trilinear = view % 3 == 2;
        p.style.quadratic = view % 3 == 1;
        p.threads = 1 + view % 2;
        scatter s = scatter_of(&p, (uint64_t)view);
        render_fragments layers[2];
        layers[0] = scatter_fragments(&s);
        s.seed += 1000;
        layers[1] = scatter_fragments(&s);
        const render_fragments *both[2] = {&layers[0], &layers[1]};
        p.style.nlayers = 2;
        p.style.layers = both;
        for (const walk_kernel *const *kernel = render_walk_kernels(); *kernel;
             kernel++) {
            image *img = draw_with(*kernel, &p);
            for (int pixel = 0; pixel < SIDE * SIDE; pixel++) {
                render_ray ray = render_camera_ray(&s.camera, pixel % SIDE, pixel / SIDE);
                double start = render_cell_ray(ray).start, t[2], rgba[4];
                render_fragment all[2 * MOST];
                int count = list_pixel(layers, 2, pixel, all), first = 0;
                while (first < count && (double)all[first].t + start < 0.0) {
                    first++; /* behind the viewer */
                }
                cross_box(&grid, ray, t);
                trace(t[0] - start, fmax(t[0], t[1]) - start, extinction, count - first,
                      all + first, rgba);
                for (int c = 0; c < 4; c++) {
                    check_near((*kernel)->name, (uint64_t)pixel, rgba[c],
                               (double)img->rgba[4 * pixel + c], 2e-5);
                }
            }
            image_destroy(&img);
        }
        render_fragments_clear(&layers[0]);
        render_fragments_clear(&layers[1]);
    }
    render_transfer_destroy(&transfer);
    test_grid_destroy(&grid);
}

/* ---- Shaded volumes ---------------------------------------------------------------- */

/* Puts a fragment behind everything on the ray of each pixel, which shows nothing. */
static void put_behind(const void *context, int64_t tile, pixel_rect rect,
                       fragment_list *list)
{
    const int *width = context;
    const float nothing[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    (void)tile;
    for (int y = rect.y0; y < rect.y1; y++) {
        for (int x = rect.x0; x < rect.x1; x++) {
            render_fragments_push(list, y * *width + x, 1e6f, nothing);
        }
    }
}

/* Parts of ways fill whole vectors where no ray has fragments; else each way stays in its
 * lane. Both give the same bits. */
static void parts_of_shaded_ways_are_lit_alike(void **state)
{
    (void)state;
    const shape wanted = {.kind = SHAPE_BOX,
                          .n = {6, 7, 5},
                          .seed = 8,
                          .jitter = 0.3,
                          .scalar = SHAPE_RANDOM};
    const render_shade shade = {.ambient = 0.3f,
                                .diffuse = 0.7f,
                                .specular = 0.2f,
                                .shininess = 9,
                                .per_gradient = 1.0f,
                                .nlights = 1,
                                .lights = {{.kind = RENDER_LIGHT_DIRECTION,
                                            .at = {0.6f, 0.0f, 0.8f},
                                            .color = {1.0f, 0.5f, 0.25f}}}};
    test_grid grid = shape_create(&wanted);
    render_transfer *transfer = picture_transfer_ramp(0.1, 2.0);
    uint64_t random = 5;
    assert_int_equal(grid_store_add_gradients(grid.store), STATUS_OK);
    for (int64_t v = 0; v < grid.store->nvertices; v++) {
        for (int c = 0; c < 3; c++) {
            grid.store->gradient[v][c] = (float)random_between(&random, -2.0, 2.0);
        }
    }
    const int width = SIDE;
    render_fragments behind;
    assert_int_equal(render_fragments_create(SIDE, SIDE, 2, put_behind, &width, &behind),
                     STATUS_OK);
    const render_fragments *layers[1] = {&behind};
    for (int view = 0; view < 6; view++) {
        picture p = picture_of(
            &grid, transfer,
            picture_view_random(&random, shape_center(&grid), shape_radius(&grid)), SIDE);
        p.style.shade = &shade;
        p.style.trilinear = view % 3 == 2;
        p.style.quadratic = view % 3 == 1;
        for (const walk_kernel *const *kernel = render_walk_kernels(); *kernel;
             kernel++) {
            p.style.nlayers = 0;
            image *alone = draw_with(*kernel, &p);
            p.style.nlayers = 1;
            p.style.layers = layers;
            image *both = draw_with(*kernel, &p);
            picture_compare((*kernel)->name, (uint64_t)view, alone, both, 0.0);
            image_destroy(&alone);
            image_destroy(&both);
        }
    }
    render_fragments_clear(&behind);
    render_transfer_destroy(&transfer);
    test_grid_destroy(&grid);
}

/* ---- Cuts -------------------------------------------------------------------------- */

/* Boxes on both sides of a plane show together the picture of a single box; each fragment
 * belongs to one of them. */
static void check_boxes(picture p, uint64_t seed, int axis, double plane)
{
    scatter s = scatter_of(&p, seed);
    render_fragments fragments = scatter_fragments(&s);
    const render_fragments *layers[1] = {&fragments};
    p.style.nlayers = 1;
    p.style.layers = layers;
    render_counters counters;
    image *whole = picture_draw(&p, &counters);
    picture part[2] = {p, p};
    part[0].clip.hi.v[axis] = plane;
    part[1].clip.lo.v[axis] = plane;
    bool lower_first = p.view.orthographic
                           ? p.view.look_at.v[axis] > p.view.position.v[axis]
                           : p.view.position.v[axis] < plane;
    image *front = picture_draw(&part[lower_first ? 0 : 1], &counters);
    image *back = picture_draw(&part[lower_first ? 1 : 0], &counters);
    for (int64_t pixel = 0; pixel < SIDE * SIDE; pixel++) {
        float through = 1.0f - front->rgba[4 * pixel + 3];
        for (int c = 0; c < 4; c++) {
            front->rgba[4 * pixel + c] += through * back->rgba[4 * pixel + c];
        }
    }
    picture_compare("two boxes", seed, whole, front, 1e-5);
    image_destroy(&whole);
    image_destroy(&front);
    image_destroy(&back);
    render_fragments_clear(&fragments);
}

static void boxes_share_fragments(void **state)
{
    (void)state;
    uint64_t random = 77;
    render_transfer *transfer = picture_transfer_ramp(0.05, 0.6);
    for (int round = 0; round < 12; round++) {
        const shape wanted = {.kind = round % 2 ? SHAPE_RING : SHAPE_BOX,
                              .scalar = SHAPE_RANDOM,
                              .n = {8, 18, 6},
                              .seed = (uint64_t)round,
                              .jitter = 0.2};
        test_grid grid = shape_create(&wanted);
        picture p = picture_of(
            &grid, transfer,
            picture_view_random(&random, shape_center(&grid), shape_radius(&grid)), SIDE);
        int axis = round % 3;
        check_boxes(p, (uint64_t)round, axis, shape_center(&grid).v[axis] + 0.1);
        test_grid_destroy(&grid);
    }
    render_transfer_destroy(&transfer);
}

/* Two blocks, one shifted into the other. */
static bool shifted_vertex(int block, const int64_t at[3], const int64_t n[3],
                           double xyz[3], double *scalar)
{
    (void)n;
    for (int axis = 0; axis < 3; axis++) {
        xyz[axis] = (double)at[axis] + (axis == 0 ? 3.35 * block : 0.4 * block);
    }
    *scalar = 0.1 * xyz[0] + 0.03 * xyz[1] + (block ? 0.2 : 0.0);
    return true;
}

/* So they do where blocks overlap, and something opaque ends rays in the cell in which a
 * block that goes first begins. */
static void boxes_share_blocks_that_overlap(void **state)
{
    (void)state;
    const int64_t n[2][3] = {{7, 6, 5}, {7, 6, 5}};
    test_grid grid = test_grid_create(2, n, shifted_vertex);
    render_transfer *transfer = picture_transfer_ramp(0.05, 0.6);
    uint64_t random = 31;
    for (int round = 0; round < 24; round++) {
        grid.layout->blocks[0].priority = round / 2 % 2;
        grid.layout->blocks[1].priority = 1 - round / 2 % 2;
        picture p = picture_of(
            &grid, transfer,
            picture_view_random(&random, shape_center(&grid), shape_radius(&grid)), SIDE);
        int axis = round % 3;
        double plane = shape_center(&grid).v[axis] + random_between(&random, -1.0, 1.0);
        check_boxes(p, (uint64_t)round, axis, plane);
    }
    render_transfer_destroy(&transfer);
    test_grid_destroy(&grid);
}

/* Fragments that show nothing change nothing, also where blocks overlap. */
static void clear_fragments_change_nothing(void **state)
{
    (void)state;
    const int64_t n[2][3] = {{7, 6, 5}, {7, 6, 5}};
    test_grid grid = test_grid_create(2, n, shifted_vertex);
    grid.layout->blocks[1].priority = 1;
    render_transfer *transfer = picture_transfer_ramp(0.05, 0.6);
    uint64_t random = 5;
    for (int round = 0; round < 8; round++) {
        picture p = picture_of(
            &grid, transfer,
            picture_view_random(&random, shape_center(&grid), shape_radius(&grid)), SIDE);
        scatter s = scatter_of(&p, (uint64_t)round);
        s.with_opaque = false;
        s.are_clear = true;
        render_counters counters;
        image *plain = picture_draw(&p, &counters);
        render_fragments fragments = scatter_fragments(&s);
        const render_fragments *layers[1] = {&fragments};
        p.style.nlayers = 1;
        p.style.layers = layers;
        image *cut = picture_draw(&p, &counters);
        picture_compare("clear fragments", (uint64_t)round, plain, cut, 1e-5);
        image_destroy(&plain);
        image_destroy(&cut);
        render_fragments_clear(&fragments);
    }
    render_transfer_destroy(&transfer);
    test_grid_destroy(&grid);
}

/* ---- Without a volume, and clipped ------------------------------------------------- */

static void layers_alone_make_a_picture(void **state)
{
    (void)state;
    const shape wanted = {.kind = SHAPE_BOX, .scalar = SHAPE_LINEAR, .n = {4, 4, 4}};
    test_grid grid = shape_create(&wanted);
    picture p = picture_of(
        &grid, NULL,
        picture_view_from(vec3_make(9.0, 8.0, 7.0), vec3_make(1.5, 1.5, 1.5), 40.0),
        SIDE);
    scatter s = scatter_of(&p, 3);
    render_fragments fragments = scatter_fragments(&s);
    const render_fragments *layers[1] = {&fragments};
    p.style.nlayers = 1;
    p.style.layers = layers;
    image *img = NULL;
    render_counters counters;
    assert_int_equal(image_create(SIDE, SIDE, false, &img), STATUS_OK);
    assert_int_equal(render_scene_draw(NULL,
                                       &(render_request){.style = &p.style,
                                                         .camera = &s.camera,
                                                         .clip = p.clip,
                                                         .threads = 2},
                                       img, &counters),
                     STATUS_OK);
    for (int pixel = 0; pixel < SIDE * SIDE; pixel++) {
        render_fragment all[MOST];
        double rgba[4];
        int count = list_pixel(&fragments, 1, pixel, all);
        trace(0.0, 0.0, 0.0, count, all, rgba);
        for (int c = 0; c < 4; c++) {
            check_near("layers", (uint64_t)pixel, rgba[c],
                       (double)img->rgba[4 * pixel + c], 1e-6);
        }
    }
    image_destroy(&img);
    render_fragments_clear(&fragments);
    test_grid_destroy(&grid);
}

/* Leaves something at every pixel of a rectangle. */
static void dirty(image *img, pixel_rect rect)
{
    for (int y = rect.y0; y < rect.y1; y++) {
        for (int x = rect.x0; x < rect.x1; x++) {
            const int pixel = y * img->width + x;
            img->rgba[4 * pixel] = img->rgba[4 * pixel + 3] = 0.5f;
            img->depth[pixel] = 1.0f;
        }
    }
    img->active = rect;
}

/* All visible pixels of a row lie in the image's columns of that row. The columns hold
 * fewer pixels than the active rectangle. */
static void check_columns(const image *img)
{
    const pixel_rect active = img->active;
    int64_t held = 0;
    assert_non_null(img->columns);
    for (int y = active.y0; y < active.y1; y++) {
        const image_columns *columns = &img->columns[y];
        for (int x = 0; x < img->width; x++) {
            const bool shows = img->rgba[4 * image_at(img, x, y) + 3] != 0.0f;
            const bool is_held = x >= columns->begin && x < columns->end;
            check_count("a pixel that shows is held", (uint64_t)y, true,
                        is_held || !shows);
            held += is_held;
        }
    }
    const int64_t all = (int64_t)(active.x1 - active.x0) * (active.y1 - active.y0);
    check_count("few columns", 0, true, pixel_rect_is_empty(active) || held < all);
}

/* A stack shows the same as a picture without a volume, whether only colours change or
 * everything does. The image may hold any pixels before. */
static void stacks_show_the_same(void **state)
{
    (void)state;
    const shape wanted = {.kind = SHAPE_BOX, .scalar = SHAPE_LINEAR, .n = {4, 4, 4}};
    test_grid grid = shape_create(&wanted);
    picture p = picture_of(
        &grid, NULL,
        picture_view_from(vec3_make(9.0, 8.0, 7.0), vec3_make(1.5, 1.5, 1.5), 40.0),
        SIDE);
    p.clip.hi.v[1] = 2.1;
    render_stack *stack = NULL;
    assert_int_equal(render_stack_create(&stack), STATUS_OK);
    image *expected = NULL, *found = NULL;
    assert_int_equal(image_create(SIDE, SIDE, true, &expected), STATUS_OK);
    assert_int_equal(image_create(SIDE, SIDE, true, &found), STATUS_OK);
    scatter s = scatter_of(&p, 2);
    render_fragments fragments = scatter_fragments(&s);
    const render_fragments *layers[1] = {&fragments};
    p.style.nlayers = 1;
    p.style.layers = layers;
    uint64_t random = 8;
    for (int round = 0; round < 6; round++) {
        for (int64_t n = 0; n < fragments.first[fragments.columns * fragments.rows];
             n++) {
            float *rgba = fragments.items[n].rgba;
            rgba[round % 3] = (float)random_between(&random, 0.0, 0.9);
            rgba[3] = (float)random_below(&random, 3) / 2.0f; /* clear, half, opaque */
            for (int c = 0; c < 3 && rgba[3] == 0.0f; c++) {
                rgba[c] = 0.0f;
            }
        }
        if (round == 4) {
            fragments.places = render_fragments_number();
            s.camera.eye.v[0] += 0.5;
        }
        render_counters counters;
        image_clear(expected);
        image_clear(found);
        dirty(found, (pixel_rect){3, 5, SIDE - round, SIDE - 1});
        assert_int_equal(render_scene_draw(NULL,
                                           &(render_request){.style = &p.style,
                                                             .camera = &s.camera,
                                                             .clip = p.clip,
                                                             .threads = 2},
                                           expected, &counters),
                         STATUS_OK);
        assert_int_equal(render_stack_draw(stack, &p.style, &s.camera, p.clip, 2, found),
                         STATUS_OK);
        picture_compare("a stack", (uint64_t)round, expected, found, 1e-6);
        check_columns(found);
        for (int pixel = 0; pixel < SIDE * SIDE; pixel++) {
            assert_true(expected->depth[pixel] == found->depth[pixel]);
        }
    }
    p.style.nlayers = 0;
    image_clear(expected);
    image_clear(found);
    dirty(found, (pixel_rect){2, 7, SIDE - 3, SIDE});
    assert_int_equal(render_stack_draw(stack, &p.style, &s.camera, p.clip, 2, found),
                     STATUS_OK);
    picture_compare("a stack of nothing", 0, expected, found, 0.0);
    check_columns(found);
    image_clear(found);
    assert_null(found->columns);
    image_destroy(&expected);
    image_destroy(&found);
    render_stack_destroy(&stack);
    render_fragments_clear(&fragments);
    test_grid_destroy(&grid);
}

/* Fog between near and far planes and on one side of a plane: chords on paper. */
static void planes_cut_the_picture(void **state)
{
    (void)state;
    const shape wanted = {.kind = SHAPE_BOX, .scalar = SHAPE_LINEAR, .n = {9, 9, 9}};
    test_grid grid = shape_create(&wanted);
    const double extinction = 0.15;
    render_transfer *transfer = picture_transfer_constant(extinction);
    const vec3 normal = vec3_normalize(vec3_make(1.0, -0.4, 0.3));
    render_cuts cuts = {.near = 15.0, .far = 21.0, .count = 1};
    cuts.planes[0] = (render_cut){normal, vec3_dot(normal, vec3_make(4.1, 4.0, 3.9))};
    for (int parallel = 0; parallel < 2; parallel++) {
        vec3 eye = vec3_make(14.0, 13.0, 12.0), middle = vec3_make(4.0, 4.0, 4.0);
        picture p = picture_of(&grid, transfer,
                               parallel ? picture_view_parallel(eye, middle, 14.0)
                                        : picture_view_from(eye, middle, 45.0),
                               SIDE);
        p.style.cuts = &cuts;
        render_camera camera = picture_camera(&p);
        render_counters counters;
        image *img = picture_draw(&p, &counters);
        int seen = 0;
        for (int pixel = 0; pixel < SIDE * SIDE; pixel++) {
            render_ray ray = render_camera_ray(&camera, pixel % SIDE, pixel / SIDE);
            double t[2], along = vec3_dot(ray.direction, camera.forward);
            cross_box(&grid, ray, t);
            t[0] = fmax(t[0], cuts.near / along);
            t[1] = fmin(t[1], cuts.far / along);
            double plane = (cuts.planes[0].offset - vec3_dot(normal, ray.origin)) /
                           vec3_dot(normal, ray.direction);
            if (vec3_dot(normal, ray.direction) > 0.0) {
                t[0] = fmax(t[0], plane);
            } else {
                t[1] = fmin(t[1], plane);
            }
            double alpha = -expm1(-extinction * fmax(t[1] - t[0], 0.0));
            check_near("alpha", (uint64_t)pixel, alpha, (double)img->rgba[4 * pixel + 3],
                       1e-5);
            seen += alpha > 0.0;
        }
        assert_true(seen > 100);
        image_destroy(&img);
    }
    render_transfer_destroy(&transfer);
    test_grid_destroy(&grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fragments_lie_within_the_volume),
        cmocka_unit_test(parts_of_shaded_ways_are_lit_alike),
        cmocka_unit_test(boxes_share_fragments),
        cmocka_unit_test(boxes_share_blocks_that_overlap),
        cmocka_unit_test(clear_fragments_change_nothing),
        cmocka_unit_test(layers_alone_make_a_picture),
        cmocka_unit_test(stacks_show_the_same),
        cmocka_unit_test(planes_cut_the_picture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
