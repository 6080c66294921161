/*
 * Fields in cells.
 *
 *   test_cell_fields OUT_FOLDER [CASES SEED]
 *
 * A contour that is not smooth fills each cell with its own value, and as many colours as
 * there are bands are the colours of these bands. Blocks that match give the picture of
 * the same cells in one block, also of fields at vertices; with CASES, blocks of random
 * cuts (by hand).
 */
#include "base/parallel/parallel.h"
#include "library/karman.h"
#include "mpi/test_io_support.h"
#include "support/file.h"
#include "support/random.h"

#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 160, HEIGHT = 120 };

static const char *folder;

/* ---- Pictures ---------------------------------------------------------------------- */

/* Draws layers of DATA.h5 as NAME.png. color: a key of the image. Collective. */
static void draw(const char *name, const char *data, const char *color,
                 const char *layers)
{
    char config[1024];
    snprintf(config, sizeof config, "%s/%s.yaml", folder, name);
    if (is_root()) {
        FILE *file = test_file_create(config);
        fprintf(file,
                "data: {file: %s.h5}\n"
                "image: {width: %d, height: %d, samples: 1, color: %s}\n"
                "%s\noutput: {frames: %s.png}\n",
                data, WIDTH, HEIGHT, color, layers, name);
        fclose(file);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    karman_options options = {.threads = 1, .quiet = true};
    const int code = karman_render_config(MPI_COMM_WORLD, config, &options);
    check(code == KARMAN_DONE, "%s: %s", name,
          code == KARMAN_DONE ? "" : karman_message());
}

/* The pixels of NAME.png, [HEIGHT][WIDTH][3]; malloc'ed. */
static uint8_t *pixels_of(const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.png", folder, name);
    png_image png = {.version = PNG_IMAGE_VERSION};
    uint8_t *pixels = calloc(3, (size_t)(WIDTH * HEIGHT));
    if (!pixels || !png_image_begin_read_from_file(&png, path) || png.width != WIDTH ||
        png.height != HEIGHT) {
        check(false, "%s: %s", path, png.message);
        return pixels;
    }
    png.format = PNG_FORMAT_RGB;
    png_image_finish_read(&png, NULL, pixels, 0, NULL);
    return pixels;
}

/* ---- Values of cells --------------------------------------------------------------- */

enum { COLUMNS = 8, ROWS = 6, LAYERS = 2, MATERIALS = 5 };

static int material_of(int i, int j)
{
    return 1 + (i * 3 + j * 2 + i * j) % MATERIALS;
}

static void write_materials(void)
{
    char path[1024];
    double x[3 * 7 * 9], y[3 * 7 * 9], z[3 * 7 * 9], m[2 * 6 * 8];
    const hsize_t vertices[3] = {LAYERS + 1, ROWS + 1, COLUMNS + 1};
    const hsize_t cells[3] = {LAYERS, ROWS, COLUMNS};
    for (int n = 0; n < 3 * 7 * 9; n++) {
        x[n] = n % 9;
        y[n] = n / 9 % 7;
        z[n] = n / 63;
    }
    for (int n = 0; n < 2 * 6 * 8; n++) {
        m[n] = material_of(n % 8, n / 8 % 6); /* alike in both layers */
    }
    snprintf(path, sizeof path, "%s/materials.h5", folder);
    hid_t file = file_create(path);
    file_write(file, "/grid/a/x", H5T_NATIVE_FLOAT, 3, vertices, x);
    file_write(file, "/grid/a/y", H5T_NATIVE_FLOAT, 3, vertices, y);
    file_write(file, "/grid/a/z", H5T_NATIVE_FLOAT, 3, vertices, z);
    file_write(file, "/flow/0/a/material", H5T_NATIVE_FLOAT, 3, cells, m);
    H5Fclose(file);
}

/* Draws the materials, and looks at pixels in all cells. */
static void check_materials(const char *name, const char *place, const char *style,
                            const char *levels, const char *color)
{
    static const uint8_t colors[MATERIALS][3] = {{0x1b, 0x9e, 0x77},
                                                 {0xd9, 0x5f, 0x02},
                                                 {0x75, 0x70, 0xb3},
                                                 {0xe7, 0x29, 0x8a},
                                                 {0x66, 0xa6, 0x1e}};
    char layers[2048];
    snprintf(layers, sizeof layers,
             "layers:\n  - contour: {field: material, %s, smooth: false, style: %s, %s, "
             "colors: ['#1b9e77', '#d95f02', '#7570b3', '#e7298a', '#66a61e']}\n"
             "camera: {position: [4, 3, 10], look_at: [4, 3, 0], up: [0, 1, 0], "
             "projection: orthographic, height: 6}",
             place, style, levels);
    draw(name, "materials", color, layers);
    if (!is_root()) {
        return;
    }
    uint8_t *pixels = pixels_of(name);
    int wrong = 0;
    for (int cell = 0; cell < ROWS * COLUMNS; cell++) {
        const int i = cell % COLUMNS, j = cell / COLUMNS;
        for (int n = 0; n < 9; n++) {
            const int x = 20 * i + 7 + 3 * (n % 3), y = 20 * (ROWS - 1 - j) + 7 + n;
            const uint8_t *found = pixels + 3 * (y * WIDTH + x);
            wrong += memcmp(found, colors[material_of(i, j) - 1], 3) != 0;
        }
    }
    check(wrong == 0, "%s: %d pixels have another colour than their cell", name, wrong);
    free(pixels);
}

static void cells_have_the_colours_of_their_bands(void)
{
    const char *levels = "levels: [0.5, 1.5, 2.5, 3.5, 4.5, 5.5], range: [0.5, 5.5]";
    const char *inner = "levels: [1.5, 2.5, 3.5, 4.5], range: [1, 5]";
    const char *plane = "plane: {point: [0, 0, 0.3], normal: [0, 0, 1]}";
    if (is_root()) {
        write_materials();
    }
    check_materials("flat-face", "k: 1", "fringes", levels, "display");
    check_materials("flat-top", "k: -1", "fringes", inner, "linear");
    check_materials("flat-between", "k: 0.5", "fringes", "levels: 4, range: [0.5, 5.5]",
                    "display");
    check_materials("flat-plane", plane, "fringes", levels, "display");
    check_materials("flat-auto", plane, "fringes", "levels: [1.5, 2.5, 3.5, 4.5]",
                    "display");
}

/* Lines stay those of the continuous field; between them cells are filled as before. */
static void lines_lie_over_filled_cells(void)
{
    const char *camera =
        "camera: {position: [4, 3, 10], look_at: [4, 3, 0], up: [0, 1, 0], projection: "
        "orthographic, height: 6}";
    const char *layer = "layers:\n  - contour: {field: material, k: 1, levels: [2.2, "
                        "3.1], range: [1, 5], line_width: 2, line_color: white, ";
    const char *styles[3] = {"style: fringes, smooth: false}",
                             "style: both, smooth: false}", "style: both, color: black}"};
    uint8_t *pixels[3];
    for (int n = 0; n < 3; n++) {
        char name[32], text[1024];
        snprintf(name, sizeof name, "lines-%d", n);
        snprintf(text, sizeof text, "%s%s\n%s", layer, styles[n], camera);
        draw(name, "materials", "display", text);
        MPI_Barrier(MPI_COMM_WORLD);
        pixels[n] = pixels_of(name);
    }
    int lines = 0, wrong = 0;
    for (int n = 0; n < 3 * WIDTH * HEIGHT; n++) {
        const double line = pixels[2][n] / 255.0; /* its share of the pixel */
        const double expected = pixels[0][n] + line * (255.0 - pixels[0][n]);
        lines += pixels[2][n] > 0;
        wrong += fabs(expected - pixels[1][n]) > 1.5;
    }
    check(lines > WIDTH, "there are lines in %d channels", lines);
    check(wrong == 0, "%d channels are neither of lines nor of cells", wrong);
    for (int n = 0; n < 3; n++) {
        free(pixels[n]);
    }
}

/* ---- Blocks that match --------------------------------------------------------------
 */

enum { NI = 20, NJ = 14, NK = 10, FIELDS = 4 };

static const char *const field_names[FIELDS] = {"c", "velocity_x", "velocity_y",
                                                "velocity_z"};

/* Coordinates 0 to 2 of a vertex, as float32 has them. */
static double coordinate(int axis, double i, double j, double k)
{
    const double at[3] = {0.2 * i + 0.1 * sin(0.5 * j) + 0.003 * i * i,
                          0.2 * j + 0.1 * sin(0.4 * i + 0.2 * k),
                          0.2 * k + 0.05 * sin(0.7 * i + 0.3 * j)};
    return (double)(float)at[axis];
}

static double field_value(int field, double i, double j, double k)
{
    const double x = coordinate(0, i + 0.5, j + 0.5, k + 0.5);
    const double y = coordinate(1, i + 0.5, j + 0.5, k + 0.5);
    const double z = coordinate(2, i + 0.5, j + 0.5, k + 0.5);
    switch (field) {
    case 0:
        return sin(1.3 * x + 0.4 * y) + 0.7 * cos(1.1 * y - z);
    case 1:
        return sin(2.0 * y + z);
    case 2:
        return z * cos(1.5 * x);
    default:
        return sin(x + y);
    }
}

/* Cells [lo, hi) along i and j of the grid make a block. With `turned`, its i, j, k are
 * the grid's j, k, i, and i runs downwards. */
typedef struct cut_block {
    int lo[2], hi[2];
    bool turned;
} cut_block;

typedef struct cut_grid {
    const char *name;
    int count;
    cut_block blocks[4];
    double noise;     /* of coordinates of later blocks, in units of float32's rounding */
    bool at_vertices; /* fields */
} cut_grid;

static const cut_grid cut_grids[] = {
    {"one", 1, {{{0, 0}, {NI, NJ}, false}}, 0.0, false},
    {"two", 2, {{{0, 0}, {9, NJ}, false}, {{9, 0}, {NI, NJ}, true}}, 0.0, false},
    {"four",
     4,
     {{{0, 0}, {7, 6}, true},
      {{7, 0}, {NI, 6}, false},
      {{0, 6}, {7, NJ}, false},
      {{7, 6}, {NI, NJ}, true}},
     0.0,
     false},
    {"rounded",
     3,
     {{{0, 0}, {16, NJ}, false}, {{16, 0}, {NI, 3}, true}, {{16, 3}, {NI, NJ}, false}},
     1.0,
     false},
    {"one-vertices", 1, {{{0, 0}, {NI, NJ}, false}}, 0.0, true},
    {"three-vertices",
     3,
     {{{0, 0}, {9, 8}, true}, {{9, 0}, {NI, 8}, false}, {{0, 8}, {NI, NJ}, true}},
     1.0,
     true}};

enum { CUTS = sizeof cut_grids / sizeof cut_grids[0] };

/* Writes an array of a block: coordinate 0 to 2, then fields. */
static void write_array(hid_t file, const char *path, const cut_grid *grid, int block,
                        int number)
{
    const cut_block *b = &grid->blocks[block];
    const bool is_field = number >= 3;
    const double noise = block > 0 && !is_field ? grid->noise : 0.0;
    const double back = grid->at_vertices ? 0.5 : 0.0; /* from a cell to its vertex */
    const int more = is_field && !grid->at_vertices ? 0 : 1;
    const int n[3] = {b->hi[0] - b->lo[0] + more, b->hi[1] - b->lo[1] + more, NK + more};
    static double values[(NI + 1) * (NJ + 1) * (NK + 1)];
    size_t count = 0;
    const int *side = n;
    const int turned[3] = {n[1], n[2], n[0]};
    side = b->turned ? turned : n;
    for (int c = 0; c < side[2]; c++) {
        for (int d = 0; d < side[1]; d++) {
            for (int a = 0; a < side[0]; a++) {
                const int i = b->lo[0] + (b->turned ? side[2] - 1 - c : a);
                const int j = b->lo[1] + (b->turned ? a : d), k = b->turned ? d : c;
                const double value =
                    is_field ? field_value(number - 3, i - back, j - back, k - back)
                             : coordinate(number, i, j, k);
                values[count++] = value * (1.0 + noise * 6e-8);
            }
        }
    }
    const hsize_t dims[3] = {(hsize_t)side[2], (hsize_t)side[1], (hsize_t)side[0]};
    file_write(file, path, H5T_NATIVE_FLOAT, 3, dims, values);
}

static void write_cut(const cut_grid *grid)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.h5", folder, grid->name);
    hid_t file = file_create(path);
    for (int b = 0; b < grid->count; b++) {
        for (int axis = 0; axis < 3; axis++) {
            snprintf(path, sizeof path, "/grid/b%d/%c", b, "xyz"[axis]);
            write_array(file, path, grid, b, axis);
        }
        for (int f = 0; f < FIELDS; f++) {
            snprintf(path, sizeof path, "/flow/0/b%d/%s", b, field_names[f]);
            write_array(file, path, grid, b, 3 + f);
        }
    }
    H5Fclose(file);
}

