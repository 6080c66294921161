#include "quantities.h"

#include "io/flat.h"
#include "units.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Who hears of quantities. */
typedef struct hearing {
    frame_integrals_visitor *visit;
    void *context;
    const io_source *source;
    integrals_unit size, velocity, length; /* size: of the place */
} hearing;

static void tell(const hearing *to, integrals_unit in, double value, const char *format,
                 ...) __attribute__((format(printf, 4, 5)));
static void tell(const hearing *to, integrals_unit in, double value, const char *format,
                 ...)
{
    char name[4200], unit[INTEGRALS_UNIT_SIZE];
    integrals_unit_print(&in, unit);
    va_list list;
    va_start(list, format);
    vsnprintf(name, sizeof name, format, list);
    va_end(list);
    const frame_integrals_value what = {.name = name, .unit = unit, .value = value};
    to->visit(to->context, &what);
}

static const char axis_names[] = "xyz";

static integrals_unit unit_of(const hearing *to, const char *field)
{
    const char *unit = io_source_unit(to->source, field);
    return integrals_unit_read(unit || strcmp(field, "1") != 0 ? unit : "1");
}

/* Of a field, times the size of the place. */
static integrals_unit over_size(const hearing *to, integrals_unit unit)
{
    return integrals_unit_times(unit, to->size, 1);
}

static void tell_vector(const hearing *to, integrals_unit in, const char *name,
                        const double v[3])
{
    for (int axis = 0; axis < 3; axis++) {
        tell(to, in, v[axis], "%s_%c", name, axis_names[axis]);
    }
}

/* The flux of a vector whose components are three recipes. */
static double flux_of(const frame_measure_sums component[3])
{
    return component[0].along[0] + component[1].along[1] + component[2].along[2];
}

static void tell_fields(const integrals_found *found, const hearing *to)
{
    const integrals_fields *w = found->fields;
    for (int n = 0; n < w->fields.count; n++) {
        const frame_measure_sums *sums = &found->sums[w->first[INTEGRALS_FIELDS] + n];
        const char *name = w->fields.names[n];
        const integrals_unit unit = unit_of(to, name);
        tell(to, over_size(to, unit), sums->total, "integral(%s)", name);
        tell(to, unit, sums->total / sums->size, "mean(%s)", name);
    }
}

static void tell_fluxes(const integrals_found *found, const hearing *to)
{
    const integrals_fields *w = found->fields;
    for (int n = 0; n < w->fluxes.count; n++) {
        const integrals_unit unit =
            integrals_unit_times(unit_of(to, w->fluxes.names[n]), to->velocity, 1);
        tell(to, over_size(to, unit),
             flux_of(found->sums + w->first[INTEGRALS_FLUXES] + 3 * n), "flux(%s)",
             w->fluxes.names[n]);
    }
    if (!integrals_have(w, INTEGRALS_MASS)) {
        return;
    }
    const double mass = flux_of(found->sums + w->first[INTEGRALS_MASS]);
    tell(to, over_size(to, integrals_unit_times(unit_of(to, "density"), to->velocity, 1)),
         mass, "mass_flow");
    for (int n = 0; n < w->fields.count; n++) {
        const double carried = flux_of(found->sums + w->first[INTEGRALS_CARRIED] + 3 * n);
        tell(to, unit_of(to, w->fields.names[n]), carried / mass, "mass_mean(%s)",
             w->fields.names[n]);
    }
}

/* The number of the component of the viscous stress at i, j. */
static int stress_at(int i, int j)
{
    return i == j ? i : i + j == 1 ? 3 : i + j == 3 ? 4 : 5;
}

/* Adds the moment of the force with levers [k][l] to `moment`. */
static void add_moment(const double lever[3][3], double moment[3])
{
    for (int i = 0; i < 3; i++) {
        const int k = (i + 1) % 3, l = (i + 2) % 3;
        moment[i] += lever[k][l] - lever[l][k];
    }
}

/* The force of the fluid on a wall with normals n out of the fluid: p n - tau n. */
static void tell_force(const integrals_found *found, const hearing *to)
{
    const integrals_fields *w = found->fields;
    const frame_measure_sums *pressure = found->sums + w->first[INTEGRALS_PRESSURE];
    const frame_measure_sums *stress = found->sums + w->first[INTEGRALS_STRESS];
    const bool is_viscous = integrals_have(w, INTEGRALS_STRESS);
    double viscous[3] = {0.0}, force[3], moment[3] = {0.0}, lever[3][3] = {{0.0}};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3 && is_viscous; j++) {
            const frame_measure_sums *tau = &stress[stress_at(i, j)];
            viscous[i] -= tau->along[j];
            for (int k = 0; k < 3; k++) {
                lever[k][i] -= tau->lever[k][j];
            }
        }
        force[i] = pressure->along[i] + viscous[i];
    }
    const integrals_unit unit = over_size(to, unit_of(to, w->pressure.names[0]));
    add_moment(pressure->lever, moment);
    add_moment(lever, moment);
    if (is_viscous) {
        tell_vector(to, unit, "pressure_force", pressure->along);
        tell_vector(to, unit, "viscous_force", viscous);
    }
    tell_vector(to, unit, "force", force);
    if (found->wish->moment) {
        tell_vector(to, integrals_unit_times(unit, to->length, 1), "moment", moment);
    }
}

void integrals_visit(const integrals_found *found, frame_integrals_visitor *visit,
                     void *context)
{
    const integrals_fields *w = found->fields;
    const bool is_flat = io_source_flat_axis(found->source) >= 0;
    const integrals_unit length =
        integrals_unit_read(is_flat ? NULL : io_source_length_unit(found->source));
    const integrals_unit one = {0}, none = {.count = -1};
    hearing to = {visit, context, found->source, .length = length};
    to.size = integrals_unit_times(one, length, found->is_volume ? 3 : 2);
    to.velocity = unit_of(&to, "velocity_x");
    const frame_integrals_value count = {.name = found->is_volume ? "cells" : "faces",
                                         .unit = "",
                                         .is_count = true,
                                         .value = (double)found->all.parts};
    visit(context, &count);
    tell(&to, to.size, found->all.size, found->is_volume ? "volume" : "area");
    if (!found->is_volume) {
        tell_vector(&to, to.size, "normal", found->all.along);
    }
    tell_fields(found, &to);
    if (found->is_volume) {
        return;
    }
    tell_fluxes(found, &to);
    if (integrals_have(w, INTEGRALS_PRESSURE)) {
        tell_force(found, &to);
    }
    if (integrals_have(w, INTEGRALS_HEAT)) {
        tell(&to, none, flux_of(found->sums + w->first[INTEGRALS_HEAT]), "heat_flow");
    }
}
