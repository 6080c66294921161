/* Colour spaces and opacities of colour maps, against values that VTK 9.1 computes. */
#include "io/config/colors/colormap.h"

#include "io/config/colors/colormap_parts.h"
#include "support/scratch.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Half an 8-bit count, which straight pieces may differ by, and VTK's own constants of
 * CIELAB, which have fewer digits. */
static const double color_tolerance = 0.5 / 255.0;

static io_colormap read_text(const char *text)
{
    const char *path = scratch_path("own.json");
    io_colormap map;
    scratch_write(path, text, strlen(text));
    if (io_colormap_read("test", path, "", &map) != STATUS_OK) {
        fail_msg("%s: %s", text, base_fail_message());
    }
    return map;
}

/* The values of a piecewise-linear function of rows of a position and `width` values; at
 * a jump those after it. */
static void evaluate(int count, int width, const double *rows, double position,
                     double *values)
{
    int n = 0;
    const int size = width + 1;
    while (n + 2 < count && rows[(n + 1) * size] <= position) {
        n++;
    }
    const double *a = rows + n * size, *b = a + size;
    const double w = fmin(fmax((position - a[0]) / (b[0] - a[0]), 0.0), 1.0);
    for (int v = 1; v <= width; v++) {
        values[v - 1] = (1.0 - w) * a[v] + w * b[v];
    }
}

/* vtkColorTransferFunction with four points, by space and HSVWrap: position, r, g, b. */
static const struct {
    const char *space;
    int wrap;
    double expected[14][4];
} spaces[] = {
    {"RGB",
     0,
     {
         {0, 0.200000, 0.100000, 0.900000},
         {0.1, 0.375000, 0.150000, 0.725000},
         {0.2, 0.550000, 0.200000, 0.550000},
         {0.3, 0.725000, 0.250000, 0.375000},
         {0.39, 0.882500, 0.295000, 0.217500},
         {0.45, 0.900000, 0.266667, 0.250000},
         {0.5, 0.900000, 0.233333, 0.300000},
         {0.55, 0.900000, 0.200000, 0.350000},
         {0.6, 0.900000, 0.166667, 0.400000},
         {0.65, 0.900000, 0.133333, 0.450000},
         {0.71, 0.903333, 0.130000, 0.500000},
         {0.8, 0.933333, 0.400000, 0.500000},
         {0.9, 0.966667, 0.700000, 0.500000},
         {1, 1.000000, 1.000000, 0.500000},
     }},
    {"HSV",
     0,
     {
         {0, 0.200000, 0.100000, 0.900000},
         {0.1, 0.125000, 0.799665, 0.900000},
         {0.2, 0.150000, 0.900000, 0.250446},
         {0.3, 0.799665, 0.900000, 0.175000},
         {0.39, 0.900000, 0.367794, 0.197500},
         {0.45, 0.874405, 0.900000, 0.183333},
         {0.5, 0.219048, 0.900000, 0.166667},
         {0.55, 0.150000, 0.900000, 0.766071},
         {0.6, 0.133333, 0.352381, 0.900000},
         {0.65, 0.592262, 0.116667, 0.900000},
         {0.71, 0.903333, 0.112080, 0.626395},
         {0.8, 0.224691, 0.224691, 0.933333},
         {0.9, 0.358025, 0.966667, 0.662346},
         {1, 1.000000, 1.000000, 0.500000},
     }},
    {"HSV",
     1,
     {
         {0, 0.200000, 0.100000, 0.900000},
         {0.1, 0.612835, 0.125000, 0.900000},
         {0.2, 0.900000, 0.150000, 0.799554},
         {0.3, 0.900000, 0.175000, 0.437165},
         {0.39, 0.900000, 0.262419, 0.197500},
         {0.45, 0.900000, 0.208929, 0.183333},
         {0.5, 0.900000, 0.166667, 0.219048},
         {0.55, 0.900000, 0.150000, 0.283929},
         {0.6, 0.900000, 0.133333, 0.352381},
         {0.65, 0.900000, 0.116667, 0.424405},
         {0.71, 0.903333, 0.112080, 0.468144},
         {0.8, 0.933333, 0.224691, 0.224691},
         {0.9, 0.966667, 0.662346, 0.358025},
         {1, 1.000000, 1.000000, 0.500000},
     }},
    {"Lab",
     0,
     {
         {0, 0.200000, 0.100000, 0.900000},
         {0.1, 0.546800, 0.109515, 0.726343},
         {0.2, 0.705888, 0.161938, 0.556528},
         {0.3, 0.815146, 0.229205, 0.386973},
         {0.39, 0.892244, 0.292912, 0.221237},
         {0.45, 0.902580, 0.275963, 0.255553},
         {0.5, 0.904226, 0.249932, 0.307039},
         {0.55, 0.904867, 0.221285, 0.356448},
         {0.6, 0.904429, 0.188882, 0.404753},
         {0.65, 0.902835, 0.150459, 0.452495},
         {0.71, 0.906706, 0.172296, 0.501648},
         {0.8, 0.957526, 0.494243, 0.512071},
         {0.9, 0.992125, 0.754902, 0.513017},
         {1, 0.999972, 1.000000, 0.500001},
     }},
    {"Diverging",
     0,
     {
         {0, 0.200000, 0.100000, 0.900000},
         {0.1, 0.745689, 0.610486, 1.000000},
         {0.2, 0.999983, 1.000000, 0.999983},
         {0.3, 1.000000, 0.747302, 0.514483},
         {0.39, 0.938381, 0.366133, 0.224997},
         {0.45, 0.914831, 0.260014, 0.248034},
         {0.5, 0.924334, 0.219258, 0.296353},
         {0.55, 0.928049, 0.179020, 0.345651},
         {0.6, 0.925523, 0.141837, 0.396136},
         {0.65, 0.916317, 0.112826, 0.447699},
         {0.71, 0.967991, 0.227101, 0.528897},
         {0.8, 1.000000, 0.727285, 0.684910},
         {0.9, 1.000000, 0.988353, 0.840983},
         {1, 0.999972, 1.000000, 0.500001},
     }},
    {"Step",
     0,
     {
         {0, 0.200000, 0.100000, 0.900000},
         {0.1, 0.900000, 0.300000, 0.200000},
         {0.2, 0.900000, 0.300000, 0.200000},
         {0.3, 0.900000, 0.300000, 0.200000},
         {0.39, 0.900000, 0.300000, 0.200000},
         {0.45, 0.900000, 0.100000, 0.500000},
         {0.5, 0.900000, 0.100000, 0.500000},
         {0.55, 0.900000, 0.100000, 0.500000},
         {0.6, 0.900000, 0.100000, 0.500000},
         {0.65, 0.900000, 0.100000, 0.500000},
         {0.71, 1.000000, 1.000000, 0.500000},
         {0.8, 1.000000, 1.000000, 0.500000},
         {0.9, 1.000000, 1.000000, 0.500000},
         {1, 1.000000, 1.000000, 0.500000},
     }},
};

