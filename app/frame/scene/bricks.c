#include "bricks.h"

#include <stdlib.h>

static bool is_drawn(const app_scene *scene, int64_t number)
{
    return scene->part.draws(scene, number);
}

static bool is_owned(const app_scene *scene, int64_t number)
{
    return grid_layout_brick_meets(scene->layout, number, scene->part.owned_box);
}

static bool is_any(const app_scene *scene, int64_t number)
{
    return is_owned(scene, number) || is_drawn(scene, number);
}

static status list_bricks(const app_scene *scene, app_draws *wants, int64_t *count,
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

status app_bricks_drawn(const app_scene *scene, int64_t *count, int64_t **numbers)
{
    return list_bricks(scene, is_drawn, count, numbers);
}

status app_bricks_owned(const app_scene *scene, int64_t *count, int64_t **numbers)
{
    return list_bricks(scene, is_owned, count, numbers);
}

status app_bricks_all(const app_scene *scene, int64_t *count, int64_t **numbers)
{
    return list_bricks(scene, is_any, count, numbers);
}
