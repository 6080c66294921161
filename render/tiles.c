#include "tiles.h"

#include "render/kernel/walk.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(WALK_TILE <= 16, "march_face holds pixels of a tile");

enum { TILE = WALK_TILE, TILE_PIXELS = WALK_TILE_PIXELS };

/* ---- Faces ------------------------------------------------------------------------- */

static void tiles_of_rect(const tile_plan *plan, pixel_rect rect, int first[2],
                          int last[2])
{
    first[0] = (rect.x0 - plan->window.x0) / TILE;
    first[1] = (rect.y0 - plan->window.y0) / TILE;
    last[0] = (rect.x1 - 1 - plan->window.x0) / TILE;
    last[1] = (rect.y1 - 1 - plan->window.y0) / TILE;
}

/* A seen face in the form that a tile stores. */
static march_face face_in_tile(const tile_plan *plan, int64_t tile,
                               const march_seen_face *seen)
{
    const pixel_rect rect = render_tiles_rect(plan, tile),
                     part = march_rect_intersect(rect, march_face_rect(seen));
    march_face face = seen->face;
    march_face_set_rect(&face, (pixel_rect){part.x0 - rect.x0, part.y0 - rect.y0,
                                            part.x1 - rect.x0, part.y1 - rect.y0});
    return face;
}

/* Visits all pairs of a face and a tile. Counts them in first[tile + 1], or puts the face
 * at index first[tile] and increments that. */
static void spread_faces(tile_plan *plan, int64_t nfaces, const march_seen_face *faces,
                         bool put)
{
    for (int64_t f = 0; f < nfaces; f++) {
        int first[2], last[2];
        tiles_of_rect(plan, march_face_rect(&faces[f]), first, last);
        for (int row = first[1]; row <= last[1]; row++) {
            for (int column = first[0]; column <= last[0]; column++) {
                int64_t tile = (int64_t)row * plan->columns + column;
                if (put) {
                    plan->faces[plan->first[tile]++] =
                        face_in_tile(plan, tile, &faces[f]);
                } else {
                    plan->first[tile + 1]++;
                }
            }
        }
    }
}

status render_tiles_plan(pixel_rect window, int64_t nfaces, const march_seen_face *faces,
                         tile_plan *out)
{
    tile_plan plan = {.window = window,
                      .columns = (window.x1 - window.x0 + TILE - 1) / TILE,
                      .rows = (window.y1 - window.y0 + TILE - 1) / TILE};
    int64_t tiles = (int64_t)plan.columns * plan.rows;
    plan.first = calloc((size_t)tiles + 2, sizeof *plan.first);
    if (!plan.first) {
        return base_fail_memory((size_t)tiles * sizeof *plan.first,
                                "the tiles of a picture");
    }
    /* Counts one index further up, so that the starts are right again after the second
     * pass. */
    plan.first++;
    spread_faces(&plan, nfaces, faces, false);
    for (int64_t tile = 0; tile < tiles; tile++) {
        plan.first[tile + 1] += plan.first[tile];
    }
    int64_t pairs = plan.first[tiles];
    plan.faces = malloc(((size_t)pairs + 1) * sizeof *plan.faces);
    if (!plan.faces) {
        free(plan.first - 1);
        return base_fail_memory((size_t)pairs * sizeof *plan.faces,
                                "the tiles of a picture");
    }
    spread_faces(&plan, nfaces, faces, true);
    plan.first--;
    *out = plan;
    return STATUS_OK;
}

void render_tiles_clear(tile_plan *plan)
{
    free(plan->first);
    free(plan->faces);
    free(plan->order);
    *plan = (tile_plan){0};
}

pixel_rect render_tiles_align(pixel_rect window)
{
    window.x0 -= window.x0 % TILE;
    window.y0 -= window.y0 % TILE;
    return window;
}

int64_t render_tiles_at(const tile_plan *plan, int column, int row)
{
    return (row - plan->window.y0) / TILE * (int64_t)plan->columns +
           (column - plan->window.x0) / TILE;
}

pixel_rect render_tiles_rect(const tile_plan *plan, int64_t tile)
{
    int x0 = plan->window.x0 + (int)(tile % plan->columns) * TILE;
    int y0 = plan->window.y0 + (int)(tile / plan->columns) * TILE;
    int x1 = x0 + TILE, y1 = y0 + TILE;
    return (pixel_rect){x0, y0, x1 < plan->window.x1 ? x1 : plan->window.x1,
                        y1 < plan->window.y1 ? y1 : plan->window.y1};
}

/* ---- Order ------------------------------------------------------------------------- */

/* A tile, and the estimated number of cells that its rays meet. */
typedef struct tile_cost {
    double cells;
    int32_t tile;
} tile_cost;

/* The most expensive first; equal ones in the order of the picture. */
static int compare_costs(const void *a, const void *b)
{
    const tile_cost *x = a, *y = b;
    if (x->cells != y->cells) {
        return x->cells < y->cells ? 1 : -1;
    }
    return (x->tile > y->tile) - (x->tile < y->tile);
}

/* Spreads the cost of a brick evenly over the tiles that it may touch. */
static void add_load(const tile_plan *plan, const tile_load *load, tile_cost *costs)
{
    const pixel_rect rect = load->rect;
    int first[2], last[2];
    tiles_of_rect(plan, rect, first, last);
    const double tiles =
        (double)(last[0] - first[0] + 1) * (double)(last[1] - first[1] + 1);
    const double pixels = (double)(rect.x1 - rect.x0) * (double)(rect.y1 - rect.y0);
    for (int row = first[1]; row <= last[1]; row++) {
        for (int column = first[0]; column <= last[0]; column++) {
            costs[(int64_t)row * plan->columns + column].cells +=
                load->cells * pixels / tiles;
        }
    }
}

status render_tiles_order(tile_plan *plan, int64_t count, const tile_load *loads)
{
    const size_t tiles = (size_t)plan->columns * (size_t)plan->rows;
    tile_cost *costs = malloc(tiles * sizeof *costs);
    plan->order = malloc(tiles * sizeof *plan->order);
    if (!costs || !plan->order) {
        free(costs);
        return base_fail_memory(tiles * sizeof *costs, "the tiles of a picture");
    }
    for (size_t tile = 0; tile < tiles; tile++) {
        costs[tile] = (tile_cost){0.0, (int32_t)tile};
    }
    for (int64_t n = 0; n < count; n++) {
        add_load(plan, &loads[n], costs);
    }
    qsort(costs, tiles, sizeof *costs, compare_costs);
    for (size_t tile = 0; tile < tiles; tile++) {
        plan->order[tile] = costs[tile].tile;
    }
    free(costs);
    return STATUS_OK;
}
