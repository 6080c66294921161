/* Changes of a config while a program runs: assignments and fragments. */
#include "in_situ.h"

#include "io/config/document/document.h"
#include "io/config/keys/keys.h"
#include "io/config/keys/path.h"
#include "steps.h"
#include "table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Overrides that a document keeps for messages. A session may have millions of them. */
enum { MOST_OVERRIDES = 64 };

/* A change under way. */
typedef struct change {
    io_document *config;
    io_document *section; /* in_situ, with the times of pictures; NULL: none */
    int picture;          /* of the section */
    bool has_config;      /* the config changes, and not only times */
    const io_config *of;
    const char *above; /* the key of `of` at which fragments stand; NULL: orders */
} change;

/* ---- Keys -------------------------------------------------------------------------- */

/* Fails for a key that orders may not change. An unknown key is left to the checks of the
 * whole config, which name the nearest one. */
static status check_steerable(const char *path)
{
    bool is_steerable = false;
    const io_key *key = io_keys_find(io_config_keys, path, &is_steerable);
    return !key || is_steerable
               ? STATUS_OK
               : base_fail(
                     STATUS_USAGE,
                     "%s cannot be changed while the program runs: change keys of "
                     "camera, layers, lights, lighting, clip, annotations and image",
                     path);
}

/* Fails for a part of a list of layers that karman has still to choose. */
static status check_list(io_document *document, const char *path)
{
    const bool is_part = strncmp(path, "layers.", 7) == 0;
    return !is_part ||
                   io_document_is_sequence(document, io_document_find(document, "layers"))
               ? STATUS_OK
               : base_fail(STATUS_USAGE,
                           "%s: karman chooses the layers at the first picture: change "
                           "them after it, or give the whole list of layers",
                           path);
}

/* ---- One assignment ---------------------------------------------------------------- */

static bool is_nothing(const char *value)
{
    const size_t blanks = strspn(value, " \t\n");
    const size_t length = strcspn(value + blanks, " \t\n");
    const char *rest = value + blanks + length;
    return rest[strspn(rest, " \t\n")] == '\0' &&
           ((length == 1 && value[blanks] == '~') ||
            (length == 4 && strncmp(value + blanks, "null", 4) == 0));
}

static bool is_time(const char *path)
{
    const size_t length = strcspn(path, ".");
    for (int n = 0; n < IO_CONFIG_TRIGGER_KEYS; n++) {
        if (strncmp(path, io_config_trigger_keys[n], length) == 0 &&
            io_config_trigger_keys[n][length] == '\0') {
            return true;
        }
    }
    return false;
}

/* Applies "every=5" to the picture's times. Messages have the words of the order. */
static status assign_time(const change *c, const char *text)
{
    const size_t size = 2 * strlen(text) + 64;
    char *override = malloc(size);
    status s = io_config_agree_added(override != NULL);
    if (s == STATUS_OK) {
        snprintf(override, size, "--set %s\vin_situ.pictures.%d.%s", text, c->picture,
                 text);
        s = io_document_override(c->section, override);
    }
    free(override);
    return s;
}

/* Applies "layers.1.shown=false"; a value of null removes the key or the entry. */
static status assign(change *c, const char *path, const char *text, const char *value)
{
    if (c->section && is_time(path)) {
        return assign_time(c, text);
    }
    c->has_config = true;
    status s = check_steerable(path);
    if (s == STATUS_OK) {
        s = check_list(c->config, path);
    }
    if (s == STATUS_OK && is_nothing(value)) {
        return io_document_drop(c->config, path);
    }
    return s == STATUS_OK ? io_document_override(c->config, text) : s;
}

static bool is_key(const char *text, size_t length)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789_-.+";
    return length > 0 && strspn(text, letters) >= length;
}

/* ---- Fragments --------------------------------------------------------------------- */

/* Applies the value of a fragment's key. */
static status assign_json(change *c, const char *path, const json_t *json)
{
    char *value = json_dumps(json, JSON_ENCODE_ANY | JSON_REAL_PRECISION(17));
    char key[2 * IO_DOCUMENT_PATH_SIZE], place[1024] = "";
    if (c->above) {
        snprintf(key, sizeof key, "%s.%s", c->above, path);
        io_config_place(c->of, key, sizeof place - 1, place);
        strcat(place, "\v");
    }
    const size_t size = value ? strlen(place) + strlen(path) + strlen(value) + 2 : 0;
    char *text = value ? malloc(size) : NULL;
    status s = io_config_agree_added(text != NULL);
    if (s == STATUS_OK) {
        snprintf(text, size, "%s%s=%s", place, path, value);
        s = assign(c, path, text, text + strlen(place) + strlen(path) + 1);
    }
    free(text);
    free(value);
    return s;
}

