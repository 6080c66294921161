/* Views whose pixels another program has computed, by an integration that is trusted. */
#ifndef REFERENCE_TRUSTED_H
#define REFERENCE_TRUSTED_H

#include "reference/reference.h"

/* One pixel: the values at its centre. */
typedef struct trusted_pixel {
    int column, row;
    double rgb[3]; /* over the background, 0..1 */
    double transmittance;
    double length; /* of the ray inside the grid */
} trusted_pixel;

/* Some pixels of a square picture. */
typedef struct trusted_set {
    int size; /* columns and rows of the picture */
    int count;
    trusted_pixel *pixels; /* [count] */
} trusted_set;

/* A view and its sets of pixels. */
typedef struct trusted_view {
    reference_camera camera; /* columns and rows are 0: the sets differ in them */
    double background[3];
    int npoints;
    double (*colors)[4];     /* [npoints]: position in values of the field, r, g, b */
    double (*extinction)[2]; /* [npoints]: position, extinction per unit_length */
    double unit_length;
    int nsets;
    trusted_set *sets; /* [nsets] */
} trusted_view;

/* Reads a JSON file. Local; the caller clears the view. Errors: STATUS_INPUT,
 * STATUS_MEMORY. */
status trusted_view_read(const char *path, trusted_view *out);
void trusted_view_clear(trusted_view *view);

/* The view's transfer function; borrows from the view. */
reference_transfer trusted_view_transfer(const trusted_view *view);

#endif
