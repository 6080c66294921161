/* Gradients at rows of vertices that need no look of their own. rows_kernel.h includes
 * this header once for each instruction set. Loops have only arithmetic inside, so that
 * compilers turn them into SIMD. */
#include "slopes.h"

#define IN_LOOP static inline __attribute__((always_inline))

/* A number of a row of float32 or of float64; the other pointer is NULL. */
IN_LOOP double number(const float *single, const double *full, ptrdiff_t at)
{
    return single ? (double)single[at] : full[at];
}

/* Derivatives at a row, as differentiate in slopes.c has them. */
IN_LOOP void slope_row(const float *single, const double *full, ptrdiff_t step,
                       const derive_stencil *stencil, int count, double *restrict slope)
{
    const double sign = stencil->side;
    const ptrdiff_t first = step * stencil->side, second = 2 * first;
    if (stencil->side == 0) {
        for (int i = 0; i < count; i++) {
            slope[i] =
                0.5 * (number(single, full, i + step) - number(single, full, i - step));
        }
    } else if (stencil->has_second) {
        for (int i = 0; i < count; i++) {
            const double here = number(single, full, i);
            const double rise = number(single, full, i + first) - here;
            slope[i] =
                sign * (2.0 * rise - 0.5 * (number(single, full, i + second) - here));
        }
    } else {
        for (int i = 0; i < count; i++) {
            slope[i] = sign * (number(single, full, i + first) - number(single, full, i));
        }
    }
}

static void find_row_slopes(const derive_row *row, derive_row_slopes *out)
{
    for (int axis = 0; axis < 3; axis++) {
        const derive_stencil *stencil = &row->stencil[axis];
        for (int n = 0; n < 3; n++) {
            slope_row(row->place[n], NULL, row->place_step[axis], stencil, row->count,
                      out->place[axis][n]);
        }
        for (int n = 0; n < DERIVE_QUANTITIES; n++) {
            if (row->field[n]) {
                slope_row(row->field[n], NULL, row->place_step[axis], stencil, row->count,
                          out->value[axis][n]);
            } else if (row->value[n]) {
                slope_row(NULL, row->value[n], row->value_step[axis], stencil, row->count,
                          out->value[axis][n]);
            } else {
                memset(out->value[axis][n], 0, (size_t)row->count * sizeof(double));
            }
        }
    }
}

IN_LOOP vec3 edge_at(const derive_row_slopes *slopes, int axis, int i)
{
    return vec3_make(slopes->place[axis][0][i], slopes->place[axis][1][i],
                     slopes->place[axis][2][i]);
}

IN_LOOP vec3 slopes_at(const derive_row_slopes *slopes, int n, int i)
{
    return vec3_make(slopes->value[0][n][i], slopes->value[1][n][i],
                     slopes->value[2][n][i]);
}

/* 1 if no edge is collapsed and the Jacobian is not singular, by twice the bounds that
 * decide for one vertex; else 0. In squares, which need no roots. */
IN_LOOP double is_regular(const derive_inverse *inverse, vec3 e0, vec3 e1, vec3 e2)
{
    const double thin = 4.0 * DERIVE_THINNEST * DERIVE_THINNEST;
    const double flat = 4.0 * DERIVE_ROUNDING * DERIVE_ROUNDING;
    const double a = vec3_dot(e0, e0), b = vec3_dot(e1, e1), c = vec3_dot(e2, e2);
    const double ab = a > b ? a : b, longest = thin * (ab > c ? ab : c);
    const double square = inverse->determinant * inverse->determinant;
    return ((a > longest) & (b > longest) & (c > longest) & (square > flat * a * b * c))
               ? 1.0
               : 0.0;
}

IN_LOOP double is_small(vec3 a)
{
    return ((fabs(a.v[0]) <= DERIVE_MOST_GRADIENT) &
            (fabs(a.v[1]) <= DERIVE_MOST_GRADIENT) &
            (fabs(a.v[2]) <= DERIVE_MOST_GRADIENT))
               ? 1.0
               : 0.0;
}