static void every_space_is_interpolated_as_vtk_does(void **state)
{
    (void)state;
    for (size_t s = 0; s < sizeof spaces / sizeof spaces[0]; s++) {
        char text[512];
        snprintf(text, sizeof text,
                 "{\"ColorSpace\":\"%s\",\"HSVWrap\":%d,\"RGBPoints\":["
                 "0,0.2,0.1,0.9, 0.4,0.9,0.3,0.2, 0.7,0.9,0.1,0.5, 1,1,1,0.5]}",
                 spaces[s].space, spaces[s].wrap);
        io_colormap map = read_text(text);
        /* Step: VTK gives the first point, alone, its own colour. */
        for (size_t n = strcmp(spaces[s].space, "Step") == 0; n < 14; n++) {
            const double *expected = spaces[s].expected[n];
            double rgb[3];
            evaluate(map.ncolors, 3, map.colors[0], expected[0], rgb);
            for (int c = 0; c < 3; c++) {
                if (!(fabs(rgb[c] - expected[c + 1]) <= color_tolerance)) {
                    fail_msg("%s, %d, at %g, channel %d: expected %g, found %g",
                             spaces[s].space, spaces[s].wrap, expected[0], c,
                             expected[c + 1], rgb[c]);
                }
            }
        }
        io_colormap_free(&map);
    }
}

