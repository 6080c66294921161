#include "reference/segment.h"

#include <math.h>

/* Parts of a segment are optically thinner than this; more than enough for one count in
 * ten thousand. */
static const double largest_depth = 0.02;
enum { MOST_PARTS = 1000 };

/* A part of the segment between two points of the transfer function. */
typedef struct stretch {
    double s0, s1, length;
} stretch;

/* The emission (colour times extinction) and the extinction, as means over a stretch. */
typedef struct means {
    double emission[3], extinction;
} means;

/* Gauss's rule with three points is exact for polynomials up to degree five. Its points
 * lie inside, so that steps of the transfer function do no harm. */
static means take_means(const reference_transfer *transfer, const stretch *part)
{
    static const double place[3] = {0.11270166537925831, 0.5, 0.88729833462074169};
    static const double weight[3] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
    means m = {{0.0, 0.0, 0.0}, 0.0};
    for (int n = 0; n < 3; n++) {
        double rgb[3], extinction;
        reference_transfer_evaluate(transfer, part->s0 + place[n] * (part->s1 - part->s0),
                                    rgb, &extinction);
        m.extinction += weight[n] * extinction;
        for (int c = 0; c < 3; c++) {
            m.emission[c] += weight[n] * rgb[c] * extinction;
        }
    }
    return m;
}

static void add_part(reference_pixel *pixel, const means *m, double length)
{
    const double depth = m->extinction * length;
    /* (1 - exp(-x)) / x goes to 1: without absorption, emission simply adds up. */
    const double share = depth > 0.0 ? -expm1(-depth) / depth : 1.0;
    for (int c = 0; c < 3; c++) {
        pixel->rgb[c] += pixel->transmittance * m->emission[c] * length * share;
    }
    pixel->transmittance *= exp(-depth);
}

static void add_stretch(reference_pixel *pixel, const reference_transfer *transfer,
                        const stretch *whole)
{
    const means all = take_means(transfer, whole);
    const double depth = all.extinction * whole->length;
    const int parts = depth < MOST_PARTS * largest_depth
                          ? 1 + (int)(depth / largest_depth)
                          : MOST_PARTS;
    if (parts == 1) {
        add_part(pixel, &all, whole->length);
        return;
    }
    const double step = (whole->s1 - whole->s0) / parts;
    for (int n = 0; n < parts; n++) {
        const stretch part = {whole->s0 + n * step, whole->s0 + (n + 1) * step, 0.0};
        const means m = take_means(transfer, &part);
        add_part(pixel, &m, whole->length / parts);
    }
}

/* The scalar at a position of the transfer function. */
static double scalar_at(const reference_transfer *transfer, double position)
{
    const double *range = transfer->range;
    return transfer->positions_are_data ? position
                                        : range[0] + position * (range[1] - range[0]);
}

/* Takes the nearer of `next` and the scalar at a position, if that is beyond s. */
static double nearer(const reference_transfer *transfer, double position, double s,
                     double next)
{
    const double at = scalar_at(transfer, position);
    return next > s ? (at > s && at < next ? at : next)
                    : (at < s && at > next ? at : next);
}

/* The first point of the transfer function on the way from s to `end`, or `end`. */
static double next_point(const reference_transfer *transfer, double s, double end)
{
    double next = end;
    for (int n = 0; n < transfer->ncolors; n++) {
        next = nearer(transfer, transfer->colors[n][0], s, next);
    }
    for (int n = 0; n < transfer->nopacities; n++) {
        next = nearer(transfer, transfer->opacities[n][0], s, next);
    }
    return next;
}

void reference_segment_add(reference_pixel *pixel, const reference_transfer *transfer,
                           const double scalar[2], double length)
{
    const double change = scalar[1] - scalar[0];
    double s = scalar[0];
    pixel->length += length;
    if (isnan(change)) {
        return; /* transparent */
    }
    do {
        const double next = next_point(transfer, s, scalar[1]);
        const double share = change != 0.0 ? (next - s) / change : 1.0;
        add_stretch(pixel, transfer, &(stretch){s, next, share * length});
        s = next;
    } while (s != scalar[1]);
}