/* The results of a row as float32. Gradients for shading are small, or computed again. */
IN_LOOP void narrow_row(derive_kind kind, const double *value, int count,
                        float *restrict out)
{
    for (int i = 0; i < count; i++) {
        out[i] = kind == DERIVE_GRADIENT ? (float)value[i] : derive_to_field(value[i]);
    }
}

/* The results of a constant kind from the derivatives. Double precision alone in the
 * loop: with float32 it would take twice the vectors at a time, more than registers hold.
 * Goes on to the end of the last vector of eight: the arrays are as long. */
IN_LOOP void finish_row(const derive_row_slopes *slopes, derive_kind kind, int count,
                        derive_row_results *out)
{
    double regular[DERIVE_ROW], value[DERIVE_MOST_RESULTS][DERIVE_ROW];
    const int end = (count + 7) / 8 * 8;
#pragma omp simd
    for (int i = 0; i < end; i++) {
        const vec3 e0 = edge_at(slopes, 0, i), e1 = edge_at(slopes, 1, i);
        const vec3 e2 = edge_at(slopes, 2, i);
        const derive_inverse inverse = derive_invert(e0, e1, e2);
        const double per = 1.0 / inverse.determinant;
        const vec3 u = derive_gradient(&inverse, per, slopes_at(slopes, 0, i));
        const vec3 v = derive_gradient(&inverse, per, slopes_at(slopes, 1, i));
        const vec3 w = derive_gradient(&inverse, per, slopes_at(slopes, 2, i));
        regular[i] = is_regular(&inverse, e0, e1, e2);
        if (kind == DERIVE_GRADIENT) {
            regular[i] *= is_small(u);
            value[0][i] = u.v[0];
            value[1][i] = u.v[1];
            value[2][i] = u.v[2];
        } else if (kind == DERIVE_GRADIENTS) {
            /* With a loop in this one, GCC 12 makes no vectors of any kind. */
            value[0][i] = u.v[0];
            value[1][i] = u.v[1];
            value[2][i] = u.v[2];
            value[3][i] = v.v[0];
            value[4][i] = v.v[1];
            value[5][i] = v.v[2];
            value[6][i] = w.v[0];
            value[7][i] = w.v[1];
            value[8][i] = w.v[2];
        } else {
            value[0][i] = derive_of_gradients(kind, u, v, w);
        }
    }
    for (int n = 0; n < derive_results(kind); n++) {
        narrow_row(kind, value[n], count, out->value[n]);
    }
    for (int i = 0; i < count; i++) {
        out->regular[i] = regular[i] > 0.0;
    }
}

static void slopes(derive_kind kind, const derive_row *row, derive_row_slopes *scratch,
                   derive_row_results *out)
{
    find_row_slopes(row, scratch);
    switch (kind) {
    case DERIVE_VORTICITY_X:
        finish_row(scratch, DERIVE_VORTICITY_X, row->count, out);
        break;
    case DERIVE_VORTICITY_Y:
        finish_row(scratch, DERIVE_VORTICITY_Y, row->count, out);
        break;
    case DERIVE_VORTICITY_Z:
        finish_row(scratch, DERIVE_VORTICITY_Z, row->count, out);
        break;
    case DERIVE_VORTICITY_MAGNITUDE:
        finish_row(scratch, DERIVE_VORTICITY_MAGNITUDE, row->count, out);
        break;
    case DERIVE_Q_CRITERION:
        finish_row(scratch, DERIVE_Q_CRITERION, row->count, out);
        break;
    case DERIVE_GRADIENT_MAGNITUDE:
        finish_row(scratch, DERIVE_GRADIENT_MAGNITUDE, row->count, out);
        break;
    case DERIVE_GRADIENTS:
        finish_row(scratch, DERIVE_GRADIENTS, row->count, out);
        break;
    default:
        finish_row(scratch, DERIVE_GRADIENT, row->count, out);
    }
}
