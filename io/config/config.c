#include "config.h"

#include "base/path.h"
#include "io/config/document/check.h"
#include "io/config/document/document.h"
#include "parts.h"
#include "schema.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Nobody writes configs that long: the file is something else. */
enum { MAX_BYTES = 4 * 1024 * 1024 };

static status fail_memory(void)
{
    base_fail_memory(0, "the config");
    return STATUS_MEMORY;
}

/* ---- Paths ---- */

char *io_config_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (slash == NULL) {
        return strdup("");
    }
    /* "/x.yaml" lies in "/", which joins as "//": the same to every system. */
    return slash == path ? strdup("/") : strndup(path, (size_t)(slash - path));
}

char *io_config_pattern(const char *folder)
{
    char *pattern = malloc(2 * strlen(folder) + 1);
    char *end = pattern;
    for (const char *text = folder; pattern != NULL && *text != '\0'; text++) {
        if (*text == '%') {
            *end++ = '%';
        }
        *end++ = *text;
    }
    if (pattern != NULL) {
        *end = '\0';
    }
    return pattern;
}

/* Makes a path that may be NULL lead from the working directory. */
static bool relocate(const char *folder, char **path)
{
    if (*path == NULL) {
        return true;
    }
    char *joined = base_path_join(folder, *path);
    free(*path);
    *path = joined;
    return joined != NULL;
}

static status relocate_all(const char *folder, io_config *config)
{
    char *pattern = io_config_pattern(folder);
    bool is_done = pattern != NULL && relocate(folder, &config->data.file) &&
                   relocate(pattern, &config->output.frames) &&
                   relocate(pattern, &config->output.floats) &&
                   relocate(folder, &config->output.timings);
    free(pattern);
    return is_done ? STATUS_OK : fail_memory();
}

/* ---- From document to config ---- */

/* What libcyaml allocates must be free()'s to free. */
static void *allocate(void *context, void *memory, size_t size)
{
    (void)context;
    if (size == 0) {
        free(memory);
        return NULL;
    }
    return realloc(memory, size);
}

/* Fifteen digits show 0.1 as 0.1. */
static status make_canonical(io_document *document, char **canonical)
{
    json_t *json = io_document_json(document);
    if (json == NULL) {
        return fail_memory();
    }
    json_object_del(json, "output");
    *canonical =
        json_dumps(json, JSON_SORT_KEYS | JSON_COMPACT | JSON_REAL_PRECISION(15));
    json_decref(json);
    return *canonical != NULL ? STATUS_OK : fail_memory();
}

status io_config_load(io_document *document, const cyaml_schema_value_t *schema,
                      void **out)
{
    static const cyaml_config_t settings = {.mem_fn = allocate,
                                            .log_level = CYAML_LOG_ERROR};
    char *text = NULL;
    size_t size = 0;
    cyaml_data_t *loaded = NULL;
    status result = io_document_print(document, &text, &size);
    if (result != STATUS_OK) {
        return result;
    }
    cyaml_err_t error =
        cyaml_load_data((const uint8_t *)text, size, &settings, schema, &loaded, NULL);
    free(text);
    if (error == CYAML_ERR_OOM) {
        return fail_memory();
    }
    if (error != CYAML_OK) {
        base_fail(STATUS_INTERNAL, "%s: libcyaml refuses the checked config: %s",
                  document->path, cyaml_strerror(error));
        return STATUS_INTERNAL;
    }
    *out = loaded;
    return STATUS_OK;
}

/* From the completed document to a config that is loaded, but not checked. */
static status load(io_document *document, io_config **out)
{
    void *loaded = NULL;
    status result = io_config_load(document, &io_config_schema, &loaded);
    *out = loaded;
    return result;
}

