#include "quantities.h"

#include <stdarg.h>
#include <stdio.h>

/* Who hears of quantities. */
typedef struct hearing {
    frame_integrals_visitor *visit;
    void *context;
} hearing;

static void tell(const hearing *to, double value, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void tell(const hearing *to, double value, const char *format, ...)
{
    char name[4200];
    va_list list;
    va_start(list, format);
    vsnprintf(name, sizeof name, format, list);
    va_end(list);
    const frame_integrals_value what = {.name = name, .value = value};
    to->visit(to->context, &what);
}

static const char axis_names[] = "xyz";

static void tell_vector(const hearing *to, const char *name, const double v[3])
{
    for (int axis = 0; axis < 3; axis++) {
        tell(to, v[axis], "%s_%c", name, axis_names[axis]);
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
        tell(to, sums->total, "integral(%s)", name);
        tell(to, sums->total / sums->size, "mean(%s)", name);
    }
}

static void tell_fluxes(const integrals_found *found, const hearing *to)
{
    const integrals_fields *w = found->fields;
    for (int n = 0; n < w->fluxes.count; n++) {
        tell(to, flux_of(found->sums + w->first[INTEGRALS_FLUXES] + 3 * n), "flux(%s)",
             w->fluxes.names[n]);
    }
    if (!integrals_have(w, INTEGRALS_MASS)) {
        return;
    }
    const double mass = flux_of(found->sums + w->first[INTEGRALS_MASS]);
    tell(to, mass, "mass_flow");
    for (int n = 0; n < w->fields.count; n++) {
        const double carried = flux_of(found->sums + w->first[INTEGRALS_CARRIED] + 3 * n);
        tell(to, carried / mass, "mass_mean(%s)", w->fields.names[n]);
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
    add_moment(pressure->lever, moment);
    add_moment(lever, moment);
    if (is_viscous) {
        tell_vector(to, "pressure_force", pressure->along);
        tell_vector(to, "viscous_force", viscous);
    }
    tell_vector(to, "force", force);
    if (found->wish->moment) {
        tell_vector(to, "moment", moment);
    }
}

void integrals_visit(const integrals_found *found, frame_integrals_visitor *visit,
                     void *context)
{
    const integrals_fields *w = found->fields;
    const hearing to = {visit, context};
    const frame_integrals_value count = {.name = found->is_volume ? "cells" : "faces",
                                         .is_count = true,
                                         .value = (double)found->all.parts};
    visit(context, &count);
    tell(&to, found->all.size, found->is_volume ? "volume" : "area");
    if (!found->is_volume) {
        tell_vector(&to, "normal", found->all.along);
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
        tell(&to, flux_of(found->sums + w->first[INTEGRALS_HEAT]), "heat_flow");
    }
}
