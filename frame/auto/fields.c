/* Chooses a field to draw if the config names none. */
#include "values.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* The first of these that the file has, or that can be derived: what is rare shows best
 * in a volume, what fills the flow on a sheet. */
enum { FAVOURITES = 3 };
static const char *const of_volumes[FAVOURITES] = {"vorticity_magnitude", "mach"};
static const char *const of_sheets[FAVOURITES] = {"mach", "velocity_magnitude",
                                                  "pressure"};

bool auto_can_make(const frame_auto_data *data, const char *name)
{
    const int count = io_source_field_count(data->source);
    const grid_field *fields = io_source_fields(data->source);
    const grid_terms *terms = &data->config->terms;
    const char *derived = NULL;
    for (int n = 0; n < terms->ndefinitions; n++) {
        if (strcmp(terms->definitions[n].name, name) == 0) {
            return true;
        }
    }
    for (int n = 0; n < count; n++) {
        if (strcmp(fields[n].name, name) == 0) {
            return true;
        }
    }
    for (int n = 0; (derived = grid_recipe_derivable(count, fields, n)) != NULL; n++) {
        if (strcmp(derived, name) == 0) {
            return true;
        }
    }
    return false;
}

/* Fails if there is no such field. Otherwise it would become an override, and a later
 * message would name a key that the user did not write. */
static status check_wanted(const frame_auto_data *data, const char *wanted)
{
    grid_recipe *recipe = NULL;
    status s =
        grid_recipe_create(wanted, io_source_field_count(data->source),
                           io_source_fields(data->source), data->config->terms, &recipe);
    grid_recipe_destroy(&recipe);
    if (s == STATUS_INPUT || s == STATUS_USAGE) {
        char message[2048];
        snprintf(message, sizeof message, "--field %s: %s", wanted, base_fail_message());
        base_fail_set_message(message);
    }
    return s;
}

/* Whether a name is one of marks of points, such as IBLANK or wall_mask. */
static bool is_name_of_marks(const char *name)
{
    static const char *const words[] = {"blank", "mask", "flag", "status"};
    char lower[GRID_NAME_SIZE] = "";
    bool is = false;
    for (int n = 0; n + 1 < GRID_NAME_SIZE && name[n] != '\0'; n++) {
        lower[n] = (char)tolower((unsigned char)name[n]);
    }
    for (size_t n = 0; n < sizeof words / sizeof words[0]; n++) {
        is = is || strstr(lower, words[n]);
    }
    return is;
}

/* Whether a field marks points or counts something: integers that no factor scales. */
static bool is_mark(const io_source *source, int field)
{
    const io_unpacking *unpacking = io_source_unpacking(source, field);
    const bool is_real =
        unpacking->type == IO_STORED_FLOAT32 || unpacking->type == IO_STORED_FLOAT64;
    return (!is_real && !unpacking->is_scaled) ||
           is_name_of_marks(io_source_fields(source)[field].name);
}

/* The first field with values of a flow; without one, the first. */
static const char *first_field(const io_source *source)
{
    const int count = io_source_field_count(source);
    int first = 0;
    while (first < count && is_mark(source, first)) {
        first++;
    }
    return count == 0 ? NULL : io_source_fields(source)[first < count ? first : 0].name;
}

/* Whether the energy says nothing of the flow. A pressure that stands beside it mostly
 * follows from it, and so does the Mach number. */
static bool has_void_energy(const io_source *source)
{
    bool has = false;
    for (int n = 0; n < io_source_field_count(source); n++) {
        has = has || io_source_fields(source)[n].is_void;
    }
    return has;
}

/* The first of these names that can be made; NULL: none. */
static const char *first_of(const frame_auto_data *data, const char *const names[])
{
    const bool lacks_mach = has_void_energy(data->source);
    const char *found = NULL;
    for (int n = 0; n < FAVOURITES && names[n] && !found; n++) {
        const bool is_good = auto_can_make(data, names[n]) &&
                             !(lacks_mach && strcmp(names[n], "mach") == 0);
        found = is_good ? names[n] : NULL;
    }
    return found;
}

