#include "appearance.h"

#include "base/hash.h"
#include "base/parallel/parallel.h"
#include "bricks.h"
#include "render/view/samples.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Camera ------------------------------------------------------------------------ */

status frame_scene_make_camera(frame_scene *scene, vec3 origin)
{
    const io_camera_config *config = &scene->config->camera;
    render_view view = {.position = config->position,
                        .look_at = config->look_at,
                        .up = config->up,
                        .orthographic = config->orthographic,
                        .fov = config->fov,
                        .height = config->height};
    const int attempt = scene->camera.attempt;
    const status s = render_camera_create(&view, scene->config->width,
                                          scene->config->height, origin, &scene->camera);
    scene->camera.attempt = attempt;
    /* What ranks agree on before a sample is the same for all samples. */
    scene->camera.slack = scene->config->samples == 1 ? 0.0 : RENDER_SAMPLE_REACH;
    return s;
}

/* ---- Style and light --------------------------------------------------------------- */

static uint64_t hash_colors(const io_volume_config *layer)
{
    uint64_t hash = BASE_HASH_START;
    hash = base_hash_bytes(hash, layer->colors,
                           (size_t)layer->ncolors * sizeof *layer->colors);
    hash = base_hash_bytes(hash, layer->opacities,
                           (size_t)layer->nopacities * sizeof *layer->opacities);
    const double scale[2] = {(double)layer->scale, layer->threshold};
    return layer->scale == BASE_SCALE_LINEAR ? hash
                                             : base_hash_bytes(hash, scale, sizeof scale);
}

static render_style style_of(const io_volume_config *volume)
{
    static const render_method methods[] = {[IO_METHOD_AUTO] = RENDER_AUTO,
                                            [IO_METHOD_RAYCAST] = RENDER_RAYCAST,
                                            [IO_METHOD_PLANES] = RENDER_PLANES};
    return (render_style){.method = methods[volume->method]};
}

/* Above this sharpness of a transfer function, `auto` draws trilinear cells. Else
 * pictures of coarse grids are off by several counts. */
static const double most_sharpness = 15.0;

/* Chooses how the scalar varies within a cell. The transfer function must be known. */
static void choose_interpolation(frame_scene *scene)
{
    const io_volume_config *volume = scene->config->volume;
    const bool is_auto = volume->interpolation == IO_INTERPOLATION_AUTO;
    const bool is_sharp =
        render_transfer_sharpness(scene->volume.transfer) > most_sharpness;
    const bool may = volume->method != IO_METHOD_PLANES;
    scene->style.trilinear =
        volume->interpolation == IO_TRILINEAR || (is_auto && is_sharp && may);
    scene->style.quadratic =
        !scene->style.trilinear && volume->interpolation != IO_LINEAR;
}

/* A light of the config in the grid's coordinates. */
static render_light light_of(const io_light_config *config, vec3 origin)
{
    static const render_light_kind kinds[] = {
        [IO_LIGHT_HEAD] = RENDER_LIGHT_HEAD,
        [IO_LIGHT_DIRECTION] = RENDER_LIGHT_DIRECTION,
        [IO_LIGHT_POSITION] = RENDER_LIGHT_POSITION};
    vec3 at = vec3_sub(config->position, origin);
    if (config->kind == IO_LIGHT_DIRECTION) {
        at = vec3_scale(vec3_normalize(config->direction), -1.0); /* towards the light */
    }
    render_light light = {.kind = kinds[config->kind]};
    for (int n = 0; n < 3; n++) {
        light.at[n] = (float)at.v[n];
        light.color[n] = (float)(config->intensity * config->color[n]);
    }
    return light;
}

