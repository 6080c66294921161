/* The length of a ray's way through a grid, against a sum over all triangles of all
 * cells. Every crossing outwards adds its distance from the eye, every crossing inwards
 * subtracts it. */
#include "check.h"
#include "picture.h"
#include "shape.h"

#include "support/random.h"

enum { SIDE = 16 };

/* The corners of a cell's faces, i + 2 j + 4 k, counterclockwise from outside. */
static const int outward_faces[6][4] = {
    {0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6},
};

typedef struct point {
    long double x[3];
} point;

static point subtract(point a, point b)
{
    return (point){{a.x[0] - b.x[0], a.x[1] - b.x[1], a.x[2] - b.x[2]}};
}

static long double determinant(point a, point b, point c)
{
    return a.x[0] * (b.x[1] * c.x[2] - b.x[2] * c.x[1]) +
           a.x[1] * (b.x[2] * c.x[0] - b.x[0] * c.x[2]) +
           a.x[2] * (b.x[0] * c.x[1] - b.x[1] * c.x[0]);
}

/* Signed distance of the line's crossing with a triangle: positive where it goes out,
 * zero where they do not meet. Volumes of tetrahedra tell (the sign of Plücker products).
 */
static long double cross_triangle(point origin, point along, const point corner[3])
{
    point p[3];
    long double w[3], sum = 0.0L;
    for (int n = 0; n < 3; n++) {
        p[n] = subtract(corner[n], origin);
    }
    for (int n = 0; n < 3; n++) {
        w[n] = determinant(along, p[(n + 1) % 3], p[(n + 2) % 3]);
        sum += w[n];
    }
    bool outwards = w[0] > 0.0L && w[1] > 0.0L && w[2] > 0.0L;
    bool inwards = w[0] < 0.0L && w[1] < 0.0L && w[2] < 0.0L;
    if (!outwards && !inwards) {
        return 0.0L;
    }
    long double t = 0.0L;
    for (int axis = 0; axis < 3; axis++) {
        long double at =
            (w[0] * p[0].x[axis] + w[1] * p[1].x[axis] + w[2] * p[2].x[axis]) / sum;
        t += at * along.x[axis];
    }
    return outwards ? t : -t;
}

/* Which corner of a face its diagonal starts at: the first by x, then y, then z. */
static int first_corner(const point corner[4])
{
    int first = 0;
    for (int n = 1; n < 4; n++) {
        const long double *a = corner[n].x, *b = corner[first].x;
        int axis = a[0] != b[0] ? 0 : a[1] != b[1] ? 1 : 2;
        first = a[axis] < b[axis] ? n : first;
    }
    return first;
}

static long double path_in_cell(point origin, point along, const point vertex[8])
{
    long double path = 0.0L;
    for (int face = 0; face < 6; face++) {
        point corner[4];
        for (int n = 0; n < 4; n++) {
            corner[n] = vertex[outward_faces[face][n]];
        }
        int first = first_corner(corner);
        for (int half = 0; half < 2; half++) {
            point triangle[3] = {corner[first], corner[(first + 1 + half) % 4],
                                 corner[(first + 2 + half) % 4]};
            path += cross_triangle(origin, along, triangle);
        }
    }
    return path;
}

static point to_point(vec3 v)
{
    return (point){{(long double)v.v[0], (long double)v.v[1], (long double)v.v[2]}};
}

static double path_in_grid(const shape *of, const render_ray *ray)
{
    long double path = 0.0L;
    int64_t cells[3] = {of->n[0] - 1, of->n[1] - 1, of->n[2] - 1};
    for (int64_t c = 0; c < cells[0] * cells[1] * cells[2]; c++) {
        point vertex[8];
        for (int corner = 0; corner < 8; corner++) {
            int64_t at[3] = {c % cells[0] + (corner & 1),
                             c / cells[0] % cells[1] + (corner >> 1 & 1),
                             c / cells[0] / cells[1] + (corner >> 2)};
            vec3 xyz;
            shape_vertex(of, at, xyz.v);
            vertex[corner] = to_point(xyz);
        }
        path += path_in_cell(to_point(ray->origin), to_point(ray->direction), vertex);
    }
    return (double)path;
}

/* Compares every pixel of a parallel picture from far outside. */
static void check_paths(const shape *of, uint64_t seed)
{
    const double extinction = 0.05;
    uint64_t state = seed;
    render_transfer *transfer = picture_transfer_constant(extinction);
    test_grid grid = shape_create(of);
    vec3 center = shape_center(&grid);
    render_view view = picture_view_random(&state, center, shape_radius(&grid));
    vec3 from = vec3_scale(vec3_normalize(vec3_sub(view.position, center)), 30.0);
    view = picture_view_parallel(vec3_add(center, from), view.look_at,
                                 1.6 * shape_radius(&grid));
    picture p = picture_of(&grid, transfer, view, SIDE);
    render_counters counters;
    image *img = picture_draw(&p, &counters);
    render_camera camera = picture_camera(&p);
    for (int pixel = 0; pixel < SIDE * SIDE; pixel++) {
        render_ray ray = render_camera_ray(&camera, pixel % SIDE, pixel / SIDE);
        /* If inverted cells count for more than the others, alpha ends at zero. */
        double path = fmax(path_in_grid(of, &ray), 0.0);
        check_near("alpha", seed, -expm1(-extinction * path),
                   (double)img->rgba[4 * pixel + 3], 4e-6);
    }
    check_count("lost rays", seed, 0, counters.lost_rays);
    image_destroy(&img);
    test_grid_destroy(&grid);
    render_transfer_destroy(&transfer);
}

static void warped_boxes_are_crossed_as_their_triangles_say(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        check_paths(
            &(shape){.kind = SHAPE_BOX, .n = {5, 4, 4}, .seed = seed, .jitter = 0.3},
            seed);
    }
}

static void inverted_cells_count_backwards(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        check_paths(
            &(shape){.kind = SHAPE_BOX, .n = {4, 4, 4}, .seed = seed, .jitter = 0.9},
            seed);
    }
}

static void rings_and_poles_are_crossed_as_their_triangles_say(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= 16; seed++) {
        check_paths(&(shape){.kind = seed % 2 ? SHAPE_RING : SHAPE_POLE,
                             .n = {3, 9, 3},
                             .seed = seed,
                             .jitter = 0.2},
                    seed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(warped_boxes_are_crossed_as_their_triangles_say),
        cmocka_unit_test(inverted_cells_count_backwards),
        cmocka_unit_test(rings_and_poles_are_crossed_as_their_triangles_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
