/* Blocks that overlap look alike in one piece and in parts, in every style. */
#include "check.h"
#include "picture.h"

#include "render/kernel/walk.h"
#include "render/scene.h"
#include "support/random.h"
#include "tests/support/draw_volume.h"

enum { SIDE = 24, PIXELS = SIDE * SIDE, PARTS = 4, BLOCKS = 3 };

/* ---- The grid ---------------------------------------------------------------------- */

/* -1 to 1: the same for a point of the grid in every block that has it. */
static double noise(const int64_t at[3], int number)
{
    uint64_t state = (uint64_t)(1000003 * at[0] + 10007 * at[1] + 101 * at[2] + number);
    random_bits(&state);
    return random_between(&state, -1.0, 1.0);
}

/*
 * A crooked background in two blocks, which abut where i = 3 and of which the second is
 * numbered the other way round, and a small crooked block within both.
 */
static bool crooked_vertex(int block, const int64_t at[3], const int64_t n[3],
                           double xyz[3], double *scalar)
{
    (void)n;
    const int64_t second[3] = {at[0] + 3, 4 - at[1], 4 - at[2]};
    const int64_t small[3] = {at[0] + 100, at[1], at[2]};
    const int64_t *whole = block == 0 ? at : block == 1 ? second : small;
    const double size = block < 2 ? 1.0 : 0.45;
    for (int axis = 0; axis < 3; axis++) {
        xyz[axis] = (double)whole[axis] + 0.25 * noise(whole, axis);
    }
    if (block == 2) {
        const double x = xyz[0] - 100.0, y = xyz[1];
        xyz[0] = 2.1 + size * (0.8 * x - 0.6 * y);
        xyz[1] = 1.2 + size * (0.6 * x + 0.8 * y);
        xyz[2] = 1.1 + size * xyz[2];
    }
    *scalar = 0.5 + 0.5 * noise(whole, 3);
    return true;
}

static double crooked_cell(const int64_t at[3])
{
    return 0.5 + 0.5 * noise(at, 4);
}

static void set_gradients(grid_store *store)
{
    uint64_t state = 8;
    assert_int_equal(grid_store_add_gradients(store), STATUS_OK);
    for (int64_t v = 0; v < store->nvertices; v++) {
        for (int axis = 0; axis < 3; axis++) {
            store->gradient[v][axis] = (float)random_between(&state, -1.0, 1.0);
        }
    }
}

static test_grid create_crooked(int blocks)
{
    static const int64_t n[BLOCKS][3] = {{4, 5, 5}, {4, 5, 5}, {5, 4, 5}};
    test_grid grid = test_grid_create(blocks, n, crooked_vertex);
    for (int b = 0; b < blocks; b++) {
        grid.layout->blocks[b].priority = (b + 1) % BLOCKS; /* the small one first */
    }
    set_gradients(grid.store);
    return grid;
}

/* ---- Styles ------------------------------------------------------------------------ */

static const render_shade two_lights = {
    .ambient = 0.2f,
    .diffuse = 0.7f,
    .specular = 0.5f,
    .shininess = 20,
    .per_gradient = 2.0f,
    .nlights = 2,
    .lights = {{.kind = RENDER_LIGHT_HEAD, .color = {0.5f, 0.6f, 0.7f}},
               {.kind = RENDER_LIGHT_POSITION,
                .at = {2.0f, 9.0f, 4.0f},
                .color = {0.6f, 0.4f, 0.2f}}}};

static const render_style styles[] = {
    {.method = RENDER_AUTO}, {.trilinear = true},
    {.shade = &two_lights},  {.trilinear = true, .shade = &two_lights},
    {.quadratic = true},     {.quadratic = true, .shade = &two_lights},
};
enum { STYLES = sizeof styles / sizeof styles[0] };

static picture picture_of_crooked(const test_grid *grid, const render_transfer *transfer,
                                  uint64_t seed)
{
    uint64_t state = seed;
    const vec3 center = vec3_make(2.9, 2.0, 2.0);
    vec3 eye = center;
    for (int axis = 0; axis < 3; axis++) {
        eye.v[axis] += random_between(&state, -7.0, 7.0);
    }
    return picture_of(grid, transfer, picture_view_from(eye, center, 60.0), SIDE);
}

/* ---- Parts ------------------------------------------------------------------------- */

/* Chooses the planes at which parts begin along an axis; the first and the last part
 * reach to infinity. */
static void choose_planes(uint64_t seed, double planes[PARTS + 1])
{
    uint64_t state = seed;
    planes[0] = -INFINITY;
    planes[PARTS] = INFINITY;
    for (int n = 1; n < PARTS; n++) {
        planes[n] = (double)n + random_between(&state, 0.0, 0.99);
    }
}

/* How far a part is from the eye: rays come to the nearest one first. */
static double distance_to(const double planes[PARTS + 1], int part, double eye)
{
    return fmax(0.0, fmax(planes[part] - eye, eye - planes[part + 1]));
}

/* Draws a part and composites it behind the sum. */
static void add_part(picture p, int axis, const double planes[PARTS + 1], int part,
                     double (*sum)[4])
{
    render_counters counters;
    p.clip.lo.v[axis] = planes[part];
    p.clip.hi.v[axis] = planes[part + 1];
    image *img = picture_draw(&p, &counters);
    for (int pixel = 0; pixel < PIXELS; pixel++) {
        const double through = 1.0 - sum[pixel][3];
        for (int c = 0; c < 4; c++) {
            sum[pixel][c] += through * (double)img->rgba[4 * pixel + c];
        }
    }
    image_destroy(&img);
}

