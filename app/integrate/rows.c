#include "rows.h"

static const char axis_names[] = "xyz";

static void set_vector(app_table *table, const char *name, const double v[3])
{
    for (int axis = 0; axis < 3; axis++) {
        app_table_set(table, v[axis], "%s_%c", name, axis_names[axis]);
    }
}

/* The flux of a vector whose components are three recipes. */
static double flux_of(const frame_measure_sums component[3])
{
    return component[0].along[0] + component[1].along[1] + component[2].along[2];
}

static void set_fields(const integrate_found *found, app_table *table)
{
    const integrate_wishes *w = found->wishes;
    for (int n = 0; n < w->fields.count; n++) {
        const frame_measure_sums *sums = &found->sums[w->first[INTEGRATE_FIELDS] + n];
        const char *name = w->fields.names[n];
        app_table_set(table, sums->total, "integral(%s)", name);
        app_table_set(table, sums->total / sums->size, "mean(%s)", name);
    }
}

static void set_fluxes(const integrate_found *found, app_table *table)
{
    const integrate_wishes *w = found->wishes;
    for (int n = 0; n < w->fluxes.count; n++) {
        app_table_set(table, flux_of(found->sums + w->first[INTEGRATE_FLUXES] + 3 * n),
                      "flux(%s)", w->fluxes.names[n]);
    }
    if (!integrate_wishes_have(w, INTEGRATE_MASS)) {
        return;
    }
    const double mass = flux_of(found->sums + w->first[INTEGRATE_MASS]);
    app_table_set(table, mass, "mass_flow");
    for (int n = 0; n < w->fields.count; n++) {
        const double carried = flux_of(found->sums + w->first[INTEGRATE_CARRIED] + 3 * n);
        app_table_set(table, carried / mass, "mass_mean(%s)", w->fields.names[n]);
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
static void set_force(const integrate_found *found, app_table *table)
{
    const integrate_wishes *w = found->wishes;
    const frame_measure_sums *pressure = found->sums + w->first[INTEGRATE_PRESSURE];
    const frame_measure_sums *stress = found->sums + w->first[INTEGRATE_STRESS];
    const bool is_viscous = integrate_wishes_have(w, INTEGRATE_STRESS);
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
        set_vector(table, "pressure_force", pressure->along);
        set_vector(table, "viscous_force", viscous);
    }
    set_vector(table, "force", force);
    if (found->request->about) {
        set_vector(table, "moment", moment);
    }
}

void integrate_row_fill(const integrate_found *found, app_table *table)
{
    const integrate_wishes *w = found->wishes;
    app_table_set_count(table, found->is_volume ? "cells" : "faces", found->all.parts);
    app_table_set(table, found->all.size, found->is_volume ? "volume" : "area");
    if (!found->is_volume) {
        set_vector(table, "normal", found->all.along);
    }
    set_fields(found, table);
    if (found->is_volume) {
        return;
    }
    set_fluxes(found, table);
    if (integrate_wishes_have(w, INTEGRATE_PRESSURE)) {
        set_force(found, table);
    }
    if (integrate_wishes_have(w, INTEGRATE_HEAT)) {
        app_table_set(table, flux_of(found->sums + w->first[INTEGRATE_HEAT]),
                      "heat_flow");
    }
}
