/* What names stand for in expressions: definitions, fields, constants, vectors. */
#include "assemble.h"

#include "base/words.h"

#include <stdio.h>

static int add_input(compiler *c, const frame *f, int node, int field,
                     grid_location location)
{
    grid_recipe *r = c->recipe;
    int input = 0;
    if (c->when == GRID_OTHER && field < c->names->nfields &&
        c->names->fields[field].lacks_other) {
        return assemble_fail(c, f, node,
                             "the other data lack this field at these places");
    }
    field = grid_field_at(c->when, c->names->nfields, field);
    while (input < r->ninputs && r->fields[input] != field) {
        input++;
    }
    if (input == GRID_RECIPE_MAX_INPUTS) {
        return assemble_fail(c, f, node, DERIVE_TOO_MANY_INPUTS);
    }
    if (input == r->ninputs) {
        r->fields[input] = field;
        r->locations[input] = location;
        r->ninputs++;
    }
    return assemble(c, f, PROGRAM_SLOT, input, 0, 0);
}

static bool is_expanded(const frame *f, const char *name)
{
    while (f && strcmp(f->name, name) != 0) {
        f = f->outer;
    }
    return f != NULL;
}

/* The user's definition of a name, unless that is being expanded; or NULL. */
static const grid_definition *find_definition(const compiler *c, const frame *f,
                                              const char *name)
{
    for (int n = 0; n < c->names->terms->ndefinitions; n++) {
        const grid_definition *d = &c->names->terms->definitions[n];
        if (strcmp(d->name, name) == 0) {
            return is_expanded(f, name) ? NULL : d;
        }
    }
    return NULL;
}

/* A field of the data that says something; or -1. */
static int find_field(const compiler *c, const char *name)
{
    const int field = derive_find_field(c->names, name);
    return field >= 0 && !c->names->fields[field].is_void ? field : -1;
}

/* A field that every grid has (grid/field.h), or -1. */
static int find_own(const char *name)
{
    static const char *const names[] = {"x", "y", "z", "i", "j", "k", "time"};
    int n = 0;
    while (n < 7 && strcmp(names[n], name) != 0) {
        n++;
    }
    return n < 7 ? GRID_IMPLIED_X + n : -1;
}

static bool find_constant(const compiler *c, const char *name, double *value)
{
    const struct {
        const char *name;
        double value;
    } constants[] = {{"gamma", c->names->terms->gamma},
                     {"gas_constant", c->names->terms->gas_constant},
                     {"pi", 3.14159265358979323846},
                     {"nan", (double)NAN}};
    for (int n = 0; n < 4; n++) {
        if (strcmp(constants[n].name, name) == 0) {
            *value = constants[n].value;
            return true;
        }
    }
    return false;
}

/* Whether the name stands for a number, by itself. */
static bool is_number_name(const compiler *c, const frame *f, const char *name)
{
    double value;
    return find_field(c, name) >= 0 || find_constant(c, name, &value) ||
           find_own(name) >= 0 || (derive_find(name) && !is_expanded(f, name));
}

/* The name of a component of a vector. */
static void component_name(const char *vector, int axis, char name[EXPRESSION_NAME + 2])
{
    snprintf(name, EXPRESSION_NAME + 2, "%s_%c", vector, 'x' + axis);
}

int names_within(compiler *c, const frame *outer, const grid_definition *definition,
                 compile_within *function, int axis)
{
    const char *name = definition->name;
    enum { MOST = 10000 };
    char title[EXPRESSION_NAME + 16];
    expression *tree = NULL;
    if (++c->expanded > MOST) {
        c->status = base_fail(STATUS_USAGE,
                              "derive.%s: the definitions lead to too much: name fewer "
                              "of them in each other",
                              name);
        return -1;
    }
    const bool is_own = strcmp(name, definition->text) == 0; /* a text without a name */
    snprintf(title, sizeof title, is_own ? "the expression" : "derive.%s", name);
    const status s = expression_parse(title, definition->text, &tree);
    int result = -1;
    if (s == STATUS_OK) {
        const frame inner = {outer, name, tree};
        result = function(c, &inner, tree->root, axis);
    }
    c->status = c->status == STATUS_OK ? s : c->status;
    expression_destroy(&tree);
    return result;
}

