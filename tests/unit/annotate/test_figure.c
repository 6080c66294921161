/* Figures: their pixels, their size on paper, and their labels. */
#include "render/annotate/annotate.h"

#include <cairo.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { WIDTH = 60, HEIGHT = 40 };

/* Each pixel has a colour of its own. */
static void make_pixels(const void *context, int64_t pix0, int64_t npix, uint8_t *pixels)
{
    const int bytes = *(const int *)context;
    for (int64_t n = 0; n < npix; n++) {
        uint8_t *pixel = pixels + bytes * n;
        pixel[0] = (uint8_t)((pix0 + n) % WIDTH);
        pixel[1] = (uint8_t)((pix0 + n) / WIDTH);
        pixel[2] = 200;
        if (bytes == 4) {
            pixel[3] = (pix0 + n) % 2 ? 255 : 0;
        }
    }
}

typedef struct written {
    char *bytes;
    size_t size;
} written;

static const int rgb = 3, rgba = 4;
static const annotate_label label = {.text = "a label", .anchor = ANNOTATE_TOP_LEFT};

/* A figure with `nlabels` labels. */
static written write_figure(bool is_svg, const int *bytes, double dpi, int nlabels)
{
    written out = {NULL, 0};
    const annotate_figure figure = {.width = WIDTH,
                                    .height = HEIGHT,
                                    .is_svg = is_svg,
                                    .dpi = dpi,
                                    .has_alpha = *bytes == 4,
                                    .pixels = make_pixels,
                                    .context = bytes};
    const annotation what = {.nlabels = nlabels, .labels = &label};
    FILE *file = open_memstream(&out.bytes, &out.size);
    assert_non_null(file);
    assert_int_equal(annotate_figure_write(&figure, &what, file), STATUS_OK);
    assert_int_equal(fclose(file), 0);
    return out;
}

/* ---- The image in an SVG file ------------------------------------------------------ */

static int digit_value(char digit)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = digit ? strchr(digits, digit) : NULL;
    return at ? (int)(at - digits) : -1;
}

/* The next byte of a text in base64. */
typedef struct reader {
    const char *at;
    unsigned bits;
    int count;
} reader;

static cairo_status_t read_bytes(void *context, unsigned char *data, unsigned length)
{
    reader *r = context;
    for (unsigned n = 0; n < length; n++) {
        while (r->count < 8) {
            while (*r->at == '\n') {
                r->at++;
            }
            const int value = digit_value(*r->at++);
            if (value < 0) {
                return CAIRO_STATUS_READ_ERROR;
            }
            r->bits = r->bits << 6 | (unsigned)value;
            r->count += 6;
        }
        r->count -= 8;
        data[n] = (unsigned char)(r->bits >> r->count);
    }
    return CAIRO_STATUS_SUCCESS;
}

static void check_pixels(const int *bytes)
{
    static const char head[] = "data:image/png;base64,";
    written svg = write_figure(true, bytes, 0.0, 1);
    const char *found = strstr(svg.bytes, head);
    assert_non_null(found);
    reader from = {.at = found + strlen(head)};
    cairo_surface_t *image =
        cairo_image_surface_create_from_png_stream(read_bytes, &from);
    assert_int_equal(cairo_surface_status(image), CAIRO_STATUS_SUCCESS);
    assert_int_equal(cairo_image_surface_get_width(image), WIDTH);
    assert_int_equal(cairo_image_surface_get_height(image), HEIGHT);
    for (int y = 0; y < HEIGHT; y++) {
        const unsigned char *row = cairo_image_surface_get_data(image) +
                                   (ptrdiff_t)y * cairo_image_surface_get_stride(image);
        for (int x = 0; x < WIDTH; x++) {
            const uint32_t pixel = ((const uint32_t *)(const void *)row)[x];
            const uint32_t color = (uint32_t)x << 16 | (uint32_t)y << 8 | 200u;
            const bool is_clear = *bytes == 4 && x % 2 == 0;
            assert_int_equal(*bytes == 4 ? pixel : pixel & 0xffffffu,
                             is_clear      ? 0u
                             : *bytes == 4 ? 0xff000000u | color
                                           : color);
        }
    }
    cairo_surface_destroy(image);
    free(svg.bytes);
}

static void pixels_are_those_of_the_picture(void **unused)
{
    (void)unused;
    check_pixels(&rgb);
    check_pixels(&rgba);
}

/* ---- The whole --------------------------------------------------------------------- */

/* The size of the page of a PDF file, in points. */
static void read_page(const written *pdf, double size[2])
{
    static const char box[] = "/MediaBox [ 0 0 ";
    const char *found = NULL;
    for (size_t n = 0; n + sizeof box + 32 < pdf->size && !found; n++) {
        found = memcmp(pdf->bytes + n, box, strlen(box)) == 0 ? pdf->bytes + n : NULL;
    }
    assert_non_null(found);
    char *next;
    size[0] = strtod(found + strlen(box), &next);
    size[1] = strtod(next, NULL);
}

static void pages_have_the_size_of_their_resolution(void **unused)
{
    (void)unused;
    const double dpi[] = {0.0, 144.0, 300.0}, wanted[] = {96.0, 144.0, 300.0};
    for (int n = 0; n < 3; n++) {
        double size[2];
        written pdf = write_figure(false, &rgb, dpi[n], 1);
        assert_memory_equal(pdf.bytes, "%PDF-", 5);
        read_page(&pdf, size);
        assert_true(fabs(size[0] - 72.0 * WIDTH / wanted[n]) < 0.01);
        assert_true(fabs(size[1] - 72.0 * HEIGHT / wanted[n]) < 0.01);
        free(pdf.bytes);
    }
}

/* As curves, not as pixels: the image is the same. */
static void labels_are_beside_the_image(void **unused)
{
    (void)unused;
    for (int is_svg = 0; is_svg < 2; is_svg++) {
        written labelled = write_figure(is_svg, &rgb, 0.0, 1);
        written bare = write_figure(is_svg, &rgb, 0.0, 0);
        assert_true(bare.size + 500 < labelled.size);
        free(labelled.bytes);
        free(bare.bytes);
    }
}

static void a_full_disk_is_an_error(void **unused)
{
    (void)unused;
    const annotate_figure figure = {
        .width = WIDTH, .height = HEIGHT, .pixels = make_pixels, .context = &rgb};
    const annotation nothing = {0};
    FILE *full = fopen("/dev/full", "w");
    if (!full) {
        skip();
    }
    setvbuf(full, NULL, _IONBF, 0);
    assert_int_equal(annotate_figure_write(&figure, &nothing, full), STATUS_OUTPUT);
    fclose(full);
}

int main(void)
{
    if (!annotate_is_available()) {
        puts("skipped: this build has no cairo");
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pixels_are_those_of_the_picture),
        cmocka_unit_test(pages_have_the_size_of_their_resolution),
        cmocka_unit_test(labels_are_beside_the_image),
        cmocka_unit_test(a_full_disk_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
