/*
 * Pictures with quadratic scalars, the default, are nearer to the truth than those of
 * five tetrahedra a cell, as other programs draw them.
 *
 *   test_tetrahedra OUT_FOLDER                  generated grids
 *   test_tetrahedra OUT_FOLDER CONFIG DATA.h5   the combustor
 *
 * Generated grids are coarse and bent, with cells many pixels wide.
 */
#include "io/config/config.h"
#include "support/random.h"
#include "tests/support/read_config.h"
#include "versus.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    EXIT_SKIPPED = 77,
    SIDE = 128,
    STRIDE = TETRAHEDRA_STRIDE, /* every so many columns and rows a pixel is compared */
    CELL_STRIDE = 7             /* the same for single cells, which are quick */
};

/* Quadratic pictures may not exceed the errors of tetrahedra. The worst pixel may be off
 * by so many counts. */
static const versus_limits limits = {.mean = 0.0, .percentile99 = 0.0, .worst = 1.5};

/* What halving the step of the truth may change, in counts. */
static const double most_unsure = 0.02;

static const char *scratch, *config_path, *data_path;

/* ---- Generated grids --------------------------------------------------------------- */

/* Colours and opacities with several maxima over a field from 0 to 1. */
static const double colors[4][4] = {{0.0, 0.1, 0.2, 0.9},
                                    {0.4, 0.2, 0.9, 0.6},
                                    {0.7, 0.9, 0.8, 0.2},
                                    {1.0, 0.9, 0.1, 0.1}};
static const double opacities[5][2] = {
    {0.0, 0.1}, {0.3, 0.15}, {0.5, 0.4}, {0.7, 0.1}, {1.0, 0.6}};

/* A grid and a view from inside. */
typedef struct hard_case {
    const char *name, *field;
    int64_t size[3];
    vec3 eye, target;
} hard_case;

static const hard_case hard_cases[] = {
    {.name = "c-grid",
     .field = "wave",
     .size = {33, 10, 5},
     .eye = {{1.3, 0.4, 0.45}},
     .target = {{-0.5, 0.1, 0.5}}},
    {.name = "o-grid",
     .field = "wave",
     .size = {9, 25, 5},
     .eye = {{1.1, 0.6, 0.45}},
     .target = {{-1.0, 0.2, 0.6}}},
    {.name = "orientations",
     .field = "wave",
     .size = {4, 4, 4},
     .eye = {{0.13, 0.2, -0.4}},
     .target = {{1.0, 0.5, 0.2}}},
    {.name = "ball",
     .field = "wave",
     .size = {6, 13, 25},
     .eye = {{0.3, 0.2, 0.4}},
     .target = {{-0.3, 0.1, -0.2}}},
    {.name = "wall",
     .field = "speed",
     .size = {17, 41, 5},
     .eye = {{0.2, 0.2, 0.1}},
     .target = {{0.9, 0.03, 0.3}}},
    {.name = "warped-box",
     .field = "blob",
     .size = {9, 8, 7},
     .eye = {{-0.72, -0.55, 0.43}},
     .target = {{0.3, 0.1, 0.1}}},
};

static void open_dataset(const dataset *set, const int64_t size[3], const char *field,
                         versus *all)
{
    char path[1024];
    *all = (versus){0};
    hard_write(set, size, scratch, set->name);
    snprintf(path, sizeof path, "%s/%s.h5", scratch, set->name);
    all->fast = hard_open(scratch, set->name, field);
    assert_int_equal(reference_grid_read(path, 0, field, &all->grid), STATUS_OK);
    versus_prepare(all);
    double diagonal = hard_diagonal(&all->fast);
    all->step = diagonal / 1200.0;
    all->transfer = (reference_transfer){.ncolors = 4,
                                         .colors = colors,
                                         .nopacities = 5,
                                         .opacities = opacities,
                                         .range = {0.0, 1.0},
                                         .unit_length = diagonal / 10.0};
}

static reference_camera hard_outside(const versus *all)
{
    box3 bounds = hard_bounds(&all->fast);
    vec3 center = vec3_scale(vec3_add(bounds.lo, bounds.hi), 0.5);
    vec3 away = vec3_scale(vec3_make(-0.5, -1.0, 0.7), hard_diagonal(&all->fast));
    return hard_camera_from(vec3_add(center, away), center, 38.0, SIDE);
}

static bool judge(versus *all, const reference_camera *camera, const char *name[2])
{
    versus_errors errors =
        versus_measure(all, camera, camera->columns / SIDE * STRIDE, name[0]);
    const bool good = versus_is_better(&errors, &limits) && errors.own < most_unsure;
    versus_print(name, &errors);
    printf("%-13s %-11s %s\n", name[0], name[1], good ? "ok" : "FAILED");
    return good;
}

