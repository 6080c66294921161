#include "picture_difference.h"

#include "io/picture/png_read.h"
#include "support/float_image.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct picture {
    int width, height;
    uint8_t *rgb;
} picture;

static bool read_png(const char *path, picture *p)
{
    if (io_png_read(path, &p->width, &p->height, &p->rgb) != STATUS_OK) {
        printf("%s\n", base_fail_message());
        return false;
    }
    return true;
}

static bool same_pixels(const char *a_path, const picture *a, const picture *b,
                        int counts, double lit)
{
    int worst = 0, shown = 0;
    const int pixels = a->width * a->height;
    for (int n = 0; n < 3 * pixels; n++) {
        const int difference = abs(a->rgb[n] - b->rgb[n]);
        worst = difference > worst ? difference : worst;
    }
    for (int n = 0; n < pixels; n++) {
        shown += a->rgb[3 * n] + a->rgb[3 * n + 1] + a->rgb[3 * n + 2] > 30;
    }
    if (worst > counts || shown < lit * pixels) {
        printf("%s: a channel differs by %d, %d of %d pixels show something\n", a_path,
               worst, shown, pixels);
        return false;
    }
    return true;
}

bool same_pngs(const char *a, const char *b, int counts, double lit)
{
    picture p = {0}, q = {0};
    bool same = read_png(a, &p) && read_png(b, &q);
    if (same && (p.width != q.width || p.height != q.height)) {
        printf("%s has another size than %s\n", a, b);
        same = false;
    }
    same = same && same_pixels(a, &p, &q, counts, lit);
    free(p.rgb);
    free(q.rgb);
    return same;
}

static bool same_channels(const image *a, const image *b)
{
    for (int n = 0; n < 4 * a->width * a->height; n++) {
        if (!(fabs((double)a->rgba[n] - (double)b->rgba[n]) <= 1e-5)) {
            return false;
        }
    }
    for (int n = 0; a->depth && b->depth && n < a->width * a->height; n++) {
        const double p = (double)a->depth[n], q = (double)b->depth[n];
        if (p != q && !(fabs(p - q) <= 1e-5 * fmax(1.0, fabs(p)))) {
            return false;
        }
    }
    return true;
}

bool same_floats(const char *a, const char *b)
{
    image *p = NULL, *q = NULL;
    bool same = test_float_image_read(a, &p) == STATUS_OK &&
                test_float_image_read(b, &q) == STATUS_OK && p->width == q->width &&
                p->height == q->height && same_channels(p, q);
    if (!same) {
        printf("%s and %s differ: %s\n", a, b, base_fail_message());
    }
    image_destroy(&p);
    image_destroy(&q);
    return same;
}
