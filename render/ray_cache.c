#include "ray_cache.h"

#include "base/system.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGN = 64 };

static int64_t round_up(int64_t bytes)
{
    return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

/* ---- Scalars ----------------------------------------------------------------------- */

/* Finds the size of the largest brick. */
static void measure(const grid_store *store, render_kept *kept)
{
    int64_t most[3] = {0, 0, 0};
    for (int64_t slot = 0; slot < store->nbricks; slot++) {
        const int *n = store->bricks[slot].place.n;
        for (int axis = 0; axis < 3; axis++) {
            most[axis] = n[axis] + 1 > most[axis] ? n[axis] + 1 : most[axis];
        }
    }
    kept->grid.row = (int32_t)most[0];
    kept->grid.plane = (int32_t)(most[0] * most[1]);
    const int64_t volume = most[0] * most[1] * most[2];
    kept->grid.volume = volume < INT32_MAX ? (int32_t)volume : INT32_MAX;
}

static bool add_bends(int64_t nbricks, int64_t vertices, render_kept *kept)
{
    kept->bends = malloc((size_t)(vertices + 1) * sizeof *kept->bends);
    kept->bent = malloc((size_t)vertices * sizeof *kept->bent);
    kept->listed = malloc((size_t)nbricks * sizeof *kept->listed);
    return kept->bends && kept->bent && kept->listed;
}

bool render_kept_begin(const grid_store *store, int64_t ntiles, int64_t limit,
                       bool has_bends, render_kept *kept)
{
    measure(store, kept);
    const int64_t count = store->nbricks, vertices = count * kept->grid.volume;
    const int64_t item =
        (int64_t)sizeof *kept->quarters +
        (has_bends ? (int64_t)(sizeof *kept->bends + sizeof *kept->bent) : 0);
    const int64_t of_brick = (int64_t)(sizeof *kept->first + sizeof *kept->listed);
    const int64_t bytes =
        vertices * item + count * of_brick + ntiles * (int64_t)sizeof *kept->tiles;
    if (vertices == 0 || vertices >= (int64_t)1 << KEPT_INDEX_BITS || bytes >= limit) {
        return false;
    }
    kept->first = malloc((size_t)count * sizeof *kept->first);
    kept->quarters = malloc((size_t)(vertices + 1) * sizeof *kept->quarters);
    kept->tiles = calloc((size_t)ntiles, sizeof *kept->tiles);
    const bool has_room = kept->first && kept->quarters && kept->tiles;
    if (!has_room || (has_bends && !add_bends(count, vertices, kept))) {
        render_kept_clear(kept);
        return false;
    }
    kept->grid.first = kept->first;
    kept->grid.quarters = (const float(*)[4])kept->quarters;
    kept->ntiles = ntiles;
    kept->limit = limit;
    kept->bytes = bytes;
    return true;
}

/* The scalars of a row of vertices are those of `from` + 3, and so on. */
static void fill_row(int count, const float (*const from[4])[4], float (*to)[4])
{
    for (int i = 0; i < count; i++) {
        for (int n = 0; n < 4; n++) {
            to[i][n] = 0.25f * from[n][i][3];
        }
    }
}

/* No face needs neighbours beyond the brick. */
static void fill_brick(const grid_brick *brick, const kept_grid *grid, float (*to)[4])
{
    const int *n = brick->place.n;
    const float(*vertex)[4] = (const float(*)[4])brick->vertex;
    const int count = n[0] + 1, rows = n[1] + 1;
    for (int k = 0; k <= n[2]; k++) {
        const float(*here)[4] = vertex + k * rows * count;
        const int up = k < n[2] ? rows * count : 0;
        for (int j = 0; j <= n[1]; j++, here += count) {
            const int along = j < n[1] ? count : 0;
            const float(*const from[4])[4] = {here, here + along, here + up,
                                              here + along + up};
            fill_row(count, from, to + j * grid->row + k * grid->plane);
        }
    }
}

void render_kept_fill(const grid_store *store, const bool *chosen, int threads,
                      render_kept *kept)
{
    const int32_t volume = kept->grid.volume;
    int32_t number = 0;
    for (int64_t slot = 0; slot < store->nbricks; slot++) {
        if (chosen[slot]) {
            kept->first[number++] = (int32_t)slot * volume;
        }
    }
    kept->grid.bends = NULL;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 16)
    for (int64_t slot = 0; slot < store->nbricks; slot++) {
        if (chosen[slot]) {
            fill_brick(&store->bricks[slot], &kept->grid, kept->quarters + slot * volume);
        }
    }
}

