#include "recipe.h"

#include "base/words.h"
#include "derive/derivation.h"
#include "quality.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Quantities that a derived field is computed from, at each point. */
enum {
    NEEDS_DENSITY = 1,
    NEEDS_VELOCITY_X = 2,
    NEEDS_VELOCITY_Y = 4,
    NEEDS_VELOCITY_Z = 8,
    NEEDS_VELOCITY = NEEDS_VELOCITY_X | NEEDS_VELOCITY_Y | NEEDS_VELOCITY_Z,
    NEEDS_PRESSURE = 16
};

typedef struct derived_field {
    const char *name;
    derive_kind kind;
    unsigned needs;
} derived_field;

static const derived_field derived_fields[] = {
    {"velocity_x", DERIVE_VELOCITY_X, NEEDS_VELOCITY_X},
    {"velocity_y", DERIVE_VELOCITY_Y, NEEDS_VELOCITY_Y},
    {"velocity_z", DERIVE_VELOCITY_Z, NEEDS_VELOCITY_Z},
    {"velocity_magnitude", DERIVE_VELOCITY_MAGNITUDE, NEEDS_VELOCITY},
    {"pressure", DERIVE_PRESSURE, NEEDS_PRESSURE},
    {"temperature", DERIVE_TEMPERATURE, NEEDS_PRESSURE | NEEDS_DENSITY},
    {"mach", DERIVE_MACH, NEEDS_PRESSURE | NEEDS_DENSITY | NEEDS_VELOCITY},
    {"vorticity_x", DERIVE_VORTICITY_X, NEEDS_VELOCITY_Y | NEEDS_VELOCITY_Z},
    {"vorticity_y", DERIVE_VORTICITY_Y, NEEDS_VELOCITY_Z | NEEDS_VELOCITY_X},
    {"vorticity_z", DERIVE_VORTICITY_Z, NEEDS_VELOCITY_X | NEEDS_VELOCITY_Y},
    {"vorticity_magnitude", DERIVE_VORTICITY_MAGNITUDE, NEEDS_VELOCITY},
    {"q_criterion", DERIVE_Q_CRITERION, NEEDS_VELOCITY},
    {"density_gradient_magnitude", DERIVE_DENSITY_GRADIENT_MAGNITUDE, NEEDS_DENSITY},
};

enum {
    DERIVED_FIELDS = sizeof derived_fields / sizeof derived_fields[0],
    OFFER_SIZE = 400 /* bytes of a list of fields in a message */
};

static const char *const source_names[DERIVE_SOURCES] = {
    [DERIVE_FROM_DENSITY] = "density",       [DERIVE_FROM_VELOCITY_X] = "velocity_x",
    [DERIVE_FROM_VELOCITY_Y] = "velocity_y", [DERIVE_FROM_VELOCITY_Z] = "velocity_z",
    [DERIVE_FROM_MOMENTUM_X] = "momentum_x", [DERIVE_FROM_MOMENTUM_Y] = "momentum_y",
    [DERIVE_FROM_MOMENTUM_Z] = "momentum_z", [DERIVE_FROM_ENERGY] = "energy",
    [DERIVE_FROM_PRESSURE] = "pressure",
};

/* ---- text that is put together ---------------------------------------------------- */

/* A message in the making; text beyond its size is cut off. */
typedef struct text {
    char bytes[1600];
    size_t length;
} text;

static void text_append(text *t, const char *piece)
{
    size_t room = sizeof t->bytes - 1 - t->length;
    size_t size = strlen(piece) < room ? strlen(piece) : room;
    memcpy(t->bytes + t->length, piece, size);
    t->length += size;
    t->bytes[t->length] = '\0';
}

/* Appends an item of a list, after a comma unless it is the first. */
static void text_append_item(text *t, size_t list_start, const char *item)
{
    text_append(t, t->length > list_start ? ", " : "");
    text_append(t, item);
}

/* ---- inputs of a derived field ----------------------------------------------------- */