render_shade frame_scene_shade(const frame_scene *scene, const io_shade_config *config)
{
    _Static_assert((int)IO_MAX_LIGHTS <= (int)RENDER_MAX_LIGHTS,
                   "lights of a config fit");
    render_shade shade = {.ambient = (float)config->ambient,
                          .diffuse = (float)config->diffuse,
                          .specular = (float)config->specular,
                          .shininess = config->shininess,
                          .nlights = scene->config->nlights,
                          .shadows = frame_scene_casts(scene) ? &scene->shadows : NULL};
    const io_silhouette_config *silhouettes = &scene->config->lighting.silhouettes;
    shade.rim_width = (float)(silhouettes->on ? silhouettes->width : 0.0);
    for (int c = 0; c < 3; c++) {
        shade.rim_color[c] = (float)silhouettes->color[c];
    }
    for (int n = 0; n < scene->config->nlights; n++) {
        shade.lights[n] = light_of(&scene->config->lights[n], scene->layout->origin);
    }
    return shade;
}

/* Sets up shading, and opacity by gradient, if the config asks for them. The range must
 * be known. */
static void make_shade(frame_scene *scene, double diagonal)
{
    static const io_shade_config unlit = {.ambient = 1.0, .shininess = 1};
    const io_volume_config *volume = scene->config->volume;
    if (volume->shade.on || volume->ngradients > 0 || scene->config->lighting.cue.on) {
        scene->shade =
            frame_scene_shade(scene, volume->shade.on ? &volume->shade : &unlit);
        scene->shade.nlights = volume->shade.on ? scene->shade.nlights : 0;
        scene->shade.is_even = !volume->shade.on || volume->shade.is_even;
        scene->shade.shadows = volume->shade.on ? scene->shade.shadows : NULL;
        scene->shade.per_gradient =
            render_shade_per_gradient(scene->volume.range, diagonal);
        render_shade_set_factors(&scene->shade, volume->ngradients,
                                 (const double(*)[2])volume->gradients);
        scene->style.shade = &scene->shade;
    }
}

bool frame_scene_has_gradients(const frame_scene *scene)
{
    return scene->style.shade && render_shade_needs_gradients(scene->style.shade);
}

/* The depths of the grid's bounds, as far as they lie in front of the viewer. */
static void find_depths(const frame_scene *scene, double range[2])
{
    const box3 *bounds = &scene->layout->bounds;
    range[0] = INFINITY;
    range[1] = -INFINITY;
    for (int corner = 0; corner < 8; corner++) {
        vec3 point;
        for (int axis = 0; axis < 3; axis++) {
            point.v[axis] = corner >> axis & 1 ? bounds->hi.v[axis] : bounds->lo.v[axis];
        }
        const double depth = render_camera_depth(&scene->camera, point);
        range[0] = fmin(range[0], depth);
        range[1] = fmax(range[1], depth);
    }
    range[0] = fmax(range[0], scene->config->camera.near);
    range[1] = fmin(range[1], scene->config->camera.far);
}

static void aim_cue(frame_scene *scene)
{
    const io_cue_config *config = &scene->config->lighting.cue;
    const render_camera *camera = &scene->camera;
    double range[2] = {config->range[0], config->range[1]};
    if (!config->has_range) {
        find_depths(scene, range);
    }
    const double length = range[1] - range[0];
    scene->cue = (render_cue){.strength = (float)config->strength,
                              .offset = (float)vec3_dot(camera->eye, camera->forward),
                              .near = (float)range[0],
                              .per_length = (float)(length > 0.0 ? 1.0 / length : 1.0)};
    for (int c = 0; c < 3; c++) {
        scene->cue.along[c] = (float)camera->forward.v[c];
        scene->cue.color[c] = config->has_color ? (float)config->color[c]
                              : scene->config->is_transparent
                                  ? 1.0f
                                  : scene->config->background[c];
    }
    scene->style.cue = &scene->cue;
    scene->shade.cue = scene->cue;
}

void frame_scene_aim(frame_scene *scene)
{
    scene->style.cue = NULL;
    if (scene->config->lighting.cue.on) {
        aim_cue(scene);
    }
}

