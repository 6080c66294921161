/* The keys of films: their tables. */
#include "film.h"

#include "io/config/config.h"
#include "io/config/document/scalar.h"
#include "io/config/readers.h"
#include "io/config/steps.h"
#include "io/config/table.h"

#include <stdlib.h>
#include <string.h>

/* ---- Tables ------------------------------------------------------------------------ */

static const io_key_word places[] = {{"frames", false}, {"time", true}, {NULL, 0}};

const io_key io_config_film_keys[] = {
    {"frames", IO_KEY_INT, IO_AT(io_film_config, frames), IO_WITHIN(1, 1000000),
     .otherwise = "one a step",
     .help = "number of pictures; those of each step follow one another"},
    {"over", IO_KEY_CHOICE, IO_AT(io_film_config, over_time), .words = places,
     .fallback = "frames",
     .help = "what places in `keys` and keyframes are: numbers of frames, from 0, or "
             "times of the solution"},
    {"rate", IO_KEY_NUMBER, IO_AT(io_film_config, rate), IO_WITHIN(0.01, 1000),
     .fallback = "25", .unit = "frames a second", .help = "speed of `output.movie`"},
    {0},
};

/* Values that a keyframe may lack: none, or `_many` of them. */
#define VALUES(_member, _counter, _many)                                                 \
    IO_KEY_NUMBER, .many = IO_KEY_GROWN, .least = (_many), .most = (_many),              \
                   .offset = offsetof(io_keyframe_config, _member),                      \
                   .size = sizeof(double),                                               \
                   .count_offset = offsetof(io_keyframe_config, _counter),               \
                   .otherwise = "that of `camera`"
#define POINT(_member, _counter) VALUES(_member, _counter, 3), .kind = "[x, y, z]"
#define SINGLE(_member, _counter)                                                        \
    VALUES(_member, _counter, 1), .flags = IO_KEY_WRAPPED, .instead = "a number"

static const io_key keyframe_keys[] = {
    {"at", IO_KEY_NUMBER, IO_AT(io_keyframe_config, at), .flags = IO_KEY_REQUIRED,
     .help = "its place: the number of the frame, or a time; ascending"},
    {"hold", IO_KEY_NUMBER, IO_AT(io_keyframe_config, hold), IO_FROM(0), .fallback = "0",
     .help = "how long the camera rests there, in frames or time"},
    {"position", POINT(position, nposition), .unit = "length",
     .help = "place of the eye"},
    {"look_at", POINT(look_at, nlook_at), .unit = "length",
     .help = "the point in the middle of the picture"},
    {"up", POINT(up, nup), .help = "points to the top of the picture"},
    {"fov", SINGLE(fov, nfov), .kind = "degrees", IO_BETWEEN(0, 180), .unit = "degrees",
     .help = "full vertical angle of view"},
    {"height", SINGLE(height, nheight), .kind = "length", IO_ABOVE(0), .unit = "length",
     .help = "height of the picture, for `orthographic`"},
    {0},
};

static const char *choose_ease(const io_section *path)
{
    return io_section_has(path, "keyframes") ? "true" : "false";
}

const io_key io_config_path_keys[] = {
    {"orbit", IO_KEY_NUMBER, IO_AT(io_path_config, orbit), IO_WITHIN(-36000, 36000),
     .fallback = "0", .unit = "degrees",
     .help = "turns the eye about `up` over all frames; 360 is a loop"},
    {"keyframes", IO_KEY_SECTION, IO_GROWN(io_path_config, keyframes, nkeyframes),
     .below = keyframe_keys, .kind = "list of keyframes", .otherwise = "none",
     .help = "views through which the camera passes"},
    {"ease", IO_KEY_BOOL, IO_AT(io_path_config, eases), .choose = choose_ease,
     .otherwise = "`true` with `keyframes`",
     .help = "whether the camera begins and ends at rest"},
    {0},
};

/* ---- keys -------------------------------------------------------------------------- */

