/* The boundary faces of a picture: no ray comes in anywhere else. */
#include "check.h"
#include "picture.h"
#include "shape.h"

#include "render/cells/march.h"
#include "support/random.h"

#include <stdlib.h>

enum { SIDE = 14, PIXELS = SIDE * SIDE };

/* How often each pixel's ray comes in. */
typedef struct entry_counts {
    int64_t of[PIXELS], all;
} entry_counts;

static void count_entries(const march_grid *grid, const march_face *face,
                          const cell_ray rays[PIXELS], pixel_rect rect,
                          entry_counts *counts)
{
    for (int y = rect.y0; y < rect.y1; y++) {
        for (int x = rect.x0; x < rect.x1; x++) {
            march_entry entries[2];
            const int pixel = y * SIDE + x;
            const int here = render_march_face_entries(grid, face, &rays[pixel], entries);
            counts->of[pixel] += here;
            counts->all += here;
        }
    }
}

/* Through any face of a cell beyond which there is none. */
static entry_counts count_all(const march_grid *grid, const cell_ray rays[PIXELS])
{
    entry_counts counts = {.all = 0};
    for (int b = 0; b < grid->nbricks; b++) {
        const int *n = grid->bricks[b].n;
        for (int at = 0; at < n[0] * n[1] * n[2]; at++) {
            const march_cell cell = {b,
                                     {at % n[0], at / n[0] % n[1], at / (n[0] * n[1])}};
            const int lowest = march_vertex_index(&grid->bricks[b], cell.at);
            for (int f = 0; f < 6 && (grid->flags[lowest] & GRID_PRESENT); f++) {
                march_cell beyond = cell;
                if (!render_march_step_over(grid, f, &beyond)) {
                    const march_face face = march_face_make(cell, f);
                    count_entries(grid, &face, rays, (pixel_rect){0, 0, SIDE, SIDE},
                                  &counts);
                }
            }
        }
    }
    return counts;
}

/* Through the faces of the list, each where it says that it may be seen. */
static entry_counts count_listed(const march_grid *grid, const render_camera *camera,
                                 const cell_ray rays[PIXELS], int64_t *nfaces)
{
    entry_counts counts = {.all = 0};
    march_seen_face *faces;
    assert_int_equal(render_march_boundary(grid, camera, (pixel_rect){0, 0, SIDE, SIDE},
                                           2, nfaces, &faces),
                     STATUS_OK);
    for (int64_t f = 0; f < *nfaces; f++) {
        count_entries(grid, &faces[f].face, rays, march_face_rect(&faces[f]), &counts);
    }
    free(faces);
    return counts;
}

/* Returns how many faces are listed. */
static int64_t check_grid(const shape *wanted, uint64_t seed, int64_t *entries)
{
    uint64_t state = seed;
    test_grid grid = shape_create(wanted);
    render_view view =
        picture_view_random(&state, shape_center(&grid), shape_radius(&grid));
    if (random_below(&state, 4) == 0) { /* on a vertex */
        const float *vertex = grid.store->bricks[0].vertex[random_below(&state, 8)];
        for (int axis = 0; axis < 3; axis++) {
            view.position.v[axis] = (double)vertex[axis];
        }
    }
    render_camera camera;
    assert_int_equal(
        render_camera_create(&view, SIDE, SIDE, grid.layout->origin, &camera), STATUS_OK);
    cell_ray rays[PIXELS];
    for (int pixel = 0; pixel < PIXELS; pixel++) {
        rays[pixel] =
            render_cell_ray(render_camera_ray(&camera, pixel % SIDE, pixel / SIDE));
    }
    bool chosen[64];
    assert_true(grid.store->nbricks <= 64);
    for (int64_t slot = 0; slot < grid.store->nbricks; slot++) {
        chosen[slot] = true;
    }
    march_grid march;
    assert_int_equal(render_march_grid_create(grid.store, chosen, NULL, &march),
                     STATUS_OK);
    int64_t nfaces;
    const entry_counts expected = count_all(&march, rays),
                       actual = count_listed(&march, &camera, rays, &nfaces);
    for (int pixel = 0; pixel < PIXELS; pixel++) {
        check_count("entries of a ray", seed, expected.of[pixel], actual.of[pixel]);
    }
    *entries += actual.all;
    render_march_grid_destroy(&march);
    test_grid_destroy(&grid);
    return nfaces;
}

static void rays_come_in_through_listed_faces_only(void **unused)
{
    (void)unused;
    const shape_kind kinds[] = {SHAPE_BOX, SHAPE_RING, SHAPE_POLE, SHAPE_FLAT,
                                SHAPE_LATTICE};
    int64_t entries = 0;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        const shape wanted = {.kind = kinds[seed % 5],
                              .n = {6, 9, 5},
                              .seed = seed,
                              .jitter = seed % 3 ? (seed % 2 ? 0.3 : 1.2) : 0.0,
                              .mirrored = seed % 7 < 3,
                              .has_hole = seed % 4 == 0};
        check_grid(&wanted, seed, &entries);
    }
    assert_true(entries > 5000);
}

/* A cube seen from outside shows three of its sides at most. */
static void faces_that_rays_only_leave_are_not_listed(void **unused)
{
    (void)unused;
    const shape cube = {.kind = SHAPE_BOX, .n = {9, 9, 9}};
    for (uint64_t seed = 1; seed <= 20; seed++) {
        int64_t entries = 0;
        uint64_t state = seed;
        test_grid grid = shape_create(&cube);
        const double radius = shape_radius(&grid);
        test_grid_destroy(&grid);
        const render_view view =
            picture_view_random(&state, vec3_make(4.0, 4.0, 4.0), radius);
        const int64_t nfaces = check_grid(&cube, seed, &entries);
        bool is_outside = false;
        for (int axis = 0; axis < 3; axis++) {
            is_outside |= view.position.v[axis] < -1.0 || view.position.v[axis] > 9.0;
        }
        if (is_outside) {
            check_within("faces of a cube", seed, 0.0, 3.0 * 64.0, (double)nfaces);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_come_in_through_listed_faces_only),
        cmocka_unit_test(faces_that_rays_only_leave_are_not_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
