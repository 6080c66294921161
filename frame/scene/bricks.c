#include "bricks.h"

#include "base/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_drawn(const frame_scene *scene, int64_t number)
{
    return scene->part.draws(scene, number);
}

static bool is_owned(const frame_scene *scene, int64_t number)
{
    return grid_layout_brick_meets(scene->layout, number, scene->part.owned_box);
}

static bool is_any(const frame_scene *scene, int64_t number)
{
    return is_owned(scene, number) || is_drawn(scene, number);
}

static status list_bricks(const frame_scene *scene, frame_draws *wants, int64_t *count,
                          int64_t **numbers)
{
    const size_t bytes = ((size_t)scene->layout->nbricks + 1) * sizeof **numbers;
    int64_t *list = malloc(bytes), found = 0;
    if (!list) {
        return base_fail_memory(bytes, "the bricks of a rank");
    }
    for (int64_t number = 0; number < scene->layout->nbricks; number++) {
        if (wants(scene, number)) {
            list[found++] = number;
        }
    }
    *count = found;
    *numbers = list;
    return STATUS_OK;
}

bool frame_scene_casts(const frame_scene *scene)
{
    const io_lighting_config *lighting = &scene->config->lighting;
    return lighting->shadows.on || lighting->occlusion.on;
}

/* Whether the camera's window decides what this rank draws. */
static bool draws_window(const frame_scene *scene)
{
    const box3 *box = &scene->part.box;
    bool is_everything = true;
    for (int axis = 0; axis < 3; axis++) {
        is_everything &= box->lo.v[axis] == -INFINITY && box->hi.v[axis] == INFINITY;
    }
    return is_everything;
}

box3 frame_scene_cast_box(const frame_scene *scene)
{
    return draws_window(scene) ? scene->part.owned_box : scene->part.box;
}

status frame_bricks_drawn(const frame_scene *scene, int64_t *count, int64_t **numbers)
{
    const bool adds_owned = frame_scene_casts(scene) && draws_window(scene);
    return list_bricks(scene, adds_owned ? is_any : is_drawn, count, numbers);
}

status frame_bricks_owned(const frame_scene *scene, int64_t *count, int64_t **numbers)
{
    return list_bricks(scene, is_owned, count, numbers);
}

status frame_bricks_all(const frame_scene *scene, int64_t *count, int64_t **numbers)
{
    return list_bricks(scene, is_any, count, numbers);
}

/* ---- Blocks ------------------------------------------------------------------------ */

static status fail_block(const grid_layout *layout, const char *name)
{
    const int count = layout->nblocks;
    const char **names = malloc(((size_t)count + 1) * sizeof *names);
    char known[512] = "", hint[GRID_NAME_SIZE + 32] = "";
    for (int b = 0; names && b < count; b++) {
        names[b] = layout->blocks[b].name;
    }
    if (names) {
        base_words_list(count, names, sizeof known, known);
        base_words_hint(name, count, names, sizeof hint, hint);
    }
    free(names);
    return base_fail(STATUS_USAGE, "there is no block '%.64s'%s, only %s", name, hint,
                     known);
}

status frame_block_find(const grid_layout *layout, const char *name, int *block)
{
    for (int b = 0; b < layout->nblocks; b++) {
        if (strcmp(layout->blocks[b].name, name) == 0) {
            *block = b;
            return STATUS_OK;
        }
    }
    return fail_block(layout, name);
}

bool frame_block_is_missing(const frame_scene *scene, const char *name)
{
    const grid_block *all;
    bool is_here = !name, is_known = false;
    for (int b = 0; b < scene->layout->nblocks && !is_here; b++) {
        is_here = strcmp(scene->layout->blocks[b].name, name) == 0;
    }
    for (int b = 0; !is_here && b < io_source_all_blocks(scene->source, &all); b++) {
        is_known = is_known || strcmp(all[b].name, name) == 0;
    }
    return is_known;
}