#define CUT_PLANE "plane: {point: [2, 1.3, 0.93], normal: [0.1, 0.2, 1]}"

static const char *const cut_layers[] = {
    "isosurface: {field: c, value: 0.3}",
    "contour: {field: c, " CUT_PLANE ", levels: 12, style: both, range: [-1.7, 1.7]}",
    "contour: {field: c, " CUT_PLANE ", levels: 12}",
    "contour: {field: vorticity_z, " CUT_PLANE ", levels: 12, style: both}",
    "isosurface: {field: q_criterion, value: 0.5}",
    "volume: {field: vorticity_magnitude, opacity: [[0, 0], [1, 0.6]], shade: {}}",
    "contour: {field: own, " CUT_PLANE ", levels: 12, style: both}",
    "volume: {field: own, opacity: [[0, 0], [1, 0.6]], shade: {}}",
    "volume: {field: velocity_magnitude, opacity: [[0, 0.1], [1, 0.6]]}",
    "volume: {field: velocity_magnitude, opacity: [[0, 0.1], [1, 0.6]], shade: {}}",
    "volume: {field: c, opacity: [[0, 0.1], [1, 0.6]], shade: {specular: 0.6}, "
    "opacity_by_gradient: [[0, 0.2], [1, 1]]}"};

enum { CUT_LAYERS = sizeof cut_layers / sizeof cut_layers[0] };

