#include "periods.h"

#include "base/vec.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A vector of a node's child; 0 if there is none. */
static vec3 read_vector(const cgns_node *node, const char *name)
{
    cgns_node child;
    vec3 out = {{0.0, 0.0, 0.0}};
    if (cgns_node_child(node, name, &child)) {
        cgns_node_reals(&child, 3, out.v);
        cgns_node_close(&child);
    }
    return out;
}

/* Both sides of a period say the same, with another sign. */
static vec3 make_upward(vec3 v)
{
    double first = 0.0;
    for (int c = 2; c >= 0; c--) {
        first = v.v[c] != 0.0 ? v.v[c] : first;
    }
    const vec3 upward = vec3_scale(v, first < 0.0 ? -1.0 : 1.0);
    return vec3_add(upward, vec3_make(0.0, 0.0, 0.0)); /* no -0 */
}

/* Angles are in radians, unless they are larger than a whole turn. */
static double degrees_of(double angle)
{
    const double turn = 2.0 * acos(-1.0);
    return angle > turn * 1.001 ? angle : angle * 360.0 / turn;
}

static void print_period(const cgns_node *periodic, size_t size, char *text)
{
    const vec3 angles = make_upward(read_vector(periodic, "RotationAngle"));
    const vec3 center = read_vector(periodic, "RotationCenter");
    const vec3 by = make_upward(read_vector(periodic, "Translation"));
    const double angle = vec3_length(angles);
    const vec3 axis = vec3_scale(angles, angle > 0.0 ? 1.0 / angle : 0.0);
    const bool has_center = vec3_length(vec3_cross(center, axis)) > 0.0;
    char point[128] = "";
    if (has_center) {
        snprintf(point, sizeof point, ", point: [%.9g, %.9g, %.9g]", center.v[0],
                 center.v[1], center.v[2]);
    }
    if (angle > 0.0 && isfinite(angle)) {
        const double degrees = degrees_of(angle), count = 360.0 / degrees;
        const bool closes = count < 1e4 && fabs(count - round(count)) < 1e-4 * count;
        snprintf(text, size,
                 "%.7g degrees: data.copies: {rotate: {axis: [%.9g, %.9g, %.9g], %s: "
                 "%.9g%s}}",
                 degrees, axis.v[0], axis.v[1], axis.v[2], closes ? "count" : "angle",
                 closes ? round(count) : degrees, point);
    } else if (vec3_length(by) > 0.0 && isfinite(vec3_length(by))) {
        snprintf(text, size,
                 "%.7g: data.copies: {shift: {by: [%.9g, %.9g, %.9g], count: 2}}",
                 vec3_length(by), by.v[0], by.v[1], by.v[2]);
    }
}

status cgns_periods_note(const cgns_conditions *to, const cgns_node *connection,
                         bool *is_periodic)
{
    cgns_node property, periodic;
    char text[400] = "";
    *is_periodic = false;
    if (!cgns_node_first(connection, "GridConnectivityProperty_t", &property)) {
        return STATUS_OK;
    }
    *is_periodic = cgns_node_first(&property, "Periodic_t", &periodic);
    if (*is_periodic) {
        print_period(&periodic, sizeof text, text);
        cgns_node_close(&periodic);
    }
    cgns_node_close(&property);
    const char *notes = to->catalog->notes;
    return text[0] == '\0' || (notes && strstr(notes, text))
               ? STATUS_OK
               : io_catalog_note(to->catalog, "period", "%s", text);
}
