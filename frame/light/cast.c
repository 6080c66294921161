#include "cast.h"

#include "base/parallel/parallel.h"
#include "frame/scene/bricks.h"
#include "render/cells/cell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- The view of a light ----------------------------------------------------------- */

static render_camera camera_of(const shadow_sight *sight, int per_point)
{
    const shadow_view *view = &sight->view;
    render_camera camera = {.width = sight->width * per_point,
                            .height = sight->height * per_point,
                            .orthographic = !view->is_perspective,
                            .eye = view->eye,
                            .forward = view->forward,
                            .right = view->right,
                            .up = vec3_scale(view->down, -1.0),
                            .scale = 0.5 * sight->extent[1]};
    camera.window = (pixel_rect){0, 0, camera.width, camera.height};
    render_camera_shift(&camera, (const double[2]){0.0, 0.0});
    return camera;
}

/* A view from a light, of all or of a part of what casts shadows. */
typedef struct light_view {
    draw_request request;
    render_cuts cuts; /* request.cuts, if something is cut off */
} light_view;

/* Clipping planes stay, near and far of the camera do not. A rank whose part is a
 * rectangle of the picture takes its own box of space. */
static void look_from_light(const frame_scene *scene, const render_camera *camera,
                            int nhits, light_view *out)
{
    *out = (light_view){.request = {.camera = *camera,
                                    .box = frame_scene_cast_box(scene),
                                    .purpose = DRAW_SHADOW,
                                    .shadow_hits = nhits},
                        .cuts = scene->cuts};
    out->cuts.near = 0.0;
    out->cuts.far = INFINITY;
    out->request.cuts = scene->style.cuts ? &out->cuts : NULL;
}

/* ---- Surfaces ---------------------------------------------------------------------- */

/* Takes the fragments of a tile that lie in this rank's part of space. */
static void take_tile(const draw_request *request, const render_fragments *drawn,
                      int64_t tile, shadow_map *map)
{
    const render_camera *camera = &request->camera;
    for (int64_t n = drawn->first[tile]; n < drawn->first[tile + 1]; n++) {
        const render_fragment *item = &drawn->items[n];
        const render_ray ray = render_camera_ray(camera, item->pixel % camera->width,
                                                 item->pixel / camera->width);
        const double start = render_cell_ray(ray).start;
        double from, to;
        render_clip_ray(camera, &ray, request->box, request->cuts, &from, &to);
        if (item->rgba[3] > 0.0f && item->t >= (float)(from - start) &&
            item->t < (float)(to - start)) {
            const double along = vec3_dot(ray.direction, camera->forward);
            const shadow_hit hit = {(float)(((double)item->t + start) * along),
                                    item->rgba[3]};
            render_shadow_add(map->nhits, map->hits + (int64_t)item->pixel * map->nhits,
                              hit);
        }
    }
}

/* Draws the layers from the light. Local. */
static status draw_surfaces(const shadow_casters *casters, const draw_request *request,
                            shadow_map *map)
{
    const frame_scene *scene = casters->scene;
    render_counters of_gates = {0};
    status s = frame_layers_draw_gates(scene, request, casters->layers, &of_gates);
    for (int n = 0; s == STATUS_OK && n < casters->layers->count; n++) {
        frame_layer *layer = &casters->layers->items[n];
        render_counters counters = {0};
        if (!layer->kind->casts || !layer->kind->casts(layer)) {
            continue;
        }
        s = layer->kind->draw(scene, request, layer, &counters);
        s = s == STATUS_OK ? frame_layers_hide(scene, request, casters->layers, layer)
                           : s;
        const render_fragments *drawn = layer->drawn;
        const int64_t tiles = s == STATUS_OK ? (int64_t)drawn->columns * drawn->rows : 0;
#pragma omp parallel for num_threads(scene->threads) schedule(dynamic, 16)
        for (int64_t tile = 0; tile < tiles; tile++) {
            take_tile(request, drawn, tile, map);
        }
    }
    return s;
}

/* An MPI_User_function: merges the hits of texels. The first hits of a union do not
 * depend on the order of merging. */
static void merge_hits(void *in, void *inout, int *count, MPI_Datatype *type)
{
    const shadow_hit *more = in;
    shadow_hit *hits = inout;
    int bytes;
    MPI_Type_size(*type, &bytes);
    const int nhits = bytes / (int)sizeof *hits;
    for (int64_t texel = 0; texel < *count; texel++) {
        for (int n = 0; n < nhits; n++) {
            render_shadow_add(nhits, hits + texel * nhits, more[texel * nhits + n]);
        }
    }
}

