#include "config.h"

#include "io/config/keys/keys.h"
#include "io/config/keys/path.h"
#include "readers.h"
#include "steps.h"
#include "table.h"

#include <errno.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The most bytes of a config. A larger file is something else. */
enum { MAX_BYTES = 4 * 1024 * 1024 };

static status fail_memory(void)
{
    base_fail_memory(0, "the config");
    return STATUS_MEMORY;
}

/* ---- From document to config ---- */

/* Makes the canonical form: that of one picture. Fifteen digits print 0.1 as 0.1. */
static status make_canonical(io_document *document, char **canonical)
{
    json_t *json = io_document_json(document);
    if (json == NULL) {
        return fail_memory();
    }
    json_object_del(json, "output");
    json_object_del(json, "film");
    json_object_del(json, "keys");
    if (!io_config_has_cells(json_object_get(json, "pictures"))) {
        json_object_del(json, "pictures");
    }
    json_object_del(json_object_get(json, "camera"), "path");
    *canonical =
        json_dumps(json, JSON_SORT_KEYS | JSON_COMPACT | JSON_REAL_PRECISION(15));
    json_decref(json);
    return *canonical != NULL ? STATUS_OK : fail_memory();
}

/* Loads a config from a normalised document, without checks. */
static status load(const io_section *root, const char *folder, io_config **out)
{
    io_config *config = calloc(1, sizeof *config);
    if (config == NULL || (config->path = strdup(root->document->path)) == NULL) {
        free(config);
        return fail_memory();
    }
    status s = io_keys_load(root, io_config_keys, folder, config);
    if (s != STATUS_OK) {
        io_config_destroy(&config);
        return s;
    }
    io_config_derive(root->document, config);
    *out = config;
    return STATUS_OK;
}

/* Makes a config from a completed document. */
static status make(const io_section *root, const char *folder, io_config **out)
{
    io_config *config = NULL;
    status s = io_config_normalise(root->document, folder);
    if (s == STATUS_OK) {
        s = io_keys_complete(root, io_config_keys, true);
    }
    if (s == STATUS_OK) {
        s = load(root, folder, &config);
    }
    if (s == STATUS_OK) {
        s = io_config_check(root, config);
    }
    if (s == STATUS_OK && config->is_linear) {
        s = io_config_linearise(config);
    }
    if (s != STATUS_OK) {
        io_config_destroy(&config);
        return s;
    }
    *out = config;
    return STATUS_OK;
}

/* Makes a config from a document as it was given. */
static status complete(io_document *document, const char *folder, char **canonical,
                       io_config **out)
{
    const io_section root = io_section_root(document);
    status s = io_config_open(document);
    if (s == STATUS_OK) {
        s = io_config_apply_look(document);
    }
    if (s == STATUS_OK) {
        s = io_keys_complete(&root, io_config_keys, false);
    }
    if (s == STATUS_OK) {
        s = make_canonical(document, canonical);
    }
    return s == STATUS_OK ? make(&root, folder, out) : s;
}

static bool is_section(io_document *document, const char *key)
{
    return io_document_is_mapping(document, io_document_find(document, key));
}

/* The key that data.transform has replaced, with its values as they were given. */
static status check_replaced(const io_section *root)
{
    char values[128] = "";
    const int list = io_section_value(root, "data.grid.scale");
    const int count = io_document_is_sequence(root->document, list)
                          ? io_document_count(root->document, list)
                          : 0;
    for (int n = 0; n < count && n < 3; n++) {
        const char *text =
            io_document_text(root->document, io_document_item(root->document, list, n));
        const size_t used = strlen(values);
        snprintf(values + used, sizeof values - used, "%s%.32s", n > 0 ? ", " : "",
                 text ? text : "");
    }
    return list == 0 ? STATUS_OK
                     : io_section_fail(
                           root, "data.grid.scale",
                           "is no key any more: write data.transform: {scale: [%s]} "
                           "instead, under which vectors are scaled, too",
                           values);
}

/* Refuses configs of other programs. */
static status check_purpose(io_document *document)
{
    const io_section root = io_section_root(document);
    static const char *const of_pictures[] = {"data", "camera", "layers"};
    const char *path = document->path;
    if ((is_section(document, "grid") || is_section(document, "flow")) &&
        io_section_count(&root, 3, of_pictures) == 0) {
        return base_fail(STATUS_USAGE,
                         "%s is a config of karman-solver: mpiexec -n 2 karman-solver %s",
                         path, path);
    }
    if (io_section_has(&root, "in_situ") && !io_section_has(&root, "data.file")) {
        return base_fail(STATUS_USAGE,
                         "%s: data.file is missing: the config is for a running program, "
                         "as it has in_situ; to draw a file, write, for example, 'data: "
                         "{file: wake.h5}'",
                         path);
    }
    return check_replaced(&root);
}