/* ---- Tiles ------------------------------------------------------------------------- */

bool render_kept_has_room(const render_kept *kept)
{
    bool is_full;
#pragma omp atomic read
    is_full = kept->is_full;
    return !is_full;
}

/* Claims bytes; false if they exceed the limit. */
static bool claim(int64_t bytes, render_kept *kept)
{
    int64_t all;
#pragma omp atomic capture
    {
        kept->bytes += bytes;
        all = kept->bytes;
    }
    return all <= kept->limit;
}

/* Walks to keep, the longest first. */
typedef struct walk_list {
    int count, nothers; /* nothers: walks that cannot be kept */
    int walks[KEPT_MOST_RAYS];
} walk_list;

static void sort_walks(int count, const kept_log *log, walk_list *list)
{
    list->count = list->nothers = 0;
    for (int walk = 0; walk < count; walk++) {
        list->nothers += log->unfit[walk];
        if (log->unfit[walk] || log->length[walk] == 0) {
            continue;
        }
        int place = list->count++;
        for (; place > 0 && log->length[list->walks[place - 1]] < log->length[walk];
             place--) {
            list->walks[place] = list->walks[place - 1];
        }
        list->walks[place] = walk;
    }
}

/* Steps of all groups together. */
static int64_t count_steps(const walk_list *list, const kept_log *log)
{
    int64_t steps = 0;
    for (int n = 0; n < list->count; n += KEPT_GROUP) {
        steps += log->length[list->walks[n]];
    }
    return steps;
}

/* Places where the next crossing of each walk belongs; NULL: it is not kept. */
typedef int32_t *walk_places[KEPT_MOST_RAYS];

/* Forms groups of the walks. words: for all their steps. */
static void form_groups(const walk_list *list, const int *pixels, const kept_log *log,
                        int32_t *words, kept_group *groups, walk_places places)
{
    for (int n = 0; n < list->count; n++) {
        const int walk = list->walks[n], lane = n % KEPT_GROUP;
        kept_group *group = &groups[n / KEPT_GROUP];
        if (lane == 0) {
            *group = (kept_group){.words = words};
            words += (int64_t)log->length[walk] * KEPT_STEP;
        }
        group->rays++;
        group->length[lane] = log->length[walk];
        group->pixel[lane] = (uint8_t)pixels[walk];
        places[walk] = (int32_t *)group->words + lane;
    }
}

static void copy_words(const kept_log *log, walk_places places)
{
    for (int64_t n = 0; n < log->count; n++) {
        const struct kept_item *item = &log->items[n];
        int32_t *to = places[item->walk];
        if (to) {
            for (int word = 0; word < KEPT_WORDS; word++) {
                to[word * KEPT_GROUP] = item->words[word];
            }
            places[item->walk] = to + KEPT_STEP;
        }
    }
}

void render_kept_take(int64_t tile, int count, const int *pixels, const kept_log *log,
                      render_kept *kept)
{
    walk_list list;
    sort_walks(count, log, &list);
    const int64_t ngroups = (list.count + KEPT_GROUP - 1) / KEPT_GROUP;
    const int64_t head = round_up(ngroups * (int64_t)sizeof(kept_group)),
                  words = count_steps(&list, log) * KEPT_STEP * (int64_t)sizeof(int32_t);
    kept_tile *out = &kept->tiles[tile];
    out->bytes = head + words;
    if (ngroups > 0) {
        char *memory = claim(head + words, kept)
                           ? aligned_alloc(ALIGN, (size_t)(head + words))
                           : NULL;
        if (!memory) {
#pragma omp atomic write
            kept->is_full = true;
            return;
        }
        base_map_pages(memory, (size_t)(head + words));
        memset(memory + head, 0, (size_t)words);
        walk_places places = {NULL};
        out->groups = (kept_group *)(void *)memory;
        form_groups(&list, pixels, log, (int32_t *)(void *)(memory + head), out->groups,
                    places);
        copy_words(log, places);
    }
    out->ngroups = (int)ngroups;
    out->nothers = list.nothers;
    out->is_kept = true;
}

