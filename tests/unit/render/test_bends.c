/* The two lines along which the scalar goes through a bent cell have the mean of the
 * trilinear map along the ray. */
#include "check.h"

#include "render/cells/cell.h"
#include "render/cells/refine_cell.h"
#include "render/transfer/transfer.h"
#include "support/random.h"

#include <math.h>
#include <stdio.h>

enum { CORNERS = 8, CELLS = 4000, RAYS_PER_CELL = 4, STEPS = 16, NEWTON_STEPS = 30 };

/* A cell and all that its ways need. */
typedef struct bent_cell {
    float vertex[CORNERS][4];
    uint8_t flags[CORNERS + GRID_FLAGS_PADDING];
    march_brick brick;
    march_grid grid;
} bent_cell;

/* Nearly a cube of side 1, with a scalar that is far from linear. warp: by how much its
 * corners are moved. */
static void make_cell(uint64_t *state, double warp, bent_cell *cell)
{
    for (int c = 0; c < CORNERS; c++) {
        for (int axis = 0; axis < 3; axis++) {
            cell->vertex[c][axis] =
                (float)((c >> axis & 1) + warp * random_between(state, -1.0, 1.0));
        }
        cell->vertex[c][3] = (float)random_between(state, -1.0, 1.0);
    }
    cell->brick = (march_brick){.n = {1, 1, 1}, .stride = {1, 2, 4}};
    const unsigned diagonals = (unsigned)(random_bits(state) % 64);
    cell->flags[0] = (uint8_t)(GRID_PRESENT | (diagonals & 7u) | (diagonals & 56u) << 1);
    cell->grid = (march_grid){.vertex = (const float(*)[4])cell->vertex,
                              .flags = cell->flags,
                              .nbricks = 1,
                              .bricks = &cell->brick};
}

static cell_ray make_ray(uint64_t *state)
{
    render_ray ray = {.origin = vec3_make(0.0, 0.0, 0.0)};
    for (int axis = 0; axis < 3; axis++) {
        const double through = 0.5 + 0.4 * random_between(state, -1.0, 1.0);
        ray.origin.v[axis] = 4.0 * random_between(state, -1.0, 1.0);
        ray.direction.v[axis] = through - ray.origin.v[axis];
    }
    ray.direction = vec3_normalize(ray.direction);
    return render_cell_ray(ray);
}

/* ---- The truth --------------------------------------------------------------------- */

/* The trilinear map at a place: coordinates and scalar, and their slopes. */
static void evaluate(const bent_cell *cell, const double at[3], double x[4],
                     double slope[3][4])
{
    for (int value = 0; value < 4; value++) {
        x[value] = slope[0][value] = slope[1][value] = slope[2][value] = 0.0;
        for (int c = 0; c < CORNERS; c++) {
            double weight[3], sign[3];
            for (int n = 0; n < 3; n++) {
                const bool upper = c >> n & 1;
                weight[n] = upper ? at[n] : 1.0 - at[n];
                sign[n] = upper ? 1.0 : -1.0;
            }
            const double corner = (double)cell->vertex[c][value];
            x[value] += corner * weight[0] * weight[1] * weight[2];
            for (int n = 0; n < 3; n++) {
                slope[n][value] +=
                    corner * sign[n] * weight[(n + 1) % 3] * weight[(n + 2) % 3];
            }
        }
    }
}

