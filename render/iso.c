#include "iso.h"

#include "base/system.h"
#include "render/cells/gate.h"
#include "render/cells/trim.h"
#include "render/kernel/overlap.h"
#include "render/light/light.h"
#include "render/light/shade_cell.h"
#include "scene.h"
#include "tile_rays.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* ---- Places ------------------------------------------------------------------------ */

static int compare_values(const void *left, const void *right)
{
    const float *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

status render_iso_places(const render_iso_look *look, render_transfer **out)
{
    float values[RENDER_MAX_ISOVALUES];
    double opacities[3 * RENDER_MAX_ISOVALUES][2];
    const double colors[1][4] = {{0.0, 1.0, 1.0, 1.0}};
    int count = 0;
    memcpy(values, look->values, (size_t)look->nvalues * sizeof *values);
    qsort(values, (size_t)look->nvalues, sizeof *values, compare_values);
    for (int n = 0; n < look->nvalues; n++) {
        const double value = (double)values[n];
        /* A little more than the rounding of float32, on both sides. */
        const double around = 1e-6 * fabs(value) + 1e-30;
        const double before = count > 0 ? opacities[count - 1][0] : -INFINITY;
        const double points[3][2] = {{fmax(value - around, before), 0.0},
                                     {fmax(value, before), 1.0},
                                     {fmax(value + around, before), 0.0}};
        memcpy(opacities[count], points, sizeof points);
        count += 3;
    }
    const render_transfer_points points = {.ncolors = 1,
                                           .colors = colors,
                                           .nopacities = count,
                                           .opacities = (const double(*)[2])opacities,
                                           .opacities_are_extinction = true,
                                           .positions_are_data = true,
                                           .unit_length = 1.0};
    return render_transfer_create(&points, out);
}

status render_limits_places(const render_limits *limits, render_transfer **out)
{
    const double colors[1][4] = {{0.0, 1.0, 1.0, 1.0}};
    const double lo = (double)limits->lo - 1e-6 * fabs((double)limits->lo) - 1e-30,
                 hi = (double)limits->hi + 1e-6 * fabs((double)limits->hi) + 1e-30;
    double opacities[4][2];
    int count = 0;
    if (limits->lo > -INFINITY) {
        opacities[count][0] = opacities[count + 1][0] = lo;
        opacities[count++][1] = 0.0;
        opacities[count++][1] = 1.0;
    }
    if (limits->hi < INFINITY) {
        opacities[count][0] = opacities[count + 1][0] = hi;
        opacities[count++][1] = 1.0;
        opacities[count++][1] = 0.0;
    }
    if (count == 0) {
        opacities[count][0] = 0.0;
        opacities[count++][1] = 1.0;
    }
    const render_transfer_points points = {.ncolors = 1,
                                           .colors = colors,
                                           .nopacities = count,
                                           .opacities = (const double(*)[2])opacities,
                                           .opacities_are_extinction = true,
                                           .positions_are_data = true,
                                           .unit_length = 1.0};
    return render_transfer_create(&points, out);
}

/* ---- Fragments --------------------------------------------------------------------- */

/* Data with which a thread draws tiles, one after the other. */
typedef struct iso_scratch {
    tile_rays rays;
    int nwalks;
    ray_walk walks[WALK_TILE_PIXELS];
    int pixels[WALK_TILE_PIXELS]; /* of the walks */
    walk_hits hits;
    walk_gate gate;
    overlap_scratch overlap;
    render_counters counters;
} iso_scratch;

/* Input for drawing a tile. */
typedef struct iso_job {
    const walk_kernel *kernel;
    render_scene *scene;
    const render_iso_look *look;
    const render_limits *limits; /* NULL: isosurfaces, else spans: */
    gate_box *boxes;             /* [grid.nbricks]: the cells that may be open */
    const int64_t *color_first; /* [grid.nbricks]: first vertex of each brick in the store
                                   of colours */
    render_clip_view view;
    iso_scratch **scratch; /* [threads] */
} iso_job;

/* The scalar that colours the surface, at the place where a ray crosses a face of a
 * cell. */
static double color_scalar(const iso_job *job, const march_cell *cell,
                           const cell_crossing *crossing)
{
    const march_brick *brick = &job->scene->grid.bricks[cell->brick];
    const int *corners = render_cell_face_corners(crossing->triangle.face);
    const int lowest = march_vertex_index(brick, cell->at);
    double value[4]; /* double, as differences may overflow float32 */
    for (int c = 0; c < 4; c++) {
        int64_t inside = march_corner_index(brick, lowest, corners[c]) - brick->first;
        value[c] =
            (double)
                job->look->color_store->vertex[job->color_first[cell->brick] + inside][3];
    }
    const double f = (double)crossing->f, g = (double)crossing->g;
    const double below = value[0] + f * (value[1] - value[0]);
    const double above = value[3] + f * (value[2] - value[3]);
    return below + g * (above - below);
}

static void find_color(const iso_job *job, const walk_hit *hit, float rgb[3])
{
    const render_iso_look *look = job->look;
    if (!look->colors) {
        memcpy(rgb, look->color, sizeof look->color);
        return;
    }
    float scalar = look->values[hit->value];
    if (look->color_store) {
        const double s0 = color_scalar(job, &hit->cell, &hit->entry);
        const double s1 = color_scalar(job, &hit->cell, &hit->exit);
        scalar = (float)(s0 + (double)hit->share * (s1 - s0));
    }
    render_colors_look_up(look->colors, scalar, rgb);
}

/* The curvature along the view, from the change of the gradient over its length along the
 * ray. */
static double find_bend(const vec3 *normal, const vec3 *to_viewer, const vec3 *change)
{
    return fabs(vec3_dot(*change, *to_viewer) -
                vec3_dot(*change, *normal) * vec3_dot(*normal, *to_viewer));
}

/* The light at a hit. The normal is the gradient of the field. */
static surface_light find_light(const iso_job *job, const cell_ray *sheared,
                                const render_ray *ray, const walk_hit *hit)
{
    if (!job->look->shade) {
        return render_light_surface(NULL, ray->origin, ray->origin, ray->origin);
    }
    float entry[3], exit[3];
    render_shade_gradient(&job->scene->grid, sheared, &hit->cell, &hit->entry, entry);
    render_shade_gradient(&job->scene->grid, sheared, &hit->cell, &hit->exit, exit);
    const vec3 to_viewer = vec3_scale(ray->direction, -1.0);
    vec3 gradient;
    for (int n = 0; n < 3; n++) {
        gradient.v[sheared->axis[n]] =
            (double)entry[n] + (double)hit->share * ((double)exit[n] - (double)entry[n]);
    }
    /* A flat field has no normal; the hit is lit from the front. */
    const vec3 normal =
        vec3_length(gradient) > 0.0 ? vec3_normalize(gradient) : to_viewer;
    const vec3 point = vec3_add(
        ray->origin, vec3_scale(ray->direction, (double)hit->t + sheared->start));
    surface_light light =
        render_light_surface(job->look->shade, point, normal, to_viewer);
    if (job->look->shade->rim_width > 0.0f) {
        const double per = 1.0 / fmax(vec3_length(gradient) *
                                          ((double)hit->exit.t - (double)hit->entry.t),
                                      1e-30);
        vec3 change;
        for (int n = 0; n < 3; n++) {
            change.v[sheared->axis[n]] = per * ((double)exit[n] - (double)entry[n]);
        }
        const surface_turn turn = {.facing = fabs(vec3_dot(normal, to_viewer)),
                                   .bend = find_bend(&normal, &to_viewer, &change),
                                   .pixel = render_camera_pixel(job->view.camera, point)};
        render_light_rim(job->look->shade, &turn, &light);
    }
    return light;
}

/* The pixel of the picture to which a walk belongs. */
static int pixel_of_walk(const iso_job *job, const iso_scratch *scratch, int walk)
{
    const int pixel = scratch->pixels[walk];
    const int x = scratch->rays.rect.x0 + pixel % WALK_TILE;
    const int y = scratch->rays.rect.y0 + pixel / WALK_TILE;
    return y * job->view.camera->width + x;
}

static void push_hit(const iso_job *job, const iso_scratch *scratch, const walk_hit *hit,
                     fragment_list *list)
{
    const int pixel = scratch->pixels[hit->walk];
    const surface_light light =
        find_light(job, &scratch->rays.tile.rays[pixel], &scratch->rays.rays[pixel], hit);
    float rgb[3], rgba[4];
    find_color(job, hit, rgb);
    for (int c = 0; c < 3; c++) {
        rgba[c] = job->look->opacity * (rgb[c] * light.diffuse[c] + light.specular[c]);
    }
    rgba[3] = job->look->opacity;
    render_fragments_push(list, pixel_of_walk(job, scratch, hit->walk), hit->t, rgba);
}

/* ---- Tiles ------------------------------------------------------------------------- */

static void prepare_walks(const iso_job *job, iso_scratch *scratch)
{
    march_entry *runs = scratch->rays.runs;
    scratch->nwalks = 0;
    for (int pixel = 0; pixel < WALK_TILE_PIXELS; pixel++) {
        int nruns = render_tile_rays_sort(&scratch->rays, pixel, runs);
        const float t0 = scratch->rays.t0[pixel], t1 = scratch->rays.t1[pixel];
        if (nruns > 0 && t0 < t1) {
            scratch->pixels[scratch->nwalks] = pixel;
            scratch->walks[scratch->nwalks++] =
                (ray_walk){.ray = &scratch->rays.tile.rays[pixel],
                           .t0 = t0,
                           .t1 = t1,
                           .end = job->scene->grid.may_turn_back ? INFINITY : t1,
                           .runs = runs,
                           .nruns = nruns,
                           .transmittance = 1.0f,
                           .first_t = INFINITY};
        }
        runs += nruns;
    }
    scratch->counters.rays += scratch->nwalks;
}

/* Drops the spans of contended rays. */
static void drop_contended_spans(iso_scratch *scratch)
{
    walk_gate *gate = &scratch->gate;
    int64_t kept = 0;
    for (int64_t n = 0; n < gate->count; n++) {
        if (!scratch->walks[gate->items[n].walk].contended) {
            gate->items[kept++] = gate->items[n];
        }
    }
    gate->count = kept;
    for (int n = 0; n < GATE_MOST_WALKS; n++) {
        gate->last[n] = -1;
    }
}

/* Searches contended rays again, on which blocks overlap. */
static void resolve_overlaps(const walk_scene *scene, iso_scratch *scratch)
{
    walk_hits *hits = &scratch->hits;
    int kept = 0;
    for (int n = 0; n < hits->count; n++) {
        if (!scratch->walks[hits->items[n].walk].contended) {
            hits->items[kept++] = hits->items[n];
        }
    }
    hits->count = kept;
    if (scene->iso->gate) {
        drop_contended_spans(scratch);
    }
    for (int n = 0; n < scratch->nwalks; n++) {
        ray_walk *walk = &scratch->walks[n];
        if (walk->contended) {
            walk->nruns =
                render_tile_rays_sort(&scratch->rays, scratch->pixels[n], walk->runs);
            render_overlap_find(scene, walk, n, &scratch->overlap, &scratch->counters);
        }
    }
    hits->failed |= scratch->overlap.failed;
}

/* The render_fragments_draw of a rank that draws no pixel. */
static void draw_nothing(const void *context, int64_t tile, pixel_rect rect,
                         fragment_list *list)
{
    (void)context;
    (void)tile;
    (void)rect;
    (void)list;
}

/* Rays go on as far as fragments may belong to their drawn parts. */
static void go_to_ends(tile_rays *rays)
{
    for (int pixel = 0; pixel < WALK_TILE_PIXELS; pixel++) {
        if (rays->tile.axis[pixel] != WALK_NO_AXIS) {
            rays->t1[pixel] =
                render_fragments_end(rays->t1[pixel], rays->tile.rays[pixel].origin);
        }
    }
}

static walk_gate *begin_gate(const iso_job *job, walk_gate *gate)
{
    render_gate_clear(gate);
    gate->lo = job->limits->lo;
    gate->hi = job->limits->hi;
    gate->whole_cells = job->limits->whole_cells;
    gate->boxes = job->boxes;
    return gate;
}

static int compare_spans(const void *left, const void *right)
{
    const gate_span *a = left, *b = right;
    return a->walk != b->walk ? a->walk - b->walk
                              : (a->begin > b->begin) - (a->begin < b->begin);
}

/* Adds the spans of a tile, those that touch or overlap as one. */
static void push_spans(const iso_job *job, iso_scratch *scratch, fragment_list *list)
{
    walk_gate *gate = &scratch->gate;
    const float clear[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    qsort(gate->items, (size_t)gate->count, sizeof *gate->items, compare_spans);
    float end = -INFINITY;
    for (int64_t n = 0; n < gate->count; n++) {
        const gate_span *span = &gate->items[n];
        const float *origin = scratch->walks[span->walk].ray->origin;
        const float begin =
            span->begin - render_fragments_lift(span->begin, origin, FRAGMENTS_LEVELS);
        const bool goes_on =
            n > 0 && gate->items[n - 1].walk == span->walk && begin <= end;
        const float last = render_fragments_end(span->end, origin);
        end = goes_on ? fmaxf(end, last) : last;
        const int pixel = pixel_of_walk(job, scratch, span->walk);
        if (goes_on && !list->failed) {
            list->items[list->count - 1].t = end;
        } else {
            render_fragments_push(list, pixel, begin, clear);
            render_fragments_push(list, pixel, end, clear);
        }
    }
    list->failed |= gate->failed;
}

/* Finds the surface in a tile of the plan that some ray may enter. */
static void search_tile(const iso_job *job, int64_t tile, pixel_rect rect,
                        iso_scratch *scratch, fragment_list *list)
{
    render_scene *scene = job->scene;
    render_tile_rays_cast(job->kernel, &job->view, rect,
                          render_tile_rays_needed(&scene->plan, tile), &scratch->rays);
    go_to_ends(&scratch->rays);
    if (!render_tile_rays_enter(job->kernel, &scene->grid, &scene->plan, tile,
                                scene->grid.may_turn_back, &scratch->rays)) {
        list->failed = true;
        return;
    }
    prepare_walks(job, scratch);
    scratch->hits.count = 0;
    const walk_iso iso = {.nvalues = job->look->nvalues,
                          .values = job->look->values,
                          .is_opaque =
                              job->look->opacity >= 1.0f && !job->look->finds_all,
                          .hits = &scratch->hits,
                          .gate = job->limits ? begin_gate(job, &scratch->gate) : NULL};
    const walk_scene walked = {.grid = &scene->grid, .iso = &iso};
    job->kernel->follow(&walked, scratch->nwalks, scratch->walks, &scratch->counters);
    resolve_overlaps(&walked, scratch);
    for (int n = 0; n < scratch->hits.count; n++) {
        push_hit(job, scratch, &scratch->hits.items[n], list);
    }
    if (job->limits) {
        push_spans(job, scratch, list);
    }
    list->failed |= scratch->hits.failed;
}

/* A render_fragments_draw. */
static void draw_tile(const void *context, int64_t number, pixel_rect rect,
                      fragment_list *list)
{
    const iso_job *job = context;
    const render_scene *scene = job->scene;
    double *seconds = job->look->seconds;
    if (pixel_rect_is_empty(march_rect_intersect(rect, scene->plan.window))) {
        return;
    }
    const int64_t tile = render_tiles_at(&scene->plan, rect.x0, rect.y0);
    if (render_tiles_is_empty(&scene->plan, tile) ||
        render_camera_count_drawn(job->view.camera, rect) == 0) {
        return;
    }
    const double begin = seconds ? base_thread_clock() : 0.0;
    search_tile(job, tile, rect, job->scratch[omp_get_thread_num()], list);
    if (seconds) {
        seconds[number] += base_thread_clock() - begin;
    }
}

/* ---- The picture ------------------------------------------------------------------- */

static void destroy_scratch(int threads, iso_scratch **scratch)
{
    for (int n = 0; scratch && n < threads; n++) {
        if (scratch[n]) {
            render_tile_rays_clear(&scratch[n]->rays);
            render_overlap_clear(&scratch[n]->overlap);
            free(scratch[n]->hits.items);
            free(scratch[n]->gate.items);
            free(scratch[n]);
        }
    }
    free(scratch);
}

static iso_scratch **create_scratch(int threads)
{
    const size_t align = _Alignof(iso_scratch);
    const size_t size = (sizeof(iso_scratch) + align - 1) / align * align;
    iso_scratch **scratch = calloc((size_t)threads, sizeof(iso_scratch *));
    for (int n = 0; scratch && n < threads; n++) {
        scratch[n] = aligned_alloc(align, size);
        if (!scratch[n]) {
            destroy_scratch(threads, scratch);
            return NULL;
        }
        memset(scratch[n], 0, size);
    }
    return scratch;
}

/* The first vertex of each brick of the march grid in the store of colours; malloc'ed. */
static int64_t *find_color_bricks(const render_scene *scene, const grid_store *colors)
{
    int64_t *first = malloc(((size_t)scene->grid.nbricks + 1) * sizeof *first);
    int64_t count = 0;
    for (int64_t slot = 0; first && slot < scene->store->nbricks; slot++) {
        if (scene->chosen[slot]) {
            int32_t there = colors->slot[scene->store->bricks[slot].number];
            first[count++] = colors->bricks[there].vertex - colors->vertex;
        }
    }
    return first;
}

/* The cells of a brick that may be open, by its place in its block. */
static gate_box find_box(const grid_layout *layout, const render_limits *limits,
                         const grid_brick *brick)
{
    const grid_brick_place *place = &brick->place;
    gate_box box = {.lo = {0, 0, 0}, .hi = {place->n[0], place->n[1], place->n[2]}};
    if (!grid_layout_shows(layout, limits->block, brick->number)) {
        return (gate_box){0};
    }
    for (int axis = 0; axis < 3 && limits->has_box; axis++) {
        const int64_t n = layout->blocks[place->block].n[axis];
        const int64_t a = limits->from[axis], b = limits->to[axis];
        const int64_t from = (a < 0 ? a + n : a) - place->lo[axis],
                      to = (b < 0 ? b + n : b) - place->lo[axis];
        box.lo[axis] = from > 0 ? (int)(from < box.hi[axis] ? from : box.hi[axis]) : 0;
        box.hi[axis] = to < box.hi[axis] ? (int)(to > 0 ? to : 0) : box.hi[axis];
    }
    return box;
}

/* The boxes of the bricks of the march grid; malloc'ed. */
static gate_box *find_boxes(const render_scene *scene, const render_limits *limits)
{
    gate_box *boxes = malloc(((size_t)scene->grid.nbricks + 1) * sizeof *boxes);
    for (int64_t b = 0; boxes && b < scene->grid.nbricks; b++) {
        boxes[b] = find_box(scene->store->layout, limits,
                            &scene->store->bricks[scene->grid.bricks[b].slot]);
    }
    return boxes;
}

static status draw(iso_job *job, int threads, render_fragments *out,
                   render_counters *counters)
{
    const grid_store *colors = job->look->color_store;
    int64_t *first = colors ? find_color_bricks(job->scene, colors) : NULL;
    job->boxes = job->limits ? find_boxes(job->scene, job->limits) : NULL;
    job->color_first = first;
    job->scratch = create_scratch(threads);
    status s = STATUS_OK;
    if (!job->scratch || (colors && !first) || (job->limits && !job->boxes)) {
        s = base_fail_memory(sizeof(iso_scratch), "the rays of a picture");
    } else {
        s = render_fragments_create(job->view.camera->width, job->view.camera->height,
                                    threads, draw_tile, job, out);
    }
    for (int n = 0; s == STATUS_OK && n < threads; n++) {
        counters->rays += job->scratch[n]->counters.rays;
        counters->crossings += job->scratch[n]->counters.crossings;
        counters->lost_rays += job->scratch[n]->counters.lost_rays;
    }
    destroy_scratch(threads, job->scratch);
    free(job->boxes);
    free(first);
    return s;
}

/* Draws isosurfaces, or a gate if there are limits. */
static status draw_scene(render_scene *scene, const render_iso_look *look,
                         const render_limits *limits, const render_request *request,
                         render_fragments *out, render_counters *counters)
{
    const render_camera *camera = request->camera;
    const int threads = request->threads;
    *counters = (render_counters){0};
    if (pixel_rect_is_empty(camera->window)) {
        return render_fragments_create(camera->width, camera->height, 1, draw_nothing,
                                       NULL, out);
    }
    const render_clip_view view = {camera, request->clip, look->cuts};
    status s = render_scene_prepare(scene, request->transfer, &view,
                                    render_tiles_align(camera->window), threads);
    if (s != STATUS_OK) {
        return s;
    }
    iso_job job = {.kernel = request->kernel ? request->kernel : render_walk_fastest(),
                   .scene = scene,
                   .look = look,
                   .limits = limits,
                   .view = view};
    const render_style on_triangles = {.trilinear = false};
    render_scene_find_patches(scene, &on_triangles, request->transfer, threads);
    render_march_take_out(&scene->grid, threads);
    if (scene->crosses_often && !scene->grid.classes) {
        render_march_classify(&scene->grid, job.kernel->classify, camera, threads);
    }
    s = draw(&job, threads, out, counters);
    render_march_put_back(&scene->grid, threads);
    return s;
}

status render_iso_draw(render_scene *scene, const render_iso_look *look,
                       const render_request *request, render_fragments *out,
                       render_counters *counters)
{
    if (scene->store->cell || (look->shade && !scene->store->gradient)) {
        *counters = (render_counters){0};
        return base_fail(STATUS_INTERNAL,
                         "an isosurface was loaded without values or gradients at "
                         "vertices");
    }
    return draw_scene(scene, look, NULL, request, out, counters);
}

status render_gate_draw(render_scene *scene, const render_limits *limits,
                        const render_request *request, render_fragments *out,
                        render_counters *counters)
{
    const render_iso_look look = {.cuts = request->style->cuts,
                                  .seconds = request->style->seconds};
    const status s = draw_scene(scene, &look, limits, request, out, counters);
    out->are_spans = s == STATUS_OK;
    return s;
}