void render_kept_drop(int64_t tile, render_kept *kept)
{
    kept_tile *old = &kept->tiles[tile];
    kept->bytes -= old->groups ? old->bytes : 0;
    free(old->groups);
    *old = (kept_tile){0};
}

/* ---- Bends ------------------------------------------------------------------------- */

/* Copies the bounds of a brick's cells. Returns the number of those that may bend. */
static int32_t copy_bounds(const march_grid *grid, const march_brick *brick,
                           const kept_grid *kept, uint16_t *to)
{
    int32_t bent = 0;
    for (int k = 0; k < brick->n[2]; k++) {
        for (int j = 0; j < brick->n[1]; j++) {
            const int lowest = march_vertex_index(brick, (const int[]){0, j, k});
            const uint16_t *from = grid->bends + lowest;
            uint16_t *row = to + j * kept->row + k * kept->plane;
            for (int i = 0; i < brick->n[0]; i++) {
                row[i] = from[i];
                bent += from[i] != 0;
            }
        }
    }
    return bent;
}

/* Numbers the cells of a brick that may bend, as list_bent lists them. bends, to: of the
 * brick. */
static void number_cells(const march_brick *brick, const kept_grid *kept,
                         const uint16_t *bends, int32_t next, int32_t *to)
{
    for (int k = 0; k < brick->n[2]; k++) {
        for (int j = 0; j < brick->n[1]; j++) {
            const int row = j * kept->row + k * kept->plane;
            for (int i = row; i < row + brick->n[0]; i++) {
                to[i] = next;
                next += bends[i] != 0;
            }
        }
    }
}

static void free_cells(render_kept *kept)
{
    base_free_pages(kept->cells, (size_t)kept->capacity * sizeof *kept->cells);
    kept->cells = NULL;
    kept->capacity = 0;
}

/* Makes room for cells. */
static bool reserve_cells(int64_t count, render_kept *kept)
{
    if (count <= kept->capacity) {
        return true;
    }
    kept->bytes -= kept->capacity * (int64_t)sizeof *kept->cells;
    free_cells(kept);
    const int64_t capacity = count + count / 4; /* the next step may have more */
    const int64_t bytes = capacity * (int64_t)sizeof *kept->cells;
    if (kept->bytes + bytes > kept->limit) {
        return false;
    }
    kept->cells = base_allocate_pages((size_t)bytes);
    if (!kept->cells) {
        return false;
    }
    kept->capacity = capacity;
    kept->bytes += bytes;
    return true;
}

bool render_kept_fill_bends(const march_grid *grid, const walk_kernel *kernel,
                            const render_transfer *transfer, int threads,
                            render_kept *kept)
{
#pragma omp parallel for num_threads(threads) schedule(dynamic, 16)
    for (int64_t b = 0; b < grid->nbricks; b++) {
        kept->listed[b] = copy_bounds(grid, &grid->bricks[b], &kept->grid,
                                      kept->bends + kept->first[b]);
    }
    int32_t count = 0;
    for (int64_t b = 0; b < grid->nbricks; b++) {
        const int32_t here = kept->listed[b];
        kept->listed[b] = count;
        count += here;
    }
    if (!reserve_cells(count, kept)) {
        return false;
    }
#pragma omp parallel for num_threads(threads) schedule(dynamic, 16)
    for (int64_t b = 0; b < grid->nbricks; b++) {
        const march_brick *brick = &grid->bricks[b];
        const int32_t first = kept->first[b], next = kept->listed[b];
        number_cells(brick, &kept->grid, kept->bends + first, next, kept->bent + first);
        kernel->list_bent(grid, brick, transfer, kept->cells + next);
    }
    kept->grid.bends = kept->bends;
    kept->grid.bent = kept->bent;
    kept->grid.cells = kept->cells;
    return true;
}

void render_kept_clear(render_kept *kept)
{
    for (int64_t n = 0; n < kept->ntiles; n++) {
        free(kept->tiles[n].groups);
    }
    free(kept->tiles);
    free(kept->first);
    free(kept->quarters);
    free(kept->bends);
    free(kept->bent);
    free(kept->listed);
    free_cells(kept);
    *kept = (render_kept){0};
}
