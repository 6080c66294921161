/* Views: the samples of all tiles of a picture. */
#include "sample.h"

#include <stdlib.h>
#include <string.h>

enum { TILE = FRAGMENTS_TILE };

/* ---- Quadrilaterals of tiles ------------------------------------------------------- */

static void clear_plan(surface_plan *plan)
{
    free(plan->rects);
    free(plan->first);
    free(plan->quads);
}

static void find_rects(surface_plan *plan, int threads)
{
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int64_t n = 0; n < plan->mesh->nquads; n++) {
        vec3 corner[4];
        for (int c = 0; c < 4; c++) {
            corner[c] = surface_vertex_point(
                &plan->mesh->vertices[plan->mesh->quads[n].corner[c]]);
        }
        plan->rects[n] = render_camera_line_footprint(plan->camera, 4, corner);
    }
}

/* Visits all pairs of a quadrilateral and a tile. Counts them in first[tile + 1], or puts
 * the quadrilateral at index first[tile] and increments that. */
static void spread_quads(surface_plan *plan, bool put)
{
    for (int64_t n = 0; n < plan->mesh->nquads; n++) {
        const pixel_rect rect = plan->rects[n];
        if (pixel_rect_is_empty(rect)) {
            continue;
        }
        for (int row = rect.y0 / TILE; row <= (rect.y1 - 1) / TILE; row++) {
            for (int column = rect.x0 / TILE; column <= (rect.x1 - 1) / TILE; column++) {
                int64_t tile = (int64_t)row * plan->columns + column;
                if (put) {
                    plan->quads[plan->first[tile]++] = (int32_t)n;
                } else {
                    plan->first[tile + 1]++;
                }
            }
        }
    }
}

/* Fills in a plan whose mesh, camera and tiles are set. */
static status make_plan(surface_plan *plan, int threads)
{
    int64_t tiles = (int64_t)plan->columns * plan->rows;
    size_t bytes = ((size_t)plan->mesh->nquads + 1) * sizeof *plan->rects;
    plan->rects = malloc(bytes);
    plan->first = calloc((size_t)tiles + 2, sizeof *plan->first);
    if (!plan->rects || !plan->first) {
        return base_fail_memory(bytes, "the tiles of a surface");
    }
    find_rects(plan, threads);
    /* One index further up, so that the starts are right again after the second pass. */
    plan->first++;
    spread_quads(plan, false);
    for (int64_t tile = 0; tile < tiles; tile++) {
        plan->first[tile + 1] += plan->first[tile];
    }
    bytes = ((size_t)plan->first[tiles] + 1) * sizeof *plan->quads;
    plan->quads = malloc(bytes);
    if (plan->quads) {
        spread_quads(plan, true);
    }
    plan->first--;
    return plan->quads ? STATUS_OK : base_fail_memory(bytes, "the tiles of a surface");
}

/* ---- All tiles --------------------------------------------------------------------- */

/* The samples of a tile in the list of the thread that found them. */
typedef struct tile_part {
    int thread;
    int64_t begin, count;
} tile_part;

/* Each thread takes the next tile when it has finished one. */
static bool meet_tiles(const surface_plan *plan, int threads, tile_part *parts,
                       surface_samples *lists)
{
    const int64_t tiles = (int64_t)plan->columns * plan->rows;
    int64_t next = 0;
    bool failed = false;
#pragma omp parallel for num_threads(threads) schedule(static, 1) reduction(|| : failed)
    for (int thread = 0; thread < threads; thread++) {
        surface_samples *list = &lists[thread];
        for (;;) {
            int64_t tile, begin = list->count;
#pragma omp atomic capture
            tile = next++;
            if (tile >= tiles) {
                break;
            }
            surface_sample_tile(plan, tile, list);
            parts[tile] = (tile_part){thread, begin, list->count - begin};
        }
        failed = failed || list->failed;
    }
    return !failed;
}