static void generated_grids_are_nearer_to_the_truth_than_tetrahedra(void **unused)
{
    (void)unused;
    bool good = true;
    versus_print_heading();
    for (size_t n = 0; n < sizeof hard_cases / sizeof hard_cases[0]; n++) {
        const hard_case *c = &hard_cases[n];
        versus all;
        open_dataset(dataset_find(c->name), c->size, c->field, &all);
        reference_camera outside = hard_outside(&all),
                         inside = hard_camera_from(c->eye, c->target, 75.0, SIDE);
        const char *names[2][2] = {{c->name, "outside"}, {c->name, "inside"}};
        good = judge(&all, &outside, names[0]) && good;
        good = judge(&all, &inside, names[1]) && good;
        versus_clear(&all);
    }
    assert_true(good);
}

/* ---- Cells larger than features ---------------------------------------------------- */

enum { BENT_CELLS = 6 };

/* The bent cell that is made: 0 to BENT_CELLS - 1. */
static uint64_t bent_cell;

/* The unit cube, with a corner moved by 40 % of its side in a random direction. */
static dataset_vertex bent_vertex(const int64_t size[3], int block, const int64_t at[3])
{
    (void)size;
    (void)block;
    uint64_t state = random_start(1, bent_cell);
    const int64_t moved = (int64_t)(random_bits(&state) >> 61);
    vec3 p = vec3_make((double)at[0], (double)at[1], (double)at[2]), off;
    for (int axis = 0; axis < 3; axis++) {
        off.v[axis] = random_between(&state, -1.0, 1.0);
    }
    if (at[0] + 2 * at[1] + 4 * at[2] == moved) {
        p = vec3_add(p, vec3_scale(off, 0.4 / vec3_length(off)));
    }
    return (dataset_vertex){.position = p};
}

/* A random scalar at each corner of the cell. */
static void bent_scalar(vec3 p, double time, double *out)
{
    (void)time;
    const int corner = (p.v[0] > 0.5) + 2 * (p.v[1] > 0.5) + 4 * (p.v[2] > 0.5);
    uint64_t state = random_start(2 + bent_cell, (uint64_t)corner);
    *out = random_between(&state, 0.0, 1.0);
}

static const char *const bent_blocks[] = {"cell"};
static const grid_field bent_fields[] = {{.name = "random", .location = GRID_VERTEX}};

static const dataset bent_set = {
    .name = "bent-cell",
    .size = {2, 2, 2},
    .minimum = {2, 2, 2},
    .steps = 1,
    .nblocks = 1,
    .block_names = bent_blocks,
    .nfields = 1,
    .fields = bent_fields,
    .vertex = bent_vertex,
    .evaluate = bent_scalar,
};

/* Most counts of the 99th percentile by default where a cell is larger than features. */
static const double most_in_a_bent_cell = 3.0;

static void a_bent_cell_shows_all_its_features(void **unused)
{
    (void)unused;
    bool good = true;
    versus_print_heading();
    for (bent_cell = 0; bent_cell < BENT_CELLS; bent_cell++) {
        char number[16];
        const char *names[2] = {"bent cell", number};
        versus all;
        open_dataset(&bent_set, bent_set.size, "random", &all);
        reference_camera outside = hard_outside(&all);
        versus_errors errors = versus_measure(&all, &outside, CELL_STRIDE, names[0]);
        snprintf(number, sizeof number, "%d", (int)bent_cell);
        versus_print(names, &errors);
        good = good && versus_is_nearest(&errors, VERSUS_TRILINEAR) &&
               errors.inside[VERSUS_QUADRATIC].percentile99 <= most_in_a_bent_cell;
        versus_clear(&all);
    }
    assert_true(good);
}

/* Peaks of the transfer function: how much of the range they are wide, and their
 * extinction. The narrowest are soft isosurfaces. */
static const struct {
    double width, extinction;
} peaks[] = {{0.002, 500.0}, {0.01, 200.0}, {0.03, 60.0}, {0.1, 40.0}};

/* A grid, with its number of cells. */
static const struct {
    const char *name, *field;
    int64_t size[3];
} peak_grids[] = {{"o-grid", "wave", {17, 49, 9}},
                  {"ball", "wave", {6, 13, 25}},
                  {"warped-box", "blob", {9, 8, 7}}};

/* Most counts of the worst trilinear pixel. Cells are trilinear by default with such
 * peaks, as quadratic pictures may be off by up to 42 counts. */
static const double most_at_a_peak = 1.5;

static bool judge_peak(versus *all, int n, const char *grid)
{
    const double half = 0.5 * peaks[n].width;
    const double peak[5][2] = {{0.0, 0.0},
                               {0.6 - half, 0.0},
                               {0.6, peaks[n].extinction},
                               {0.6 + half, 0.0},
                               {1.0, 0.0}};
    char width[32];
    snprintf(width, sizeof width, "peak %g", peaks[n].width);
    const char *names[2] = {grid, width};
    all->transfer.opacities = peak;
    reference_camera outside = hard_outside(all);
    versus_errors errors = versus_measure(all, &outside, STRIDE, grid);
    versus_print(names, &errors);
    return errors.inside[VERSUS_TRILINEAR].worst <= most_at_a_peak;
}

