#include "stack.h"

#include "render/cells/cell.h"
#include "render/fragments/compose.h"
#include "render/kernel/walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* With more layers than this, the view is not kept from picture to picture. */
enum { MOST_LAYERS = 64 };

/* A fragment of a layer. */
typedef struct stack_ref {
    int32_t layer, index;
} stack_ref;

/* The fragments in a tile. */
typedef struct stack_tile {
    int64_t nrefs;
    stack_ref *refs; /* pixel after pixel, front to back; NULL if there is none */
    uint16_t count[COMPOSE_PIXELS]; /* number of each pixel's fragments */
    /* For each row: its fragments lie in the columns [begin, end). */
    uint8_t begin[FRAGMENTS_TILE], end[FRAGMENTS_TILE];
} stack_tile;

struct render_stack {
    render_kept_view view; /* of the last picture, if it may be kept */
    int nlayers;
    uint64_t places[MOST_LAYERS];
    bool are_lines[MOST_LAYERS];
    int columns, rows;
    stack_tile **tiles; /* [columns * rows]; NULL for a tile without fragments */
    int64_t nfull;
    int32_t *full;          /* [nfull]: numbers of the tiles with fragments */
    image_columns *of_rows; /* [height of the picture]: the columns with fragments */
};

/* ---- Stacks ------------------------------------------------------------------------ */

status render_stack_create(render_stack **out)
{
    render_stack *stack = calloc(1, sizeof *stack);
    if (!stack) {
        return base_fail_memory(sizeof *stack, "a picture of layers");
    }
    *out = stack;
    return STATUS_OK;
}

static void clear(render_stack *stack)
{
    int64_t tiles = (int64_t)stack->columns * stack->rows;
    for (int64_t tile = 0; stack->tiles && tile < tiles; tile++) {
        if (stack->tiles[tile]) {
            free(stack->tiles[tile]->refs);
            free(stack->tiles[tile]);
        }
    }
    free(stack->tiles);
    free(stack->full);
    free(stack->of_rows);
    stack->tiles = NULL;
    stack->full = NULL;
    stack->of_rows = NULL;
    stack->nfull = 0;
    stack->view.is_ready = false;
}

void render_stack_destroy(render_stack **stack)
{
    if (*stack) {
        clear(*stack);
        free(*stack);
        *stack = NULL;
    }
}

/* ---- Views ------------------------------------------------------------------------- */

static bool is_same_view(const render_stack *stack, const render_style *style,
                         const render_clip_view *view)
{
    if (stack->nlayers != style->nlayers ||
        !render_clip_view_is_kept(&stack->view, view)) {
        return false;
    }
    for (int n = 0; n < style->nlayers; n++) {
        if (style->layers[n]->places != stack->places[n] || stack->places[n] == 0 ||
            style->layers[n]->are_lines != stack->are_lines[n]) {
            return false;
        }
    }
    return true;
}

static void remember_view(render_stack *stack, const render_style *style,
                          const render_clip_view *view)
{
    stack->view = render_clip_view_keep(view);
    stack->nlayers = style->nlayers;
    for (int n = 0; n < style->nlayers && n < MOST_LAYERS; n++) {
        stack->places[n] = style->layers[n]->places;
        stack->are_lines[n] = style->layers[n]->are_lines;
    }
    stack->view.is_ready = style->nlayers <= MOST_LAYERS;
}

/* The rays of a tile, as compose_rays has them. */
typedef struct stack_rays {
    float t0[COMPOSE_PIXELS], t1[COMPOSE_PIXELS], origin[2][COMPOSE_PIXELS];
} stack_rays;

