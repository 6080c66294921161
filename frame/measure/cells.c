/*
 * Integrals over a cell. With corners X[i][j][k] the cell is the image of the unit cube
 * under X(u) = sum of N_i(u) N_j(v) N_k(w) X[i][j][k]. N times the determinant of X's
 * derivatives is of third order in each of u, v and w, so two points of Gauss along each
 * axis integrate it exactly:
 *
 *     0 ----+---------------+---- 1      at 1/2 -+ 1/sqrt(12)
 *
 * The derivative along u does not depend on u: four vectors suffice for eight points.
 */
#include "cells.h"

#include "base/vec.h"

#define NEAR 0.78867513459481288 /* N of the nearer end at a point of Gauss */
#define FAR  0.21132486540518712

/* Values at the points between two ends. */
static void spread(double a, double b, double out[2])
{
    out[0] = NEAR * a + FAR * b;
    out[1] = FAR * a + NEAR * b;
}

/* The derivative along an axis at the points of the two others, [of the first][of the
 * second], from corners c[di + 2 dj + 4 dk]. */
static void differentiate(const double c[8][3], int axis, vec3 out[2][2])
{
    const int step = 1 << axis, one = 1 << (axis + 1) % 3, two = 1 << (axis + 2) % 3;
    for (int d = 0; d < 3; d++) {
        double edge[2][2], half[2][2], whole[2];
        for (int b = 0; b < 4; b++) {
            const int at = (b & 1) * one + (b >> 1) * two;
            edge[b >> 1][b & 1] = c[at + step][d] - c[at][d];
        }
        spread(edge[0][0], edge[0][1], half[0]);
        spread(edge[1][0], edge[1][1], half[1]);
        for (int p = 0; p < 2; p++) {
            spread(half[0][p], half[1][p], whole);
            out[p][0].v[d] = whole[0];
            out[p][1].v[d] = whole[1];
        }
    }
}

/* The parts of the corners in the signed volume of a cell. */
static void find_parts(const double c[8][3], double part[8])
{
    vec3 du[2][2], dv[2][2], dw[2][2]; /* [v][w], [w][u], [u][v] */
    differentiate(c, 0, du);
    differentiate(c, 1, dv);
    differentiate(c, 2, dw);
    for (int g = 0; g < 8; g++) {
        const int u = g & 1, v = g >> 1 & 1, w = g >> 2;
        part[g] = 0.125 * vec3_dot(du[v][w], vec3_cross(dv[w][u], dw[u][v]));
    }
    for (int step = 1; step < 8; step *= 2) { /* points to corners, axis by axis */
        for (int n = 0; n < 8; n++) {
            if (!(n & step)) {
                double to[2];
                spread(part[n], part[n + step], to);
                part[n] = to[0];
                part[n + step] = to[1];
            }
        }
    }
}

int64_t measure_cells_weigh(const grid_brick *brick, double sign, double *weight)
{
    const int *n = brick->place.n;
    const int row = n[0] + 1, plane = row * (n[1] + 1);
    int64_t count = 0;
    for (int cell = 0; cell < n[0] * n[1] * n[2]; cell++) {
        const int i = cell % n[0], j = cell / n[0] % n[1], k = cell / n[0] / n[1];
        const int lowest = i + row * j + plane * k;
        double corner[8][3], part[8];
        if (!(brick->flags[lowest] & GRID_PRESENT)) {
            continue;
        }
        for (int c = 0; c < 8; c++) {
            const float *at =
                brick->vertex[lowest + (c & 1) + (c >> 1 & 1) * row + (c >> 2) * plane];
            for (int axis = 0; axis < 3; axis++) {
                corner[c][axis] = (double)at[axis];
            }
        }
        find_parts(corner, part);
        for (int c = 0; c < 8; c++) {
            weight[lowest + (c & 1) + (c >> 1 & 1) * row + (c >> 2) * plane] +=
                sign * part[c];
        }
        count++;
    }
    return count;
}

int64_t measure_cells_volumes(const grid_brick *brick, double sign, double *volume)
{
    const int *n = brick->place.n;
    int64_t count = 0;
    grid_brick_volumes(brick, volume);
    for (int cell = 0; cell < n[0] * n[1] * n[2]; cell++) {
        const int i = cell % n[0], row = cell / n[0], j = row % n[1], k = row / n[1];
        const int lowest = i + (n[0] + 1) * (j + (n[1] + 1) * k);
        const bool is_present = brick->flags[lowest] & GRID_PRESENT;
        volume[cell] = is_present ? sign * volume[cell] : 0.0;
        count += is_present;
    }
    return count;
}
