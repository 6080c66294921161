/* Gradients at one vertex: all cases. Kernels have the vertices without blanked ones
 * around them, away from poles. */
#include "slopes.h"

#include "tile.h"

/* What is differentiated: x, y, z, then the quantities of the tile. */
enum { PLACES = 3, NUMBERS = PLACES + DERIVE_QUANTITIES };

static void load_numbers(const tile *t, const int at[3], double *out)
{
    const index_box all = patch_vertices(t->patch);
    const size_t place = box_index(&all, at), index = box_index(&t->vertices, at);
    out[0] = (double)t->patch->x[place];
    out[1] = (double)t->patch->y[place];
    out[2] = (double)t->patch->z[place];
    for (int n = 0; n < DERIVE_QUANTITIES; n++) {
        const bool is_needed = derive_needs(t->recipe, n);
        const float *field = is_needed ? derive_field(t, n) : NULL;
        out[PLACES + n] = field       ? (double)field[place]
                          : is_needed ? t->value[n][index]
                                      : 0.0;
    }
}

/* The numbers at the vertex `offset` steps along the axis from `at`; false if stencils
 * must not use it. */
static bool load_neighbor(const tile *t, const int at[3], int axis, int offset,
                          double *out)
{
    int there[3] = {at[0], at[1], at[2]};
    there[axis] += offset;
    const bool is_usable =
        box_holds(&t->vertices, there) && t->usable[box_index(&t->vertices, there)];
    if (is_usable) {
        load_numbers(t, there, out);
    }
    return is_usable;
}

static void one_sided(double sign, const double *here, const double *first,
                      const double *second, double *slope)
{
    for (int n = 0; n < NUMBERS; n++) {
        const double rise = first[n] - here[n];
        slope[n] =
            sign * (second == NULL ? rise : 2.0 * rise - 0.5 * (second[n] - here[n]));
    }
}

/* Derivatives of all numbers along an index axis. False if the vertex has no neighbour.
 *
 *     -1   0   1   2
 *    -1/2     1/2        between two neighbours, second order
 *       -3/2  2  -1/2    beside an end, second order; mirrored at the other end
 *        -1   1          between two ends, or if stencils reach no farther */
static bool differentiate(const tile *t, const int at[3], int axis, double *slope)
{
    double before[NUMBERS], after[NUMBERS], here[NUMBERS], second[NUMBERS];
    const bool has_before = load_neighbor(t, at, axis, -1, before);
    const bool has_after = load_neighbor(t, at, axis, 1, after);
    if (has_before && has_after) {
        for (int n = 0; n < NUMBERS; n++) {
            slope[n] = 0.5 * (after[n] - before[n]);
        }
    } else if (has_before || has_after) {
        const int side = has_after ? 1 : -1;
        /* Beyond the reach, the vertex would exist in some tiles and not in others. */
        const bool has_second = derive_reach(t->recipe->kind) >= 2 &&
                                load_neighbor(t, at, axis, 2 * side, second);
        load_numbers(t, at, here);
        one_sided(side, here, has_after ? after : before, has_second ? second : NULL,
                  slope);
    }
    return has_before || has_after;
}

static double edge_length(const double *slope)
{
    return vec3_length(vec3_make(slope[0], slope[1], slope[2]));
}

/* Replaces the slope along a collapsed edge, as at a pole. There the edge and the
 * differences along it are zero up to rounding. Towards the pole both vanish together, so
 * the slope at the neighbouring vertex off the pole is the limit. Linear fields stay
 * exact. */
static void leave_pole(const tile *t, const int at[3], int axis, double collapsed,
                       double *slope)
{
    for (int way = 0; way < 4; way++) {
        int across = (axis + 1 + way / 2) % 3, step = way % 2 == 0 ? 1 : -1;
        double there[NUMBERS];
        int beside[3] = {at[0], at[1], at[2]};
        beside[across] += step;
        if (load_neighbor(t, at, across, step, there) &&
            differentiate(t, beside, axis, there) && edge_length(there) > collapsed) {
            memcpy(slope, there, sizeof there);
            return;
        }
    }
}

/* Derivatives along all index axes. False if a vertex has no neighbour along one. */
static bool find_slopes(const tile *t, const int at[3], double slope[3][NUMBERS])
{
    double longest = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        if (!differentiate(t, at, axis, slope[axis])) {
            return false;
        }
        longest = fmax(longest, edge_length(slope[axis]));
    }
    for (int axis = 0; axis < 3; axis++) {
        if (edge_length(slope[axis]) <= DERIVE_THINNEST * longest) {
            leave_pole(t, at, axis, DERIVE_THINNEST * longest, slope[axis]);
        }
    }
    return true;
}

/* Gradients of the quantities in physical space. False if the vertex has none, or the
 * Jacobian is singular. */
static bool find_gradients(const tile *t, const int at[3], vec3 gradient[3])
{
    double slope[3][NUMBERS], size = 1.0;
    vec3 edge[3];
    if (!t->usable[box_index(&t->vertices, at)] || !find_slopes(t, at, slope)) {
        return false;
    }
    for (int axis = 0; axis < 3; axis++) {
        edge[axis] = vec3_make(slope[axis][0], slope[axis][1], slope[axis][2]);
        size *= vec3_length(edge[axis]);
    }
    const derive_inverse inverse = derive_invert(edge[0], edge[1], edge[2]);
    if (!(fabs(inverse.determinant) > DERIVE_ROUNDING * size)) {
        return false;
    }
    for (int n = 0; n < DERIVE_QUANTITIES; n++) {
        gradient[n] = derive_gradient(
            &inverse, 1.0 / inverse.determinant,
            vec3_make(slope[0][PLACES + n], slope[1][PLACES + n], slope[2][PLACES + n]));
    }
    return true;
}

/* Writes a gradient for shading; zero if it is not finite. */
static void store_gradient(vec3 gradient, float out[3])
{
    bool is_finite = true;
    double scale = 1.0;
    for (int axis = 0; axis < 3; axis++) {
        const double size = fabs(gradient.v[axis]);
        scale = size * scale > DERIVE_MOST_GRADIENT ? DERIVE_MOST_GRADIENT / size : scale;
    }
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = (float)(scale * gradient.v[axis]);
        is_finite = is_finite && isfinite(out[axis]);
    }
    if (!is_finite) {
        memset(out, 0, 3 * sizeof *out);
    }
}

void derive_slope_at(const tile *t, const int at[3], float *out)
{
    const derive_kind kind = t->recipe->kind;
    vec3 gradient[DERIVE_QUANTITIES];
    const bool found = find_gradients(t, at, gradient);
    if (kind == DERIVE_GRADIENT && found) {
        store_gradient(gradient[0], out);
    } else if (kind == DERIVE_GRADIENT) {
        memset(out, 0, 3 * sizeof *out);
    } else if (kind == DERIVE_GRADIENTS) {
        for (int n = 0; n < DERIVE_MOST_RESULTS; n++) {
            out[n] = found ? derive_to_field(gradient[n / 3].v[n % 3]) : NAN;
        }
    } else if (found) {
        *out = derive_to_field(
            derive_of_gradients(kind, gradient[0], gradient[1], gradient[2]));
    } else {
        *out = NAN;
    }
}