static int vector_within(compiler *c, const frame *f, int node, int axis)
{
    (void)axis;
    return c->is_vector(c, f, node);
}

bool names_are_vector(compiler *c, const frame *f, const char *name)
{
    const grid_definition *d = find_definition(c, f, name);
    if (d) {
        return names_within(c, f, d, vector_within, SCALAR) == 1;
    }
    bool any = false;
    for (int axis = 0; axis < 3 && !is_number_name(c, f, name); axis++) {
        char component[EXPRESSION_NAME + 2];
        component_name(name, axis, component);
        any = any || find_definition(c, f, component) || is_number_name(c, f, component);
    }
    return any;
}

int names_fail(compiler *c, const frame *f, int node, const char *name)
{
    static const char *const others[] = {
        "x", "y", "z", "i", "j", "k", "time", "gamma", "gas_constant", "pi"};
    enum { OTHERS = 10, MOST = 400 };
    const char *names[MOST];
    char hint[EXPRESSION_NAME + 32], reason[EXPRESSION_NAME + 80];
    int count = 0;
    for (int n = 0; n < c->names->nfields && count < MOST / 2; n++) {
        names[count++] = c->names->fields[n].name;
    }
    for (int n = 0; derived_fields[n].name; n++) {
        names[count++] = derived_fields[n].name;
    }
    for (int n = 0; n < OTHERS; n++) {
        names[count++] = others[n];
    }
    base_words_hint(name, count, names, sizeof hint, hint);
    if (is_expanded(f, name)) {
        snprintf(reason, sizeof reason, "%s is defined by itself", name);
    } else {
        snprintf(reason, sizeof reason, "there is no field '%s'%s", name, hint);
    }
    return assemble_fail(c, f, node, reason);
}

/* A field that karman derives by itself. */
static int compile_derived(compiler *c, const frame *f, int node,
                           const derived_field *field)
{
    derive_missing missing;
    char list[300], reason[sizeof list + EXPRESSION_NAME + 40];
    const status s = derive_find_missing(c->names, field, &missing);
    c->status = c->status == STATUS_OK ? s : c->status;
    if (s == STATUS_OK && missing.count > 0) {
        derive_list_missing(&missing, sizeof list, list);
        snprintf(reason, sizeof reason, "%s cannot be derived without %s", field->name,
                 list);
        return assemble_fail(c, f, node, reason);
    }
    const grid_definition definition = derive_definition(field);
    return names_within(c, f, &definition, c->compile, SCALAR);
}

/* The number that a name stands for. */
static int compile_number_name(compiler *c, const frame *f, int node, const char *name)
{
    const grid_definition *d = find_definition(c, f, name);
    const int field = find_field(c, name), own = find_own(name);
    const derived_field *derived = derive_find(name);
    double constant;
    if (d) {
        return names_within(c, f, d, c->compile, SCALAR);
    }
    if (field >= 0) {
        return add_input(c, f, node, field, c->names->fields[field].location);
    }
    if (find_constant(c, name, &constant)) {
        return assemble_number(c, f, constant);
    }
    if (own >= 0) {
        return add_input(c, f, node, c->names->nfields + own, GRID_VERTEX);
    }
    return derived && !is_expanded(f, name) ? compile_derived(c, f, node, derived)
                                            : names_fail(c, f, node, name);
}

int names_compile(compiler *c, const frame *f, int node, int axis)
{
    const char *name = node_of(f, node)->name;
    const grid_definition *d = find_definition(c, f, name);
    char component[EXPRESSION_NAME + 2];
    if (axis == SCALAR) {
        return compile_number_name(c, f, node, name);
    }
    if (d) {
        return names_within(c, f, d, c->compile, axis);
    }
    component_name(name, axis, component);
    return compile_number_name(c, f, node, component);
}

bool names_are_unknown(const compiler *c, const frame *f, int node)
{
    const expression_node *n = node_of(f, node);
    return n->kind == EXPRESSION_FIELD && !find_definition(c, f, n->name) &&
           !is_number_name(c, f, n->name);
}