status io_config_build(io_document *document, const char *folder, io_config **out)
{
    io_config *config = NULL;
    char *canonical = NULL;
    /* Of no meaning for pictures of files: io/config/in_situ.h. */
    io_document_remove(document, IO_DOCUMENT_ROOT, "in_situ");
    status result = io_config_complete(document);
    if (result == STATUS_OK) {
        result = make_canonical(document, &canonical);
    }
    if (result == STATUS_OK) {
        result = io_config_normalise(document, folder);
    }
    if (result == STATUS_OK) {
        result = io_document_check(document, &io_config_schema);
    }
    if (result == STATUS_OK) {
        result = load(document, &config);
    }
    if (result != STATUS_OK) {
        free(canonical);
        return result;
    }
    config->canonical = canonical;
    io_config_derive(document, config);
    result = io_config_check(document, config);
    if (result == STATUS_OK) {
        result = relocate_all(folder, config);
    }
    if (result == STATUS_OK && (config->path = strdup(document->path)) == NULL) {
        result = fail_memory();
    }
    if (result != STATUS_OK) {
        io_config_destroy(&config);
        return result;
    }
    *out = config;
    return STATUS_OK;
}

status io_config_parse(const char *path, const char *text, size_t size, int noverrides,
                       const char *const *overrides, io_config **out)
{
    char *folder = io_config_folder(path);
    if (folder == NULL) {
        return fail_memory();
    }
    io_document *document = NULL;
    status result = io_document_parse(path, text, size, &document);
    for (int i = 0; i < noverrides && result == STATUS_OK; i++) {
        result = io_document_override(document, overrides[i]);
    }
    if (result == STATUS_OK) {
        result = io_config_build(document, folder, out);
    }
    io_document_destroy(&document);
    free(folder);
    return result;
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
    if (result != STATUS_OK) {
        free(buffer);
        return result;
    }
    *text = buffer;
    *size = length;
    return STATUS_OK;
}

status io_config_read(const char *path, int noverrides, const char *const *overrides,
                      io_config **out)
{
    char *text = NULL;
    size_t size = 0;
    status result = io_config_read_text(path, &text, &size);
    if (result == STATUS_OK) {
        result = io_config_parse(path, text, size, noverrides, overrides, out);
    }
    free(text);
    return result;
}

/* ---- Destroying ---- */

static void free_data(io_data_config *data)
{
    for (int i = 0; i < data->nfields; i++) {
        free(data->fields[i].name);
        free(data->fields[i].path);
    }
    free(data->fields);
    for (int i = 0; i < data->npriority; i++) {
        free(data->priority[i]);
    }
    free(data->priority);
    free(data->grid_x);
    free(data->grid_y);
    free(data->grid_z);
    free(data->grid_iblank);
    free(data->file);
}

static void free_volume(io_volume_config *volume)
{
    if (volume != NULL) {
        free(volume->field);
        free(volume->colors);
        free(volume->opacities);
    }
    free(volume);
}

static void free_tool(io_tool_config *tool)
{
    if (tool != NULL) {
        free(tool->block);
        free(tool->field);
        free(tool->paint.field);
        free(tool->paint.colors);
    }
    free(tool);
}

static void free_seeds(io_seed_config *seeds)
{
    for (int kind = 0; kind < IO_SEED_KINDS; kind++) {
        free(seeds->loaded[kind]);
    }
    free(seeds->points);
    free(seeds->block);
}

static void free_particles(io_particles_config *particles)
{
    if (particles == NULL) {
        return;
    }
    for (int i = 0; i < particles->nseeds; i++) {
        free_seeds(&particles->seeds[i]);
    }
    for (int c = 0; c < 3; c++) {
        free(particles->velocity[c]);
    }
    free(particles->seeds);
    free(particles->paint.field);
    free(particles->paint.colors);
    free(particles);
}

static void free_layers(io_config *config)
{
    for (int i = 0; i < config->nlayers; i++) {
        free_volume(config->layers[i].volume);
        free_tool(config->layers[i].tool);
        free_particles(config->layers[i].particles);
    }
    free(config->layers);
}

void io_config_destroy(io_config **config)
{
    io_config *doomed = *config;
    if (doomed == NULL) {
        return;
    }
    free_data(&doomed->data);
    free_layers(doomed);
    free(doomed->annotations.bar_title);
    free(doomed->annotations.time_text);
    free(doomed->annotations.title);
    free(doomed->memory_text);
    free(doomed->composite.algorithm);
    free(doomed->output.frames);
    free(doomed->output.timings);
    free(doomed->output.floats);
    free(doomed->path);
    free(doomed->canonical);
    free(doomed);
    *config = NULL;
}
