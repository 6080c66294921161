#include "config.h"

#include "io/config/keys/keys.h"
#include "io/config/keys/path.h"
#include "parts.h"
#include "table.h"

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

/* ---- From document to config ---- */

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

/* From a document that was normalised to a config that is loaded, but not checked. */
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

/* From a document that was completed. */
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
    if (s != STATUS_OK) {
        io_config_destroy(&config);
        return s;
    }
    *out = config;
    return STATUS_OK;
}

status io_config_build(io_document *document, const char *folder, io_config **out)
{
    char *canonical = NULL;
    const io_section root = io_section_root(document);
    /* Of no meaning for pictures of files: io/config/in_situ.h. */
    io_document_remove(document, IO_DOCUMENT_ROOT, "in_situ");
    status s = io_keys_complete(&root, io_config_keys, false);
    if (s == STATUS_OK) {
        s = make_canonical(document, &canonical);
    }
    if (s == STATUS_OK) {
        s = make(&root, folder, out);
    }
    if (s != STATUS_OK) {
        free(canonical);
        return s;
    }
    (*out)->canonical = canonical;
    return STATUS_OK;
}

status io_config_parse(const char *path, const char *text, size_t size, int noverrides,
                       const char *const *overrides, io_config **out)
{
    char *folder = io_path_folder(path);
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

void io_config_destroy(io_config **config)
{
    io_config *doomed = *config;
    if (doomed == NULL) {
        return;
    }
    io_keys_free(io_config_keys, doomed);
    free(doomed->path);
    free(doomed->canonical);
    free(doomed);
    *config = NULL;
}
