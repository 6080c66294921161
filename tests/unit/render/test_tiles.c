/* Which faces a tile lists, and the pixels of them, in windows that begin anywhere. */
#include "render/tiles.h"

#include "check.h"
#include "support/random.h"

#include <string.h>

enum { MOST_FACES = 60, TRIALS = 300 };

/* Not empty, within `all`. */
static pixel_rect any_rect(uint64_t *state, pixel_rect all)
{
    pixel_rect r;
    r.x0 = all.x0 + random_below(state, all.x1 - all.x0);
    r.y0 = all.y0 + random_below(state, all.y1 - all.y0);
    r.x1 = r.x0 + 1 + random_below(state, all.x1 - r.x0);
    r.y1 = r.y0 + 1 + random_below(state, all.y1 - r.y0);
    return r;
}

static march_seen_face any_face(uint64_t *state, int number, pixel_rect window)
{
    const march_cell cell = {
        number,
        {random_below(state, 16), random_below(state, 16), random_below(state, 16)}};
    const pixel_rect r = any_rect(state, window);
    return (march_seen_face){.face = march_face_make(cell, random_below(state, 6)),
                             .x0 = (uint16_t)r.x0,
                             .y0 = (uint16_t)r.y0,
                             .x1 = (uint16_t)r.x1,
                             .y1 = (uint16_t)r.y1};
}

static void check_same_cell(uint32_t seed, const march_face *expected,
                            const march_face *actual)
{
    const march_cell a = march_face_cell(expected), b = march_face_cell(actual);
    check_count("brick", seed, a.brick, b.brick);
    for (int axis = 0; axis < 3; axis++) {
        check_count("cell", seed, a.at[axis], b.at[axis]);
    }
    check_count("side", seed, expected->face, actual->face);
}

/* Counts for each face the pixels of the tile's list, which must lie in its rectangle. */
static void count_pixels(uint32_t seed, const tile_plan *plan, int64_t tile,
                         const march_seen_face *faces, int64_t counts[MOST_FACES])
{
    const pixel_rect rect = render_tiles_rect(plan, tile);
    for (int64_t f = plan->first[tile]; f < plan->first[tile + 1]; f++) {
        const march_face *face = &plan->faces[f];
        const march_seen_face *seen = &faces[face->brick];
        const pixel_rect whole = march_face_rect(seen);
        const pixel_rect part = {rect.x0 + (int)face->x0, rect.y0 + (int)face->y0,
                                 rect.x0 + (int)face->x1 + 1,
                                 rect.y0 + (int)face->y1 + 1};
        const pixel_rect both =
            march_rect_intersect(march_rect_intersect(part, rect), whole);
        check_same_cell(seed, &seen->face, face);
        check_count("pixels beside", seed, 0, memcmp(&both, &part, sizeof both));
        counts[face->brick] += (int64_t)(part.x1 - part.x0) * (part.y1 - part.y0);
    }
}

static void tiles_list_every_pixel_of_a_face_once(void **unused)
{
    (void)unused;
    const pixel_rect picture = {0, 0, IMAGE_MAX_SIDE, 200};
    for (uint32_t seed = 1; seed <= TRIALS; seed++) {
        uint64_t state = random_start(seed, 0);
        march_seen_face faces[MOST_FACES];
        int64_t counts[MOST_FACES] = {0};
        pixel_rect window = any_rect(&state, picture);
        const int most = window.x0 + 1 + random_below(&state, 150);
        window.x1 = window.x1 < most ? window.x1 : most;
        const int nfaces = 1 + random_below(&state, MOST_FACES);
        for (int n = 0; n < nfaces; n++) {
            faces[n] = any_face(&state, n, window);
        }
        tile_plan plan;
        assert_int_equal(render_tiles_plan(window, nfaces, faces, &plan), STATUS_OK);
        for (int64_t tile = 0; tile < (int64_t)plan.columns * plan.rows; tile++) {
            count_pixels(seed, &plan, tile, faces, counts);
        }
        for (int n = 0; n < nfaces; n++) {
            const pixel_rect r = march_face_rect(&faces[n]);
            check_count("pixels of a face", seed, (int64_t)(r.x1 - r.x0) * (r.y1 - r.y0),
                        counts[n]);
        }
        render_tiles_clear(&plan);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiles_list_every_pixel_of_a_face_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