static int find_field(const char *name, int nfields, const grid_field *fields)
{
    for (int field = 0; field < nfields; field++) {
        if (strncmp(fields[field].name, name, GRID_NAME_SIZE) == 0) {
            return field;
        }
    }
    for (int field = 0; field < nfields; field++) {
        if (strncmp(fields[field].alias, name, GRID_NAME_SIZE) == 0 && name[0] != '\0') {
            return field;
        }
    }
    return -1;
}

static const derived_field *find_derived(const char *name)
{
    for (int n = 0; n < DERIVED_FIELDS; n++) {
        if (strcmp(derived_fields[n].name, name) == 0) {
            return &derived_fields[n];
        }
    }
    return NULL;
}

/* The fields of the file that may serve as inputs, and the sources that are missing. */
typedef struct search {
    int nfields;
    const grid_field *fields;
    bool is_missing[DERIVE_SOURCES];
    text missing; /* the same as text for the message */
} search;

static bool has_source(const search *s, derive_source source)
{
    const int field = find_field(source_names[source], s->nfields, s->fields);
    return field >= 0 && !s->fields[field].is_void;
}

static bool has_void_energy(const search *s)
{
    const int field = find_field("energy", s->nfields, s->fields);
    return field >= 0 && s->fields[field].is_void;
}

static void add_input(grid_recipe *recipe, const search *s, int field)
{
    recipe->fields[recipe->ninputs] = field;
    recipe->locations[recipe->ninputs] = s->fields[field].location;
    recipe->ninputs++;
}

static void add_source(grid_recipe *recipe, const search *s, derive_source source)
{
    if (recipe->input_of[source] < 0) {
        recipe->input_of[source] = recipe->ninputs;
        add_input(recipe, s, find_field(source_names[source], s->nfields, s->fields));
    }
}

/* Adds a source. If it is missing, notes that, and the alternative that `instead`
 * names. */
static void need_source(grid_recipe *recipe, search *s, derive_source source,
                        const char *instead)
{
    if (has_source(s, source)) {
        add_source(recipe, s, source);
    } else if (!s->is_missing[source]) {
        s->is_missing[source] = true;
        text_append_item(&s->missing, 0, source_names[source]);
        text_append(&s->missing, instead);
    }
}

/* The velocity: a field of the file, or momentum divided by density. */
static void need_velocity(grid_recipe *recipe, search *s, int axis)
{
    derive_source velocity = (derive_source)(DERIVE_FROM_VELOCITY_X + axis);
    derive_source momentum = (derive_source)(DERIVE_FROM_MOMENTUM_X + axis);
    recipe->needs_velocity[axis] = true;
    if (!has_source(s, velocity) && has_source(s, momentum) &&
        has_source(s, DERIVE_FROM_DENSITY)) {
        add_source(recipe, s, momentum);
        add_source(recipe, s, DERIVE_FROM_DENSITY);
        return;
    }
    static const char *const instead[3] = {" (or density and momentum_x)",
                                           " (or density and momentum_y)",
                                           " (or density and momentum_z)"};
    need_source(recipe, s, velocity, instead[axis]);
}

/* The pressure: a field of the file, or from the conserved variables. */
static void need_pressure(grid_recipe *recipe, search *s)
{
    if (has_source(s, DERIVE_FROM_PRESSURE) || !has_source(s, DERIVE_FROM_DENSITY) ||
        !has_source(s, DERIVE_FROM_ENERGY)) {
        need_source(recipe, s, DERIVE_FROM_PRESSURE,
                    has_void_energy(s)
                        ? " (energy has one value everywhere, so pressure, temperature "
                          "and mach do not follow from it)"
                        : " (or density, momentum_x, momentum_y, momentum_z and energy)");
        return;
    }
    add_source(recipe, s, DERIVE_FROM_DENSITY);
    add_source(recipe, s, DERIVE_FROM_ENERGY);
    for (int axis = 0; axis < 3; axis++) {
        need_velocity(recipe, s, axis);
    }
}

