#include "recipe.h"

#include "base/words.h"
#include "derive/compile.h"
#include "derive/made.h"
#include "quality.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    OFFER_SIZE = 400,  /* bytes of a list of fields in a message */
    MOST_DERIVED = 32, /* fields that karman derives by itself, and a few more */
};

_Static_assert((int)GRID_IMPLIED_X == (int)GRID_QUALITIES,
               "own fields follow each other");

/* ---- What there is ----------------------------------------------------------------- */

/* The quality of cells that a name stands for, or GRID_QUALITIES. */
static int find_quality(const char *name)
{
    int n = 0;
    while (n < GRID_QUALITIES && strcmp(grid_quality_fields[n].name, name) != 0) {
        n++;
    }
    return n;
}

/* Whether a derived field can be made from those of the data. */
static bool can_make(const derive_names *names, const derived_field *field)
{
    derive_missing missing;
    return derive_find_missing(names, field, &missing) == STATUS_OK && missing.count == 0;
}

const char *grid_recipe_derivable(int nfields, const grid_field *fields, int n)
{
    static const grid_terms terms = {.gamma = 1.4, .gas_constant = 1.0};
    const derive_names names = {nfields, fields, &terms};
    for (const derived_field *d = derived_fields; d->name; d++) {
        if (derive_find_field(&names, d->name) < 0 && can_make(&names, d) && n-- == 0) {
            return d->name;
        }
    }
    for (int q = 0; q < GRID_QUALITIES; q++) {
        const char *name = grid_quality_fields[q].name;
        if (derive_find_field(&names, name) < 0 && n-- == 0) {
            return name;
        }
    }
    return NULL;
}

/* ---- messages --------------------------------------------------------------------- */

/* Names that messages offer beside fields of the data: derived ones, that the user
 * defines, or that every grid has. Returns their number. */
static int list_others(const grid_terms *terms, const char *names[])
{
    int count = 0;
    for (const derived_field *d = derived_fields; d->name; d++) {
        names[count++] = d->name;
    }
    for (int q = 0; q < GRID_QUALITIES; q++) {
        names[count++] = grid_quality_fields[q].name;
    }
    for (int n = 0; n < terms->ndefinitions; n++) {
        names[count++] = terms->definitions[n].name;
    }
    return count;
}

