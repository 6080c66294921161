/* Layers of a changed config: those with the same data keep them. */
#include "layers.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Keys of a layer that change its looks alone. */
static const char *const looks[] = {"range",      "scale",     "colors",    "map_range",
                                    "nan_color",  "opacity",   "threshold", "radius",
                                    "line_width", "line_color"};

/* Keys of which it matters whether they are given: a colour stands in place of a field,
 * and a light needs gradients. */
static const char *const marks[] = {"color"};

/* Those of an isosurface: other bricks of the same field. */
static const char *const levels[] = {"value", "values"};

static void drop(json_t *keys, int count, const char *const *names)
{
    for (int n = 0; n < count; n++) {
        json_object_del(keys, names[n]);
    }
}

/* The data of a layer as a text; malloc'ed. NULL without memory. */
static char *describe(const io_config *config, int number)
{
    char path[32];
    snprintf(path, sizeof path, "layers.%d", number);
    char *given = io_config_given_json(config, path);
    json_t *layer = given ? json_loads(given, 0, NULL) : NULL;
    const io_layer_kind kind = config->layers[number].kind;
    json_t *keys = json_object_get(layer, io_config_kind_name(kind));
    json_object_del(layer, "shown");
    drop(keys, sizeof looks / sizeof looks[0], looks);
    drop(keys, kind == IO_LAYER_ISOSURFACE ? 2 : 0, levels);
    for (size_t n = 0; n < sizeof marks / sizeof marks[0]; n++) {
        if (json_object_get(keys, marks[n])) {
            json_object_set_new(keys, marks[n], json_true());
        }
    }
    char *text = layer ? json_dumps(layer, JSON_COMPACT | JSON_SORT_KEYS) : NULL;
    json_decref(layer);
    free(given);
    return text;
}

/* Whether a layer lives on from step to step, so that its past matters, or keeps a part
 * of its config. */
static bool is_bound(const io_layer_config *config)
{
    return (config->particles && config->particles->mode != IO_PARTICLES_STREAM) ||
           (config->tool && config->tool->lic);
}

static bool has_same_data(const frame_layer *layer, const io_config *before,
                          const io_config *config, int number)
{
    const int old = (int)(layer->config - before->layers);
    if (layer->config->kind != config->layers[number].kind) {
        return false;
    }
    char *mine = describe(before, old), *wanted = describe(config, number);
    const bool same = mine && wanted && strcmp(mine, wanted) == 0;
    free(mine);
    free(wanted);
    return same;
}

int frame_layers_find(const frame_layers *layers, const io_config *before,
                      const io_config *config, int number)
{
    for (int n = 0; n < layers->count; n++) {
        const frame_layer *layer = &layers->items[n];
        if (layer->state && !is_bound(layer->config) &&
            has_same_data(layer, before, config, number)) {
            return n;
        }
    }
    return -1;
}
