/* Checks of annotations, and of categories. */
#include "io/config/steps.h"

#include <math.h>

static bool has_map(const io_layer_config *layer)
{
    switch (layer->kind) {
    case IO_LAYER_VOLUME:
        return true;
    case IO_LAYER_PARTICLES:
        return !layer->particles->paint.has_color;
    case IO_LAYER_OUTLINE:
    case IO_LAYER_AXES_BOX:
    case IO_LAYER_THRESHOLD:
        return false;
    default:
        return !layer->tool->paint.has_color;
    }
}

/* Fails if the scalar bar's layer does not exist or has no colour map. Open layers always
 * get a volume. */
static status check_bar_layer(const io_section *bar, const io_config *config, int chosen)
{
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

static status check_bars(const io_section *annotations, const io_config *config)
{
    const io_annotations_config *its = &config->annotations;
    io_section bar = io_section_below(annotations, "scalar_bar");
    status s =
        its->scalar_bar ? check_bar_layer(&bar, config, its->bar.layer) : STATUS_OK;
    for (int n = 0; n < its->nbars && s == STATUS_OK; n++) {
        bar = io_section_item(annotations, "scalar_bars", n);
        s = check_bar_layer(&bar, config, its->bars[n].layer);
    }
    return s;
}

/* A mark is a text at a place, or an arrow. */
static status check_mark(const io_section *mark)
{
    const bool has_at = io_section_has(mark, "at"),
               has_from = io_section_has(mark, "from");
    if (has_from != io_section_has(mark, "to") || has_at == has_from) {
        return io_section_fail(mark, NULL,
                               "needs either at, or from and to: {text: wake, at: [2, 0, "
                               "0]} or {from: [0, 0, 0], to: [1, 0, 0]}");
    }
    if (has_at && !io_section_has(mark, "text")) {
        return io_section_fail(mark, NULL,
                               "needs a text, such as {text: wake, at: [2, 0, 0]}");
    }
    return STATUS_OK;
}

status io_config_check_annotations(const io_section *root, const io_config *config)
{
    const io_section annotations = io_section_below(root, "annotations");
    status s = check_bars(&annotations, config);
    for (int n = 0; n < config->annotations.nmarks && s == STATUS_OK; n++) {
        const io_section mark = io_section_item(&annotations, "marks", n);
        s = check_mark(&mark);
    }
    return s;
}

status io_config_check_categories(const io_section *section, const io_paint_config *paint)
{
    const io_category_config *of = paint->categories;
    const char *other = io_section_has(section, "range")                 ? "range"
                        : paint->scale != BASE_SCALE_LINEAR              ? "scale"
                        : paint->part[0] != 0.0 || paint->part[1] != 1.0 ? "map_range"
                                                                         : NULL;
    if (paint->ncategories > 0 && other) {
        return io_section_fail(section, other,
                               "has no meaning beside categories: leave out one");
    }
    for (int n = 0; n < paint->ncategories; n++) {
        if (of[n].value != floor(of[n].value) ||
            (n > 0 && of[n].value <= of[n - 1].value) ||
            of[n].value - of[0].value >= IO_MAX_CATEGORIES) {
            const io_section one = io_section_item(section, "categories", n);
            return io_section_fail(
                &one, "value",
                "is %g: values are whole numbers that ascend, less than "
                "%d in all",
                of[n].value, IO_MAX_CATEGORIES);
        }
    }
    return STATUS_OK;
}