/* Whether a mapping goes over the one of the config key by key. Entries of lists, such as
 * a layer, are replaced as a whole: one kind of layer becomes another. */
static bool is_merged(const char *path, const json_t *json)
{
    const char *last = strrchr(path, '.');
    const io_key *key = io_keys_find(io_config_keys, path, NULL);
    const bool is_entry = io_document_index(last ? last + 1 : path, 1 << 20) >= 0 ||
                          strcmp(last ? last + 1 : path, "+") == 0;
    return json_is_object(json) && key && key->below && !is_entry;
}

static status apply_fragment(change *c, const char *above, json_t *fragment)
{
    const char *key;
    json_t *value;
    status s = STATUS_OK;
    json_object_foreach(fragment, key, value)
    {
        char path[IO_DOCUMENT_PATH_SIZE];
        const int length = snprintf(path, sizeof path, "%s%s%s", above,
                                    above[0] != '\0' ? "." : "", key);
        if (s == STATUS_OK &&
            (length >= (int)sizeof path || !is_key(path, strlen(path)))) {
            s = base_fail(STATUS_USAGE, "the change has an unknown key '%.60s'", key);
        }
        if (s == STATUS_OK) {
            s = is_merged(path, value) ? apply_fragment(c, path, value)
                                       : assign_json(c, path, value);
        }
    }
    return s;
}

static status read_fragment(change *c, const char *text)
{
    io_document *twig = NULL;
    status s = io_document_parse("the change", text, strlen(text), &twig);
    if (s != STATUS_OK) {
        return s;
    }
    json_t *json = io_document_json(twig);
    s = io_config_agree_added(json != NULL);
    if (s == STATUS_OK && json_object_size(json) == 0) {
        s = base_fail(STATUS_USAGE, "the change is empty: write, for example, "
                                    "'camera.fov=20' or 'camera: {fov: 20}'");
    }
    if (s == STATUS_OK) {
        s = apply_fragment(c, "", json);
    }
    json_decref(json);
    io_document_destroy(&twig);
    return s;
}

/* ---- The whole --------------------------------------------------------------------- */

static status apply(change *c, const char *text)
{
    const char *equals = strchr(text, '=');
    const size_t length = equals ? (size_t)(equals - text) : 0;
    if (!is_key(text, length)) {
        return read_fragment(c, text);
    }
    char path[IO_DOCUMENT_PATH_SIZE];
    if (length >= sizeof path) {
        return base_fail(STATUS_USAGE, "the change has an unknown key '%.60s…'", text);
    }
    snprintf(path, sizeof path, "%.*s", (int)length, text);
    return assign(c, path, text, equals + 1);
}

/* Changes a copy of the config as given, and makes the new one if it differs. */
static status change_all(change *c, const io_config *config, int count,
                         const char *const *changes, io_config **out)
{
    status s = io_document_duplicate(config->given, &c->config);
    char *folder = s == STATUS_OK ? io_path_folder(c->config->path) : NULL;
    s = s == STATUS_OK ? io_config_agree_added(folder != NULL) : s;
    if (s == STATUS_OK && c->config->noverrides > MOST_OVERRIDES) {
        io_document_forget_overrides(c->config);
    }
    for (int n = 0; n < count && s == STATUS_OK; n++) {
        s = apply(c, changes[n]);
    }
    if (s == STATUS_OK && (c->has_config || !c->section)) {
        s = io_config_build(c->config, folder, out);
    }
    free(folder);
    io_document_destroy(&c->config);
    return s;
}

status io_config_change(const io_config *config, const char *above, int count,
                        const char *const *changes, io_config **out)
{
    change c = {.of = config, .above = above};
    return change_all(&c, config, count, changes, out);
}

status io_in_situ_change(io_document *section, int index, const io_config *config,
                         int count, const char *const *changes, io_config **out)
{
    change c = {.section = section, .picture = index};
    return change_all(&c, config, count, changes, out);
}
