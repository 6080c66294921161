/* Colour maps: the shipped ones, files, folders, and inputs that are no colour map. */
#include "io/config/colors/colormap.h"
#include "support/file.h"
#include "support/scratch.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

typedef double point[4];

static point *load(const char *name, const char *folder, int *count)
{
    io_colormap map;
    base_fail_set_message("");
    if (io_colormap_read("test", name, folder, &map) != STATUS_OK) {
        fail_msg("expected a colour map, found: %s", base_fail_message());
    }
    point *points = map.colors;
    *count = map.ncolors;
    map.colors = NULL;
    io_colormap_free(&map);
    return points;
}

/* The colour of a piecewise-linear map. */
static void evaluate(int count, const point *points, double position, double rgb[3])
{
    int i = 0;
    while (i + 2 < count && points[i + 1][0] <= position) {
        i++;
    }
    double w = (position - points[i][0]) / (points[i + 1][0] - points[i][0]);
    for (int c = 0; c < 3; c++) {
        rgb[c] = (1.0 - w) * points[i][c + 1] + w * points[i + 1][c + 1];
    }
}

static void assert_color(const char *name, double position, double r, double g, double b,
                         double tolerance)
{
    int count = 0;
    point *points = load(name, "", &count);
    double rgb[3], expected[3] = {r, g, b};
    evaluate(count, points, position, rgb);
    free(points);
    for (int c = 0; c < 3; c++) {
        if (!(fabs(rgb[c] - expected[c]) <= tolerance)) {
            fail_msg("%s at %g, channel %d: expected %g, found %g", name, position, c,
                     expected[c], rgb[c]);
        }
    }
}

static void refuse(const char *name, const char *folder, status expected,
                   const char *fragment)
{
    io_colormap map = {0};
    base_fail_set_message("");
    status result = io_colormap_read("wake.yaml:9", name, folder, &map);
    if (result != expected || strstr(base_fail_message(), fragment) == NULL) {
        fail_msg("%s: expected %d: %s, found %d: %s", name, (int)expected, fragment,
                 (int)result, base_fail_message());
    }
    assert_null(map.colors);
}

static char *names[IO_COLORMAP_NAMES];
static int nnames;

static int list_maps(void **state)
{
    (void)state;
    nnames = io_colormap_names(names);
    return nnames > 80 ? 0 : -1;
}

static int forget_maps(void **state)
{
    (void)state;
    for (int n = 0; n < nnames; n++) {
        free(names[n]);
    }
    return 0;
}

static void every_shipped_map_ascends_from_0_to_1(void **state)
{
    (void)state;
    for (int n = 0; n < nnames; n++) {
        int count = 0;
        point *points = load(names[n], "", &count);
        assert_in_range(count, 2, 256);
        assert_float_equal(points[0][0], 0.0, 0.0);
        assert_float_equal(points[count - 1][0], 1.0, 0.0);
        for (int i = 1; i < count; i++) {
            assert_true(points[i][0] >= points[i - 1][0]);
        }
        free(points);
    }
}

/* A pixel of a NaN must not look like one of a value. */
static void every_shipped_map_has_a_nan_color_of_its_own(void **state)
{
    (void)state;
    for (int n = 0; n < nnames; n++) {
        io_colormap map;
        base_fail_set_message("");
        assert_int_equal(io_colormap_read("test", names[n], "", &map), STATUS_OK);
        assert_true(map.has_nan_color);
        assert_int_equal(map.nopacities, 0);
        assert_null(map.opacities);
        for (int i = 0; i <= 1000; i++) {
            double rgb[3], distance = 0.0;
            evaluate(map.ncolors, (const point *)map.colors, i / 1000.0, rgb);
            for (int c = 0; c < 3; c++) {
                distance = fmax(distance, fabs(rgb[c] - map.nan_color[c]));
            }
            if (!(distance > 0.15)) {
                fail_msg("%s: at %g it has its NaN colour", names[n], i / 1000.0);
            }
        }
        io_colormap_free(&map);
        assert_null(map.colors);
    }
}

/* Entries of the maps' published tables of 256 colours; half an 8-bit count is allowed.
 */
