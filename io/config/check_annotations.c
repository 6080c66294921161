#include "parts.h"

static bool has_map(const io_layer_config *layer)
{
    switch (layer->kind) {
    case IO_LAYER_VOLUME:
        return true;
    case IO_LAYER_PARTICLES:
        return !layer->particles->paint.has_color;
    default:
        return !layer->tool->paint.has_color;
    }
}

/* Fails if the scalar bar's layer does not exist or has no colour map. Open layers always
 * get a volume. */
static status check_bar_layer(const io_section *bar, const io_config *config)
{
    int chosen = config->annotations.bar_layer;
    int nmaps = 0;
    if (config->nlayers == 0) {
        return STATUS_OK;
    }
    for (int i = 0; i < config->nlayers; i++) {
        nmaps += has_map(&config->layers[i]) ? 1 : 0;
    }
    if (nmaps == 0) {
        return io_section_fail(
            bar, NULL, "needs a layer with a colour map: all layers have one colour");
    }
    if (!io_section_has(bar, "layer")) {
        return STATUS_OK;
    }
    if (chosen < 0 || chosen >= config->nlayers) {
        return io_section_fail(bar, "layer",
                               "must be 0 to %d, the place in the list of layers, is %d",
                               config->nlayers - 1, chosen);
    }
    if (!has_map(&config->layers[chosen])) {
        return io_section_fail(
            bar, "layer", "is %d, which has one colour: choose a layer with a colour map",
            chosen);
    }
    return STATUS_OK;
}

status io_config_check_annotations(const io_section *root, const io_config *config)
{
    const io_section bar = io_section_below(root, "annotations.scalar_bar");
    return config->annotations.scalar_bar ? check_bar_layer(&bar, config) : STATUS_OK;
}