static int current_case = -1; /* of random cuts */

static void compare(const char *name, const char *expected_name)
{
    uint8_t *found = pixels_of(name), *expected = pixels_of(expected_name);
    int worst = 0, lit = 0;
    for (int n = 0; n < 3 * WIDTH * HEIGHT; n++) {
        const int difference = abs(found[n] - expected[n]);
        worst = difference > worst ? difference : worst;
        lit += expected[n] > 0;
    }
    check(worst <= 1, "%s differs from %s by %d counts (case %d)", name, expected_name,
          worst, current_case);
    check(lit > WIDTH * HEIGHT / 10, "%s shows nothing", expected_name);
    free(found);
    free(expected);
}

/* Draws a layer of a grid. Collective. */
static void draw_cut(const char *grid, int layer)
{
    char layers[1024], name[64];
    snprintf(layers, sizeof layers,
             "camera: {position: [6, -5, 8], look_at: [2.4, 1.4, 1], up: [0, 0, 1], "
             "fov: 32}\n"
             "derive: {own: \"mag(curl(velocity)) * (2 + sin(x)) + 0.1 * c * time\"}\n"
             "layers:\n  - %s",
             cut_layers[layer]);
    snprintf(name, sizeof name, "%s-%d", grid, layer);
    draw(name, grid, "display", layers);
}

