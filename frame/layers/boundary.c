#include "boundary.h"

#include "frame/scene/conditions.h"

status boundary_find(const frame_scene *scene, const frame_layer *layer, int block,
                     int *count, surface_range **out)
{
    const io_tool_config *config = layer->config->tool;
    const frame_conditions_wish wish = {
        .family = config->family, .bc = config->bc, .block = block};
    return layer_blame(
        scene, layer, config->bc ? "bc" : "family",
        frame_conditions_find(scene->source, scene->layout, &wish, count, out));
}
