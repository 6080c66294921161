#include "in_situ.h"

#include "io/config/keys/keys.h"
#include "io/config/keys/path.h"
#include "steps.h"
#include "table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECTION "in_situ"

static bool is_trigger_key(const char *key)
{
    for (int n = 0; n < IO_CONFIG_TRIGGER_KEYS; n++) {
        if (strcmp(key, io_config_trigger_keys[n]) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_of_picture(const char *key)
{
    return strcmp(key, "name") == 0 || is_trigger_key(key);
}

static bool has_trigger(io_document *document, int mapping)
{
    for (int n = 0; n < IO_CONFIG_TRIGGER_KEYS; n++) {
        if (io_document_value(document, mapping, io_config_trigger_keys[n]) != 0) {
            return true;
        }
    }
    return false;
}

/* ---- The document ------------------------------------------------------------------ */

/* Reads the text, and adds the section and a list of pictures if they are missing. */
static status read_document(const io_in_situ_text *from, io_document **out)
{
    io_document *d = NULL;
    status s = io_document_parse(from->path, from->text, from->size, &d);
    for (int n = 0; n < from->noverrides && s == STATUS_OK; n++) {
        s = io_document_override(d, from->overrides[n]);
    }
    if (s == STATUS_OK) {
        s = io_document_complete(d, IO_DOCUMENT_ROOT, SECTION ": {}\n");
    }
    if (s == STATUS_OK && !io_document_is_mapping(d, io_document_find(d, SECTION))) {
        s = io_document_fail_type(d, io_document_find(d, SECTION), SECTION,
                                  "a mapping such as {every: 10}");
    }
    if (s == STATUS_OK) {
        const io_section section = io_section_at(d, SECTION);
        s = io_keys_complete(&section, io_config_in_situ_keys, false);
    }
    if (s != STATUS_OK) {
        io_document_destroy(&d);
        return s;
    }
    *out = d;
    return STATUS_OK;
}

/* Removes the keys of a mapping for which `keeps` is false. */
static void filter_keys(io_document *d, int mapping, bool (*keeps)(const char *key))
{
    for (int n = io_document_count(d, mapping) - 1; n >= 0; n--) {
        const char *key = io_document_text(d, io_document_pair(d, mapping, n).key);
        if (key != NULL && !keeps(key)) {
            io_document_remove(d, mapping, key);
        }
    }
}

/* Gives a picture without a trigger that of the section. */
static status inherit_trigger(io_document *d, int section, int picture)
{
    if (has_trigger(d, picture)) {
        return STATUS_OK;
    }
    bool works = true;
    for (int n = 0; n < IO_CONFIG_TRIGGER_KEYS && works; n++) {
        int node = io_document_value(d, section, io_config_trigger_keys[n]);
        works = node == 0 || io_document_set(d, picture, io_config_trigger_keys[n],
                                             io_document_copy(d, d, node));
    }
    return io_config_agree_added(works);
}

/* A condition without times is tested at every step. */
static status complete_trigger(io_document *d, int picture)
{
    bool is_due = io_document_value(d, picture, "every") != 0 ||
                  io_document_value(d, picture, "interval") != 0 ||
                  io_document_value(d, picture, "times") != 0;
    return is_due ? STATUS_OK : io_document_complete(d, picture, "{every: 1}\n");
}

/* Reduces the pictures to the keys of the table. */
static status reduce(io_document *d)
{
    int section = io_document_find(d, SECTION);
    int pictures = io_document_value(d, section, "pictures");
    int count = io_document_is_sequence(d, pictures) ? io_document_count(d, pictures) : 0;
    status s = STATUS_OK;
    for (int n = 0; n < count && s == STATUS_OK; n++) {
        int picture = io_document_item(d, pictures, n);
        if (!io_document_is_mapping(d, picture)) {
            continue; /* the checks report it */
        }
        filter_keys(d, picture, is_of_picture);
        s = inherit_trigger(d, section, picture);
        s = s == STATUS_OK ? complete_trigger(d, picture) : s;
    }
    return s;
}

/* ---- Checks ------------------------------------------------------------------------ */

static bool is_name(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789-_";
    size_t length = strlen(name);
    return length > 0 && length < GRID_NAME_SIZE && strspn(name, letters) == length;
}

static status check_name(const io_section *section, const io_in_situ *in_situ, int index)
{
    const char *name = in_situ->pictures[index].name;
    if (!is_name(name)) {
        return io_section_fail(section, "name",
                               "must be of letters, digits, - and _, at most %d, "
                               "is '%.80s'",
                               GRID_NAME_SIZE - 1, name);
    }
    for (int n = 0; n < index; n++) {
        if (strcmp(in_situ->pictures[n].name, name) == 0) {
            return io_section_fail(section, "name", "is that of picture %d, too: '%s'", n,
                                   name);
        }
    }
    return STATUS_OK;
}

static status check_times(const io_section *section, const io_trigger *trigger)
{
    for (int n = 1; n < trigger->ntimes; n++) {
        if (!(trigger->times[n] > trigger->times[n - 1])) {
            return io_section_fail(section, "times", "must ascend: %g, %g",
                                   trigger->times[n - 1], trigger->times[n]);
        }
    }
    return STATUS_OK;
}

const char *io_measure_word(io_measure what)
{
    const io_key_word *word = io_config_measures;
    while (word->word && word->value != (int)what) {
        word++;
    }
    return word->word;
}

/* Whether the keys of a number fit together. */
static status check_measured(const io_section *section, const io_measured *of)
{
    const int surfaces =
        (of->plane != NULL) + (of->faces != NULL) + (of->wall != NULL) + of->walls;
    const bool has_field =
        of->what <= IO_INTEGRAL || of->what == IO_FLUX || of->what == IO_MASS_MEAN;
    const char *word = io_measure_word(of->what);
    if (surfaces + (of->block != NULL) > 1) {
        return io_section_fail(section, NULL,
                               "needs one place at most: block, plane, faces, wall or "
                               "walls");
    }
    if (has_field != (of->field != NULL)) {
        return io_section_fail(section, NULL,
                               has_field ? "needs a field for the value %s, such as "
                                           "field: pressure"
                                         : "takes no field for the value %s",
                               word);
    }
    if (of->what >= IO_AREA && surfaces == 0) {
        return io_section_fail(section, NULL,
                               "needs a plane, faces, a wall or walls for the value %s, "
                               "such as plane: x=2",
                               word);
    }
    if (of->what == IO_VOLUME && surfaces > 0) {
        return io_section_fail(section, NULL, "has a surface: give the value area");
    }
    if (of->what < IO_MEAN && surfaces + (of->block != NULL) > 0) {
        return io_section_fail(section, NULL,
                               "takes no place for the value %s: it is of "
                               "the whole volume",
                               word);
    }
    if (of->what == IO_HEAT_FLOW && of->conductivity == NULL) {
        return io_section_fail(section, NULL,
                               "needs a conductivity, such as conductivity: 0.026");
    }
    return STATUS_OK;
}

static status check_when(const io_section *section, const io_condition *when)
{
    if (when->is_there && !when->has_above && !when->has_below && when->change <= 0.0) {
        return io_section_fail(section, NULL,
                               "needs above, below or change, such as above: 2.5");
    }
    return when->is_there ? check_measured(section, &when->of) : STATUS_OK;
}

static status check_trigger(const io_section *section, const io_trigger *trigger)
{
    status s = check_times(section, trigger);
    io_section when = io_section_below(section, "when");
    return s == STATUS_OK ? check_when(&when, &trigger->when) : s;
}

/* Records which bounds are given, and checks the values. */
static status finish_trigger(const io_section *section, io_trigger *trigger)
{
    io_section when = io_section_below(section, "when");
    trigger->when.is_there = io_section_has(section, "when");
    trigger->when.has_above = io_section_has(&when, "above");
    trigger->when.has_below = io_section_has(&when, "below");
    if (!io_section_has(&when, "value")) {
        trigger->when.of.what = trigger->when.has_above ? IO_GREATEST : IO_LEAST;
    }
    return check_trigger(section, trigger);
}

/* Names of monitors are columns of a table. */
static status check_monitors(io_document *d, const io_in_situ *in_situ)
{
    io_section section = io_section_at(d, SECTION);
    status s = STATUS_OK;
    for (int n = 0; n < in_situ->nmonitors && s == STATUS_OK; n++) {
        char key[32];
        snprintf(key, sizeof key, "monitors.%d", n);
        io_section below = io_section_below(&section, key);
        const char *name = in_situ->monitors[n].name;
        s = is_name(name) ? s
                          : io_section_fail(&below, "name",
                                            "must be of letters, digits, - and _, at "
                                            "most %d, is '%.80s'",
                                            GRID_NAME_SIZE - 1, name);
        s = s == STATUS_OK ? check_measured(&below, &in_situ->monitors[n].of) : s;
        for (int k = 0; k < n && s == STATUS_OK; k++) {
            if (strcmp(in_situ->monitors[k].name, name) == 0) {
                s = io_section_fail(&below, "name", "is that of monitor %d, too: '%s'", k,
                                    name);
            }
        }
    }
    return s;
}

static status finish_pictures(io_document *d, io_in_situ *in_situ)
{
    io_section section = io_section_at(d, SECTION);
    status s = finish_trigger(&section, &in_situ->trigger);
    for (int n = 0; n < in_situ->npictures && s == STATUS_OK; n++) {
        io_section picture = io_section_item(&section, "pictures", n);
        s = check_name(&picture, in_situ, n);
        s = s == STATUS_OK ? finish_trigger(&picture, &in_situ->pictures[n].trigger) : s;
    }
    return s;
}

/* Loads a reduced document, without those words of it that stand for no value. */
static status load(io_document *d, io_in_situ *in_situ)
{
    const io_section section = io_section_at(d, SECTION);
    char *folder = io_path_folder(d->path);
    status s = io_config_agree_added(folder != NULL);
    if (s == STATUS_OK) {
        s = io_keys_load(&section, io_config_in_situ_keys, folder, in_situ);
    }
    free(folder);
    s = s == STATUS_OK ? check_monitors(d, in_situ) : s;
    return s == STATUS_OK ? finish_pictures(d, in_situ) : s;
}

status io_in_situ_build(io_document *section, io_in_situ **out)
{
    io_in_situ *in_situ = calloc(1, sizeof *in_situ);
    status s = io_config_agree_added(in_situ != NULL);
    if (s == STATUS_OK) {
        s = reduce(section);
    }
    if (s == STATUS_OK) {
        s = io_document_duplicate(section, &in_situ->given);
    }
    if (s == STATUS_OK) {
        s = load(section, in_situ);
    }
    if (s != STATUS_OK) {
        io_in_situ_destroy(&in_situ);
        return s;
    }
    *out = in_situ;
    return STATUS_OK;
}

status io_in_situ_parse(const io_in_situ_text *from, io_in_situ **out)
{
    io_document *d = NULL;
    status s = read_document(from, &d);
    if (s == STATUS_OK) {
        s = io_in_situ_build(d, out);
    }
    io_document_destroy(&d);
    return s;
}

void io_in_situ_destroy(io_in_situ **in_situ)
{
    if (*in_situ != NULL) {
        io_keys_free(io_config_in_situ_keys, *in_situ);
        io_document_destroy(&(*in_situ)->given);
        free(*in_situ);
        *in_situ = NULL;
    }
}

/* ---- The config of a picture ------------------------------------------------------- */

/* Overrides a key of the whole config by that of a picture. */
static bool put_over(io_document *d, const char *key, int value)
{
    int below = io_document_value(d, IO_DOCUMENT_ROOT, key);
    if (!io_document_is_mapping(d, below) || !io_document_is_mapping(d, value)) {
        return io_document_set(d, IO_DOCUMENT_ROOT, key, value);
    }
    bool works = true;
    for (int n = 0; n < io_document_count(d, value) && works; n++) {
        yaml_node_pair_t pair = io_document_pair(d, value, n);
        const char *name = io_document_text(d, pair.key);
        works = name == NULL || io_document_set(d, below, name, pair.value);
    }
    return works;
}

static status put_picture(io_document *d, int index)
{
    int pictures = io_document_find(d, SECTION ".pictures");
    int picture = io_document_item(d, pictures, index);
    bool works = true;
    for (int n = 0; n < io_document_count(d, picture) && works; n++) {
        yaml_node_pair_t pair = io_document_pair(d, picture, n);
        const char *key = io_document_text(d, pair.key);
        if (key != NULL && !is_of_picture(key)) {
            works = put_over(d, key, pair.value);
        }
    }
    return io_config_agree_added(works);
}

static bool is_closed(const char *key)
{
    return strcmp(key, "closed") == 0;
}

/* Removes the keys for files: the data comes from the program. */
static status put_data(io_document *d)
{
    static const char *const of_files[] = {"file",  "steps",  "fields", "time",
                                           "order", "plot3d", "base"};
    status s = io_document_complete(d, IO_DOCUMENT_ROOT, "data: {}\n");
    int data = io_document_find(d, "data");
    for (size_t n = 0; n < sizeof of_files / sizeof of_files[0]; n++) {
        io_document_remove(d, data, of_files[n]);
    }
    const int grid = io_document_value(d, data, "grid");
    if (io_document_is_mapping(d, grid)) {
        filter_keys(d, grid, is_closed);
    }
    if (grid != 0 &&
        (!io_document_is_mapping(d, grid) || io_document_count(d, grid) == 0)) {
        io_document_remove(d, data, "grid");
    }
    return s == STATUS_OK ? io_document_complete(d, data, "{file: in situ}\n") : s;
}

/* Adds output.frames if the config lacks it. */
static status put_frames(io_document *d, const char *name)
{
    const char *run = io_document_text(d, io_document_find(d, SECTION ".run"));
    char *folder = io_path_pattern(run != NULL ? run : "");
    size_t size = folder != NULL ? strlen(folder) + strlen(name) + 32 : 0;
    char *frames = folder != NULL ? malloc(size) : NULL;
    status s = io_config_agree_added(frames != NULL);
    if (s == STATUS_OK) {
        s = io_document_complete(d, IO_DOCUMENT_ROOT, "output: {}\n");
    }
    int output = io_document_find(d, "output");
    if (s == STATUS_OK && io_document_is_mapping(d, output) &&
        io_document_value(d, output, "frames") == 0) {
        snprintf(frames, size, "%s/frames/%s_%%06d.png", folder, name);
        s = io_config_agree_added(io_document_set(
            d, output, "frames", io_document_add_scalar(d, output, frames)));
    }
    free(frames);
    free(folder);
    return s;
}

/* A running program does not wait for smooth edges unless its config says so. */
static status put_samples(io_document *d)
{
    const status s = io_document_complete(d, IO_DOCUMENT_ROOT, "image: {}\n");
    const int image = io_document_find(d, "image");
    return s == STATUS_OK && io_document_is_mapping(d, image)
               ? io_document_complete(d, image, "{samples: 1}\n")
               : s;
}

/* Makes the document of a picture, without the changes. */
static status make_picture(io_document *d, int index)
{
    int pictures = io_document_find(d, SECTION ".pictures");
    int picture = io_document_item(d, pictures, index);
    const char *name = io_document_text(d, io_document_value(d, picture, "name"));
    char *copy = strdup(name != NULL ? name : "");
    status s = io_config_agree_added(copy != NULL);
    if (s == STATUS_OK) {
        s = put_picture(d, index);
    }
    if (s == STATUS_OK) {
        s = put_data(d);
    }
    if (s == STATUS_OK) {
        s = put_frames(d, copy);
    }
    if (s == STATUS_OK) {
        s = put_samples(d);
    }
    free(copy);
    return s;
}

status io_in_situ_config(const io_in_situ_text *from, int index, int nchanges,
                         const char *const *changes, io_config **out)
{
    io_document *d = NULL;
    char *folder = io_path_folder(from->path);
    status s = io_config_agree_added(folder != NULL);
    if (s == STATUS_OK) {
        s = read_document(from, &d);
    }
    if (s == STATUS_OK) {
        s = make_picture(d, index);
    }
    for (int n = 0; n < nchanges && s == STATUS_OK; n++) {
        s = io_document_override(d, changes[n]);
    }
    if (s == STATUS_OK) {
        s = io_config_build(d, folder, out);
    }
    if (s == STATUS_OK && (s = io_config_check_numbered(*out)) != STATUS_OK) {
        io_config_destroy(out);
    }
    io_document_destroy(&d);
    free(folder);
    return s;
}

/* ---- Changes ----------------------------------------------------------------------- */

status io_in_situ_edit(const io_in_situ *in_situ, io_document **section)
{
    const status s = io_document_duplicate(in_situ->given, section);
    if (s == STATUS_OK) {
        io_document_forget_overrides(*section);
    }
    return s;
}

status io_in_situ_remove(io_document *section, int index)
{
    char path[64];
    snprintf(path, sizeof path, SECTION ".pictures.%d", index);
    return io_document_drop(section, path);
}

/* The config of a new picture before its changes. Its files are those of a picture that
 * names none. */
static status make_base(const io_in_situ_text *from, const char *added, io_config **out)
{
    io_in_situ_text of = *from;
    const size_t count = (size_t)from->noverrides;
    const char **overrides = calloc(count + 3, sizeof *overrides);
    status s = io_config_agree_added(overrides != NULL);
    if (s == STATUS_OK) {
        if (count > 0) {
            memcpy(overrides, from->overrides, count * sizeof *overrides);
        }
        overrides[count] = SECTION ".pictures=[]";
        overrides[count + 1] = added;
        overrides[count + 2] = "output=null";
        of.overrides = overrides;
        of.noverrides += 3;
        s = io_in_situ_config(&of, 0, 0, NULL, out);
    }
    free(overrides);
    return s;
}

/* Adds a picture of that name, and makes the other keys of its fragment a text. */
static status add_named(io_document *section, const io_in_situ_text *from, json_t *json,
                        io_config **base)
{
    const char *name = json_string_value(json_object_get(json, "name"));
    if (name == NULL || !is_name(name)) {
        return base_fail(STATUS_USAGE,
                         "a new picture needs a name of letters, digits, - and _, at "
                         "most %d: 'pictures.+={name: near, camera: {fov: 20}}'",
                         GRID_NAME_SIZE - 1);
    }
    char added[GRID_NAME_SIZE + 64];
    snprintf(added, sizeof added, SECTION ".pictures.+={name: \"%s\"}", name);
    status s = io_document_override(section, added);
    return s == STATUS_OK ? make_base(from, added, base) : s;
}

status io_in_situ_add(io_document *section, const io_in_situ_text *from,
                      const char *fragment, io_config **out)
{
    io_document *twig = NULL;
    io_config *base = NULL;
    status s = io_document_parse("the change", fragment, strlen(fragment), &twig);
    json_t *json = s == STATUS_OK ? io_document_json(twig) : NULL;
    s = s == STATUS_OK ? io_config_agree_added(json != NULL) : s;
    s = s == STATUS_OK ? add_named(section, from, json, &base) : s;
    json_object_del(json, "name");
    char *rest = s == STATUS_OK ? json_dumps(json, JSON_REAL_PRECISION(17)) : NULL;
    const char *const changes[] = {rest};
    if (s == STATUS_OK && json_object_size(json) > 0) {
        const int pictures = io_document_find(section, SECTION ".pictures");
        s = io_config_agree_added(rest != NULL);
        s = s == STATUS_OK
                ? io_in_situ_change(section, io_document_count(section, pictures) - 1,
                                    base, 1, changes, out)
                : s;
    }
    if (s == STATUS_OK && *out == NULL) {
        *out = base;
        base = NULL;
    }
    io_config_destroy(&base);
    free(rest);
    json_decref(json);
    io_document_destroy(&twig);
    return s;
}
