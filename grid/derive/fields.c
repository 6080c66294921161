/* The fields that karman derives by itself, as expressions of others. */
#include "fields.h"

#include "grid/expression/expression.h"

#include <stdio.h>
#include <string.h>

#define SPEED_SQUARED                                                                    \
    "(velocity_x * velocity_x + velocity_y * velocity_y + velocity_z * velocity_z)"

const derived_field derived_fields[] = {
    {"velocity_x",
     "momentum_x / density",
     {"density", "momentum_x"},
     "density and momentum_x",
     DERIVE_FORMULA},
    {"velocity_y",
     "momentum_y / density",
     {"density", "momentum_y"},
     "density and momentum_y",
     DERIVE_FORMULA},
    {"velocity_z",
     "momentum_z / density",
     {"density", "momentum_z"},
     "density and momentum_z",
     DERIVE_FORMULA},
    {"velocity_magnitude", "sqrt" SPEED_SQUARED, {NULL}, NULL, DERIVE_FORMULA},
    /* p = (gamma - 1) (E - rho |u|^2 / 2) of a perfect gas; E is total energy per
     * volume. */
    {"pressure",
     "(gamma - 1) * (energy - 0.5 * density * " SPEED_SQUARED ")",
     {"density", "energy"},
     "density, momentum_x, momentum_y, momentum_z and energy",
     DERIVE_FORMULA},
    {"temperature", "pressure / (density * gas_constant)", {NULL}, NULL, DERIVE_FORMULA},
    {"mach",
     "sqrt(" SPEED_SQUARED " / (gamma * pressure / density))",
     {NULL},
     NULL,
     DERIVE_FORMULA},
    /* By two components each: flows in a plane have no third one. */
    {"vorticity_x",
     "grad(velocity_z).y - grad(velocity_y).z",
     {NULL},
     NULL,
     DERIVE_VORTICITY_X},
    {"vorticity_y",
     "grad(velocity_x).z - grad(velocity_z).x",
     {NULL},
     NULL,
     DERIVE_VORTICITY_Y},
    {"vorticity_z",
     "grad(velocity_y).x - grad(velocity_x).y",
     {NULL},
     NULL,
     DERIVE_VORTICITY_Z},
    {"vorticity_magnitude",
     "mag(curl(velocity))",
     {NULL},
     NULL,
     DERIVE_VORTICITY_MAGNITUDE},
    {"q_criterion", "q(velocity)", {NULL}, NULL, DERIVE_Q_CRITERION},
    {"lambda2", "lambda2(velocity)", {NULL}, NULL, DERIVE_FORMULA},
    {"density_gradient_magnitude",
     "mag(grad(density))",
     {NULL},
     NULL,
     DERIVE_GRADIENT_MAGNITUDE},
    {NULL, NULL, {NULL}, NULL, DERIVE_COPY},
};

const derived_field *derive_find(const char *name)
{
    const derived_field *field = derived_fields;
    while (field->name && strcmp(field->name, name) != 0) {
        field++;
    }
    return field->name ? field : NULL;
}

grid_definition derive_definition(const derived_field *field)
{
    return (grid_definition){(char *)(uintptr_t)field->name,
                             (char *)(uintptr_t)field->text};
}

int derive_find_field(const derive_names *names, const char *name)
{
    for (int field = 0; field < names->nfields; field++) {
        if (strncmp(names->fields[field].name, name, GRID_NAME_SIZE) == 0) {
            return field;
        }
    }
    for (int field = 0; field < names->nfields; field++) {
        if (strncmp(names->fields[field].alias, name, GRID_NAME_SIZE) == 0 &&
            name[0] != '\0') {
            return field;
        }
    }
    return -1;
}

static const char void_energy[] = "energy has one value everywhere, so pressure, "
                                  "temperature and mach do not follow from it";

/* ---- What is missing --------------------------------------------------------------- */

static bool has_field(const derive_names *names, const char *name)
{
    const int field = derive_find_field(names, name);
    return field >= 0 && !names->fields[field].is_void;
}

static bool is_defined(const derive_names *names, const char *name)
{
    int n = 0;
    while (n < names->terms->ndefinitions &&
           strcmp(names->terms->definitions[n].name, name) != 0) {
        n++;
    }
    return n < names->terms->ndefinitions;
}

/* Whether an expression may lead to a field: the data have what it is built upon. */
static bool is_way(const derive_names *names, const derived_field *field)
{
    for (int n = 0; n < 2; n++) {
        if (field->given[n] && !has_field(names, field->given[n])) {
            return false;
        }
    }
    return true;
}

/* Notes a missing field once. */
static void note(const derive_names *names, const char *name, const char *instead,
                 derive_missing *out)
{
    const int energy = derive_find_field(names, "energy");
    int n = 0;
    while (n < out->count && strcmp(out->name[n], name) != 0) {
        n++;
    }
    if (n < out->count || n == DERIVE_MOST_MISSING) {
        return;
    }
    const bool is_void =
        strcmp(name, "pressure") == 0 && energy >= 0 && names->fields[energy].is_void;
    snprintf(out->name[n], sizeof out->name[n], "%s", name);
    out->instead[n] = is_void ? void_energy : instead;
    out->count++;
}

void derive_list_missing(const derive_missing *missing, size_t size, char *text)
{
    size_t length = 0;
    text[0] = '\0';
    for (int n = 0; n < missing->count && length < size; n++) {
        const char *instead = missing->instead[n];
        const bool is_void = instead == void_energy;
        length += (size_t)snprintf(text + length, size - length, "%s%s%s%s%s",
                                   n > 0 ? ", " : "", missing->name[n],
                                   !instead  ? ""
                                   : is_void ? " ("
                                             : " (or ",
                                   instead ? instead : "", instead ? ")" : "");
    }
}

static status find_missing(const derive_names *names, const derived_field *field,
                           derive_missing *out);

/* Notes what is missing for a name of a derived field's expression. */
static status find_name(const derive_names *names, const char *name, derive_missing *out)
{
    static const char *const constants[] = {"gamma", "gas_constant"};
    const derived_field *derived = derive_find(name);
    if (has_field(names, name) || is_defined(names, name) ||
        strcmp(name, constants[0]) == 0 || strcmp(name, constants[1]) == 0) {
        return STATUS_OK;
    }
    if (derived) {
        return find_missing(names, derived, out);
    }
    if (strcmp(name, "velocity") == 0) {
        status s = find_name(names, "velocity_x", out);
        s = s == STATUS_OK ? find_name(names, "velocity_y", out) : s;
        return s == STATUS_OK ? find_name(names, "velocity_z", out) : s;
    }
    note(names, name, NULL, out);
    return STATUS_OK;
}

/* Notes what is missing for a derived field, which the data do not have. */
static status find_missing(const derive_names *names, const derived_field *field,
                           derive_missing *out)
{
    if (!is_way(names, field)) {
        note(names, field->name, field->instead, out);
        return STATUS_OK;
    }
    expression *tree = NULL;
    status s = expression_parse(field->name, field->text, &tree);
    for (int n = 0; s == STATUS_OK && n < tree->count; n++) {
        if (tree->nodes[n].kind == EXPRESSION_FIELD) {
            s = find_name(names, tree->nodes[n].name, out);
        }
    }
    expression_destroy(&tree);
    return s;
}

status derive_find_missing(const derive_names *names, const derived_field *field,
                           derive_missing *out)
{
    *out = (derive_missing){.count = 0};
    return find_missing(names, field, out);
}