/* The grid of one block. */
static const cut_grid *one_of(bool at_vertices)
{
    const cut_grid *one = cut_grids;
    while (one->count != 1 || one->at_vertices != at_vertices) {
        one++;
    }
    return one;
}

/* Compares a grid's layer with that of the grid of one block. Collective. */
static void check_cut(const cut_grid *grid, int layer)
{
    char one[64], name[64];
    draw_cut(grid->name, layer);
    snprintf(name, sizeof name, "%s-%d", grid->name, layer);
    snprintf(one, sizeof one, "%s-%d", one_of(grid->at_vertices)->name, layer);
    if (is_root()) {
        compare(name, one);
    }
}

static void blocks_that_match_give_the_picture_of_one(void)
{
    for (int g = 0; g < CUTS && is_root(); g++) {
        write_cut(&cut_grids[g]);
    }
    for (int n = 0; n < CUT_LAYERS; n++) {
        draw_cut(one_of(false)->name, n);
        draw_cut(one_of(true)->name, n);
        for (int g = 0; g < CUTS; g++) {
            if (cut_grids[g].count > 1) {
                check_cut(&cut_grids[g], n);
            }
        }
    }
}

/* ---- Blocks whose vertices do not match --------------------------------------------
 */

/* Writes a block of n cells from lo to hi, and a field that rises with z. */
static void write_box(hid_t file, int block, const int n[3], const double lo[3],
                      const double hi[3])
{
    for (int array = 0; array < 4; array++) {
        const int more = array < 3 ? 1 : 0;
        const int side[3] = {n[0] + more, n[1] + more, n[2] + more};
        const size_t count = (size_t)(side[0] * side[1] * side[2]);
        double *values = malloc(count * sizeof *values);
        char path[64];
        for (size_t v = 0; v < count; v++) {
            const int index[3] = {(int)v % side[0], (int)v / side[0] % side[1],
                                  (int)v / (side[0] * side[1])};
            double at[3];
            for (int axis = 0; axis < 3; axis++) {
                const double place = index[axis] + (array < 3 ? 0.0 : 0.5);
                at[axis] = lo[axis] + (hi[axis] - lo[axis]) * place / n[axis];
            }
            values[v] = array < 3
                            ? at[array]
                            : at[2] + 0.3 * sin(3.0 * at[1]) + 0.2 * cos(4.0 * at[0]);
        }
        if (array < 3) {
            snprintf(path, sizeof path, "/grid/b%d/%c", block, "xyz"[array]);
        } else {
            snprintf(path, sizeof path, "/flow/0/b%d/c", block);
        }
        const hsize_t dims[3] = {(hsize_t)side[2], (hsize_t)side[1], (hsize_t)side[0]};
        file_write(file, path, H5T_NATIVE_FLOAT, 3, dims, values);
        free(values);
    }
}

