#include "shadows.h"

#include "base/parallel/parallel.h"
#include "cast.h"
#include "frame/scene/appearance.h"
#include "frame/scene/bricks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- Casters ----------------------------------------------------------------------- */

/* Cuts bounds by clipping planes across an axis. */
static box3 clip_bounds(const frame_scene *scene)
{
    box3 box = scene->layout->bounds;
    for (int n = 0; n < scene->cuts.count; n++) {
        const render_cut *cut = &scene->cuts.planes[n];
        for (int axis = 0; axis < 3; axis++) {
            if (cut->normal.v[axis] == 1.0) {
                box.lo.v[axis] = fmax(box.lo.v[axis], cut->offset);
            } else if (cut->normal.v[axis] == -1.0) {
                box.hi.v[axis] = fmin(box.hi.v[axis], -cut->offset);
            }
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        box.hi.v[axis] = fmax(box.hi.v[axis], box.lo.v[axis]);
    }
    return box;
}

/* Grows bounds around the visible bricks of the volume that this rank has. */
static void grow_around_volume(const frame_scene *scene, const render_scene *volume,
                               box3 *bounds)
{
    const grid_store *store = scene->volume.store;
    for (int64_t slot = 0; slot < store->nbricks; slot++) {
        if (render_scene_shows(volume, scene->volume.transfer, &store->bricks[slot])) {
            layer_grow_bounds(scene->layout, store->bricks[slot].number, bounds);
        }
    }
}

/* Finds the bounds of all that casts shadows: those of its bricks, as far as clipping
 * planes leave them. They follow from the data, whatever the parts of ranks. Collective.
 */
static box3 find_bounds(const shadow_casters *casters)
{
    const frame_scene *scene = casters->scene;
    box3 mine = {.lo = {{INFINITY, INFINITY, INFINITY}},
                 .hi = {{-INFINITY, -INFINITY, -INFINITY}}};
    box3 box = clip_bounds(scene), all;
    for (int n = 0; n < casters->layers->count; n++) {
        const frame_layer *layer = &casters->layers->items[n];
        if (layer->kind->casts && layer->kind->casts(layer)) {
            layer->kind->bounds(scene, layer, &mine);
        }
    }
    if (casters->volume) {
        grow_around_volume(scene, casters->volume, &mine);
    }
    parallel_allreduce(mine.lo.v, all.lo.v, 3, MPI_DOUBLE, MPI_MIN, scene->comm);
    parallel_allreduce(mine.hi.v, all.hi.v, 3, MPI_DOUBLE, MPI_MAX, scene->comm);
    for (int axis = 0; axis < 3; axis++) {
        const double lo = fmax(box.lo.v[axis], all.lo.v[axis]);
        const double hi = fmin(box.hi.v[axis], all.hi.v[axis]);
        if (lo < hi) {
            box.lo.v[axis] = lo;
            box.hi.v[axis] = hi;
        }
    }
    return box;
}

/* Finds what casts shadows. Collective. Errors: STATUS_MEMORY. */
static status find_casters(frame_scene *scene, frame_layers *layers, shadow_casters *out)
{
    const io_volume_config *volume = scene->config->volume;
    *out = (shadow_casters){.scene = scene, .layers = layers, .shadows = &scene->shadows};
    for (int n = 0; n < layers->count; n++) {
        const frame_layer *layer = &layers->items[n];
        if (layer->kind->casts && layer->kind->casts(layer)) {
            out->has_surfaces = true;
            out->are_translucent |= frame_layer_opacity(layer) < 1.0;
        }
    }
    status s = STATUS_OK;
    if (volume && volume->shade.on) {
        s = render_scene_create(scene->volume.store, &out->volume);
    }
    s = parallel_agree(scene->comm, s);
    if (s == STATUS_OK) {
        out->bounds = find_bounds(out);
    }
    return s;
}

/* ---- Lights ------------------------------------------------------------------------ */

/* Fills `all` of a map. Local. */
static status join(const shadow_casters *casters, shadow_map *map)
{
    if (!map->hits || !casters->volume) {
        return STATUS_OK;
    }
    const size_t count =
        (size_t)map->all.n[0] * (size_t)map->all.n[1] * (size_t)map->all.n[2];
    map->all.values = malloc(count * sizeof *map->all.values);
    if (!map->all.values) {
        return base_fail_memory(count * sizeof *map->all.values, "shadows");
    }
#pragma omp parallel for num_threads(casters->scene->threads) schedule(static)
    for (int row = 0; row < map->all.n[1]; row++) {
        render_shadow_join(map, row);
    }
    return STATUS_OK;
}

static status cast_light(const shadow_casters *casters, int number,
                         const render_light *light)
{
    const frame_scene *scene = casters->scene;
    const io_shadow_config *config = &scene->config->lighting.shadows;
    const shadow_size size = {.texels = config->resolution,
                              .points = casters->volume ? config->volume_resolution
                                                        : config->resolution,
                              .nhits = casters->are_translucent ? SHADOW_MOST_HITS : 1};
    shadow_map *map = &casters->shadows->lights[number];
    const vec3 at =
        vec3_make((double)light->at[0], (double)light->at[1], (double)light->at[2]);
    shadow_sight sight;
    status s = light->kind == RENDER_LIGHT_DIRECTION
                   ? shadow_sight_far(casters, at, &size, &sight)
                   : shadow_sight_near(casters, at, &size, &sight);
    if (s != STATUS_OK) {
        char key[32];
        snprintf(key, sizeof key, "lights.%d.position", number);
        return io_config_blame(scene->config, key, s);
    }
    s = shadow_cast(casters, &sight, &size, map);
    map->softness = 2.0 * tan(0.5 * config->softness * 3.14159265358979323846 / 180.0);
    s = s == STATUS_OK ? parallel_agree(scene->comm, join(casters, map)) : s;
    if (s == STATUS_OK && casters->volume) {
        const double spacing =
            fmin(sight.extent[0] / sight.width *
                     (map->view.is_perspective ? sight.depths[0] : 1.0),
                 map->planes[1]);
        casters->shadows->step = fminf(casters->shadows->step, (float)spacing);
    }
    return s;
}

static status cast_lights(const shadow_casters *casters)
{
    const io_shade_config plain = {.shininess = 1};
    const render_shade shade = frame_scene_shade(casters->scene, &plain);
    status s = STATUS_OK;
    for (int n = 0; s == STATUS_OK && n < shade.nlights; n++) {
        if (shade.lights[n].kind != RENDER_LIGHT_HEAD) {
            s = cast_light(casters, n, &shade.lights[n]);
        }
    }
    return s;
}

void frame_shadows_clear(frame_scene *scene)
{
    render_shadows *shadows = &scene->shadows;
    for (int n = 0; n < RENDER_MAX_LIGHTS; n++) {
        shadow_map_clear(&shadows->lights[n]);
    }
    for (int n = 0; shadows->sky && n < shadows->nsky; n++) {
        shadow_map_clear(&shadows->sky[n]);
    }
    free(shadows->sky);
    free(shadows->sky_all.values);
    free(shadows->sky_through.values);
    *shadows = (render_shadows){0};
}

status frame_shadows_cast(frame_scene *scene, frame_layers *layers)
{
    const io_lighting_config *config = &scene->config->lighting;
    render_shadows *shadows = &scene->shadows;
    shadow_casters casters;
    frame_shadows_clear(scene);
    if (!frame_scene_casts(scene)) {
        return STATUS_OK;
    }
    shadows->step = INFINITY;
    status s = find_casters(scene, layers, &casters);
    if (s == STATUS_OK && config->shadows.on) {
        shadows->strength = (float)config->shadows.strength;
        s = cast_lights(&casters);
    }
    if (s == STATUS_OK && config->occlusion.on) {
        const box3 *bounds = &scene->layout->bounds;
        shadows->occlusion = (float)config->occlusion.strength;
        shadows->reach =
            config->occlusion.radius * vec3_length(vec3_sub(bounds->hi, bounds->lo));
        s = shadow_cast_sky(&casters, shadows);
    }
    shadows->step = isfinite(shadows->step) ? shadows->step : 0.0f;
    render_scene_destroy(&casters.volume);
    return s;
}
