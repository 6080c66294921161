#include "settings.h"

#include "grid/recipe.h"
#include "io/config/document/document.h"
#include "io/config/keys/keys.h"
#include "io/config/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 256 };

/* ---- Values ------------------------------------------------------------------------ */

static bool are_numbers(const json_t *list)
{
    const size_t count = json_array_size(list);
    for (size_t n = 0; n < count; n++) {
        if (!json_is_number(json_array_get(list, n))) {
            return false;
        }
    }
    return count > 0 && count <= STEER_MAX_NUMBERS;
}

/* Type, count and value of a setting; false for a value that cannot be set. */
static bool read_value(const io_key *key, const json_t *json,
                       steer_parameter *description, steer_value *value)
{
    const bool is_whole = key->type == IO_KEY_INT || key->type == IO_KEY_INT64;
    const steer_type number = is_whole ? STEER_INT : STEER_REAL;
    description->count = 1;
    if (json_is_boolean(json)) {
        description->type = STEER_BOOL;
        value->numbers[0] = json_is_true(json);
    } else if (json_is_number(json)) {
        description->type = number;
        value->numbers[0] = json_number_value(json);
    } else if (json_is_array(json) && are_numbers(json)) {
        description->type = number;
        description->count = (int)json_array_size(json);
        for (int n = 0; n < description->count; n++) {
            value->numbers[n] = json_number_value(json_array_get(json, (size_t)n));
        }
    } else if (json_is_string(json)) {
        description->type = key->type == IO_KEY_CHOICE ? STEER_CHOICE : STEER_TEXT;
        return snprintf(value->text, sizeof value->text, "%s", json_string_value(json)) <
               (int)sizeof value->text;
    } else {
        description->type = STEER_TEXT;
        char *text = json_is_array(json)
                         ? json_dumps(json, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15))
                         : NULL;
        const bool fits = text && strlen(text) < sizeof value->text;
        if (fits) {
            memcpy(value->text, text, strlen(text) + 1);
        }
        free(text);
        return fits;
    }
    return true;
}

/* ---- Menus ------------------------------------------------------------------------- */

enum { MOST_CHOICES = 512 };

/* The words of a choice, and the names that a menu proposes for a text. NULL offers none
 * of these. Returns their number. */
static int list_choices(const settings_offers *offers, const io_key *key,
                        const char *choices[MOST_CHOICES])
{
    const char *derived = NULL;
    int count = 0;
    for (const io_key_word *w = key->words; w && w->word && count < MOST_CHOICES; w++) {
        choices[count++] = w->word;
    }
    if (!offers) {
        return count;
    }
    const int nfields = offers->nfields;
    const grid_field *fields = offers->fields;
    for (int n = 0; key->offers == IO_OFFERS_COLORS && n < offers->ncolors; n++) {
        choices[count++] = offers->colors[n];
    }
    if (key->offers != IO_OFFERS_FIELDS) {
        return count;
    }
    for (int n = 0; n < nfields && count < MOST_CHOICES; n++) {
        choices[count++] = fields[n].name;
    }
    for (int n = 0; nfields > 0 && count < MOST_CHOICES &&
                    (derived = grid_recipe_derivable(nfields, fields, n));
         n++) {
        choices[count++] = derived;
    }
    return count;
}

void settings_offers_colors(settings_offers *offers)
{
    offers->ncolors = io_colormap_names(offers->colors);
}

void settings_offers_clear(settings_offers *offers)
{
    for (int n = 0; n < offers->ncolors; n++) {
        free(offers->colors[n]);
    }
    offers->ncolors = 0;
}

/* Whether a key may be missing, and lists show that as "none". */
static bool may_lack(const io_key *key)
{
    return key->absent && strcmp(key->absent, "none") == 0;
}

/* ---- Listing ----------------------------------------------------------------------- */

/* A listing under way. */
typedef struct listing {
    const settings_offers *offers;
    settings_take *take;
    void *context;
    bool times; /* of pictures, whose table is another one */
} listing;

static status list_value(const listing *l, const io_key *key, const char *path,
                         const json_t *json)
{
    steer_value value = {.text = ""};
    steer_parameter description = {.name = path};
    char help[256];
    const char *choices[MOST_CHOICES];
    if (!read_value(key, json, &description, &value)) {
        return STATUS_OK;
    }
    io_key_plain(key->help, sizeof help, help);
    io_key_limits(key, &description.min, &description.max);
    description.may_lack = may_lack(key);
    description.unit = key->unit;
    description.help = help;
    description.nchoices = list_choices(l->offers, key, choices);
    description.choices = choices;
    return l->take(l->context, &description, &value);
}

static status list_all(const listing *l, const char *path, json_t *json);

/* Lists the items of a list of mappings, such as the layers. */
static status list_items(const listing *l, const char *path, json_t *list)
{
    status s = STATUS_OK;
    for (size_t n = 0; n < json_array_size(list) && s == STATUS_OK; n++) {
        char below[PATH_SIZE];
        if (snprintf(below, sizeof below, "%s.%zu", path, n) < (int)sizeof below) {
            s = list_all(l, below, json_array_get(list, n));
        }
    }
    return s;
}

/* The text that stands for a missing key of which lists show that it is not set; NULL:
 * lists leave it out. */
static const char *unset_text(const io_key *key)
{
    const bool is_list = key->type == IO_KEY_SECTION && key->many == IO_KEY_COUNTED;
    return may_lack(key) ? "none" : is_list ? key->fallback : NULL;
}