/* Gives all ranks the hits of all. scratch: as many. Collective. */
static void share_hits(MPI_Comm comm, shadow_map *map, shadow_hit *scratch)
{
    const int64_t texels = (int64_t)map->width * map->height;
    MPI_Datatype type;
    MPI_Op merge;
    MPI_Type_contiguous(map->nhits * (int)sizeof *map->hits, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    MPI_Op_create(merge_hits, 1, &merge);
    memcpy(scratch, map->hits, (size_t)(texels * map->nhits) * sizeof *scratch);
    parallel_allreduce(scratch, map->hits, parallel_count(texels), type, merge, comm);
    MPI_Op_free(&merge);
    MPI_Type_free(&type);
}

static status cast_surfaces(const shadow_casters *casters, const shadow_sight *sight,
                            shadow_map *map)
{
    const frame_scene *scene = casters->scene;
    const render_camera camera = camera_of(sight, sight->texels_per_point);
    const int64_t count = (int64_t)map->width * map->height * map->nhits;
    map->hits = malloc((size_t)count * sizeof *map->hits);
    shadow_hit *scratch = malloc((size_t)count * sizeof *scratch);
    status s = map->hits && scratch
                   ? STATUS_OK
                   : base_fail_memory(2 * (size_t)count * sizeof *scratch, "shadows");
    if (s == STATUS_OK) {
        for (int64_t n = 0; n < count; n++) {
            map->hits[n] = (shadow_hit){INFINITY, 0.0f};
        }
        light_view view;
        look_from_light(scene, &camera, map->nhits, &view);
        s = draw_surfaces(casters, &view.request, map);
    }
    s = parallel_agree(scene->comm, s);
    if (s == STATUS_OK) {
        share_hits(scene->comm, map, scratch);
    }
    free(scratch);
    return s;
}

/* ---- The volume -------------------------------------------------------------------- */

/* Draws the gates of the volume. out: room for all layers. Local. */
static status draw_gates(const shadow_casters *casters, const draw_request *request,
                         render_style *style, const render_fragments **out)
{
    const frame_layers *layers = casters->layers;
    render_counters counters = {0};
    const status s =
        frame_layers_draw_gates(casters->scene, request, casters->layers, &counters);
    style->layers = out;
    style->nlayers = 0;
    for (int n = 0; s == STATUS_OK && n < layers->count; n++) {
        if (layers->items[n].kind->is_gate) {
            out[style->nlayers++] = layers->items[n].drawn;
        }
    }
    return s;
}

/* Adds this rank's optical depths. Local. */
static status march_volume(const shadow_casters *casters, const shadow_sight *sight,
                           int planes, int64_t *depths)
{
    const frame_scene *scene = casters->scene;
    const render_camera camera = camera_of(sight, 1);
    const render_planes where = {.count = planes,
                                 .first = sight->depths[0],
                                 .distance = (sight->depths[1] - sight->depths[0]) /
                                             (planes - 1)};
    light_view view;
    look_from_light(scene, &camera, 1, &view);
    render_style style = scene->style;
    style.cuts = view.request.cuts;
    const render_fragments *gates[IO_MAX_LAYERS];
    const status s = draw_gates(casters, &view.request, &style, gates);
    if (s != STATUS_OK) {
        return s;
    }
    return render_through_add(casters->volume,
                              &(render_request){.style = &style,
                                                .transfer = scene->volume.transfer,
                                                .camera = &camera,
                                                .clip = view.request.box,
                                                .threads = scene->threads},
                              &where, depths);
}

static status cast_volume(const shadow_casters *casters, const shadow_sight *sight,
                          shadow_grid *through)
{
    const MPI_Comm comm = casters->scene->comm;
    const int64_t count = (int64_t)through->n[0] * through->n[1] * through->n[2];
    int64_t *mine = calloc(2 * (size_t)count, sizeof *mine), *all = mine + count;
    through->values = malloc((size_t)count * sizeof *through->values);
    status s = mine && through->values
                   ? STATUS_OK
                   : base_fail_memory(20 * (size_t)count, "the shadow of a volume");
    if (s == STATUS_OK) {
        s = march_volume(casters, sight, through->n[2], mine);
    }
    s = parallel_agree(comm, s);
    if (s == STATUS_OK) {
        parallel_allreduce(mine, all, parallel_count(count), MPI_INT64_T, MPI_SUM, comm);
        for (int64_t n = 0; n < count; n++) {
            through->values[n] = (float)exp(-RENDER_THROUGH_UNIT * (double)all[n]);
        }
    }
    free(mine);
    return s;
}

/* ---- Maps -------------------------------------------------------------------------- */

void shadow_map_clear(shadow_map *map)
{
    if (map->all.values != map->through.values) {
        free(map->all.values);
    }
    free(map->through.values);
    free(map->hits);
    map->hits = NULL;
    map->all.values = map->through.values = NULL;
}

status shadow_cast(const shadow_casters *casters, const shadow_sight *sight,
                   const shadow_size *size, shadow_map *map)
{
    const int per_point = sight->texels_per_point;
    *map =
        (shadow_map){.view = sight->view,
                     .width = sight->width * per_point,
                     .height = sight->height * per_point,
                     .nhits = size->nhits,
                     .texel = sight->extent[1] / (sight->height * per_point),
                     .planes = {sight->depths[0], (sight->depths[1] - sight->depths[0]) /
                                                      (size->points - 1)},
                     .through = shadow_sight_grid(sight, size)};
    map->all = map->through;
    status s = STATUS_OK;
    if (casters->has_surfaces) {
        s = cast_surfaces(casters, sight, map);
    }
    if (s == STATUS_OK && casters->volume) {
        s = cast_volume(casters, sight, &map->through);
        map->all.values = map->through.values;
    }
    return s;
}
