#include "base/words.h"
#include "io/config/document/scalar.h"
#include "parts.h"

#include <stdio.h>
#include <string.h>

enum { MAX_LEVELS = 256 };

static const char *const kind_names[] = {
    [IO_LAYER_VOLUME] = "volume",       [IO_LAYER_OBJECT] = "object",
    [IO_LAYER_CONTOUR] = "contour",     [IO_LAYER_ISOSURFACE] = "isosurface",
    [IO_LAYER_PARTICLES] = "particles", [IO_LAYER_GRID] = "grid",
    [IO_LAYER_OUTLINE] = "outline",
};

const char *io_config_kind_name(io_layer_kind kind)
{
    return kind_names[kind];
}

/* ---- Kinds ---- */

static status fail_kind(io_document *document, int layer)
{
    int key = io_document_pair(document, layer, 0).key;
    const char *kind = io_document_text(document, key);
    const char *nearest = base_words_nearest(kind, IO_LAYER_KINDS, kind_names);
    char known[256];
    if (nearest != NULL) {
        return io_document_fail(document, key,
                                "unknown kind of layer '%.60s': did you mean '%s'?", kind,
                                nearest);
    }
    base_words_list(IO_LAYER_KINDS, kind_names, sizeof known, known);
    return io_document_fail(document, key, "unknown kind of layer '%.60s': there are: %s",
                            kind, known);
}

/* Finds the kind of an entry; keys beside it are left to the schema. */
static status find_kind(io_document *document, int index, int layer, io_layer_kind *kind)
{
    char entry[IO_DOCUMENT_PATH_SIZE];
    snprintf(entry, sizeof entry, "layers.%d", index);
    if (!io_document_is_mapping(document, layer) ||
        io_document_count(document, layer) == 0) {
        return io_document_fail_type(
            document, layer, entry,
            "a kind of layer with its keys, such as 'volume: {…}'");
    }
    io_config_section section = io_config_section_at(document, entry);
    int found = io_config_section_count(&section, IO_LAYER_KINDS, kind_names);
    if (found == 0) {
        return fail_kind(document, layer);
    }
    if (found > 1) {
        return io_config_section_fail(
            &section, NULL, "has %d kinds: each layer begins with a '-' of its own",
            found);
    }
    int first = 0;
    while (!io_config_section_has(&section, kind_names[first])) {
        first++;
    }
    *kind = (io_layer_kind)first;
    return STATUS_OK;
}

/* ---- Keys of several kinds ---- */

static status check_not_both(const io_config_section *section, const char *a,
                             const char *b)
{
    int second = io_config_section_value(section, b);
    if (second != 0 && io_config_section_has(section, a)) {
        return io_document_fail(section->document, second,
                                "%s has both %s and %s: leave one out", section->path, a,
                                b);
    }
    return STATUS_OK;
}

/* Fails where both keys are there, or none of them. */
static status check_one_of(const io_config_section *section, const char *a, const char *b,
                           const char *example)
{
    if (!io_config_section_has(section, a) && !io_config_section_has(section, b)) {
        return io_config_section_fail(section, NULL, "needs %s, such as %s, or %s", a,
                                      example, b);
    }
    return check_not_both(section, a, b);
}

/* Removes a key whose text is `word`, which means that the key is not there. */
static status normalise_word(const io_config_section *section, const char *key,
                             const char *word, const char *expected)
{
    int node = io_config_section_value(section, key);
    const char *text = io_document_text(section->document, node);
    double number = 0.0;
    if (text != NULL && strcmp(text, word) == 0) {
        io_document_remove(section->document, section->node, key);
    } else if (text != NULL && !io_scalar_number(text, &number)) {
        return io_config_section_fail_type(section, key, expected);
    }
    return STATUS_OK;
}

/* `auto` is what no range means, unless positions are data. */
static status normalise_range(const io_config_section *section)
{
    int range = io_config_section_value(section, "range");
    const char *text = io_document_text(section->document, range);
    if (text == NULL) {
        return STATUS_OK;
    }
    if (strcmp(text, "auto") != 0) {
        return io_config_section_fail_type(section, "range", "auto or a list [lo, hi]");
    }
    io_document_remove(section->document, section->node, "range");
    return STATUS_OK;
}

static status normalise_paint(const io_config_section *section, bool is_volume,
                              const char *folder)
{
    status result = check_not_both(section, "color", "color_by");
    if (result == STATUS_OK) {
        result = normalise_range(section);
    }
    return result == STATUS_OK ? io_config_normalise_colors(section, is_volume, folder)
                               : result;
}

/* ---- Contours ---- */

static status wrap_levels(const io_config_section *section, const char *key)
{
    io_document *document = section->document;
    int levels = io_config_section_value(section, "levels");
    int mapping = io_document_add_mapping(document, levels);
    return io_config_agree_added(
        io_document_set(document, mapping, key, levels) &&
        io_document_set(document, section->node, "levels", mapping));
}

