#include "io/colormap.h"
#include "io/config_parts.h"
#include "io/scalar.h"
#include "io/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static status agree_added(bool is_added)
{
    return is_added ? STATUS_OK : base_fail_memory(0, "the config");
}

/* ---- data ---- */

/* Replaces data.steps by {first, last, stride}; their nodes are shared, for messages. */
static status set_steps(io_document *document, int first, int last, int stride)
{
    int data = io_document_find(document, "data");
    int steps = io_document_add_mapping(document, first);
    if (stride == 0) {
        stride = io_document_add_scalar(document, first, "1");
    }
    return agree_added(io_document_set(document, steps, "first", first) &&
                       io_document_set(document, steps, "last", last) &&
                       io_document_set(document, steps, "stride", stride) &&
                       io_document_set(document, data, "steps", steps));
}

static status set_all_steps(io_document *document, int node)
{
    int data = io_document_find(document, "data");
    int steps = io_document_add_mapping(document, node);
    int all = io_document_add_scalar(document, node, "true");
    return agree_added(io_document_set(document, steps, "all", all) &&
                       io_document_set(document, data, "steps", steps));
}

static status normalise_steps(io_document *document)
{
    int node = io_document_find(document, "data.steps");
    const char *text = io_document_text(document, node);
    int count = io_document_count(document, node);
    int64_t step = 0;
    if (node == 0) {
        return STATUS_OK;
    }
    if (text != NULL && strcmp(text, "all") == 0) {
        return set_all_steps(document, node);
    }
    if (text != NULL && io_scalar_integer(text, &step)) {
        return set_steps(document, node, node, 0);
    }
    if (io_document_is_sequence(document, node) && (count == 2 || count == 3)) {
        int stride = count == 3 ? io_document_item(document, node, 2) : 0;
        return set_steps(document, io_document_item(document, node, 0),
                         io_document_item(document, node, 1), stride);
    }
    return io_document_fail_type(
        document, node, "data.steps",
        "all, a step's number, [first, last] or [first, last, stride]");
}

/* Appends {name, path} for one pair of data.fields. */
static status add_field(io_document *document, int fields, int list, int index)
{
    yaml_node_pair_t pair = io_document_pair(document, fields, index);
    const char *name = io_document_text(document, pair.key);
    for (int i = 0; i < index; i++) {
        yaml_node_pair_t earlier = io_document_pair(document, fields, i);
        if (strcmp(io_document_text(document, earlier.key), name) == 0) {
            return io_document_fail(document, pair.key,
                                    "the key '%.60s' is there twice in data.fields",
                                    name);
        }
    }
    if (io_document_text(document, pair.value) == NULL) {
        return io_document_fail_type(document, pair.value, "data.fields",
                                     "the path of a data set");
    }
    int field = io_document_add_mapping(document, pair.key);
    return agree_added(io_document_set(document, field, "name", pair.key) &&
                       io_document_set(document, field, "path", pair.value) &&
                       io_document_append(document, list, field));
}

/* Turns data.fields into a list: libcyaml knows no keys that the user chooses. */
static status normalise_fields(io_document *document)
{
    int data = io_document_find(document, "data");
    int fields = io_document_value(document, data, "fields");
    if (fields == 0) {
        return STATUS_OK;
    }
    if (!io_document_is_mapping(document, fields)) {
        return io_document_fail_type(document, fields, "data.fields",
                                     "a mapping such as {density: /flow/density}");
    }
    int list = io_document_add_sequence(document, fields);
    int count = io_document_count(document, fields);
    status result = agree_added(list != 0);
    for (int i = 0; i < count && result == STATUS_OK; i++) {
        result = add_field(document, fields, list, i);
    }
    if (result != STATUS_OK) {
        return result;
    }
    return agree_added(io_document_set(document, data, "fields", list));
}

/* ---- layers ---- */

static status check_kind(io_document *document, int layer)
{
    static const char *const kinds[] = {"volume"};
    if (!io_document_is_mapping(document, layer) ||
        io_document_count(document, layer) == 0) {
        return io_document_fail_type(
            document, layer, "layers.0",
            "a kind of layer with its keys, such as 'volume: {…}'");
    }
    if (io_document_value(document, layer, kinds[0]) != 0) {
        return STATUS_OK;
    }
    int key = io_document_pair(document, layer, 0).key;
    const char *kind = io_document_text(document, key);
    bool is_near = io_words_nearest(kind, 1, kinds) != NULL;
    return io_document_fail(document, key,
                            "unknown kind of layer '%.60s'%s: there is: volume", kind,
                            is_near ? ", did you mean 'volume'?" : "");
}