/* Finds the drawn part of each ray of a tile. */
static void clip_rays(const render_clip_view *view, pixel_rect rect, stack_rays *rays)
{
    const walk_kernel *kernel = render_walk_fastest();
    for (int y = rect.y0; y < rect.y1; y++) {
        walk_row row;
        const bool is_drawn = walk_cast_row(kernel, view, rect, y, &row);
        for (int x = rect.x0; x < rect.x1; x++) {
            const int n = x - rect.x0, pixel = (y - rect.y0) * FRAGMENTS_TILE + n;
            /* Omitted pixels have no fragments. */
            rays->t0[pixel] = is_drawn ? (float)(row.t0[n] - row.start[n]) : 0.0f;
            rays->t1[pixel] = is_drawn ? (float)(row.t1[n] - row.start[n]) : 0.0f;
            rays->origin[0][pixel] = is_drawn ? row.sheared[0][n] : 0.0f;
            rays->origin[1][pixel] = is_drawn ? row.sheared[1][n] : 0.0f;
        }
    }
}

/* Finds the columns of each row that have fragments. */
static void find_columns(stack_tile *tile)
{
    for (int row = 0; row < FRAGMENTS_TILE; row++) {
        const uint16_t *count = tile->count + row * FRAGMENTS_TILE;
        int begin = 0, end = FRAGMENTS_TILE;
        while (end > 0 && count[end - 1] == 0) {
            end--;
        }
        while (begin < end && count[begin] == 0) {
            begin++;
        }
        tile->begin[row] = (uint8_t)begin;
        tile->end[row] = (uint8_t)end;
    }
}

static stack_tile *plan_tile(const render_style *style, const render_clip_view *view,
                             int64_t tile, compose_tile *scratch, bool *failed)
{
    if (!render_compose_has(style->nlayers, style->layers, tile)) {
        return NULL;
    }
    stack_rays cast;
    const pixel_rect rect =
        render_fragments_rect(view->camera->width, view->camera->height, tile);
    clip_rays(view, rect, &cast);
    const compose_rays rays = {.rect = rect,
                               .width = view->camera->width,
                               .t0 = cast.t0,
                               .t1 = cast.t1,
                               .origin = {cast.origin[0], cast.origin[1]}};
    stack_tile *made = calloc(1, sizeof *made);
    *failed = *failed || !made ||
              !render_compose_gather(style->nlayers, style->layers, &rays, scratch);
    for (int pixel = 0; !*failed && pixel < COMPOSE_PIXELS; pixel++) {
        *failed = scratch->count[pixel] > UINT16_MAX;
        made->count[pixel] = (uint16_t)scratch->count[pixel];
        made->nrefs += scratch->count[pixel];
    }
    if (!*failed) {
        find_columns(made);
        made->refs = malloc(((size_t)made->nrefs + 1) * sizeof *made->refs);
        *failed = !made->refs;
    }
    stack_ref *ref = *failed ? NULL : made->refs;
    for (int pixel = 0; !*failed && pixel < COMPOSE_PIXELS; pixel++) {
        for (int n = 0; n < scratch->count[pixel]; n++) {
            const compose_item *item = &scratch->order[scratch->first[pixel] + n];
            *ref++ = (stack_ref){item->layer, item->index};
        }
    }
    return made;
}

/* Adds the columns of a tile to those of its rows. */
static void add_columns(const stack_tile *tile, pixel_rect rect, image_columns *rows)
{
    for (int y = rect.y0; y < rect.y1; y++) {
        image_columns *all = &rows[y];
        const int begin = rect.x0 + tile->begin[y - rect.y0],
                  end = rect.x0 + tile->end[y - rect.y0];
        if (begin >= end) {
            continue;
        }
        const bool is_first = all->begin >= all->end;
        all->begin = (uint16_t)(is_first || begin < all->begin ? begin : all->begin);
        all->end = (uint16_t)(is_first || end > all->end ? end : all->end);
    }
}