/* A blue whose hue lies between −0.3 π, where purple begins for VTK, and −π/3. */
static void diverging_maps_turn_from_purple_where_vtk_does(void **state)
{
    (void)state;
    io_colormap map = read_text("{\"ColorSpace\":\"Diverging\",\"RGBPoints\":["
                                "0,0.13,0.1,0.5, 1,0.9,0.9,0.9]}");
    static const double expected[3][4] = {{0.25, 0.115079, 0.370332, 0.773441},
                                          {0.5, 0.299680, 0.621980, 0.946059},
                                          {0.75, 0.601114, 0.815400, 0.982676}};
    for (int n = 0; n < 3; n++) {
        double rgb[3];
        evaluate(map.ncolors, 3, map.colors[0], expected[n][0], rgb);
        for (int c = 0; c < 3; c++) {
            assert_true(fabs(rgb[c] - expected[n][c + 1]) <= color_tolerance);
        }
    }
    io_colormap_free(&map);
}

static void names_of_one_space_give_one_map(void **state)
{
    (void)state;
    static const char *const names[][2] = {
        {"\"Lab\"", "\"CIELAB\""},
        {"\"HSV\",\"HSVWrap\":true", "\"Wrapped\""},
        {"\"HSV\"", "\"HSV\",\"HSVWrap\":0"},
    };
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        io_colormap maps[2];
        for (int m = 0; m < 2; m++) {
            char text[256];
            snprintf(text, sizeof text,
                     "{\"RGBPoints\":[0,0,0,1, 1,1,0,0],\"ColorSpace\":%s}", names[n][m]);
            maps[m] = read_text(text);
        }
        assert_int_equal(maps[0].ncolors, maps[1].ncolors);
        assert_memory_equal(maps[0].colors, maps[1].colors,
                            (size_t)maps[0].ncolors * sizeof *maps[0].colors);
        io_colormap_free(&maps[0]);
        io_colormap_free(&maps[1]);
    }
}

/* Steps jump; nothing but control points is added where RGB is straight. */
static void straight_maps_keep_their_points(void **state)
{
    (void)state;
    io_colormap map = read_text("{\"RGBPoints\":[1,0,0,0, 2,1,0,0, 2,0,1,0, 5,0,0,1]}");
    static const double kept[4][4] = {
        {0, 0, 0, 0}, {0.25, 1, 0, 0}, {0.25, 0, 1, 0}, {1, 0, 0, 1}};
    assert_int_equal(map.ncolors, 4);
    assert_memory_equal(map.colors, kept, sizeof kept);
    assert_float_equal(map.range[0], 1.0, 0.0);
    assert_float_equal(map.range[1], 5.0, 0.0);
    assert_false(map.has_nan_color);
    assert_float_equal(map.nan_color[2], 0.0, 0.0);
    io_colormap_free(&map);
    map =
        read_text("{\"ColorSpace\":\"Step\",\"RGBPoints\":[0,0,0,0, 1,1,0,0, 4,0,1,0]}");
    static const double steps[4][4] = {
        {0, 1, 0, 0}, {0.25, 1, 0, 0}, {0.25, 0, 1, 0}, {1, 0, 1, 0}};
    assert_int_equal(map.ncolors, 4);
    assert_memory_equal(map.colors, steps, sizeof steps);
    io_colormap_free(&map);
}

/* vtkPiecewiseFunction with nodes of every kind: position, alpha. */
static const double opacities[][2] = {
    {0, 0.100000000},    {0.25, 0.300000000}, {0.5, 0.500000000},  {1, 0.900000000},
    {1.15, 0.725000000}, {1.3, 0.550000000},  {1.65, 0.375000000}, {2, 0.200000000},
    {2.1, 0.200618170},  {2.25, 0.500000000}, {2.5, 0.785147871},  {2.9, 0.799999157},
    {3, 0.800000000},    {3.2, 0.800000000},  {3.69, 0.800000000}, {3.71, 0.000000000},
    {4, 0.000000000},    {4.1, 0.003209574},  {4.3, 0.092894515},  {4.5, 0.500000000},
    {4.8, 0.973798707},  {5, 1.000000000},    {5.4, 0.996999908},  {5.6, 0.503000092},
    {6, 0.500000000},    {6.1, 0.558076030},  {6.4, 0.659065661},  {7, 0.750000000},
};

static const char opacity_text[] =
    "{\"RGBPoints\":[0,0,0,0, 7,1,1,1],\"NanColor\":[0.25,0.5,0.75],\"Points\":["
    "0,0.1,0.5,0, 1,0.9,0.3,0, 2,0.2,0.25,0.5, 3,0.8,0.7,1, 4,0,0.5,0.2, 5,1,0.5,0.99,"
    "6,0.5,0.2,0.01, 7,0.75,0.5,0]}";