static double determinant(const double a[3], const double b[3], const double c[3])
{
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/* The scalar of the map at a point, by Newton's method. */
static double scalar_at(const bent_cell *cell, const double point[3])
{
    double at[3] = {0.5, 0.5, 0.5}, x[4], slope[3][4];
    for (int n = 0; n < NEWTON_STEPS; n++) {
        evaluate(cell, at, x, slope);
        const double off[3] = {point[0] - x[0], point[1] - x[1], point[2] - x[2]};
        const double det = determinant(slope[0], slope[1], slope[2]);
        at[0] += determinant(off, slope[1], slope[2]) / det;
        at[1] += determinant(slope[0], off, slope[2]) / det;
        at[2] += determinant(slope[0], slope[1], off) / det;
    }
    evaluate(cell, at, x, slope);
    return x[3];
}

/* The mean of the scalar along a ray, by Simpson's rule. */
static double find_mean(const bent_cell *cell, const cell_ray *ray, double t0, double t1)
{
    double sum = 0.0;
    for (int n = 0; n <= STEPS; n++) {
        const double t = t0 + (t1 - t0) * n / STEPS, along = t / (double)ray->per_unit;
        double point[3];
        point[ray->axis[2]] = along;
        for (int axis = 0; axis < 2; axis++) {
            point[ray->axis[axis]] =
                (double)ray->origin[axis] + (double)ray->shear[axis] * along;
        }
        const int weight = n == 0 || n == STEPS ? 1 : n % 2 ? 4 : 2;
        sum += weight * scalar_at(cell, point);
    }
    return sum / (3 * STEPS);
}

/* ---- Ways -------------------------------------------------------------------------- */

/* So steep that every bend is visible, but none is large. */
static render_transfer *make_transfer(void)
{
    static const double colors[2][4] = {{0, 0, 0, 0}, {1, 1, 1, 1}},
                        opacities[2][2] = {{0, 0}, {1, 0.1}};
    const render_transfer_points points = {.ncolors = 2,
                                           .colors = colors,
                                           .nopacities = 2,
                                           .opacities = opacities,
                                           .range = {-1.0, 1.0},
                                           .unit_length = 1.0};
    render_transfer *transfer;
    assert_int_equal(render_transfer_create(&points, &transfer), STATUS_OK);
    return transfer;
}

/* Sums of errors of means: of one line, and of two. */
typedef struct bend_errors {
    int ways;
    double one, two, worst;
} bend_errors;

static void check_way(const bent_cell *cell, const render_transfer *transfer,
                      const cell_ray *ray, const refine_way *way, bend_errors *errors)
{
    refine_knot knots[REFINE_MOST_PARTS + 1];
    if (render_refine_way(&cell->grid, ray, way, false, &transfer->table, knots) != 2) {
        return;
    }
    const double s0 = (double)knots[0].scalar, s1 = (double)knots[2].scalar,
                 middle = (double)knots[1].scalar;
    const double mean = find_mean(cell, ray, (double)knots[0].t, (double)knots[2].t);
    const double two = fabs(0.25 * (s0 + 2.0 * middle + s1) - mean);
    errors->ways++;
    errors->one += fabs(0.5 * (s0 + s1) - mean);
    errors->two += two;
    errors->worst = fmax(errors->worst, two);
}

static void follow_ray(const bent_cell *cell, const render_transfer *transfer,
                       const cell_ray *ray, bend_errors *errors)
{
    const unsigned diagonals = render_cell_diagonals(cell->flags[0]);
    cell_vertices sheared;
    for (int c = 0; c < CORNERS; c++) {
        render_cell_set_vertex(&sheared, c, ray, cell->vertex[c]);
    }
    for (int face = 0; face < 6; face++) {
        cell_crossing entries[2];
        const int count = render_cell_face_entries(&sheared, diagonals, ray->is_backward,
                                                   face, entries);
        for (int e = 0; e < count; e++) {
            refine_way way = {.entry = entries[e]};
            assert_true(render_cell_exit(&sheared, diagonals, ray->is_backward,
                                         entries[e].triangle, &way.exit));
            check_way(cell, transfer, ray, &way, errors);
        }
    }
}

static bend_errors follow_rays(double warp)
{
    render_transfer *transfer = make_transfer();
    bend_errors errors = {0};
    for (uint64_t seed = 1; seed <= CELLS; seed++) {
        uint64_t state = random_start(seed, 77);
        bent_cell cell = {0};
        make_cell(&state, warp, &cell);
        for (int n = 0; n < RAYS_PER_CELL; n++) {
            const cell_ray ray = make_ray(&state);
            follow_ray(&cell, transfer, &ray, &errors);
        }
    }
    printf("warp %.2f: %d ways, mean error of one line %.5f, of two %.5f, worst %.5f\n",
           warp, errors.ways, errors.one / errors.ways, errors.two / errors.ways,
           errors.worst);
    render_transfer_destroy(&transfer);
    return errors;
}

static void two_lines_have_the_mean_of_the_map(void **state)
{
    (void)state;
    static const struct {
        double warp, part, worst;
    } cases[] = {{0.0, 0.015, 0.04}, {0.05, 0.05, 0.05}, {0.2, 0.15, 0.2}};
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        const bend_errors errors = follow_rays(cases[n].warp);
        check_within("ways of two lines", n, CELLS, INFINITY, (double)errors.ways);
        check_within("part of the error of one line", n, 0.0, cases[n].part,
                     errors.two / errors.one);
        check_within("worst error", n, 0.0, cases[n].worst, errors.worst);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_lines_have_the_mean_of_the_map),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