/* Draws an isosurface that fills the picture across a border at x = 1; returns how many
 * pixels it lacks. The light comes from the camera. */
static int count_holes(const char *name, const int fine[3])
{
    char path[1024];
    if (is_root()) {
        snprintf(path, sizeof path, "%s/%s.h5", folder, name);
        hid_t file = file_create(path);
        write_box(file, 0, (const int[3]){8, 8, 8}, (const double[3]){0, 0, 0},
                  (const double[3]){1, 1, 2});
        write_box(file, 1, fine, (const double[3]){1, 0, 0}, (const double[3]){2, 1, 2});
        H5Fclose(file);
    }
    int holes = 0;
    for (int side = -1; side <= 1; side += 2) { /* a step hides behind itself on one */
        char layers[512];
        snprintf(layers, sizeof layers,
                 "camera: {position: [%d, 0.5, 6], look_at: [1, 0.5, 1], up: [0, 1, 0], "
                 "projection: orthographic, height: 0.5}\n"
                 "layers:\n  - isosurface: {field: c, value: 1}",
                 1 + 5 * side);
        draw(name, name, "display", layers);
        uint8_t *pixels = is_root() ? pixels_of(name) : NULL;
        for (int n = 0; n < WIDTH * HEIGHT && pixels; n++) {
            holes += pixels[3 * n] + pixels[3 * n + 1] + pixels[3 * n + 2] == 0;
        }
        free(pixels);
    }
    return holes;
}