/* Whether the annotations are no more than a bar if there are colours for it: karman may
 * choose better ones. */
static bool is_bar_alone(io_document *document)
{
    const int annotations = io_document_find(document, "annotations");
    const char *bar = io_document_text(
        document, io_document_value(document, annotations, "scalar_bar"));
    return io_document_count(document, annotations) == 1 && bar != NULL &&
           strcmp(bar, "auto") == 0;
}

status io_config_build(io_document *document, const char *folder, io_config **out)
{
    char *canonical = NULL;
    io_document *given = NULL;
    status s = check_purpose(document);
    if (s != STATUS_OK) {
        return s;
    }
    /* It has no effect on pictures of files: io/config/in_situ.h. */
    io_document_remove(document, IO_DOCUMENT_ROOT, "in_situ");
    s = io_config_open_view(document);
    s = s == STATUS_OK ? io_document_duplicate(document, &given) : s;
    if (s == STATUS_OK) {
        s = complete(document, folder, &canonical, out);
    }
    if (s != STATUS_OK) {
        io_document_destroy(&given);
        free(canonical);
        return s;
    }
    (*out)->given = given;
    (*out)->has_annotations = (*out)->has_annotations && !is_bar_alone(given);
    (*out)->canonical = canonical;
    return STATUS_OK;
}

/* Applies overrides to a document and builds its config. Destroys the document. */
static status override(io_document **document, int noverrides,
                       const char *const *overrides, io_config **out)
{
    char *folder = io_path_folder((*document)->path);
    status s = folder != NULL ? STATUS_OK : fail_memory();
    for (int i = 0; i < noverrides && s == STATUS_OK; i++) {
        s = io_document_override(*document, overrides[i]);
    }
    if (s == STATUS_OK) {
        s = io_config_build(*document, folder, out);
    }
    free(folder);
    io_document_destroy(document);
    return s;
}

status io_config_override(const io_config *config, int noverrides,
                          const char *const *overrides, io_config **out)
{
    io_document *document = NULL;
    status s = io_document_duplicate(config->given, &document);
    return s == STATUS_OK ? override(&document, noverrides, overrides, out) : s;
}

status io_config_parse(const char *path, const char *text, size_t size, int noverrides,
                       const char *const *overrides, io_config **out)
{
    io_document *document = NULL;
    const size_t length = sizeof IO_CONFIG_MADE - 1;
    status s = io_document_parse(path, text, size, &document);
    if (s == STATUS_OK && size > length && memcmp(text, IO_CONFIG_MADE, length) == 0) {
        io_document_forget_lines(document);
    }
    return s == STATUS_OK ? override(&document, noverrides, overrides, out) : s;
}

/* ---- The given config ---- */

const char *io_config_given(const io_config *config, const char *path)
{
    return io_document_text(config->given, io_document_find(config->given, path));
}

char *io_config_given_json(const io_config *config, const char *path)
{
    return io_document_json_text(config->given, io_document_find(config->given, path));
}

const char *io_config_later(const io_config *config, int n)
{
    return n < config->given->nlater ? config->given->later[n] : NULL;
}

bool io_config_range_is_of_step(const io_config *config, int layer)
{
    char key[64];
    snprintf(key, sizeof key, "layers.%d.%s.range", layer,
             io_config_kind_name(config->layers[layer].kind));
    const char *word = io_config_given(config, key);
    return word != NULL && strcmp(word, "step") == 0;
}

bool io_config_has_step_ranges(const io_config *config)
{
    bool has = false;
    for (int n = 0; n < config->nlayers; n++) {
        has = has || (config->layers[n].shown && io_config_range_is_of_step(config, n));
    }
    return has;
}

status io_config_check_numbered(const io_config *config)
{
    const char *const keys[] = {"output.frames", "output.float", "output.figure",
                                "output.extracts"};
    const char *const patterns[] = {config->output.frames, config->output.floats,
                                    config->output.figure, config->output.extracts};
    for (int n = 0; n < 4; n++) {
        if (patterns[n] != NULL && io_config_count_conversions(patterns[n]) == 0) {
            const char *given = io_config_given(config, keys[n]);
            return io_config_fail(config, keys[n],
                                  "must hold %%d or %%0Nd for the step, such as %%04d, "
                                  "where several steps are drawn, is '%s'",
                                  given != NULL ? given : patterns[n]);
        }
    }
    return STATUS_OK;
}

void io_config_print(const io_config *config, bool has_comments, FILE *stream)
{
    io_keys_print(config->given, io_config_keys, has_comments, stream);
}