/* Lists the keys of a table that a mapping lacks. */
static status list_unset(const listing *l, const io_key *keys, const char *path,
                         const json_t *json)
{
    status s = STATUS_OK;
    for (const io_key *key = keys; key && key->name && s == STATUS_OK; key++) {
        const char *text = unset_text(key);
        char below[PATH_SIZE];
        if (text && !json_object_get(json, key->name) &&
            snprintf(below, sizeof below, "%s%s%s", path, path[0] ? "." : "", key->name) <
                (int)sizeof below) {
            json_t *value = json_string(text);
            s = list_value(l, key, below, value);
            json_decref(value);
        }
    }
    return s;
}

/* Lists the settings in a value and in all that is nested in it. */
static status list_all(const listing *l, const char *path, json_t *json)
{
    bool is_steerable = false;
    const io_key *known = io_keys_find(io_config_keys, path, &is_steerable);
    if (!known && l->times) {
        char above[PATH_SIZE];
        snprintf(above, sizeof above, "pictures.%s", path);
        known = io_keys_find(io_config_in_situ_keys, above, NULL);
        is_steerable = known != NULL;
    }
    if (known && (known->flags & IO_KEY_WHOLE) != 0) {
        return is_steerable ? list_value(l, known, path, json) : STATUS_OK;
    }
    if (known && json_is_array(json) && known->below) {
        return list_items(l, path, json);
    }
    if (!json_is_object(json)) {
        return is_steerable ? list_value(l, known, path, json) : STATUS_OK;
    }
    const char *key;
    json_t *value;
    status s = STATUS_OK;
    json_object_foreach(json, key, value)
    {
        char below[PATH_SIZE];
        if (s == STATUS_OK &&
            snprintf(below, sizeof below, "%s.%s", path, key) < (int)sizeof below) {
            s = list_all(l, below, value);
        }
    }
    return s == STATUS_OK && known && is_steerable
               ? list_unset(l, known->below, path, json)
               : s;
}

/* Gives each layer `shown` as its last key: the canonical form omits its default. */
static void add_shown(const json_t *config)
{
    size_t n;
    json_t *layer;
    json_array_foreach(json_object_get(config, "layers"), n, layer)
    {
        const bool hides = json_is_false(json_object_get(layer, "shown"));
        json_object_del(layer, "shown");
        json_object_set_new(layer, "shown", json_boolean(!hides));
    }
}

/* Keys that people turn to first; the others follow in the order of the table. */
static const char *const first_keys[] = {"camera", "layers", "clip"};
enum { FIRST_KEYS = sizeof first_keys / sizeof first_keys[0] };

static bool is_first(const char *name)
{
    for (int n = 0; n < FIRST_KEYS; n++) {
        if (strcmp(first_keys[n], name) == 0) {
            return true;
        }
    }
    return false;
}

/* Lists a key of the whole config, set or not. */
static status list_key(const listing *l, const io_key *key, const json_t *config)
{
    json_t *value = json_object_get(config, key->name);
    const io_key alone[] = {*key, {0}};
    return value                           ? list_all(l, key->name, value)
           : key->flags & IO_KEY_STEERABLE ? list_unset(l, alone, "", config)
                                           : STATUS_OK;
}

status settings_list(const char *canonical, const settings_offers *offers,
                     settings_take *take, void *context)
{
    const listing l = {offers, take, context, false};
    json_t *config = json_loads(canonical, 0, NULL);
    if (!config) {
        return base_fail_memory(strlen(canonical), "the settings of a picture");
    }
    add_shown(config);
    status s = STATUS_OK;
    for (int n = 0; n < FIRST_KEYS && s == STATUS_OK; n++) {
        const char *name = first_keys[n];
        s = list_key(&l, io_keys_get(io_config_keys, name, strlen(name)), config);
    }
    for (const io_key *key = io_config_keys; key->name && s == STATUS_OK; key++) {
        s = is_first(key->name) ? s : list_key(&l, key, config);
    }
    json_decref(config);
    return s;
}

status settings_list_times(const io_in_situ *in_situ, int index,
                           const settings_offers *offers, settings_take *take,
                           void *context)
{
    const listing l = {offers, take, context, true};
    char path[64];
    snprintf(path, sizeof path, "in_situ.pictures.%d", index);
    char *text =
        io_document_json_text(in_situ->given, io_document_find(in_situ->given, path));
    json_t *json = text ? json_loads(text, 0, NULL) : NULL;
    status s = json ? STATUS_OK : base_fail_memory(0, "the times of a picture");
    for (int n = 0; n < IO_CONFIG_TRIGGER_KEYS && s == STATUS_OK; n++) {
        const char *name = io_config_trigger_keys[n];
        json_t *value = json_object_get(json, name);
        json_t *unset = value ? NULL : json_string("none");
        s = list_all(&l, name, value ? value : unset);
        json_decref(unset);
    }
    json_decref(json);
    free(text);
    return s;
}

json_t *settings_kinds(void)
{
    const io_layer_sample *samples = io_config_layer_samples();
    json_t *list = json_array();
    for (int n = 1; list && n <= IO_LAYER_KINDS; n++) {
        const io_layer_sample *of = &samples[n % IO_LAYER_KINDS]; /* the volume last */
        json_array_append_new(
            list, json_pack("{s:s, s:s}", "kind", of->kind, "sample", of->text));
    }
    return list;
}
