#include "work.h"

#include "render/cells/cell.h"

/* The cost of a fragment of a large face, in cells that a ray meets. */
static const double fragment_weight = 2.0;

/* The cost of a layer's tile beside its fragments, in fragments. */
static const double tile_weight = 16.0;

/* The place of a fragment. */
static vec3 point_of(const frame_scene *scene, const render_fragment *fragment)
{
    const int width = scene->camera.width;
    const render_ray ray = render_camera_ray(&scene->camera, fragment->pixel % width,
                                             fragment->pixel / width);
    const double t = (double)fragment->t + render_cell_ray(ray).start;
    return vec3_add(ray.origin, vec3_scale(ray.direction, t));
}

/*
 * Adds the fragments of a layer. The fragments of a tile divide the tile's cost equally.
 */
static void add_fragments(const frame_scene *scene, const frame_layer *layer,
                          frame_work_samples *samples)
{
    const render_fragments *drawn = layer->drawn;
    const int64_t tiles = drawn ? (int64_t)drawn->columns * drawn->rows : 0;
    for (int64_t tile = 0; tile < tiles; tile++) {
        const int64_t count = drawn->first[tile + 1] - drawn->first[tile];
        const double cost =
            fragment_weight * (frame_layer_cost(layer, tile) + tile_weight);
        for (int64_t n = drawn->first[tile]; n < drawn->first[tile + 1]; n++) {
            const vec3 at = point_of(scene, &drawn->items[n]);
            if (frame_work_is_inside(scene->part.box, at)) {
                frame_work_samples_push(samples, at, cost / (double)count);
            }
        }
    }
}

status distribution_find_work(const frame_scene *scene, const frame_layers *layers,
                              frame_work_samples *out)
{
    frame_work_samples samples = {0};
    if (scene->volume.store) {
        frame_work_samples_add_cells(scene, scene->volume.store, &samples);
    }
    for (int n = 0; n < layers->count; n++) {
        const frame_layer *layer = &layers->items[n];
        if (layer->kind->weigh) {
            layer->kind->weigh(scene, layer, &samples);
        } else {
            add_fragments(scene, layer, &samples);
        }
    }
    if (samples.failed) {
        const size_t bytes = (size_t)samples.capacity * sizeof *samples.items;
        frame_work_samples_clear(&samples);
        return base_fail_memory(bytes, "where the work of a picture lies");
    }
    *out = samples;
    return STATUS_OK;
}