/* Writes "; the data has: …; fields that can be derived: …". */
static void print_offer(int nfields, const grid_field *fields, size_t size, char *offer)
{
    const char *derived[MOST_DERIVED], **names = NULL;
    char has[OFFER_SIZE] = "no fields", can[OFFER_SIZE] = "none";
    int count = 0;
    while (count < MOST_DERIVED &&
           (derived[count] = grid_recipe_derivable(nfields, fields, count)) != NULL) {
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
static void print_hint(const char *name, const derive_names *all, size_t size, char *hint)
{
    const int most = all->nfields + MOST_DERIVED + all->terms->ndefinitions;
    const char **names = malloc((size_t)most * sizeof *names);
    int count = 0;
    hint[0] = '\0';
    for (; names != NULL && count < all->nfields; count++) {
        names[count] = all->fields[count].name;
    }
    if (names != NULL) {
        count += list_others(all->terms, names + count);
        base_words_hint(name, count, names, size, hint);
    }
    free(names);
}

/* Whether other fields are derived from a field of this name. Then the name is right, and
 * the data lacks the field. */
static bool is_source(const char *name)
{
    static const char *const names[] = {"density",    "momentum_x", "momentum_y",
                                        "momentum_z", "energy",     NULL};
    int n = 0;
    while (names[n] && strcmp(names[n], name) != 0) {
        n++;
    }
    return names[n] != NULL;
}

static status fail_unknown(const char *name, const derive_names *names)
{
    char hint[GRID_NAME_SIZE + 32] = "", offer[2 * OFFER_SIZE + 64];
    if (!is_source(name)) {
        print_hint(name, names, sizeof hint, hint);
    }
    print_offer(names->nfields, names->fields, sizeof offer, offer);
    return base_fail(STATUS_INPUT, "there is no field '%.*s'%s%s", GRID_NAME_SIZE, name,
                     hint, offer);
}

static status fail_missing(const char *name, const derive_names *names,
                           const derive_missing *missing)
{
    char offer[2 * OFFER_SIZE + 64], list[1000];
    print_offer(names->nfields, names->fields, sizeof offer, offer);
    derive_list_missing(missing, sizeof list, list);
    return base_fail(STATUS_INPUT,
                     "the data has no field %s, and it cannot be derived without %s%s",
                     name, list, offer);
}

/* ---- recipes ---------------------------------------------------------------------- */

/* The recipe of a field that there is, or of one that every grid has. */
static grid_recipe copy_of(int field, grid_location location)
{
    const derive_parts none = {-1, -1, -1};
    return (grid_recipe){.kind = DERIVE_COPY,
                         .ninputs = 1,
                         .fields = {field},
                         .locations = {location},
                         .quantity = {none, none, none},
                         .quotient = none};
}

static const grid_definition *find_definition(const grid_terms *terms, const char *name)
{
    for (int n = 0; n < terms->ndefinitions; n++) {
        if (strcmp(terms->definitions[n].name, name) == 0) {
            return &terms->definitions[n];
        }
    }
    return NULL;
}

static status find_recipe(const char *name, const derive_names *names,
                          grid_recipe *recipe)
{
    const grid_definition *definition = find_definition(names->terms, name);
    const int field = derive_find_field(names, name), quality = find_quality(name);
    const derived_field *derived = derive_find(name);
    derive_missing missing;
    if (definition) {
        return derive_compile(names, definition, recipe);
    }
    if (field >= 0) {
        *recipe = copy_of(field, names->fields[field].location);
        return STATUS_OK;
    }
    if (quality < GRID_QUALITIES) {
        *recipe = copy_of(names->nfields + quality, GRID_CELL);
        return STATUS_OK;
    }
    if (!derived) {
        return fail_unknown(name, names);
    }
    const status s = derive_find_missing(names, derived, &missing);
    if (s != STATUS_OK || missing.count > 0) {
        return s != STATUS_OK ? s : fail_missing(name, names, &missing);
    }
    const grid_definition own = derive_definition(derived);
    return derive_compile(names, &own, recipe);
}

status grid_recipe_create(const char *name, int nfields, const grid_field *fields,
                          grid_terms terms, grid_recipe **out)
{
    grid_recipe recipe;
    const derive_names names = {nfields, fields, &terms};
    status s = find_recipe(name, &names, &recipe);
    if (s != STATUS_OK) {
        return s;
    }
    snprintf(recipe.name, sizeof recipe.name, "%s", name);
    grid_recipe *copy = malloc(sizeof *copy);
    if (copy == NULL) {
        derive_clear(&recipe);
        return base_fail_memory(sizeof *copy, "a recipe");
    }
    *copy = recipe;
    *out = copy;
    return STATUS_OK;
}

void grid_recipe_destroy(grid_recipe **recipe)
{
    if (recipe != NULL && *recipe != NULL) {
        derive_clear(*recipe);
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

const grid_made *grid_recipe_made(const grid_recipe *recipe, int input)
{
    return recipe->made[input];
}

bool grid_recipe_takes_steps(const grid_recipe *recipe, int nfields)
{
    bool takes = false;
    for (int n = 0; n < recipe->ninputs && !takes; n++) {
        const grid_made *made = recipe->made[n];
        takes = made ? made->is_mean || grid_recipe_takes_steps(made->recipe, nfields)
                     : grid_field_when(nfields, recipe->fields[n]) != GRID_NOW;
    }
    return takes;
}

grid_location grid_recipe_location(const grid_recipe *recipe)
{
    return derive_location(recipe);
}

void grid_recipe_move_to_vertices(grid_recipe *recipe)
{
    recipe->at_vertices = true;
}

int grid_recipe_ghost_layers(const grid_recipe *recipe)
{
    return derive_layers(recipe);
}
