#include "view.h"

#include <math.h>
#include <string.h>

static const double identity[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};

static vec3 multiply(const double matrix[3][3], vec3 v)
{
    vec3 out;
    for (int r = 0; r < 3; r++) {
        out.v[r] = matrix[r][0] * v.v[0] + matrix[r][1] * v.v[1] + matrix[r][2] * v.v[2];
    }
    return out;
}

/* The columns of the inverse are cross products of rows over the determinant. */
static bool invert(const double matrix[3][3], double out[3][3])
{
    vec3 rows[3];
    double size = 1.0;
    for (int r = 0; r < 3; r++) {
        rows[r] = vec3_make(matrix[r][0], matrix[r][1], matrix[r][2]);
        size *= vec3_length(rows[r]);
    }
    const double determinant = vec3_dot(rows[0], vec3_cross(rows[1], rows[2]));
    for (int c = 0; c < 3; c++) {
        const vec3 column = vec3_scale(vec3_cross(rows[(c + 1) % 3], rows[(c + 2) % 3]),
                                       1.0 / determinant);
        for (int r = 0; r < 3; r++) {
            out[r][c] = column.v[r];
        }
    }
    return fabs(determinant) > 1e-12 * size && isfinite(1.0 / determinant);
}

/* X becomes matrix X + shift. */
static void append(grid_view *view, const double matrix[3][3], vec3 shift)
{
    double product[3][3];
    for (int c = 0; c < 3; c++) {
        const double(*m)[3] = (const double(*)[3])view->matrix;
        const vec3 column = multiply(matrix, vec3_make(m[0][c], m[1][c], m[2][c]));
        for (int r = 0; r < 3; r++) {
            product[r][c] = column.v[r];
        }
    }
    const double *b = view->shift;
    const vec3 moved = multiply(matrix, vec3_make(b[0], b[1], b[2]));
    memcpy(view->matrix, product, sizeof product);
    for (int r = 0; r < 3; r++) {
        view->shift[r] = moved.v[r] + shift.v[r];
    }
}

