#include "base/words.h"
#include "io/config/keys/keys.h"
#include "steps.h"
#include "table.h"

#include <stdio.h>
#include <string.h>

const char *io_config_kind_name(io_layer_kind kind)
{
    return io_config_layer_keys[kind].name;
}

#define LAYER_SAMPLE(name, word, member, keys, kind, meaning, sample)                    \
    [IO_LAYER_##name] = {word, sample},
static const io_layer_sample samples[IO_LAYER_KINDS] = {
    [IO_LAYER_VOLUME] = {"volume", "{volume: {field: FIELD}}"}, IO_LAYERS(LAYER_SAMPLE)};

const io_layer_sample *io_config_layer_samples(void)
{
    return samples;
}

/* The names of all kinds. */
static void list_kinds(const char *names[IO_LAYER_KINDS])
{
    for (int kind = 0; kind < IO_LAYER_KINDS; kind++) {
        names[kind] = io_config_layer_keys[kind].name;
    }
}

io_section io_config_layer_section(io_document *document, int index, io_layer_kind kind)
{
    char path[IO_DOCUMENT_PATH_SIZE];
    snprintf(path, sizeof path, "layers.%d.%s", index, io_config_kind_name(kind));
    return io_section_at(document, path);
}

/* ---- Kinds ---- */

/* The first key of an entry that is none of any kind's layer, such as a misspelt kind. */
static int find_misspelt(io_document *document, int layer)
{
    for (int n = 0; n < io_document_count(document, layer); n++) {
        const int key = io_document_pair(document, layer, n).key;
        const char *name = io_document_text(document, key);
        if (name != NULL &&
            io_keys_get(io_config_layer_keys, name, strlen(name)) == NULL) {
            return key;
        }
    }
    return 0;
}

/* What other programs call kinds of layers: beginnings of words. */
static const char *find_synonym(const char *word)
{
    static const struct {
        const char *begin, *kind;
    } synonyms[] = {
        {"slice", "contour"},    {"plane", "contour"},  {"cut", "contour"},
        {"stream", "particles"}, {"path", "particles"}, {"streak", "particles"},
        {"iso", "isosurface"},   {"wall", "object"},    {"surface", "object"},
        {"body", "object"},      {"mesh", "grid"},      {"wireframe", "grid"},
        {"axes", "axes_box"},    {"box", "outline"}};
    for (size_t n = 0; n < sizeof synonyms / sizeof synonyms[0]; n++) {
        if (strncmp(word, synonyms[n].begin, strlen(synonyms[n].begin)) == 0) {
            return synonyms[n].kind;
        }
    }
    return NULL;
}

static status fail_kind(io_document *document, int layer)
{
    const int misspelt = find_misspelt(document, layer);
    const int key = misspelt != 0 ? misspelt : io_document_pair(document, layer, 0).key;
    const char *kind = io_document_text(document, key);
    const char *kind_names[IO_LAYER_KINDS];
    char known[256];
    list_kinds(kind_names);
    const char *nearest = find_synonym(kind);
    if (nearest == NULL) {
        nearest = base_words_nearest(kind, IO_LAYER_KINDS, kind_names);
    }
    if (nearest != NULL) {
        return io_document_fail(document, key,
                                "unknown kind of layer '%.60s': did you mean '%s'?", kind,
                                nearest);
    }
    base_words_list(IO_LAYER_KINDS, kind_names, sizeof known, known);
    return io_document_fail(document, key, "unknown kind of layer '%.60s': there are: %s",
                            kind, known);
}

/* Fails for an entry with several kinds, at the last of them. */
static status fail_kinds(io_document *document, const char *entry, int layer)
{
    yaml_node_pair_t last[2] = {{0}};
    for (int n = 0; n < io_document_count(document, layer); n++) {
        const yaml_node_pair_t pair = io_document_pair(document, layer, n);
        const char *name = io_document_text(document, pair.key);
        if (io_keys_get(io_config_layer_keys, name, strlen(name))->below != NULL) {
            last[0] = last[1];
            last[1] = pair;
        }
    }
    const char *first = io_document_text(document, last[0].key);
    const char *second = io_document_text(document, last[1].key);
    return io_document_fail(document, last[1].value,
                            "%s is of the kind %s, and cannot be %s, too: each layer "
                            "begins with a '- ' of its own, or in --set, %s={%s: {…}} "
                            "replaces it",
                            entry, first, second, entry, second);
}

/* Finds the kind of an entry. Other keys are checked by the table. */
static status find_kind(io_document *document, int index, int layer, io_layer_kind *kind)
{
    const char *kind_names[IO_LAYER_KINDS];
    char entry[IO_DOCUMENT_PATH_SIZE];
    list_kinds(kind_names);
    snprintf(entry, sizeof entry, "layers.%d", index);
    if (!io_document_is_mapping(document, layer) ||
        io_document_count(document, layer) == 0) {
        return io_document_fail_type(
            document, layer, entry,
            "a kind of layer with its keys, such as 'volume: {…}'");
    }
    io_section section = io_section_at(document, entry);
    int found = io_section_count(&section, IO_LAYER_KINDS, kind_names);
    if (found == 0) {
        return fail_kind(document, layer);
    }
    int first = 0;
    while (!io_section_has(&section, kind_names[first])) {
        first++;
    }
    if (found > 1) {
        return fail_kinds(document, entry, layer);
    }
    *kind = (io_layer_kind)first;
    return STATUS_OK;
}

/* ---- Keys of several kinds ---- */

static status check_not_both(const io_section *section, const char *a, const char *b)
{
    int second = io_section_value(section, b);
    if (second != 0 && io_section_has(section, a)) {
        return io_document_fail(section->document, second,
                                "%s has both %s and %s: leave one out", section->path, a,
                                b);
    }
    return STATUS_OK;
}

/* Whether a layer has a key that its kind lacks: a misspelt one, which the table
 * reports. */
static bool has_unknown_key(const io_section *section, io_layer_kind kind)
{
    io_document *document = section->document;
    for (int i = 0; i < io_document_count(document, section->node); i++) {
        const char *key =
            io_document_text(document, io_document_pair(document, section->node, i).key);
        if (io_keys_get(io_config_layer_keys[kind].below, key, strlen(key)) == NULL) {
            return true;
        }
    }
    return false;
}

/* Fails if both keys are given, or neither. */
static status check_one_of(const io_section *section, const char *a, const char *b,
                           const char *example)
{
    if (!io_section_has(section, a) && !io_section_has(section, b)) {
        return io_section_fail(section, NULL, "needs %s, such as %s, or %s", a, example,
                               b);
    }
    return check_not_both(section, a, b);
}

static status normalise_paint(const io_section *section, bool is_volume,
                              const char *folder)
{
    status result = check_not_both(section, "color", "color_by");
    return result == STATUS_OK ? io_config_normalise_colors(section, is_volume, folder)
                               : result;
}

/* ---- The list ---- */

static status normalise_layer(const io_section *section, io_layer_kind kind,
                              const char *folder)
{
    if (has_unknown_key(section, kind)) {
        return STATUS_OK;
    }
    status result = kind == IO_LAYER_ISOSURFACE
                        ? check_one_of(section, "value", "values", "0.5")
                        : STATUS_OK;
    if (result == STATUS_OK) {
        result = normalise_paint(section, kind == IO_LAYER_VOLUME, folder);
    }
    /* The file of a colour map may have added an opacity. */
    return result == STATUS_OK && kind == IO_LAYER_VOLUME
               ? check_not_both(section, "opacity", "extinction")
               : result;
}

/* Entries that are not mappings are left to the table. */
static status normalise_entry(io_document *document, int index, int layer,
                              const char *folder, int *nvolumes)
{
    io_layer_kind kind = IO_LAYER_VOLUME;
    status result = find_kind(document, index, layer, &kind);
    if (result != STATUS_OK) {
        return result;
    }
    io_section section = io_config_layer_section(document, index, kind);
    if (kind == IO_LAYER_VOLUME && ++*nvolumes > 1) {
        return io_section_fail(&section, NULL,
                               "is one volume more: there may be at most one");
    }
    if (!io_document_is_mapping(document, section.node)) {
        return STATUS_OK;
    }
    return normalise_layer(&section, kind, folder);
}

status io_config_open(io_document *document)
{
    const char *camera = io_document_text(document, io_document_find(document, "camera"));
    const char *layers = io_document_text(document, io_document_find(document, "layers"));
    if (layers != NULL && strcmp(layers, "auto") == 0) {
        io_document_remove(document, IO_DOCUMENT_ROOT, "layers");
    }
    if (camera == NULL || strcmp(camera, "auto") != 0) {
        return STATUS_OK;
    }
    const int empty = io_document_add_mapping(document, IO_DOCUMENT_ROOT);
    return io_config_agree_added(
        io_document_set(document, IO_DOCUMENT_ROOT, "camera", empty));
}

status io_config_open_view(io_document *document)
{
    const int word = io_document_find(document, "camera");
    const char *text = io_document_text(document, word);
    if (text == NULL || io_document_is_null(document, word) ||
        strcmp(text, "auto") == 0) {
        return STATUS_OK;
    }
    const int camera = io_document_add_mapping(document, word);
    return io_config_agree_added(
        io_document_set(document, camera, "view", word) &&
        io_document_set(document, IO_DOCUMENT_ROOT, "camera", camera));
}

status io_config_normalise(io_document *document, const char *folder)
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