static status plan(render_stack *stack, const render_style *style,
                   const render_clip_view *view, int threads)
{
    clear(stack);
    const render_camera *camera = view->camera;
    stack->columns = (camera->width + FRAGMENTS_TILE - 1) / FRAGMENTS_TILE;
    stack->rows = (camera->height + FRAGMENTS_TILE - 1) / FRAGMENTS_TILE;
    const int64_t tiles = (int64_t)stack->columns * stack->rows;
    stack->tiles = calloc((size_t)tiles, sizeof(stack_tile *));
    stack->full = malloc(((size_t)tiles + 1) * sizeof *stack->full);
    stack->of_rows = calloc((size_t)camera->height, sizeof *stack->of_rows);
    bool failed = !stack->tiles || !stack->full || !stack->of_rows;
    if (!failed) {
#pragma omp parallel num_threads(threads)
        {
            compose_tile scratch = {.capacity = 0};
            bool mine_failed = false;
#pragma omp for schedule(dynamic, 1)
            for (int64_t tile = 0; tile < tiles; tile++) {
                stack->tiles[tile] = plan_tile(style, view, tile, &scratch, &mine_failed);
            }
            render_compose_clear(&scratch);
#pragma omp critical
            failed |= mine_failed;
        }
    }
    if (failed) {
        clear(stack);
        return base_fail_memory((size_t)tiles * sizeof(stack_tile),
                                "a picture of layers");
    }
    for (int64_t tile = 0; tile < tiles; tile++) {
        if (stack->tiles[tile]) {
            stack->full[stack->nfull++] = (int32_t)tile;
            add_columns(stack->tiles[tile],
                        render_fragments_rect(camera->width, camera->height, tile),
                        stack->of_rows);
        }
    }
    remember_view(stack, style, view);
    return STATUS_OK;
}

/* ---- Blending ---------------------------------------------------------------------- */

/* Sorts the fragments of a pixel again that belong to one layer and lie at the same
 * place. Their order in render_compose_gather depends on colours, which have changed
 * since. */
static void settle_ties(const render_style *style, int count, stack_ref *refs)
{
    for (int n = 1; n < count; n++) {
        for (int at = n; at > 0 && refs[at].layer == refs[at - 1].layer; at--) {
            const render_fragment *items = style->layers[refs[at].layer]->items;
            const render_fragment *a = &items[refs[at - 1].index],
                                  *b = &items[refs[at].index];
            if (a->t != b->t || memcmp(b->rgba, a->rgba, sizeof a->rgba) >= 0) {
                break;
            }
            const stack_ref swap = refs[at];
            refs[at] = refs[at - 1];
            refs[at - 1] = swap;
        }
    }
}

/* A pixel's ray, as far as its fragments fade. */
typedef struct stack_ray {
    double start, along; /* depth of a fragment: (t + start) * along */
} stack_ray;

static stack_ray find_ray(const render_style *style, const render_camera *camera, int x,
                          int y)
{
    if (!style->cue) {
        return (stack_ray){0.0, 0.0};
    }
    const render_ray ray = render_camera_ray(camera, x, y);
    return (stack_ray){render_cell_ray(ray).start,
                       vec3_dot(ray.direction, camera->forward)};
}

static void blend_pixel(const render_style *style, stack_ray ray, int count,
                        const stack_ref *refs, float rgba[4])
{
    float rgb[3] = {0.0f, 0.0f, 0.0f}, transmittance = 1.0f;
    for (int n = 0; n < count && transmittance >= 1e-6f; n++) {
        render_fragment item = style->layers[refs[n].layer]->items[refs[n].index];
        if (style->cue) {
            render_cue_fade(style->cue, ((double)item.t + ray.start) * ray.along,
                            item.rgba);
        }
        compose_blend(&item, rgb, &transmittance);
    }
    memcpy(rgba, rgb, sizeof rgb);
    rgba[3] = 1.0f - transmittance;
}

/* Depth of the nearest visible fragment of a pixel. */
static float depth_of(const render_style *style, const render_camera *camera, int count,
                      const stack_ref *refs, int x, int y)
{
    const render_ray ray = render_camera_ray(camera, x, y);
    for (int n = 0; n < count; n++) {
        const render_fragment *item = &style->layers[refs[n].layer]->items[refs[n].index];
        if (item->rgba[3] > 0.0f) {
            return (float)(((double)item->t + render_cell_ray(ray).start) *
                           vec3_dot(ray.direction, camera->forward));
        }
    }
    return INFINITY;
}