static void shipped_maps_follow_their_published_tables(void **state)
{
    (void)state;
    const double half = 0.5 / 255.0 + 1e-6;
    assert_color("viridis", 0.0, 0.267004, 0.004874, 0.329415, half);
    assert_color("viridis", 128.0 / 255.0, 0.127568, 0.566949, 0.550556, half);
    assert_color("viridis", 1.0, 0.993248, 0.906157, 0.143936, half);
    assert_color("plasma", 128.0 / 255.0, 0.798216, 0.280197, 0.469538, half);
    assert_color("inferno", 128.0 / 255.0, 0.735683, 0.215906, 0.330245, half);
    assert_color("cividis", 0.0, 0.0, 0.135112, 0.304751, half);
    assert_color("cividis", 1.0, 0.995737, 0.909344, 0.217772, half);
    assert_color("turbo", 0.0, 0.18995, 0.07176, 0.23217, half);
    assert_color("turbo", 128.0 / 255.0, 0.64362, 0.98999, 0.23356, half);
    assert_color("turbo", 1.0, 0.4796, 0.01583, 0.01055, half);
    assert_color("grey", 0.25, 0.25, 0.25, 0.25, 1e-12);
    assert_color("blue-to-red", 0.25, 0.0, 1.0, 1.0, 1e-12);
}

/* The diverging map is white in the middle, and its halves mirror in lightness. The
 * values between are those of Moreland's table for this map in the paper, in 8 bits. */
static void diverging_maps_run_through_white(void **state)
{
    (void)state;
    assert_color("cool-to-warm", 0.0, 0.231373, 0.298039, 0.752941, 1e-3);
    assert_color("cool-to-warm", 0.5, 0.865003, 0.865003, 0.865003, 1e-3);
    assert_color("cool-to-warm", 1.0, 0.705882, 0.0156863, 0.14902, 1e-3);
    const double count = 1.0 / 255.0;
    assert_color("cool-to-warm", 0.25, 141 * count, 176 * count, 254 * count,
                 2.0 * count);
    assert_color("cool-to-warm", 0.75, 244 * count, 152 * count, 122 * count,
                 2.0 * count);
}

/* matplotlib's maps by its names and ParaView's by theirs, at entries of their tables:
 * ColorBrewer's colours, Moreland's table, and ParaView's presets. */
static void maps_have_the_names_of_matplotlib_and_paraview(void **state)
{
    (void)state;
    const double half = 0.5 / 255.0 + 1e-6;
    assert_color("RdBu", 0.0, 103 / 255.0, 0.0, 31 / 255.0, half);
    assert_color("RdBu", 0.5, 247 / 255.0, 247 / 255.0, 247 / 255.0, half);
    assert_color("RdBu", 1.0, 5 / 255.0, 48 / 255.0, 97 / 255.0, half);
    assert_color("magma", 128.0 / 255.0, 0.716387, 0.214982, 0.47529, half);
    assert_color("coolwarm", 0.25, 0.552953, 0.689078, 0.995376, half);
    assert_color("jet", 0.0, 0.0, 0.0, 0.5, half);
    assert_color("jet", 0.5, 0.483871, 1.0, 0.483871, half);
    assert_color("Black-Body Radiation", 0.4, 0.901961, 0.0, 0.0, half);
    assert_color("Cool to Warm (Extended)", 0.25, 0.286275, 0.521569, 0.65098, half);
    assert_color("Cool to Warm", 0.5, 0.865003, 0.865003, 0.865003, half);
    assert_color("Viridis (matplotlib)", 1.0, 0.993248, 0.906157, 0.143936, half);
    assert_color("Grayscale", 0.25, 0.25, 0.25, 0.25, half);
}

static void case_spaces_and_hyphens_of_names_do_not_count(void **state)
{
    (void)state;
    const double half = 0.5 / 255.0 + 1e-6;
    assert_color("COOL_TO_WARM", 0.5, 0.865003, 0.865003, 0.865003, half);
    assert_color("viridis (MATPLOTLIB)", 1.0, 0.993248, 0.906157, 0.143936, half);
    assert_color("rdbu", 0.0, 103 / 255.0, 0.0, 31 / 255.0, half);
}

/* Position by position, to rounding; also for maps with jumps. */
static void a_name_with_r_is_the_map_turned_round(void **state)
{
    (void)state;
    static const char *const turned[] = {"viridis_r", "Cool to Warm (Extended)_r",
                                         "Haze_r"};
    for (size_t n = 0; n < sizeof turned / sizeof turned[0]; n++) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)strlen(turned[n]) - 2, turned[n]);
        int count = 0, back_count = 0;
        point *points = load(name, "", &count), *back = load(turned[n], "", &back_count);
        assert_int_equal(count, back_count);
        for (int i = 0; i < count; i++) {
            const double *a = points[i], *b = back[count - 1 - i];
            assert_true(fabs(a[0] - (1.0 - b[0])) <= 1e-15);
            assert_memory_equal(a + 1, b + 1, 3 * sizeof *a);
        }
        free(points);
        free(back);
    }
    refuse("viridis_r_r", "", STATUS_USAGE, "unknown colour map 'viridis_r_r'");
    refuse("_r", "", STATUS_USAGE, "unknown colour map '_r'");
}