/* Finds the inputs of a derived field; lists missing ones in s->missing. */
static grid_recipe resolve(const derived_field *derived, search *s)
{
    grid_recipe recipe = {.kind = derived->kind};
    for (int source = 0; source < DERIVE_SOURCES; source++) {
        recipe.input_of[source] = -1;
    }
    s->missing = (text){.length = 0};
    memset(s->is_missing, 0, sizeof s->is_missing);
    for (int axis = 0; axis < 3; axis++) {
        if (derived->needs & (NEEDS_VELOCITY_X << axis)) {
            need_velocity(&recipe, s, axis);
        }
    }
    if (derived->needs & NEEDS_DENSITY) {
        need_source(&recipe, s, DERIVE_FROM_DENSITY, "");
    }
    if (derived->needs & NEEDS_PRESSURE) {
        need_pressure(&recipe, s);
    }
    return recipe;
}

/* The quality of cells that a name stands for, or GRID_QUALITIES. */
static int find_quality(const char *name)
{
    int n = 0;
    while (n < GRID_QUALITIES && strcmp(grid_quality_fields[n].name, name) != 0) {
        n++;
    }
    return n;
}

const char *grid_recipe_derivable(int nfields, const grid_field *fields, int n)
{
    search s = {.nfields = nfields, .fields = fields};
    for (int d = 0; d < DERIVED_FIELDS; d++) {
        const derived_field *derived = &derived_fields[d];
        if (find_field(derived->name, nfields, fields) >= 0) {
            continue;
        }
        resolve(derived, &s);
        if (s.missing.length == 0 && n-- == 0) {
            return derived->name;
        }
    }
    for (int q = 0; q < GRID_QUALITIES; q++) {
        const char *name = grid_quality_fields[q].name;
        if (find_field(name, nfields, fields) < 0 && n-- == 0) {
            return name;
        }
    }
    return NULL;
}

/* ---- messages --------------------------------------------------------------------- */

/* Writes "; the data has: …; fields that can be derived: …". */
static void print_offer(int nfields, const grid_field *fields, size_t size, char *offer)
{
    const char *derived[DERIVED_FIELDS + GRID_QUALITIES + 1], **names = NULL;
    char has[OFFER_SIZE] = "no fields", can[OFFER_SIZE] = "none";
    int count = 0;
    while ((derived[count] = grid_recipe_derivable(nfields, fields, count)) != NULL) {
        count++;
    }
    names = malloc(((size_t)nfields + 1) * sizeof *names);
    for (int field = 0; names != NULL && field < nfields; field++) {
        names[field] = fields[field].name;
    }
    if (names != NULL && nfields > 0) {
        base_words_list(nfields, names, sizeof has, has);
    }
    if (count > 0) {
        base_words_list(count, derived, sizeof can, can);
    }
    free(names);
    snprintf(offer, size, "; the data has: %s; fields that can be derived: %s", has, can);
}

/* A suggestion for a misspelt name: a field of the data, or one that could be derived. */
static void print_hint(const char *name, int nfields, const grid_field *fields,
                       size_t size, char *hint)
{
    const int most = nfields + DERIVED_FIELDS + GRID_QUALITIES;
    const char **names = malloc((size_t)most * sizeof *names);
    int count = 0;
    hint[0] = '\0';
    for (; names != NULL && count < nfields; count++) {
        names[count] = fields[count].name;
    }
    for (int n = 0; names != NULL && n < DERIVED_FIELDS; n++) {
        names[count++] = derived_fields[n].name;
    }
    for (int n = 0; names != NULL && n < GRID_QUALITIES; n++) {
        names[count++] = grid_quality_fields[n].name;
    }
    if (names != NULL) {
        base_words_hint(name, count, names, size, hint);
    }
    free(names);
}

/* Whether other fields are derived from a field of this name. Then the name is right, and
 * the data lacks the field. */
