#include "boundary.h"

#include <math.h>

/* The unit normal of a boundary face, pointing out of the box. */
static void outer_normal(const solver_box *box, int face, int64_t cell, double n[3])
{
    int axis = face / 2;
    int64_t at = face % 2 == 0 ? cell : cell + box->stride[axis];
    double sign = face % 2 == 0 ? -1.0 : 1.0;
    double size = 0.0;
    for (int c = 0; c < 3; c++) {
        n[c] = sign * box->area[axis][c][at];
        size += n[c] * n[c];
    }
    size = sqrt(size);
    for (int c = 0; c < 3 && size > 0.0; c++) {
        n[c] /= size;
    }
}

static void get_state(const solver_box *box, int64_t cell, double w[5])
{
    for (int v = 0; v < 5; v++) {
        w[v] = box->primitive[v][cell];
    }
}

static void put_state(const solver_box *box, int64_t cell, const double w[5])
{
    for (int v = 0; v < 5; v++) {
        box->primitive[v][cell] = w[v];
    }
}

static void mirror_wall(const solver_face *face, double w[5])
{
    for (int c = 0; c < 3; c++) {
        w[VEL_X + c] = 2.0 * face->velocity[c] - w[VEL_X + c];
    }
}

static void mirror_slip(const double n[3], double w[5])
{
    double through = w[VEL_X] * n[0] + w[VEL_Y] * n[1] + w[VEL_Z] * n[2];
    for (int c = 0; c < 3; c++) {
        w[VEL_X + c] -= 2.0 * through * n[c];
    }
}

/*
 * Deviations from the free stream are waves. Two are sound waves, dp +- rho c du_n. The
 * others move with the flow: entropy, dp - c^2 drho, and the tangential velocity. In a
 * free stream all of them are exactly zero, and remain so.
 */
static void pass_waves(const solver_gas *gas, const double n[3], double w[5])
{
    double sound = sqrt(gas->gamma * w[PRESSURE] / w[RHO]);
    double impedance = w[RHO] * sound;
    double velocity[3] = {w[VEL_X] - 1.0, w[VEL_Y], w[VEL_Z]};
    double speed = w[VEL_X] * n[0] + w[VEL_Y] * n[1] + w[VEL_Z] * n[2];
    double normal = velocity[0] * n[0] + velocity[1] * n[1] + velocity[2] * n[2];
    double pressure = w[PRESSURE] - gas->pressure;
    double entropy = pressure - sound * sound * (w[RHO] - 1.0);
    double out = speed > -sound ? pressure + impedance * normal : 0.0;
    double in = speed > sound ? pressure - impedance * normal : 0.0;
    double carried = speed > 0.0 ? 1.0 : 0.0;
    double outer_pressure = 0.5 * (out + in);
    double outer_normal_speed = 0.5 * (out - in) / impedance;
    w[RHO] = 1.0 + (outer_pressure - carried * entropy) / (sound * sound);
    for (int c = 0; c < 3; c++) {
        double tangential = velocity[c] - normal * n[c];
        w[VEL_X + c] =
            (c == 0 ? 1.0 : 0.0) + carried * tangential + outer_normal_speed * n[c];
    }
    w[PRESSURE] = gas->pressure + outer_pressure;
}

/* Fills the two ghosts behind the outermost cell of a face. */
static void fill_pair(const solver_gas *gas, solver_box *box, int face, int64_t cell)
{
    int64_t outward = face % 2 == 0 ? -box->stride[face / 2] : box->stride[face / 2];
    solver_face_kind kind = box->faces[face].kind;
    double n[3];
    outer_normal(box, face, cell, n);
    for (int layer = 0; layer < SOLVER_GHOSTS; layer++) {
        double w[5];
        bool mirrored = kind != SOLVER_FARFIELD && !box->thin[face / 2];
        get_state(box, mirrored ? cell - layer * outward : cell, w);
        if (kind == SOLVER_WALL) {
            mirror_wall(&box->faces[face], w);
        } else if (kind == SOLVER_SLIP) {
            mirror_slip(n, w);
        } else {
            pass_waves(gas, n, w);
        }
        put_state(box, cell + (layer + 1) * outward, w);
    }
}

static void fill_face(const solver_gas *gas, solver_box *box, int face)
{
    int axis = face / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
    int64_t edge = face % 2 == 0 ? 0 : box->part.n[axis] - 1;
#pragma omp parallel for schedule(static)
    for (int64_t b = -SOLVER_GHOSTS; b < box->part.n[v] + SOLVER_GHOSTS; b++) {
        for (int64_t a = -SOLVER_GHOSTS; a < box->part.n[u] + SOLVER_GHOSTS; a++) {
            fill_pair(gas, box, face,
                      box->origin + edge * box->stride[axis] + a * box->stride[u] +
                          b * box->stride[v]);
        }
    }
}

static void fill_temperature(const solver_gas *gas, solver_box *box)
{
    const double *rho = box->primitive[RHO], *pressure = box->primitive[PRESSURE];
    double *temperature = box->primitive[TEMPERATURE];
#pragma omp parallel for simd schedule(static)
    for (int64_t c = 0; c < box->count; c++) {
        temperature[c] = pressure[c] / (rho[c] * gas->gas_constant);
    }
}

void solver_boundary_fill(const solver_gas *gas, solver_box *box)
{
    static const solver_face_kind order[] = {SOLVER_FARFIELD, SOLVER_SLIP, SOLVER_WALL};
    for (int kind = 0; kind < 3; kind++) {
        for (int face = 0; face < SOLVER_FACES; face++) {
            if (box->faces[face].kind == order[kind]) {
                fill_face(gas, box, face);
            }
        }
    }
    fill_temperature(gas, box);
}