/* A file with several maps in the user's folder: each has its name. */
static void maps_of_one_file_are_known_by_their_names(void **state)
{
    (void)state;
    const char *folder = scratch_folder();
    test_file_write(scratch_path("several.json"), "%s",
                    "[{\"Name\":\"first one\",\"RGBPoints\":[0,0,0,1, 1,1,0,0]},"
                    "{\"Name\":\"second\",\"Aliases\":[\"other\"],"
                    "\"RGBPoints\":[0,0,1,0, 1,1,1,1]}]");
    assert_int_equal(setenv("KARMAN_COLORMAPS", folder, 1), 0);
    assert_color("first one", 0.0, 0.0, 0.0, 1.0, 0.0);
    assert_color("second", 0.0, 0.0, 1.0, 0.0, 0.0);
    assert_color("Other", 0.0, 0.0, 1.0, 0.0, 0.0);
    unsetenv("KARMAN_COLORMAPS");
    assert_int_equal(unlink(scratch_path("several.json")), 0);
}

static void a_file_is_relative_to_the_folder_and_scaled_to_fractions(void **state)
{
    (void)state;
    const char *folder = scratch_folder();
    test_file_write(
        scratch_path("own.json"), "%s",
        "{\"ColorSpace\":\"RGB\",\"RGBPoints\":[-5,0,0,1, 0,0,1,0, 15,1,0,0]}");
    int count = 0;
    point *points = load("own.json", folder, &count);
    assert_int_equal(count, 3);
    assert_float_equal(points[0][0], 0.0, 0.0);
    assert_float_equal(points[1][0], 0.25, 1e-15);
    assert_float_equal(points[2][0], 1.0, 0.0);
    assert_float_equal(points[1][2], 1.0, 0.0);
    free(points);
}

static void a_lab_map_is_even_in_lightness(void **state)
{
    (void)state;
    const char *folder = scratch_folder();
    test_file_write(scratch_path("own.json"), "%s",
                    "[{\"ColorSpace\":\"Lab\",\"RGBPoints\":[0,0,0,0, 1,1,1,1]}]");
    int count = 0;
    point *points = load("own.json", folder, &count);
    double rgb[3];
    evaluate(count, points, 0.5, rgb);
    free(points);
    /* L* = 50 is the grey 119/255 of sRGB. */
    for (int c = 0; c < 3; c++) {
        assert_float_equal(rgb[c], 0.4663, 2e-3);
    }
}

static void the_environment_comes_before_the_shipped_maps(void **state)
{
    (void)state;
    const char *folder = scratch_folder();
    test_file_write(scratch_path("grey.json"), "%s",
                    "{\"RGBPoints\":[0,1,0,0, 1,0,1,0]}");
    assert_int_equal(setenv("KARMAN_COLORMAPS", folder, 1), 0);
    int own_count = 0, other_count = 0;
    point *own = load("grey", "", &own_count);
    point *other = load("viridis", "", &other_count);
    unsetenv("KARMAN_COLORMAPS");
    assert_float_equal(own[0][1], 1.0, 0.0);
    assert_true(other_count > 8);
    free(own);
    free(other);
}

static void unknown_names_list_what_there_is(void **state)
{
    (void)state;
    refuse("virdis", "", STATUS_USAGE,
           "wake.yaml:9: unknown colour map 'virdis': did you mean 'viridis'");
    refuse("Virdis (matplotlib)", "", STATUS_USAGE,
           "did you mean 'Viridis (matplotlib)'");
    refuse("something-else-altogether", "", STATUS_USAGE,
           "'; there are: Asymmtrical Earth Tones (6_21b), Black, Blue and White,");
    refuse("../colormaps/viridis", "", STATUS_USAGE, "unknown colour map");
}