/* The node at a path, or at its longest part that leads to a node. */
static int find_nearest(io_document *document, const char *path)
{
    char part[IO_DOCUMENT_PATH_SIZE];
    snprintf(part, sizeof part, "%s", path);
    int node = io_document_find(document, part);
    for (char *dot = strrchr(part, '.'); node == 0 && dot != NULL;
         dot = strrchr(part, '.')) {
        *dot = '\0';
        node = io_document_find(document, part);
    }
    return node;
}

void io_config_place(const io_config *config, const char *path, size_t size, char *text)
{
    char place[IO_DOCUMENT_PLACE_SIZE];
    io_document_place(config->given, find_nearest(config->given, path), sizeof place,
                      place);
    snprintf(text, size, "%s: %s", place, path);
}

status io_config_fail(const io_config *config, const char *path, const char *format, ...)
{
    char message[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return io_document_fail(config->given, find_nearest(config->given, path), "%s: %s",
                            path, message);
}

/* Whether a message begins with a place in the config. */
static bool has_place(const io_config *config, const char *message)
{
    const size_t length = strlen(config->path);
    return message[0] == '-' || /* of an override */
           (strncmp(message, config->path, length) == 0 && message[length] == ':');
}

/* The node of the key at the beginning of a message, "data.fields.p: …"; 0 if there is no
 * given key. */
static int find_leading_key(io_document *given, const char *message)
{
    char path[IO_DOCUMENT_PATH_SIZE];
    const size_t length = strcspn(message, ": ");
    if (length >= sizeof path) {
        return 0;
    }
    memcpy(path, message, length);
    path[length] = '\0';
    if (message[length] != ':' && strchr(path, '.') == NULL) {
        return 0; /* a word that is also the name of a key: "data set … cannot be read" */
    }
    return find_nearest(given, path);
}

status io_config_blame(const io_config *config, const char *path, status s)
{
    const bool is_of_config =
        s == STATUS_USAGE || s == STATUS_INPUT || s == STATUS_OUTPUT;
    const char *held = base_fail_message();
    if (!is_of_config || held[0] == '\0' || has_place(config, held)) {
        return s;
    }
    char message[2048], place[IO_DOCUMENT_PLACE_SIZE + IO_DOCUMENT_PATH_SIZE];
    const int leading = find_leading_key(config->given, held);
    if (leading == 0 && path == NULL) {
        return s;
    }
    if (leading != 0) {
        io_document_place(config->given, leading, sizeof place, place);
    } else {
        io_config_place(config, path, sizeof place, place);
    }
    snprintf(message, sizeof message, "%s: %s", place, held);
    base_fail_set_message(message);
    return s;
}

/* ---- Reading ---- */

static status fail_read(const char *path)
{
    return base_fail(STATUS_INPUT, "the config %s cannot be read: %s", path,
                     strerror(errno));
}

status io_config_read_text(const char *path, char **text, size_t *size)
{
    FILE *stream = fopen(path, "rb");
    if (stream == NULL) {
        return fail_read(path);
    }
    char *buffer = malloc(MAX_BYTES + 1);
    status result = buffer != NULL ? STATUS_OK : fail_memory();
    size_t length = buffer != NULL ? fread(buffer, 1, MAX_BYTES + 1, stream) : 0;
    if (result == STATUS_OK && ferror(stream)) {
        result = fail_read(path);
    } else if (length > MAX_BYTES) {
        result = base_fail(STATUS_USAGE, "%s has more than %d MiB: it is no config", path,
                           MAX_BYTES / (1024 * 1024));
    }
    fclose(stream);
    if (result == STATUS_OK && memchr(buffer, '\0', length < 512 ? length : 512)) {
        result = base_fail(STATUS_USAGE,
                           "%s is no config but %s: a config is a text (.yaml); 'karman "
                           "init FILE' writes one for a data file",
                           path,
                           memcmp(buffer, "\211PNG", 4) == 0 ? "a picture (PNG)"
                           : length > 4 && memcmp(buffer, "\211HDF", 4) == 0
                               ? "a data file (HDF5)"
                               : "a file of another kind");
    }
    if (result != STATUS_OK) {
        free(buffer);
        return result;
    }
    *text = buffer;
    *size = length;
    return STATUS_OK;
}

/* ---- Destroying ---- */

void io_config_destroy(io_config **config)
{
    io_config *doomed = *config;
    if (doomed == NULL) {
        return;
    }
    io_keys_free(io_config_keys, doomed);
    io_document_destroy(&doomed->given);
    free(doomed->path);
    free(doomed->canonical);
    free(doomed);
    *config = NULL;
}