static bool is_listed(const char *name, const char *const names[], int count)
{
    bool is = false;
    for (int n = 0; n < count; n++) {
        is = is || strcmp(names[n], name) == 0;
    }
    return is;
}

int auto_candidates(const frame_auto_data *data, const char *chosen,
                    const char *names[AUTO_MOST_CANDIDATES])
{
    const int fields = io_source_field_count(data->source);
    int count = 0;
    for (int n = 0; is_listed(chosen, of_volumes, 2) && n < FAVOURITES; n++) {
        names[count++] = of_sheets[n];
    }
    if (!is_listed(chosen, names, count)) {
        names[count++] = chosen;
    }
    for (int n = 0; n < fields && count < AUTO_MOST_CANDIDATES; n++) {
        const char *name = io_source_fields(data->source)[n].name;
        if (!is_mark(data->source, n) && !is_listed(name, names, count)) {
            names[count++] = name;
        }
    }
    return count;
}

/* Whether a block has so few vertices along an axis, and many more along the others. */
static bool is_thin(const int64_t n[3], int axis)
{
    const int64_t u = n[(axis + 1) % 3], v = n[(axis + 2) % 3];
    return (n[axis] == 2 && u > 2 && v > 2) || (n[axis] == 3 && u > 12 && v > 12);
}

int auto_sheet_axis(const frame_auto_data *data)
{
    const grid_block *blocks = io_source_blocks(data->source);
    const int count = io_source_block_count(data->source);
    int axis = io_source_flat_axis(data->source);
    for (int a = 2; a >= 0 && axis < 0; a--) {
        bool are_thin = count > 0;
        for (int b = 0; b < count && are_thin; b++) {
            are_thin = is_thin(blocks[b].n, a);
        }
        axis = are_thin ? a : -1;
    }
    return axis;
}

void frame_auto_difference(const char *field, char name[AUTO_DIFFERENCE_SIZE],
                           char text[AUTO_DIFFERENCE_SIZE])
{
    bool is_word = true;
    snprintf(name, AUTO_DIFFERENCE_SIZE, "%.40s_difference", field);
    for (char *c = name; *c != '\0'; c++) {
        is_word = is_word && (isalnum((unsigned char)*c) || *c == '_');
        *c = isalnum((unsigned char)*c) ? *c : '_';
    }
    snprintf(text, AUTO_DIFFERENCE_SIZE,
             is_word ? "%s - other(%s)" : "'%s' - other('%s')", field, field);
}

/* Chooses a field. is_slice: it is for a slice, which shows best what fills the flow.
 * Beside other data, it is the difference of it, which is defined. */
static status choose(const frame_auto_data *data, const char *wanted, bool is_slice,
                     frame_auto_values *values, char out[AUTO_DIFFERENCE_SIZE])
{
    char text[AUTO_DIFFERENCE_SIZE], key[AUTO_DIFFERENCE_SIZE + 16];
    const char *found =
        first_of(data, is_slice || auto_sheet_axis(data) >= 0 ? of_sheets : of_volumes);
    found = wanted ? wanted : found ? found : first_field(data->source);
    if (!found) {
        return base_fail(STATUS_INPUT,
                         "%s holds a grid but no field to draw: name one that every "
                         "grid has, such as cell_skewness, or layers that need none, "
                         "such as 'layers: [{grid: {}}]'",
                         io_source_path(data->source));
    }
    snprintf(out, AUTO_DIFFERENCE_SIZE, "%s", found);
    if (wanted || !data->config->other) {
        return wanted ? check_wanted(data, wanted) : STATUS_OK;
    }
    frame_auto_difference(found, out, text);
    snprintf(key, sizeof key, "derive.%s", out);
    return auto_values_add(values, NULL, key, "\"%s\"", text);
}

/* Whether a layer still lacks the name of its field. */
static bool is_open(const io_layer_config *layer)
{
    const bool takes_field =
        layer->kind == IO_LAYER_CONTOUR || layer->kind == IO_LAYER_ISOSURFACE;
    return layer->volume ? !layer->volume->field : takes_field && !layer->tool->field;
}

