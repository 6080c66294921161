#include "volume.h"

#include "appearance.h"
#include "base/parallel/parallel.h"
#include "base/system.h"
#include "bricks.h"
#include "io/load/load.h"
#include "missing.h"
#include "render/cells/trim.h"

#include <stdlib.h>

/* Makes the store for a list of bricks. After a move it takes bricks from the last store.
 * Collective. */
static status make_store(frame_scene *scene, bool has_moved, int64_t count,
                         const int64_t *numbers)
{
    frame_volume *volume = &scene->volume;
    const bool has_floats = scene->config->output.floats != NULL;
    const io_load_list list = {scene->layout, count, numbers,
                               grid_recipe_location(volume->recipe)};
    const bool is_carried = volume->is_carried;
    volume->is_carried = false;
    if (is_carried || (has_moved && scene->part.is_exchanging)) {
        return io_load_moved(scene->comm, scene->source, &list, !has_floats,
                             &volume->store);
    }
    if (!volume->store && !has_floats) {
        return io_load_later(scene->comm, &list, &volume->store);
    }
    /*
     * The bricks are in memory already, or a float image needs the depth of all of them.
     */
    return io_load_kept_bricks(scene->comm, scene->source, &list, &volume->store);
}

status frame_volume_load_bricks(frame_scene *scene)
{
    frame_volume *volume = &scene->volume;
    if (!volume->recipe) {
        return STATUS_OK;
    }
    const bool has_moved =
        volume->scene !=
        NULL; /* otherwise the store may be the one that io_load_grid_after kept */
    render_scene_destroy(&volume->scene);
    volume->has_step = volume->has_step && !has_moved;
    if (has_moved && !scene->part.is_exchanging) {
        grid_store_destroy(&volume->store);
    }
    int64_t count = 0;
    int64_t *numbers = NULL;
    status s = parallel_agree(scene->comm, frame_bricks_drawn(scene, &count, &numbers));
    if (s == STATUS_OK) {
        s = make_store(scene, has_moved, count, numbers);
    }
    free(numbers);
    if (s == STATUS_OK && frame_scene_has_gradients(scene)) {
        s = parallel_agree(scene->comm, grid_store_add_gradients(volume->store));
    }
    return s != STATUS_OK
               ? s
               : parallel_agree(scene->comm,
                                render_scene_create(volume->store, &volume->scene));
}

/* io_load_filter: a brick that the transfer function hides stays out of memory. */
static bool shows_brick(const void *context, const grid_brick *brick)
{
    const frame_scene *scene = context;
    return render_scene_shows(scene->volume.scene, scene->volume.transfer, brick);
}

/* io_load_filter: the part of a brick in this rank's box, which is all that it draws. */
static grid_brick_place find_part(const void *context, const grid_brick *brick)
{
    const frame_scene *scene = context;
    return render_march_part(scene->layout, scene->part.box, brick);
}

status frame_volume_load(frame_scene *scene, int step)
{
    const io_load_filter filter = {shows_brick, scene->part.stays ? find_part : NULL,
                                   scene};
    frame_volume *volume = &scene->volume;
    if (!volume->recipe) {
        return STATUS_OK;
    }
    const bool is_there = volume->has_step && volume->step == step;
    volume->has_step = false;
    status s = is_there ? STATUS_OK
                        : io_load_wanted(scene->comm, scene->source, volume->recipe, step,
                                         &filter, volume->store);
    frame_scene_blame_volume(scene, "field", s);
    volume->has_step = s == STATUS_OK && !scene->is_live;
    volume->step = step;
    if (s == STATUS_OK) {
        frame_missing_look(scene, scene->config->volume->field, volume->recipe, step,
                           volume->store);
    }
    return s;
}

/* The most bytes that the volume may keep of rays from step to step: with a limit for
 * bricks, what these leave of it; else an eighth of the machine's memory for all ranks of
 * the node. Nothing beside a running program without a limit. */
static int64_t find_keep(const frame_scene *scene)
{
    enum { PART = 8 };
    const int64_t limit = scene->config->memory;
    if (!scene->volume.store || (scene->is_live && limit == 0)) {
        return 0;
    }
    if (limit > 0) {
        const int64_t left = limit - grid_store_bytes(scene->volume.store);
        return left > 0 ? left : 0;
    }
    return base_machine_memory() / PART / scene->neighbours;
}

/* Whether too few pictures are left for recording ways. That of a view costs what 4 to 16
 * later pictures save; of tiles that see a new brick, what 4 do. */
static bool is_ending(const frame_scene *scene)
{
    enum { OF_VIEW = 16, OF_TILES = 6 };
    return scene->volume.pictures_left < (scene->volume.keeps_ways ? OF_TILES : OF_VIEW);
}

status frame_volume_draw(const frame_scene *scene, const draw_request *request,
                         const render_style *style, const render_sample_set *samples,
                         image *img, render_counters *counters)
{
    return render_scene_draw(scene->volume.scene,
                             &(render_request){.style = style,
                                               .transfer = scene->volume.transfer,
                                               .camera = &request->camera,
                                               .clip = request->box,
                                               .threads = scene->threads,
                                               .samples = samples,
                                               .keep = find_keep(scene),
                                               .is_ending = is_ending(scene)},
                             img, counters);
}

void frame_volume_drop(frame_scene *scene)
{
    frame_volume *volume = &scene->volume;
    render_transfer_destroy(&volume->transfer);
    render_scene_destroy(&volume->scene);
    volume->has_step = false;
    grid_store_destroy(&volume->store);
}

void frame_volume_destroy(frame_scene *scene)
{
    frame_volume_drop(scene);
    grid_recipe_destroy(&scene->volume.recipe);
}