static status check_level_list(const io_config_section *section, int levels)
{
    io_document *document = section->document;
    int count = io_document_count(document, levels);
    double value = 0.0;
    if (count < 1 || count > IO_MAX_VALUES) {
        return io_config_section_fail(section, "levels", "must be 1 to %d values, has %d",
                                      IO_MAX_VALUES, count);
    }
    for (int i = 0; i < count; i++) {
        io_config_section item = io_config_section_item(section, "levels", i);
        const char *text = io_document_text(document, item.node);
        if (text == NULL || !io_scalar_number(text, &value)) {
            return io_document_fail_type(document, item.node, item.path,
                                         "a finite number");
        }
    }
    return STATUS_OK;
}

/* Turns levels into {count} or {values}. Both are checked here, while the path is that
 * which the user knows. */
static status normalise_levels(const io_config_section *section)
{
    int levels = io_config_section_value(section, "levels");
    const char *text = io_document_text(section->document, levels);
    int64_t count = 0;
    if (io_document_is_sequence(section->document, levels)) {
        status result = check_level_list(section, levels);
        return result == STATUS_OK ? wrap_levels(section, "values") : result;
    }
    if (text == NULL || !io_scalar_integer(text, &count)) {
        return io_config_section_fail_type(section, "levels",
                                           "a number of levels or a list of values");
    }
    if (count < 1 || count > MAX_LEVELS) {
        return io_config_section_fail(section, "levels",
                                      "must be 1 to %d, or a list of values, is %s",
                                      MAX_LEVELS, text);
    }
    return wrap_levels(section, "count");
}

/* ---- Particles ---- */

/* A line has one number of seeds, which may stand without brackets. */
static status normalise_seeds(const io_config_section *section)
{
    io_document *document = section->document;
    int seeds = io_config_section_value(section, "seeds");
    int count =
        io_document_is_sequence(document, seeds) ? io_document_count(document, seeds) : 0;
    bool is_added = true;
    for (int i = 0; i < count && is_added; i++) {
        int entry = io_document_item(document, seeds, i);
        int number = io_document_value(document, entry, "count");
        if (io_document_text(document, number) != NULL) {
            int list = io_document_add_sequence(document, number);
            is_added = io_document_append(document, list, number) &&
                       io_document_set(document, entry, "count", list);
        }
    }
    return io_config_agree_added(is_added);
}

static status normalise_particles(const io_config_section *section)
{
    status result = normalise_word(section, "trail", "all", "all or a number of steps");
    if (result == STATUS_OK) {
        result = normalise_word(section, "radius", "auto", "auto or a length");
    }
    return result == STATUS_OK ? normalise_seeds(section) : result;
}

/* ---- The list ---- */

static status normalise_layer(const io_config_section *section, io_layer_kind kind,
                              const char *folder)
{
    status result = STATUS_OK;
    if (kind == IO_LAYER_ISOSURFACE) {
        result = check_one_of(section, "value", "values", "0.5");
    } else if (kind == IO_LAYER_CONTOUR) {
        result = normalise_levels(section);
    } else if (kind == IO_LAYER_PARTICLES) {
        result = normalise_particles(section);
    }
    if (result == STATUS_OK) {
        result = normalise_paint(section, kind == IO_LAYER_VOLUME, folder);
    }
    /* The opacity may have come from the file of a colour map. */
    return result == STATUS_OK && kind == IO_LAYER_VOLUME
               ? check_one_of(section, "opacity", "extinction", "[[0, 0], [1, 0.8]]")
               : result;
}

/* What is no mapping is left to the schema. */
static status normalise_entry(io_document *document, int index, int layer,
                              const char *folder, int *nvolumes)
{
    io_layer_kind kind = IO_LAYER_VOLUME;
    status result = find_kind(document, index, layer, &kind);
    if (result != STATUS_OK) {
        return result;
    }
    io_config_section section = io_config_section_of_layer(document, index, kind);
    if (kind == IO_LAYER_VOLUME && ++*nvolumes > 1) {
        return io_config_section_fail(&section, NULL,
                                      "is one volume more: there may be at most one");
    }
    if (!io_document_is_mapping(document, section.node)) {
        return STATUS_OK;
    }
    return normalise_layer(&section, kind, folder);
}

status io_config_normalise_layers(io_document *document, const char *folder)
{
    int layers = io_document_find(document, "layers");
    int count = io_document_is_sequence(document, layers)
                    ? io_document_count(document, layers)
                    : 0;
    int nvolumes = 0;
    status result = STATUS_OK;
    for (int i = 0; i < count && result == STATUS_OK; i++) {
        result = normalise_entry(document, i, io_document_item(document, layers, i),
                                 folder, &nvolumes);
    }
    return result;
}