static void opacities_are_bent_as_vtk_does(void **state)
{
    (void)state;
    io_colormap map = read_text(opacity_text);
    for (size_t n = 0; n < sizeof opacities / sizeof opacities[0]; n++) {
        double alpha;
        evaluate(map.nopacities, 1, map.opacities[0], opacities[n][0] / 7.0, &alpha);
        if (!(fabs(alpha - opacities[n][1]) <= 6e-4)) {
            fail_msg("at %g: expected %g, found %g", opacities[n][0], opacities[n][1],
                     alpha);
        }
    }
    assert_true(map.has_nan_color);
    assert_float_equal(map.nan_color[1], 0.5, 0.0);
    io_colormap_free(&map);
}

/* Between the points, too, and with few of them. */
static void straight_pieces_follow_the_curve(void **state)
{
    (void)state;
    for (int trial = 0; trial <= 100; trial++) {
        const colormap_node first = {0.0, 0.1, 0.1 + 0.008 * trial, 0.01 * trial};
        const colormap_node last = {1.0, 0.9, 0.5, 0.0};
        double colors[2][4] = {{0, 0, 0, 0}, {1, 1, 1, 1}};
        colormap_node nodes[2] = {first, last};
        const colormap_file file = {
            .ncolors = 2, .colors = colors, .nnodes = 2, .nodes = nodes};
        int count = 0;
        double(*points)[2] = io_colormap_sample_opacities(&file, &count);
        assert_non_null(points);
        assert_true(count >= 2 && count <= 100);
        for (int n = 1; n < 2000; n++) {
            double found;
            evaluate(count, 1, points[0], n / 2000.0, &found);
            const double expected =
                io_colormap_opacity_between(&first, &last, n / 2000.0);
            if (!(fabs(found - expected) <= 1e-3)) {
                fail_msg("sharpness %g at %g: expected %g, found %g", first.sharpness,
                         n / 2000.0, expected, found);
            }
        }
        free(points);
    }
}

static void opacities_are_cut_to_the_range_of_colours(void **state)
{
    (void)state;
    io_colormap map = read_text("{\"RGBPoints\":[10,0,0,0, 20,1,1,1],\"Points\":["
                                "0,0,0.5,0, 15,1,0.5,0, 25,0.5,0.5,0]}");
    assert_int_equal(map.nopacities, 3);
    static const double cut[3][2] = {{0.0, 2.0 / 3.0}, {0.5, 1.0}, {1.0, 0.75}};
    for (int n = 0; n < 3; n++) {
        assert_float_equal(map.opacities[n][0], cut[n][0], 1e-12);
        assert_float_equal(map.opacities[n][1], cut[n][1], 1e-12);
    }
    io_colormap_free(&map);
    map = read_text("{\"RGBPoints\":[10,0,0,0, 20,1,1,1],\"Points\":["
                    "12,0.25,0.5,0, 12,0.5,0.5,0, 15,1,0.5,0]}");
    static const double held[5][2] = {
        {0, 0.25}, {0.2, 0.25}, {0.2, 0.5}, {0.5, 1}, {1, 1}};
    assert_int_equal(map.nopacities, 5);
    for (int n = 0; n < 5; n++) {
        assert_float_equal(map.opacities[n][0], held[n][0], 1e-12);
        assert_float_equal(map.opacities[n][1], held[n][1], 1e-12);
    }
    io_colormap_free(&map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_space_is_interpolated_as_vtk_does,
                                        scratch_setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(diverging_maps_turn_from_purple_where_vtk_does,
                                        scratch_setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(names_of_one_space_give_one_map, scratch_setup,
                                        scratch_teardown),
        cmocka_unit_test_setup_teardown(straight_maps_keep_their_points, scratch_setup,
                                        scratch_teardown),
        cmocka_unit_test_setup_teardown(opacities_are_bent_as_vtk_does, scratch_setup,
                                        scratch_teardown),
        cmocka_unit_test(straight_pieces_follow_the_curve),
        cmocka_unit_test_setup_teardown(opacities_are_cut_to_the_range_of_colours,
                                        scratch_setup, scratch_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