/* Cosine and sine of an angle in degrees; quarter turns are exact. */
static void turn(double angle, double *cosine, double *sine)
{
    static const double quarters[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    const double rest = fmod(fmod(angle, 360.0) + 360.0, 360.0), quarter = rest / 90.0;
    const bool is_quarter = quarter == floor(quarter);
    const double *known = quarters[(int)quarter % 4];
    *cosine = is_quarter ? known[0] : cos(rest * (acos(-1.0) / 180.0));
    *sine = is_quarter ? known[1] : sin(rest * (acos(-1.0) / 180.0));
}

/* Rodrigues' formula: R = c 1 + s [u]x + (1 - c) u u^T for an axis u of length 1. */
static void append_rotation(grid_view *view, const struct grid_rotation *rotation)
{
    const double length = vec3_length(rotation->axis);
    if (!(length > 0.0)) {
        return;
    }
    const vec3 u = vec3_scale(rotation->axis, 1.0 / length);
    double c, s, matrix[3][3];
    turn(rotation->angle, &c, &s);
    for (int row = 0; row < 3; row++) {
        const int next = (row + 1) % 3, last = (row + 2) % 3;
        const double square = u.v[row] * u.v[row];
        matrix[row][row] = square + c * (1.0 - square); /* 1 along the axis, exactly */
        matrix[row][next] = (1.0 - c) * u.v[row] * u.v[next] - s * u.v[last];
        matrix[row][last] = (1.0 - c) * u.v[row] * u.v[last] + s * u.v[next];
    }
    append(view, matrix, vec3_sub(rotation->point, multiply(matrix, rotation->point)));
}

static void turn_on(grid_view *view)
{
    if (!view->on) {
        memcpy(view->matrix, identity, sizeof identity);
        view->on = true;
    }
}

bool grid_view_add(grid_view *view, const grid_transform *step)
{
    double factors[3][3] = {{0.0}};
    const bool scales = step->scale[0] != 0.0;
    turn_on(view);
    for (int axis = 0; axis < 3; axis++) {
        factors[axis][axis] =
            (scales ? step->scale[axis] : 1.0) * (step->reflect == axis + 1 ? -1.0 : 1.0);
    }
    append(view, (const double(*)[3])factors, vec3_make(0.0, 0.0, 0.0));
    append_rotation(view, &step->rotate);
    append(view, identity, step->shift);
    return invert((const double(*)[3])view->matrix, view->inverse);
}

/* ---- Copies ------------------------------------------------------------------------ */

static double angle_of(const grid_copies *copies)
{
    const struct grid_wheel *wheel = &copies->rotate;
    return wheel->angle != 0.0 ? wheel->angle : 360.0 / wheel->count;
}

int grid_copies_count(const grid_copies *copies)
{
    const struct grid_wheel *wheel = &copies->rotate;
    return vec3_length(wheel->axis) > 0.0
               ? (wheel->count > 0 ? wheel->count
                                   : (int)lround(360.0 / fabs(wheel->angle)))
           : vec3_length(copies->reflect.normal) > 0.0 ? 2
                                                       : copies->shift.count;
}

bool grid_copies_close(const grid_copies *copies)
{
    return vec3_length(copies->rotate.axis) > 0.0 &&
           fabs(fabs(angle_of(copies)) * grid_copies_count(copies) - 360.0) < 1e-6;
}

/* X becomes X - 2 (u X - at) u, for a normal u of length 1. */
static void append_mirror(grid_view *view, const struct grid_mirror *mirror)
{
    const double length = vec3_length(mirror->normal);
    const vec3 u = vec3_scale(mirror->normal, 1.0 / length);
    double matrix[3][3];
    for (int row = 0; row < 3; row++) {
        for (int c = 0; c < 3; c++) {
            matrix[row][c] = identity[row][c] - 2.0 * u.v[row] * u.v[c];
        }
    }
    append(view, (const double(*)[3])matrix, vec3_scale(u, 2.0 * mirror->at));
}

void grid_view_add_copy(grid_view *view, const grid_copies *copies, int n)
{
    const int turns = grid_copies_close(copies) ? n % grid_copies_count(copies) : n;
    turn_on(view);
    if (turns > 0 && vec3_length(copies->rotate.axis) > 0.0) {
        append_rotation(view, &(struct grid_rotation){copies->rotate.axis,
                                                      turns * angle_of(copies),
                                                      copies->rotate.point});
    } else if (turns > 0 && vec3_length(copies->reflect.normal) > 0.0) {
        append_mirror(view, &copies->reflect);
    } else {
        append(view, identity, vec3_scale(copies->shift.by, turns));
    }
}

vec3 grid_view_vector(const grid_view *view, vec3 vector)
{
    return view->on ? multiply((const double(*)[3])view->matrix, vector) : vector;
}

vec3 grid_view_vector_back(const grid_view *view, vec3 vector)
{
    return view->on ? multiply((const double(*)[3])view->inverse, vector) : vector;
}

void grid_view_turn(const grid_view *view, int64_t count, int stride, float *at)
{
    for (int64_t n = 0; view->on && n < count; n++, at += stride) {
        const vec3 turned = grid_view_vector(
            view, vec3_make((double)at[0], (double)at[1], (double)at[2]));
        for (int c = 0; c < 3; c++) {
            at[c] = (float)turned.v[c];
        }
    }
}

vec3 grid_view_point(const grid_view *view, vec3 point)
{
    const double *b = view->shift;
    return vec3_add(grid_view_vector(view, point), vec3_make(b[0], b[1], b[2]));
}

vec3 grid_view_point_back(const grid_view *view, vec3 point)
{
    const double *b = view->shift;
    return grid_view_vector_back(view, vec3_sub(point, vec3_make(b[0], b[1], b[2])));
}