/* Crops the image to the tiles with fragments. If that is another rectangle than before,
 * the image is cleared first. */
static void crop_to_tiles(const render_stack *stack, image *img)
{
    image wanted = *img;
    pixel_rect all = {0, 0, 0, 0};
    for (int64_t n = 0; n < stack->nfull; n++) {
        pixel_rect_grow(&all,
                        render_fragments_rect(img->width, img->height, stack->full[n]));
    }
    image_crop(&wanted, all);
    if (memcmp(&wanted.kept, &img->kept, sizeof wanted.kept) != 0) {
        image_clear(img);
        image_crop(img, all);
    }
}

/* Clears the pixels that an earlier picture left in tiles without fragments. All pixels
 * of the other tiles are overwritten. */
static void clear_rest(const render_stack *stack, image *img)
{
    const pixel_rect old = img->active;
    for (int y = old.y0; y < old.y1; y = (y / FRAGMENTS_TILE + 1) * FRAGMENTS_TILE) {
        for (int x = old.x0; x < old.x1; x = (x / FRAGMENTS_TILE + 1) * FRAGMENTS_TILE) {
            const int64_t tile = render_fragments_tile_at(img->width, x, y);
            if (!stack->tiles[tile]) {
                const pixel_rect rect =
                    render_fragments_rect(img->width, img->height, tile);
                img->active = (pixel_rect){x, y, rect.x1 < old.x1 ? rect.x1 : old.x1,
                                           rect.y1 < old.y1 ? rect.y1 : old.y1};
                image_clear(img);
            }
        }
    }
    img->active = (pixel_rect){0, 0, 0, 0};
}

static void clear_pixels(image *img, int x, int y, int count)
{
    const int64_t pixel = image_at(img, x, y);
    memset(img->rgba + 4 * pixel, 0, (size_t)count * 4 * sizeof *img->rgba);
    for (int i = 0; img->depth && i < count; i++) {
        img->depth[pixel + i] = INFINITY;
    }
}

static void blend_tile(const render_style *style, const render_camera *camera,
                       stack_tile *tile, pixel_rect rect, image *img)
{
    stack_ref *refs = tile->refs;
    for (int y = rect.y0; y < rect.y1; y++) {
        const uint16_t *counts = tile->count + (y - rect.y0) * FRAGMENTS_TILE;
        const int begin = rect.x0 + tile->begin[y - rect.y0];
        const int end = rect.x0 + tile->end[y - rect.y0];
        clear_pixels(img, rect.x0, y, begin - rect.x0);
        clear_pixels(img, end, y, rect.x1 - end);
        for (int x = begin; x < end; x++) {
            const int count = counts[x - rect.x0];
            const int64_t pixel = image_at(img, x, y);
            settle_ties(style, count, refs);
            blend_pixel(style, find_ray(style, camera, x, y), count, refs,
                        img->rgba + 4 * pixel);
            if (img->depth) {
                img->depth[pixel] = depth_of(style, camera, count, refs, x, y);
            }
            refs += count;
        }
    }
}

status render_stack_draw(render_stack *stack, const render_style *style,
                         const render_camera *camera, box3 clip, int threads, image *img)
{
    img->columns = NULL;
    const render_clip_view view = {camera, clip, style->cuts};
    status s = is_same_view(stack, style, &view) ? STATUS_OK
                                                 : plan(stack, style, &view, threads);
    if (s != STATUS_OK) {
        return s;
    }
    crop_to_tiles(stack, img);
    clear_rest(stack, img);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 8)
    for (int64_t n = 0; n < stack->nfull; n++) {
        const int32_t tile = stack->full[n];
        blend_tile(style, camera, stack->tiles[tile],
                   render_fragments_rect(img->width, img->height, tile), img);
    }
    for (int64_t n = 0; n < stack->nfull; n++) {
        pixel_rect_grow(&img->active,
                        render_fragments_rect(img->width, img->height, stack->full[n]));
    }
    img->columns = stack->of_rows;
    return STATUS_OK;
}