static bool is_source(const char *name)
{
    int source = 0;
    while (source < DERIVE_SOURCES && strcmp(source_names[source], name) != 0) {
        source++;
    }
    return source < DERIVE_SOURCES;
}

static status fail_unknown(const char *name, int nfields, const grid_field *fields)
{
    char hint[GRID_NAME_SIZE + 32] = "", offer[2 * OFFER_SIZE + 64];
    if (!is_source(name)) {
        print_hint(name, nfields, fields, sizeof hint, hint);
    }
    print_offer(nfields, fields, sizeof offer, offer);
    return base_fail(STATUS_INPUT, "there is no field '%.*s'%s%s", GRID_NAME_SIZE, name,
                     hint, offer);
}

static status fail_missing(const char *name, const search *s)
{
    char offer[2 * OFFER_SIZE + 64];
    print_offer(s->nfields, s->fields, sizeof offer, offer);
    return base_fail(STATUS_INPUT,
                     "the data has no field %s, and it cannot be derived without %s%s",
                     name, s->missing.bytes, offer);
}

/* ---- recipes ---------------------------------------------------------------------- */

static status find_recipe(const char *name, int nfields, const grid_field *fields,
                          grid_recipe *recipe)
{
    search s = {.nfields = nfields, .fields = fields};
    int field = find_field(name, nfields, fields);
    if (field >= 0) {
        *recipe = (grid_recipe){.kind = DERIVE_COPY};
        add_input(recipe, &s, field);
        return STATUS_OK;
    }
    const derived_field *derived = find_derived(name);
    const int quality = find_quality(name);
    if (quality < GRID_QUALITIES) {
        *recipe = (grid_recipe){.kind = DERIVE_COPY,
                                .ninputs = 1,
                                .fields = {nfields + quality},
                                .locations = {GRID_CELL}};
        return STATUS_OK;
    }
    if (derived == NULL) {
        return fail_unknown(name, nfields, fields);
    }
    *recipe = resolve(derived, &s);
    return s.missing.length == 0 ? STATUS_OK : fail_missing(name, &s);
}

status grid_recipe_create(const char *name, int nfields, const grid_field *fields,
                          grid_gas gas, grid_recipe **out)
{
    grid_recipe recipe;
    status s = find_recipe(name, nfields, fields, &recipe);
    if (s != STATUS_OK) {
        return s;
    }
    recipe.gas = gas;
    snprintf(recipe.name, sizeof recipe.name, "%s", name);
    grid_recipe *copy = malloc(sizeof *copy);
    if (copy == NULL) {
        return base_fail_memory(sizeof *copy, "a recipe");
    }
    *copy = recipe;
    *out = copy;
    return STATUS_OK;
}

void grid_recipe_destroy(grid_recipe **recipe)
{
    if (recipe != NULL) {
        free(*recipe);
        *recipe = NULL;
    }
}

const char *grid_recipe_name(const grid_recipe *recipe)
{
    return recipe->name;
}

int grid_recipe_input_count(const grid_recipe *recipe)
{
    return recipe->ninputs;
}

int grid_recipe_input(const grid_recipe *recipe, int input)
{
    return recipe->fields[input];
}

grid_location grid_recipe_location(const grid_recipe *recipe)
{
    bool in_cells =
        !derive_is_gradient(recipe->kind) && !derive_has_input_at(recipe, GRID_VERTEX);
    return in_cells && !recipe->at_vertices ? GRID_CELL : GRID_VERTEX;
}

void grid_recipe_move_to_vertices(grid_recipe *recipe)
{
    recipe->at_vertices = true;
}

int grid_recipe_ghost_layers(const grid_recipe *recipe)
{
    bool averages = grid_recipe_location(recipe) == GRID_VERTEX &&
                    derive_has_input_at(recipe, GRID_CELL);
    return derive_reach(recipe->kind) + (averages ? 1 : 0);
}