static status fail_item(io_document *document, int node, const char *path)
{
    return io_document_fail(document, node,
                            "keys: %s: give places that ascend with their values, such "
                            "as [[0, 0.2], [100, 0.8]]",
                            path);
}

/* Checks the list of a key: places that ascend, with values. */
static status check_list(io_document *document, int list, const char *path)
{
    double last = 0.0, at;
    const int count =
        io_document_is_sequence(document, list) ? io_document_count(document, list) : 0;
    for (int n = 0; n < count; n++) {
        const int item = io_document_item(document, list, n);
        const bool is_pair = io_document_is_sequence(document, item) &&
                             io_document_count(document, item) == 2;
        const char *text =
            is_pair ? io_document_text(document, io_document_item(document, item, 0))
                    : NULL;
        if (!text || !io_scalar_number(text, &at) || (n > 0 && !(at > last))) {
            return fail_item(document, item, path);
        }
        last = at;
    }
    return count > 0 ? STATUS_OK : fail_item(document, list, path);
}

status io_config_read_film_keys(const io_section *section, const io_key *key,
                                void *structure)
{
    io_config *config = structure;
    io_document *document = section->document;
    const int keys = io_section_value(section, key->name);
    const int count = io_document_count(document, keys);
    if (!io_document_is_mapping(document, keys) || count == 0) {
        return io_section_fail_type(section, key->name,
                                    "a mapping such as {camera.zoom: [[0, 1], [50, 3]]}");
    }
    status s = STATUS_OK;
    for (int n = 0; n < count && s == STATUS_OK; n++) {
        const yaml_node_pair_t pair = io_document_pair(document, keys, n);
        const char *path = io_document_text(document, pair.key);
        s = check_list(document, pair.value, path ? path : "");
    }
    if (s == STATUS_OK) {
        config->keys = io_document_json_text(document, keys);
        s = io_config_agree_added(config->keys != NULL);
    }
    return s;
}

void io_config_release_film_keys(void *structure)
{
    io_config *config = structure;
    free(config->keys);
    config->keys = NULL;
}

/* ---- pictures ---------------------------------------------------------------------- */

enum { MOST_PICTURES = 64, MOST_NAME = 40 };

static bool is_name(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789-_";
    const size_t length = name ? strlen(name) : 0;
    return length > 0 && length <= MOST_NAME && strspn(name, letters) == length;
}

/* Checks the name of entry n of a list of pictures. */
static status check_name(io_document *document, int list, int n)
{
    const int item = io_document_item(document, list, n);
    const char *name =
        io_document_text(document, io_document_value(document, item, "name"));
    if (!is_name(name)) {
        return io_document_fail(document, item,
                                "pictures.%d needs a name of at most %d letters, digits, "
                                "- and _, such as {name: front, camera: front}",
                                n, MOST_NAME);
    }
    for (int k = 0; k < n; k++) {
        const int other = io_document_item(document, list, k);
        if (strcmp(name, io_document_text(document, io_document_value(document, other,
                                                                      "name"))) == 0) {
            return io_document_fail(document, item,
                                    "pictures.%d.name is that of picture %d, too: '%s'",
                                    n, k, name);
        }
    }
    return STATUS_OK;
}

status io_config_read_pictures(const io_section *section, const io_key *key,
                               void *structure)
{
    io_config *config = structure;
    io_document *document = section->document;
    const int list = io_section_value(section, key->name);
    const int count =
        io_document_is_sequence(document, list) ? io_document_count(document, list) : 0;
    if (count < 1 || count > MOST_PICTURES) {
        return io_section_fail_type(section, key->name,
                                    "a list of 1 to 64 such as [{name: front, camera: "
                                    "front}]");
    }
    status s = STATUS_OK;
    for (int n = 0; n < count && s == STATUS_OK; n++) {
        s = check_name(document, list, n);
    }
    if (s == STATUS_OK) {
        config->pictures = io_document_json_text(document, list);
        s = io_config_agree_added(config->pictures != NULL);
    }
    return s;
}

void io_config_release_pictures(void *structure)
{
    io_config *config = structure;
    free(config->pictures);
    config->pictures = NULL;
}