static void narrow_peaks_show(void **unused)
{
    (void)unused;
    bool good = true;
    versus_print_heading();
    for (size_t g = 0; g < sizeof peak_grids / sizeof peak_grids[0]; g++) {
        versus all;
        open_dataset(dataset_find(peak_grids[g].name), peak_grids[g].size,
                     peak_grids[g].field, &all);
        all.transfer.opacities_are_extinction = true;
        all.transfer.unit_length = 1.0;
        all.step *= 0.25;
        for (int n = 0; n < (int)(sizeof peaks / sizeof peaks[0]); n++) {
            good = judge_peak(&all, n, peak_grids[g].name) && good;
        }
        versus_clear(&all);
    }
    assert_true(good);
}

/* ---- The combustor ----------------------------------------------------------------- */

typedef struct combustor_view {
    const char *name;
    vec3 eye, target;
    double fov;
} combustor_view;

/* The first is that of the config. */
static const combustor_view combustor_views[] = {
    {"config", {{-11.98394, -22.07885, 51.10597}}, {{8.255, 0.0, 29.76308}}, 30.0},
    {"behind", {{32.0, 18.0, 45.0}}, {{8.255, 0.0, 29.76308}}, 30.0},
    {"above", {{8.0, 3.0, 62.0}}, {{8.255, 0.0, 29.76308}}, 28.0},
    {"along", {{-22.0, 1.0, 30.5}}, {{8.255, 0.0, 29.76308}}, 26.0},
    {"inside", {{5.0, 0.5, 30.0}}, {{12.0, 0.2, 29.0}}, 75.0},
    {"inside back", {{13.0, -1.0, 30.0}}, {{6.0, 1.0, 29.5}}, 75.0},
};

/* The caller destroys the config, from which the transfer function borrows. */
static void open_combustor(io_config **config, versus *all)
{
    char data[4096];
    *all = (versus){.step = 0.02};
    snprintf(data, sizeof data, "data.file=%s", data_path);
    const char *const overrides[] = {data};
    const reference_paths paths = {.x = {"/grid/x", "/grid/y", "/grid/z"},
                                   .scalar = "/flow/density"};
    status s = read_config(config_path, 1, overrides, config);
    if (s == STATUS_OK) {
        s = fast_volume_open(&(*config)->data, (*config)->volume->field, 0, &all->fast);
    }
    s = s == STATUS_OK ? reference_grid_read_paths(data_path, &paths, &all->grid) : s;
    if (s != STATUS_OK) {
        fail_msg("%s", base_fail_message());
    }
    all->transfer = fast_transfer_of((*config)->volume);
    versus_prepare(all);
}

static void combustor_is_nearer_to_the_truth_than_tetrahedra(void **unused)
{
    (void)unused;
    io_config *config = NULL;
    versus all;
    open_combustor(&config, &all);
    bool good = true;
    versus_print_heading();
    for (size_t n = 0; n < sizeof combustor_views / sizeof combustor_views[0]; n++) {
        const combustor_view *v = &combustor_views[n];
        reference_camera camera = hard_camera_from(v->eye, v->target, v->fov, 2 * SIDE);
        camera.up = vec3_make(0.0, 0.0, 1.0);
        if (strcmp(v->name, "above") == 0) {
            camera.up = vec3_make(1.0, 0.0, 0.0);
        }
        const char *names[2] = {"combustor", v->name};
        good = judge(&all, &camera, names) && good;
    }
    versus_clear(&all);
    io_config_destroy(&config);
    assert_true(good);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest generated[] = {
        cmocka_unit_test(generated_grids_are_nearer_to_the_truth_than_tetrahedra),
        cmocka_unit_test(a_bent_cell_shows_all_its_features),
        cmocka_unit_test(narrow_peaks_show),
    };
    const struct CMUnitTest combustor[] = {
        cmocka_unit_test(combustor_is_nearer_to_the_truth_than_tetrahedra),
    };
    if (argc != 2 && argc != 4) {
        fprintf(stderr, "usage: test_tetrahedra OUT_FOLDER [CONFIG.yaml DATA.h5]\n");
        return 2;
    }
    scratch = argv[1];
    if (argc == 4 && access(argv[3], R_OK) != 0) {
        printf("skipped: %s is not here\n", argv[3]);
        return EXIT_SKIPPED;
    }
    config_path = argv[argc - 2];
    data_path = argv[argc - 1];
    MPI_Init(NULL, NULL);
    int failures = argc == 4 ? cmocka_run_group_tests(combustor, NULL, NULL)
                             : cmocka_run_group_tests(generated, NULL, NULL);
    MPI_Finalize();
    return failures;
}