static void check_parts(const picture *p, uint64_t seed)
{
    const int axis = (int)(seed % 3);
    double planes[PARTS + 1], sum[PIXELS][4] = {{0.0}};
    choose_planes(seed, planes);
    bool is_done[PARTS] = {false};
    for (int n = 0; n < PARTS; n++) {
        int nearest = -1;
        for (int part = 0; part < PARTS; part++) {
            const double eye = p->view.position.v[axis];
            if (!is_done[part] &&
                (nearest < 0 ||
                 distance_to(planes, part, eye) < distance_to(planes, nearest, eye))) {
                nearest = part;
            }
        }
        add_part(*p, axis, planes, nearest, sum);
        is_done[nearest] = true;
    }
    render_counters counters;
    image *whole = picture_draw(p, &counters);
    for (int n = 0; n < 4 * PIXELS; n++) {
        check_near("a channel of blocks that overlap, in parts", seed,
                   (double)whole->rgba[n], sum[n / 4][n % 4], 1e-5);
    }
    image_destroy(&whole);
}

static void check_all_parts(bool in_cells)
{
    render_transfer *transfer = picture_transfer_ramp(0.1, 1.5),
                    *opaque = picture_transfer_ramp(2.0, 40.0);
    test_grid grid = create_crooked(BLOCKS);
    if (in_cells) {
        test_grid_set_cells(&grid, crooked_cell);
    }
    for (uint64_t seed = 1; seed <= 48; seed++) {
        picture p =
            picture_of_crooked(&grid, seed / STYLES % 2 ? opaque : transfer, seed);
        p.style = styles[seed % STYLES];
        check_parts(&p, seed);
    }
    test_grid_destroy(&grid);
    render_transfer_destroy(&transfer);
    render_transfer_destroy(&opaque);
}

static void parts_of_overlapping_blocks_add_up(void **state)
{
    (void)state;
    check_all_parts(false);
}

static void parts_of_overlapping_blocks_with_cells_add_up(void **state)
{
    (void)state;
    check_all_parts(true);
}

/* ---- Kernels ----------------------------------------------------------------------- */

static image *draw_with(const walk_kernel *kernel, const picture *p,
                        render_counters *counters)
{
    render_camera camera = picture_camera(p);
    image *img = NULL;
    assert_int_equal(image_create(SIDE, SIDE, true, &img), STATUS_OK);
    assert_int_equal(draw_volume(p->grid->store,
                                 &(render_request){.kernel = kernel,
                                                   .style = &p->style,
                                                   .transfer = p->transfer,
                                                   .camera = &camera,
                                                   .clip = p->clip,
                                                   .threads = p->threads},
                                 img, counters),
                     STATUS_OK);
    return img;
}

static void kernels_change_no_bit_of_overlapping_blocks(void **state)
{
    (void)state;
    const walk_kernel *const *kernels = render_walk_kernels();
    render_transfer *transfer = picture_transfer_ramp(0.1, 5.0);
    test_grid grid = create_crooked(BLOCKS);
    for (uint64_t seed = 1; seed <= 16; seed++) {
        picture p = picture_of_crooked(&grid, transfer, seed);
        p.style = styles[seed % STYLES];
        render_counters expected, actual;
        image *plain = draw_with(kernels[0], &p, &expected);
        for (int k = 1; kernels[k]; k++) {
            p.threads = 1 + k % 2;
            image *other = draw_with(kernels[k], &p, &actual);
            picture_compare(kernels[k]->name, seed, plain, other, 0.0);
            assert_memory_equal(&expected, &actual, sizeof expected);
            image_destroy(&other);
        }
        image_destroy(&plain);
    }
    test_grid_destroy(&grid);
    render_transfer_destroy(&transfer);
}

/* ---- Blocks that only abut --------------------------------------------------------- */

/* A ray on which blocks overlap is followed twice: its cells are counted once more. If
 * blocks share their faces, no ray is followed twice but a few that miss patches near an
 * outline. Seen from the other side, patches are found at slightly other places. */
static void rays_through_blocks_that_abut_are_followed_once(void **state)
{
    (void)state;
    render_transfer *transfer = picture_transfer_ramp(0.05, 0.3);
    test_grid grid = create_crooked(BLOCKS - 1);
    int64_t sum[2] = {0, 0};
    for (uint64_t seed = 1; seed <= 16; seed++) {
        picture p = picture_of_crooked(&grid, transfer, seed);
        render_counters expected, actual;
        image *linear = picture_draw(&p, &expected);
        p.style.trilinear = true;
        image *trilinear = picture_draw(&p, &actual);
        sum[0] += expected.crossings;
        sum[1] += actual.crossings;
        image_destroy(&linear);
        image_destroy(&trilinear);
    }
    check_within("cells crossed", 0, (double)sum[0], 1.002 * (double)sum[0],
                 (double)sum[1]);
    test_grid_destroy(&grid);
    render_transfer_destroy(&transfer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_of_overlapping_blocks_add_up),
        cmocka_unit_test(parts_of_overlapping_blocks_with_cells_add_up),
        cmocka_unit_test(kernels_change_no_bit_of_overlapping_blocks),
        cmocka_unit_test(rays_through_blocks_that_abut_are_followed_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