static status name_field(const frame_auto_data *data, const io_config *config, int layer,
                         const char *wanted, frame_auto_values *values)
{
    char key[64], field[AUTO_DIFFERENCE_SIZE] = "";
    const io_layer_kind kind = config->layers[layer].kind;
    status s = choose(data, wanted, kind == IO_LAYER_CONTOUR, values, field);
    snprintf(key, sizeof key, "layers.%d.%s.field", layer, io_config_kind_name(kind));
    return s == STATUS_OK ? auto_values_add(values, NULL, key, "\"%s\"", field)
           : wanted       ? s
                          : io_config_blame(config, key, s);
}

/* The look of a picture whose layers are found: a quiet background, for a volume a dark
 * one, as its thin parts take the colour of what is behind. */
static status add_look(const io_config *config, bool is_volume, frame_auto_values *values)
{
    const char *look = io_config_given(config, "look");
    const bool is_open = !look || strcmp(look, "auto") == 0;
    if (io_config_given(config, "image.background")) {
        return look && is_open ? auto_values_add(values, NULL, "look", "none")
                               : STATUS_OK;
    }
    return !is_open
               ? STATUS_OK
               : auto_values_add(values, NULL, "look", is_volume ? "dark" : "screen");
}

/* The layers of a config without any. */
static status add_layers(const frame_auto_data *data, const char *wanted,
                         const io_config *config, frame_auto_values *values)
{
    char field[AUTO_DIFFERENCE_SIZE] = "";
    const int axis = auto_sheet_axis(data);
    const bool is_bare = io_source_field_count(data->source) == 0;
    const status looks = add_look(config, !is_bare && axis < 0, values);
    if (looks != STATUS_OK) {
        return looks;
    }
    if (!wanted && is_bare) {
        return auto_values_add(values, NULL, "layers", "[{grid: {}}, {outline: {}}]");
    }
    status s = choose(data, wanted, false, values, field);
    if (s == STATUS_OK && is_bare) {
        return auto_values_add(values, NULL, "layers", "[{grid: {color_by: \"%s\"}}]",
                               field);
    }
    if (s == STATUS_OK && axis >= 0) {
        s = auto_values_add(values, NULL, "layers", "[{contour: {field: \"%s\", %c: 0}}]",
                            field, "ijk"[axis]);
    } else if (s == STATUS_OK) {
        s = auto_values_add(values, NULL, "layers", "[{volume: {field: \"%s\"}}]", field);
    }
    return s == STATUS_OK ? auto_values_add_later(values, config, "layers.0.") : s;
}

status frame_auto_fields(const frame_auto_data *data, const char *wanted,
                         frame_auto_values *values, io_config **config)
{
    const int first = values->count;
    const io_config *c = *config;
    status s = STATUS_OK;
    values->is_field_given = wanted || c->data.other;
    bool shows = c->volume != NULL;
    for (int n = 0; n < c->nlayers && !shows; n++) {
        shows = is_open(&c->layers[n]);
    }
    if (wanted && c->nlayers > 0 && !shows) {
        return base_fail(
            STATUS_USAGE,
            "--field %s: the config has no volume to show it: name a layer for "
            "it, such as --set layers.0.%s.field=%s",
            wanted, io_config_kind_name(c->layers[0].kind), wanted);
    }
    if (c->nlayers == 0) {
        s = add_layers(data, wanted, c, values);
    } else if (io_config_given(c, "look") &&
               strcmp(io_config_given(c, "look"), "auto") == 0) {
        s = add_look(c, c->volume != NULL, values);
    }
    for (int n = 0; n < c->nlayers && s == STATUS_OK; n++) {
        const bool is_wanted = wanted && c->layers[n].volume;
        if (is_wanted || is_open(&c->layers[n])) {
            s = name_field(data, c, n, wanted, values);
        }
    }
    return s == STATUS_OK ? auto_values_apply(values, first, config) : s;
}