/* Cuts by the sides of a box. */
static void cut_to_box(box3 box, vec3 origin, render_cuts *cuts)
{
    for (int axis = 0; axis < 3; axis++) {
        vec3 up = {{0.0, 0.0, 0.0}}, down = up;
        up.v[axis] = 1.0;
        down.v[axis] = -1.0;
        if (box.lo.v[axis] > -INFINITY) {
            cuts->planes[cuts->count++] =
                (render_cut){up, box.lo.v[axis] - origin.v[axis]};
            cuts->planes[cuts->count++] =
                (render_cut){down, origin.v[axis] - box.hi.v[axis]};
        }
    }
}

/* Takes the cuts of the config into the grid's coordinates. */
static void make_cuts(frame_scene *scene)
{
    const io_config *config = scene->config;
    const vec3 origin = scene->layout->origin;
    box3 box = box3_everything();
    _Static_assert((int)IO_MAX_CLIPS + 6 <= (int)RENDER_MAX_CUTS &&
                       (int)IO_MAX_CLIPS <= (int)RENDER_MAX_SPHERES,
                   "clips of a config fit");
    render_cuts *cuts = &scene->cuts;
    *cuts = (render_cuts){.near = config->camera.near, .far = config->camera.far};
    for (int n = 0; n < config->nclips; n++) {
        const io_clip_config *clip = &config->clips[n];
        const vec3 point = vec3_sub(clip->point, origin);
        if (clip->has_box) {
            for (int axis = 0; axis < 3; axis++) {
                box.lo.v[axis] = fmax(box.lo.v[axis], clip->box[0].v[axis]);
                box.hi.v[axis] = fmin(box.hi.v[axis], clip->box[1].v[axis]);
            }
        } else if (clip->radius > 0.0) {
            cuts->spheres[cuts->nspheres++] = (render_sphere){point, clip->radius};
        } else {
            const vec3 normal = vec3_normalize(clip->normal);
            cuts->planes[cuts->count++] = (render_cut){normal, vec3_dot(normal, point)};
        }
    }
    cut_to_box(box, origin, cuts);
    if (config->nclips > 0 || scene->cuts.near > 0.0 || scene->cuts.far < INFINITY) {
        scene->style.cuts = &scene->cuts;
    }
}

/* ---- Colours ----------------------------------------------------------------------- */

status frame_scene_blame_volume(const frame_scene *scene, const char *key, status s)
{
    const io_config *config = scene->config;
    char path[64];
    int index = 0;
    while (index < config->nlayers && config->layers[index].kind != IO_LAYER_VOLUME) {
        index++;
    }
    snprintf(path, sizeof path, "layers.%d.volume.%s", index, key);
    return io_config_blame(config, path, s);
}

/* The control points of a volume as the transfer function takes them: linear in the
 * field. */
typedef struct flat_volume {
    render_transfer_points points;
    base_scale_points colors, opacities;
} flat_volume;

static void free_flat(flat_volume *flat)
{
    free(flat->colors.rows);
    free(flat->opacities.rows);
}

/* Copies points that are linear on a scale as points that are linear in values. Positions
 * may be data. */
static status flatten_points(const base_scale *scale, bool are_data, double tolerance,
                             const base_scale_points *points, base_scale_points *out)
{
    const size_t width = (size_t)points->width, count = (size_t)points->count;
    base_scale_points copy = *points;
    copy.rows = malloc(count * width * sizeof *copy.rows);
    if (copy.rows == NULL) {
        return base_fail_memory(count * width * sizeof *copy.rows, "a transfer function");
    }
    memcpy(copy.rows, points->rows, count * width * sizeof *copy.rows);
    for (size_t n = 0; are_data && n < count; n++) {
        copy.rows[n * width] = base_scale_position(scale, copy.rows[n * width]);
    }
    const status s = base_scale_flatten(scale, tolerance, &copy, out);
    free(copy.rows);
    return s;
}

