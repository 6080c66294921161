#include "parts.h"

static const double largest_font = 20.0;
enum { MOST_TICKS = 50 };

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

/* Fails where the layer that the bar shows is not there or has no colour map. */
static status check_bar_layer(const io_config_section *bar, const io_config *config)
{
    int chosen = config->annotations.bar_layer;
    int nmaps = 0;
    for (int i = 0; i < config->nlayers; i++) {
        nmaps += has_map(&config->layers[i]) ? 1 : 0;
    }
    if (nmaps == 0) {
        return io_config_section_fail(
            bar, NULL, "needs a layer with a colour map: all layers have one colour");
    }
    if (!io_config_section_has(bar, "layer")) {
        return STATUS_OK;
    }
    if (chosen < 0 || chosen >= config->nlayers) {
        return io_config_section_fail(
            bar, "layer", "must be 0 to %d, the place in the list of layers, is %d",
            config->nlayers - 1, chosen);
    }
    if (!has_map(&config->layers[chosen])) {
        return io_config_section_fail(
            bar, "layer", "is %d, which has one colour: choose a layer with a colour map",
            chosen);
    }
    return STATUS_OK;
}

static status check_bar(const io_config_section *section, const io_config *config)
{
    const io_annotations_config *annotations = &config->annotations;
    io_config_section bar = io_config_section_below(section, "scalar_bar");
    if (!annotations->scalar_bar) {
        return STATUS_OK;
    }
    if (io_config_section_has(&bar, "ticks")) {
        status result = io_config_check_between(&bar, "ticks", annotations->bar_ticks,
                                                2.0, MOST_TICKS);
        if (result != STATUS_OK) {
            return result;
        }
    }
    return check_bar_layer(&bar, config);
}

status io_config_check_annotations(io_document *document, const io_config *config)
{
    const io_annotations_config *annotations = &config->annotations;
    io_config_section section = io_config_section_at(document, "annotations");
    if (!config->has_annotations) {
        return STATUS_OK;
    }
    if (annotations->time_text != NULL &&
        !io_config_is_time_text(annotations->time_text)) {
        return io_config_section_fail(
            &section, "time",
            "may hold {step}, {time} and {time:.3f} (or e, g), and {{ and }} for braces, "
            "is '%.80s'",
            annotations->time_text);
    }
    status result = io_config_check_above(&section, "font_size", annotations->font_size,
                                          largest_font);
    if (result == STATUS_OK) {
        result = io_config_check_color(&section, "color", annotations->color);
    }
    return result == STATUS_OK ? check_bar(&section, config) : result;
}