static void an_isosurface_does_not_crack_where_cells_become_finer(void)
{
    static const int fine[3][3] = {{16, 16, 16}, {16, 16, 8}, {12, 24, 24}};
    for (int n = 0; n < 3; n++) {
        const int holes = count_holes("finer", fine[n]);
        check(holes == 0, "%d pixels are holes beside %d x %d x %d cells", holes,
              fine[n][0], fine[n][1], fine[n][2]);
    }
}

/* Bilinear faces of other sizes cannot agree everywhere: 1400 pixels would be holes if
 * each block had only its own cells. */
static void cracks_at_other_borders_are_narrow(void)
{
    const int holes = count_holes("other", (const int[3]){11, 13, 11});
    check(holes < 60, "%d pixels are holes", holes);
}

/* ---- Random cuts ------------------------------------------------------------------- */

/* Cuts the grid in two along an axis, and both parts or one of them along the other. */
static cut_grid choose_cuts(uint64_t *state)
{
    const int sides[2] = {NI, NJ}, axis = (int)(random_word(state) % 2);
    cut_grid grid = {.name = "random",
                     .noise = (double)(random_word(state) % 3),
                     .at_vertices = random_word(state) % 2 == 1};
    const int at = 2 + (int)(random_word(state) % (uint32_t)(sides[axis] - 3));
    for (int half = 0; half < 2; half++) {
        cut_block block = {{0, 0}, {NI, NJ}, false};
        block.lo[axis] = half == 0 ? 0 : at;
        block.hi[axis] = half == 0 ? at : sides[axis];
        const int place = (int)(random_word(state) % (uint32_t)(sides[1 - axis] - 1));
        const int cut = place > 1 ? place : 0; /* two cells or more on both sides */
        for (int part = 0; part < (cut > 0 ? 2 : 1); part++) {
            cut_block *to = &grid.blocks[grid.count++];
            *to = block;
            to->turned = random_word(state) % 2 == 1;
            to->lo[1 - axis] = part == 0 ? 0 : cut;
            to->hi[1 - axis] = cut > 0 && part == 0 ? cut : sides[1 - axis];
        }
    }
    return grid;
}

static void draw_random_cuts(int cases, uint64_t seed)
{
    for (int place = 0; place < 2; place++) {
        if (is_root()) {
            write_cut(one_of(place == 1));
        }
        for (int n = 0; n < CUT_LAYERS; n++) {
            draw_cut(one_of(place == 1)->name, n);
        }
    }
    for (int n = 0; n < cases; n++) {
        uint64_t state = random_start(seed, (uint64_t)n);
        const cut_grid grid = choose_cuts(&state);
        const int layer = (int)(random_word(&state) % CUT_LAYERS);
        current_case = n;
        if (is_root()) {
            write_cut(&grid);
        }
        check_cut(&grid, layer);
    }
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (argc != 2 && argc != 4) {
        fprintf(stderr, "usage: test_cell_fields OUT_FOLDER [CASES SEED]\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    folder = argv[1];
    if (argc == 4) {
        draw_random_cuts(atoi(argv[2]), strtoull(argv[3], NULL, 10));
        const int failed = finish_tests();
        MPI_Finalize();
        return failed;
    }
    run_test("cells have the colours of their bands",
             cells_have_the_colours_of_their_bands);
    run_test("lines lie over filled cells", lines_lie_over_filled_cells);
    run_test("blocks that match give the picture of one",
             blocks_that_match_give_the_picture_of_one);
    run_test("an isosurface does not crack where cells become finer",
             an_isosurface_does_not_crack_where_cells_become_finer);
    run_test("cracks at other borders are narrow", cracks_at_other_borders_are_narrow);
    const int code = finish_tests();
    MPI_Finalize();
    return code;
}
