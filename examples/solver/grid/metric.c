#include "metric.h"

void solver_metric_area(const double a[3], const double b[3], const double c[3],
                        const double d[3], double area[3])
{
    double e[3], f[3];
    for (int x = 0; x < 3; x++) {
        e[x] = c[x] - a[x];
        f[x] = d[x] - b[x];
    }
    area[0] = 0.5 * (e[1] * f[2] - e[2] * f[1]);
    area[1] = 0.5 * (e[2] * f[0] - e[0] * f[2]);
    area[2] = 0.5 * (e[0] * f[1] - e[1] * f[0]);
}

double solver_metric_volume(const double corners[8][3])
{
    /* Corners of the faces; each face points to higher i, j, k. */
    static const int faces[6][4] = {{0, 2, 6, 4}, {1, 3, 7, 5}, {0, 4, 5, 1},
                                    {2, 6, 7, 3}, {0, 1, 3, 2}, {4, 5, 7, 6}};
    double sum = 0.0;
    for (int f = 0; f < 6; f++) {
        const double *p[4];
        for (int v = 0; v < 4; v++) {
            p[v] = corners[faces[f][v]];
        }
        double area[3], flow = 0.0;
        solver_metric_area(p[0], p[1], p[2], p[3], area);
        for (int x = 0; x < 3; x++) {
            /* Relative to a corner, so that no digits are lost far from the origin. */
            double middle =
                0.25 * (p[0][x] + p[1][x] + p[2][x] + p[3][x]) - corners[0][x];
            flow += middle * area[x];
        }
        sum += f % 2 == 0 ? -flow : flow;
    }
    return sum / 3.0;
}