static void files_that_are_no_colour_map_are_refused(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"{", "cannot be read: "},
        {"[]", "needs RGBPoints"},
        {"3", "cannot be read: "},
        {"{\"RGBPoints\":3}", "needs RGBPoints"},
        {"{\"RGBPoints\":[0,1,1]}", "needs RGBPoints"},
        {"{\"RGBPoints\":[0,1,1,1]}", "needs RGBPoints"},
        {"{\"RGBPoints\":[0,1,1,1,1,0,0,\"a\"]}", "holds something that is not a number"},
        {"{\"RGBPoints\":[0,1,1,1,1,0,0,2]}", "holds a colour that is not in 0..1"},
        {"{\"RGBPoints\":[1,1,1,1,0,0,0,0]}", "has positions that do not ascend"},
        {"{\"RGBPoints\":[1,1,1,1,1,0,0,0]}", "has positions that span nothing"},
        {"{\"RGBPoints\":[-1e308,1,1,1,1e308,0,0,0]}", "span nothing"},
        {"{\"IndexedColors\":[1,0,0]}", "(its IndexedColors are for categories)"},
        {"{\"ColorSpace\":\"XYZ\",\"RGBPoints\":[0,1,1,1,1,0,0,0]}",
         "has the ColorSpace XYZ; karman reads RGB, HSV, Lab, CIELAB, Diverging and "
         "Step"},
        {"{\"Points\":[0,1,0.5],\"RGBPoints\":[0,1,1,1,1,0,0,0]}",
         "Points is not a list of x, alpha, midpoint, sharpness for 2 points or more"},
        {"{\"Points\":[0,1,0.5,0],\"RGBPoints\":[0,1,1,1,1,0,0,0]}", "2 points or more"},
        {"{\"Points\":\"x\",\"RGBPoints\":[0,1,1,1,1,0,0,0]}", "2 points or more"},
        {"{\"Points\":[0,1,0.5,0,1,2,0,0],\"RGBPoints\":[0,1,1,1,1,0,0,0]}",
         "Points holds an alpha, midpoint or sharpness that is not in 0..1"},
        {"{\"Points\":[0,1,0.5,0,1,1,0,true],\"RGBPoints\":[0,1,1,1,1,0,0,0]}",
         "Points holds something that is not a number"},
        {"{\"Points\":[1,1,0.5,0,0,1,0,0],\"RGBPoints\":[0,1,1,1,1,0,0,0]}",
         "Points has positions that do not ascend"},
        {"{\"NanColor\":[1,1],\"RGBPoints\":[0,1,1,1,1,0,0,0]}",
         "NanColor is not a list of r, g, b"},
        {"{\"NanColor\":[1,1,null],\"RGBPoints\":[0,1,1,1,1,0,0,0]}",
         "NanColor holds something that is not a number"},
        {"{\"NanColor\":[1,1,-1],\"RGBPoints\":[0,1,1,1,1,0,0,0]}",
         "NanColor is not in 0..1"},
    };
    const char *folder = scratch_folder();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        test_file_write(scratch_path("own.json"), "%s", cases[i][0]);
        refuse("own.json", folder, STATUS_INPUT, cases[i][1]);
    }
    assert_int_equal(unlink(scratch_path("own.json")), 0);
    refuse("own.json", folder, STATUS_INPUT, "own.json cannot be read: ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shipped_map_ascends_from_0_to_1),
        cmocka_unit_test(every_shipped_map_has_a_nan_color_of_its_own),
        cmocka_unit_test(shipped_maps_follow_their_published_tables),
        cmocka_unit_test(diverging_maps_run_through_white),
        cmocka_unit_test(maps_have_the_names_of_matplotlib_and_paraview),
        cmocka_unit_test(case_spaces_and_hyphens_of_names_do_not_count),
        cmocka_unit_test(a_name_with_r_is_the_map_turned_round),
        cmocka_unit_test_setup_teardown(maps_of_one_file_are_known_by_their_names,
                                        scratch_setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(
            a_file_is_relative_to_the_folder_and_scaled_to_fractions, scratch_setup,
            scratch_teardown),
        cmocka_unit_test_setup_teardown(a_lab_map_is_even_in_lightness, scratch_setup,
                                        scratch_teardown),
        cmocka_unit_test_setup_teardown(the_environment_comes_before_the_shipped_maps,
                                        scratch_setup, scratch_teardown),
        cmocka_unit_test(unknown_names_list_what_there_is),
        cmocka_unit_test_setup_teardown(files_that_are_no_colour_map_are_refused,
                                        scratch_setup, scratch_teardown),
    };
    return cmocka_run_group_tests(tests, list_maps, forget_maps);
}
