/* Checks of the keys of films. */
#include "io/config/config.h"
#include "io/config/document/scalar.h"
#include "io/config/keys/keys.h"
#include "io/config/steps.h"
#include "io/config/table.h"

#include <string.h>

/* Checks a key that changes: all frames have one size, and one form of the data. */
static status check_key(io_document *document, int node, const char *path)
{
    bool is_steerable = false;
    const io_key *key = io_keys_find(io_config_keys, path, &is_steerable);
    const bool is_of_frame = strncmp(path, "image.", 6) != 0 &&
                             strncmp(path, "data.", 5) != 0 &&
                             strncmp(path, "camera.path", 11) != 0;
    return !key || (is_steerable && is_of_frame)
               ? STATUS_OK
               : io_document_fail(document, node,
                                  "keys: %s is the same in all frames: change keys of "
                                  "camera, layers, lights, lighting, clip and "
                                  "annotations",
                                  path);
}

static status check_keys(io_document *document)
{
    const int keys = io_document_find(document, "keys");
    status s = STATUS_OK;
    for (int n = 0; n < io_document_count(document, keys) && s == STATUS_OK; n++) {
        const int key = io_document_pair(document, keys, n).key;
        const char *path = io_document_text(document, key);
        s = check_key(document, key, path ? path : "");
    }
    return s;
}

bool io_config_has_cells(const json_t *pictures)
{
    bool has = false;
    for (size_t n = 0; n < json_array_size(pictures); n++) {
        has = has || json_object_get(json_array_get(pictures, n), "place");
    }
    return has;
}

/* Checks the place of a cell: [x, y, width, height] in parts of the picture. */
static status check_place(io_document *document, int picture, int n)
{
    const int place = io_document_value(document, picture, "place");
    double at[4] = {0.0, 0.0, 1.0, 1.0};
    bool is_good = place == 0 || (io_document_is_sequence(document, place) &&
                                  io_document_count(document, place) == 4);
    for (int k = 0; k < 4 && place != 0 && is_good; k++) {
        const char *text =
            io_document_text(document, io_document_item(document, place, k));
        is_good = text && io_scalar_number(text, &at[k]) && at[k] >= 0.0;
    }
    return is_good && at[2] > 0.0 && at[3] > 0.0 && at[0] + at[2] <= 1.0 + 1e-9 &&
                   at[1] + at[3] <= 1.0 + 1e-9
               ? STATUS_OK
               : io_document_fail(
                     document, place,
                     "pictures.%d.place: give x, y, width and height of a "
                     "part of the picture, from its lower left corner: [0.5, "
                     "0, 0.5, 1] is its right half",
                     n);
}

/* One PNG file has all cells. */
static status check_files(const io_section *root, const io_config *config)
{
    static const char *const others[] = {"output.float", "output.figure",
                                         "output.extracts"};
    json_t *pictures = json_loads(config->pictures, 0, NULL);
    const bool has_cells = io_config_has_cells(pictures);
    bool are_all = has_cells;
    for (size_t n = 0; n < json_array_size(pictures); n++) {
        are_all = are_all && json_object_get(json_array_get(pictures, n), "place");
    }
    json_decref(pictures);
    for (int n = 0; n < 3 && has_cells; n++) {
        if (io_section_has(root, others[n])) {
            return io_section_fail(
                root, others[n],
                "is of one picture, and 'pictures' have places in one: "
                "leave it out");
        }
    }
    return config->output.movie && !are_all
               ? io_section_fail(
                     root, "output.movie",
                     "is a film of one picture: give all 'pictures' places in "
                     "it, or leave it out")
               : STATUS_OK;
}

/* Pictures change what is drawn, and nothing of the data or the files. */
static status check_pictures(io_document *document)
{
    const int list = io_document_find(document, "pictures");
    status s = STATUS_OK;
    for (int n = 0; n < io_document_count(document, list) && s == STATUS_OK; n++) {
        const int item = io_document_item(document, list, n);
        s = check_place(document, item, n);
        for (int k = 0; k < io_document_count(document, item) && s == STATUS_OK; k++) {
            const int key = io_document_pair(document, item, k).key;
            const char *name = io_document_text(document, key);
            bool is_steerable = false;
            const bool is_known =
                name && io_keys_find(io_config_keys, name, &is_steerable);
            const bool may =
                name && (is_steerable || strcmp(name, "name") == 0 ||
                         strcmp(name, "place") == 0 || strcmp(name, "image") == 0 ||
                         strcmp(name, "data") == 0);
            if (!may) {
                s = io_document_fail(
                    document, key,
                    "pictures.%d: %s %s: give data, or keys of camera, "
                    "layers, image, look, lights, lighting, clip and annotations",
                    n, name ? name : "a list",
                    is_known ? "is that of all pictures" : "is no key");
            }
        }
    }
    return s;
}

status io_config_check_film(const io_section *root, const io_config *config)
{
    const io_path_config *path = &config->camera.path;
    const io_section section = io_section_at(root->document, "camera.path");
    for (int n = 1; n < path->nkeyframes; n++) {
        const io_keyframe_config *before = &path->keyframes[n - 1];
        if (!(path->keyframes[n].at > before->at + before->hold)) {
            const io_section item = io_section_item(&section, "keyframes", n);
            return io_section_fail(&item, "at",
                                   "must be above %g, where the keyframe before ends, "
                                   "is %g",
                                   before->at + before->hold, path->keyframes[n].at);
        }
    }
    const status s = config->keys ? check_keys(root->document) : STATUS_OK;
    if (s != STATUS_OK || !config->pictures) {
        return s;
    }
    const status checked = check_pictures(root->document);
    return checked == STATUS_OK ? check_files(root, config) : checked;
}