/* The greatest value among opacities: the unit of their tolerance. */
static double greatest_opacity(const io_volume_config *volume)
{
    double most = 0.0;
    for (int n = 0; n < volume->nopacities; n++) {
        most = fmax(most, volume->opacities[n][1]);
    }
    return most > 0.0 ? most : 1.0;
}

/* Makes the points of a volume whose scale is not linear. */
static status flatten_volume(const io_volume_config *volume, const base_scale *scale,
                             flat_volume *out)
{
    const double quarter = 0.25 / 255.0, part = 1.0 / 2048.0;
    const bool are_data = volume->positions_are_data;
    const base_scale_points colors = {4, volume->ncolors, volume->colors[0]};
    const base_scale_points opacities = {2, volume->nopacities, volume->opacities[0]};
    status s = flatten_points(scale, are_data, quarter, &colors, &out->colors);
    if (s == STATUS_OK) {
        s = flatten_points(scale, are_data, part * greatest_opacity(volume), &opacities,
                           &out->opacities);
    }
    out->points.ncolors = out->colors.count;
    out->points.colors = (const double(*)[4])out->colors.rows;
    out->points.nopacities = out->opacities.count;
    out->points.opacities = (const double(*)[2])out->opacities.rows;
    out->points.positions_are_data = false;
    return s;
}

/* Makes all of a volume's looks that depend on its range. Collective. */
static status scale_volume(frame_scene *scene)
{
    const io_volume_config *layer = scene->config->volume;
    scene->volume.range[0] = layer->range[0];
    scene->volume.range[1] = layer->range[1];
    make_shade(scene, scene->diagonal);
    flat_volume flat = {
        .points = {.ncolors = layer->ncolors,
                   .colors = (const double(*)[4])layer->colors,
                   .nopacities = layer->nopacities,
                   .opacities = (const double(*)[2])layer->opacities,
                   .opacities_are_extinction = layer->opacities_are_extinction,
                   .positions_are_data = layer->positions_are_data,
                   .range = {scene->volume.range[0], scene->volume.range[1]},
                   .unit_length = layer->auto_unit_length ? 0.01 * scene->diagonal
                                                          : layer->unit_length}};
    scene->volume.scale = base_scale_make(layer->scale, layer->threshold, layer->range);
    status s = layer->scale == BASE_SCALE_LINEAR
                   ? STATUS_OK
                   : flatten_volume(layer, &scene->volume.scale, &flat);
    if (s == STATUS_OK) {
        s = render_transfer_create(&flat.points, &scene->volume.transfer);
    }
    free_flat(&flat);
    s = parallel_agree(scene->comm, s);
    if (s == STATUS_OK) {
        choose_interpolation(scene);
    }
    return s;
}

status frame_scene_rescale_volume(frame_scene *scene)
{
    render_transfer_destroy(&scene->volume.transfer);
    return scale_volume(scene);
}

status frame_scene_make_transfer(frame_scene *scene)
{
    const io_volume_config *layer = scene->config->volume;
    if (scene->diagonal == 0.0) {
        const box3 *bounds = &scene->layout->bounds;
        scene->diagonal = vec3_length(vec3_sub(bounds->hi, bounds->lo));
    }
    if (!layer) {
        make_cuts(scene);
        return STATUS_OK;
    }
    scene->colors_hash = hash_colors(layer);
    scene->style = style_of(layer);
    for (int n = 0; n < scene->config->nlayers; n++) {
        const io_layer_config *its = &scene->config->layers[n];
        scene->style.is_whole |= its->volume == layer && its->whole;
    }
    make_cuts(scene);
    return scale_volume(scene);
}

draw_request frame_scene_request(const frame_scene *scene)
{
    return (draw_request){.camera = scene->camera,
                          .box = scene->part.box,
                          .cuts = scene->style.cuts,
                          .seconds = scene->style.seconds};
}