/* Fails unless there is one layer, a volume; what is no list is left to the schema. */
static status check_layers(io_document *document)
{
    int layers = io_document_find(document, "layers");
    if (!io_document_is_sequence(document, layers)) {
        return STATUS_OK;
    }
    int count = io_document_count(document, layers);
    if (count != 1) {
        return io_document_fail(
            document, layers,
            "layers: this version draws exactly one volume, found %d layers", count);
    }
    return check_kind(document, io_document_item(document, layers, 0));
}

static status check_opacity(io_document *document, int volume)
{
    int opacity = io_document_value(document, volume, "opacity");
    int extinction = io_document_value(document, volume, "extinction");
    if (opacity != 0 && extinction != 0) {
        return io_document_fail(
            document, extinction,
            "layers.0.volume has both opacity and extinction: leave one out");
    }
    if (opacity == 0 && extinction == 0) {
        return io_document_fail(
            document, volume,
            "layers.0.volume needs opacity, such as [[0, 0], [1, 0.8]], or extinction");
    }
    return STATUS_OK;
}

/* `auto` is what no range means, unless positions are data. */
static status normalise_range(io_document *document, int volume)
{
    int range = io_document_value(document, volume, "range");
    const char *text = io_document_text(document, range);
    if (text == NULL) {
        return STATUS_OK;
    }
    if (strcmp(text, "auto") != 0) {
        return io_document_fail_type(document, range, "layers.0.volume.range",
                                     "auto or a list [lo, hi]");
    }
    io_document_remove(document, volume, "range");
    return STATUS_OK;
}

/* Reads the range [lo, hi] where it is one; its values are judged later. */
static bool read_range(io_document *document, int volume, double range[2])
{
    int node = io_document_value(document, volume, "range");
    if (!io_document_is_sequence(document, node) ||
        io_document_count(document, node) != 2) {
        return false;
    }
    for (int i = 0; i < 2; i++) {
        const char *text =
            io_document_text(document, io_document_item(document, node, i));
        if (text == NULL || !io_scalar_number(text, &range[i])) {
            return false;
        }
    }
    return true;
}

/* Positions of a named map go from 0 to 1: with positions: data, they are spread over the
 * range. */
static status spread_points(io_document *document, int volume, int colors, int count,
                            double (*points)[4])
{
    int node = io_document_value(document, volume, "positions");
    const char *positions = io_document_text(document, node);
    if (positions == NULL || strcmp(positions, "data") != 0) {
        return STATUS_OK;
    }
    double range[2];
    if (!read_range(document, volume, range)) {
        return io_document_fail(
            document, colors,
            "layers.0.volume.colors: with positions: data, the colour map "
            "'%.60s' needs range: [lo, hi] to lie on",
            io_document_text(document, colors));
    }
    for (int i = 0; i < count; i++) {
        points[i][0] = range[0] + points[i][0] * (range[1] - range[0]);
    }
    return STATUS_OK;
}

/* A list of lists with the values of points; 0 where memory is short. */
static int add_points(io_document *document, int from, int count, double (*points)[4])
{
    int list = io_document_add_sequence(document, from);
    for (int i = 0; i < count; i++) {
        int point = io_document_add_sequence(document, from);
        for (int c = 0; c < 4; c++) {
            char text[32];
            snprintf(text, sizeof text, "%.17g", points[i][c]);
            int value = io_document_add_scalar(document, from, text);
            if (!io_document_append(document, point, value)) {
                return 0;
            }
        }
        if (!io_document_append(document, list, point)) {
            return 0;
        }
    }
    return list;
}

static status normalise_colors(io_document *document, int volume, const char *folder)
{
    int colors = io_document_value(document, volume, "colors");
    const char *name = io_document_text(document, colors);
    if (name == NULL || io_document_is_null(document, colors)) {
        return STATUS_OK;
    }
    char where[IO_DOCUMENT_PLACE_SIZE];
    double(*points)[4] = NULL;
    int count = 0;
    io_document_place(document, colors, sizeof where, where);
    status result = io_colormap_load(where, name, folder, &count, &points);
    if (result != STATUS_OK) {
        return result;
    }
    result = spread_points(document, volume, colors, count, points);
    if (result == STATUS_OK) {
        int list = add_points(document, colors, count, points);
        result = agree_added(io_document_set(document, volume, "colors", list));
    }
    free(points);
    return result;
}

static status normalise_volume(io_document *document, const char *folder)
{
    int volume = io_document_find(document, "layers.0.volume");
    if (!io_document_is_mapping(document, volume)) {
        return STATUS_OK;
    }
    status result = check_opacity(document, volume);
    if (result == STATUS_OK) {
        result = normalise_range(document, volume);
    }
    return result == STATUS_OK ? normalise_colors(document, volume, folder) : result;
}

status io_config_normalise(io_document *document, const char *folder)
{
    status result = normalise_steps(document);
    if (result == STATUS_OK) {
        result = normalise_fields(document);
    }
    if (result == STATUS_OK) {
        result = check_layers(document);
    }
    return result == STATUS_OK ? normalise_volume(document, folder) : result;
}