/* Puts the samples of all tiles into one array, tile after tile. */
static status join_tiles(const tile_part *parts, const surface_samples *lists,
                         surface_view *view)
{
    int64_t total = 0, tiles = surface_view_tiles(view);
    for (int64_t tile = 0; tile < tiles; tile++) {
        view->first[tile] = total;
        total += parts[tile].count;
    }
    view->first[tiles] = total;
    size_t bytes = ((size_t)total + 1) * sizeof *view->samples;
    view->samples = malloc(bytes);
    view->full = malloc(((size_t)tiles + 1) * sizeof *view->full);
    if (!view->samples || !view->full) {
        return base_fail_memory(bytes, "the samples of a surface");
    }
    for (int64_t tile = 0; tile < tiles; tile++) {
        if (parts[tile].count > 0) {
            view->full[view->nfull++] = (int32_t)tile;
            memcpy(view->samples + view->first[tile],
                   lists[parts[tile].thread].items + parts[tile].begin,
                   (size_t)parts[tile].count * sizeof *view->samples);
        }
    }
    return STATUS_OK;
}

static status find_samples(const surface_plan *plan, int threads, surface_view *view)
{
    const size_t tiles = (size_t)surface_view_tiles(view);
    tile_part *parts = malloc((tiles + 1) * sizeof *parts);
    surface_samples *lists = calloc((size_t)threads, sizeof *lists);
    view->first = malloc((tiles + 1) * sizeof *view->first);
    status s = STATUS_OK;
    if (!parts || !lists || !view->first || !meet_tiles(plan, threads, parts, lists)) {
        s = base_fail_memory(tiles * sizeof *parts, "the samples of a surface");
    } else {
        s = join_tiles(parts, lists, view);
    }
    for (int thread = 0; lists && thread < threads; thread++) {
        free(lists[thread].items);
    }
    free(lists);
    free(parts);
    return s;
}

/* ---- Vertices that colours depend on ----------------------------------------------- */

/* Marks the vertices whose scalars a quadrilateral shows. */
static void mark_corners(const surface_mesh *mesh, int32_t number, bool *marks)
{
    int64_t first, end;
    surface_mesh_find_cut(mesh, number, &first, &end); /* it may show the mean of the
                                                          whole cut */
    for (int64_t n = first; n < end; n++) {
        for (int c = 0; c < 4; c++) {
            marks[mesh->quads[n].corner[c]] = true;
        }
    }
}

static status find_used(const surface_mesh *mesh, surface_view *view)
{
    const size_t vertices = (size_t)mesh->nvertices + 1;
    const int64_t samples = view->first[surface_view_tiles(view)];
    bool *marks = calloc(vertices, sizeof *marks);
    view->used = malloc(vertices * sizeof *view->used);
    if (!marks || !view->used) {
        free(marks);
        return base_fail_memory(vertices * sizeof *view->used, "a view of a surface");
    }
    int32_t last = -1;
    for (int64_t n = 0; n < samples; n++) {
        const int32_t number = view->samples[n].half / 2;
        if (number != last) {
            mark_corners(mesh, number, marks);
        }
        last = number;
    }
    for (int64_t n = 0; n < mesh->nvertices; n++) {
        if (marks[n]) {
            view->used[view->nused++] = (int32_t)n;
        }
    }
    free(marks);
    return STATUS_OK;
}

/* ---- Views ------------------------------------------------------------------------- */

void surface_view_clear(surface_view *view)
{
    free(view->first);
    free(view->samples);
    free(view->full);
    free(view->used);
    free(view->slope);
    free(view->wire);
    free(view->lic);
    free(view->light);
    *view = (surface_view){0};
}

status surface_view_create(const surface_mesh *mesh, const render_clip_view *seen,
                           int threads, surface_view *out)
{
    surface_view view = {.seen = render_clip_view_keep(seen),
                         .columns = (seen->camera->width + TILE - 1) / TILE,
                         .rows = (seen->camera->height + TILE - 1) / TILE};
    surface_plan plan = {.mesh = mesh,
                         .camera = seen->camera,
                         .clip = seen->clip,
                         .cuts = seen->cuts,
                         .columns = view.columns,
                         .rows = view.rows};
    status s = make_plan(&plan, threads);
    if (s == STATUS_OK) {
        s = find_samples(&plan, threads, &view);
    }
    clear_plan(&plan);
    if (s == STATUS_OK) {
        s = find_used(mesh, &view);
    }
    if (s != STATUS_OK) {
        surface_view_clear(&view);
        return s;
    }
    *out = view;
    return STATUS_OK;
}
