#include "wishes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Fields in the making. */
typedef struct making {
    int nfields;
    const grid_field *its; /* [nfields]: of the data */
    integrals_fields *fields;
    int count;
    status status;
} making;

static const char *const axes[3] = {"x", "y", "z"};

/* Adds the recipe of a field by its name. */
static void add_name(making *m, const char *name)
{
    integrals_fields *w = m->fields;
    grid_recipe **grown =
        realloc(w->recipes, ((size_t)m->count + 1) * sizeof *w->recipes);
    if (!grown || m->status != STATUS_OK) {
        w->recipes = grown ? grown : w->recipes;
        m->status = m->status == STATUS_OK ? base_fail_memory(8, "recipes") : m->status;
        return;
    }
    w->recipes = grown;
    grown[m->count] = NULL;
    m->status =
        grid_recipe_create(name, m->nfields, m->its, w->fields.terms, &grown[m->count]);
    m->count += m->status == STATUS_OK;
}

/* Adds an expression, which is defined under its own text. */
static void add_text(making *m, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void add_text(making *m, const char *format, ...)
{
    char text[4096];
    va_list list;
    va_start(list, format);
    const int length = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (m->status == STATUS_OK) {
        m->status =
            length < (int)sizeof text
                ? frame_fields_define(&m->fields->fields, text, text)
                : base_fail(STATUS_USAGE, "an expression is too long: %.60s…", text);
    }
    add_name(m, text);
}

/* A field within an expression: its name in quotes, or the expression in brackets. */
static const char *term_of(const making *m, const char *name, char *out, size_t size)
{
    bool is_field = false;
    for (int n = 0; n < m->nfields && !is_field; n++) {
        is_field = strcmp(m->its[n].name, name) == 0;
    }
    snprintf(out, size, is_field && !strchr(name, '\'') ? "'%s'" : "(%s)", name);
    return out;
}

static void add_fluxes(making *m, const frame_fields *fields, const char *times)
{
    char term[1024];
    for (int n = 0; n < fields->count; n++) {
        term_of(m, fields->names[n], term, sizeof term);
        for (int axis = 0; axis < 3; axis++) {
            add_text(m, "%s * %svelocity.%s", term, times, axes[axis]);
        }
    }
}

/* The viscous stress of a Newtonian fluid, without bulk viscosity (Stokes). */
static void add_stress(making *m, const char *viscosity)
{
    for (int i = 0; i < 3; i++) {
        add_text(m, "(%s) * (2 * grad(velocity.%s).%s - 2 / 3 * div(velocity))",
                 viscosity, axes[i], axes[i]);
    }
    for (int i = 0; i < 3; i++) {
        const char *a = i == 2 ? "x" : axes[i], *b = i == 2 ? "z" : axes[i + 1];
        add_text(m, "(%s) * (grad(velocity.%s).%s + grad(velocity.%s).%s)", viscosity, a,
                 b, b, a);
    }
}

static void add_group(making *m, const frame_integrals_wish *wish, integrals_group group)
{
    integrals_fields *w = m->fields;
    if (group == INTEGRALS_FIELDS) {
        for (int n = 0; n < w->fields.count; n++) {
            add_name(m, w->fields.names[n]);
        }
    } else if (group == INTEGRALS_FLUXES) {
        add_fluxes(m, &w->fluxes, "");
    } else if (group == INTEGRALS_MASS) {
        for (int axis = 0; axis < 3 && wish->mass_flow; axis++) {
            add_text(m, "density * velocity.%s", axes[axis]);
        }
    } else if (group == INTEGRALS_CARRIED && wish->mass_flow) {
        add_fluxes(m, &w->fields, "density * ");
    } else if (group == INTEGRALS_PRESSURE && wish->force) {
        add_name(m, w->pressure.names[0]);
    } else if (group == INTEGRALS_STRESS && wish->viscosity) {
        add_stress(m, wish->viscosity);
    } else if (group == INTEGRALS_HEAT && wish->conductivity) {
        for (int axis = 0; axis < 3; axis++) {
            add_text(m, "-(%s) * grad(%s).%s", wish->conductivity, wish->temperature,
                     axes[axis]);
        }
    }
}

/* Finds the fields of another list, whose expressions become terms of its fields, too. */
static void find_others(making *m, const char *list, const grid_terms *terms,
                        frame_fields *out)
{
    integrals_fields *w = m->fields;
    if (m->status == STATUS_OK) {
        m->status = frame_fields_find(list, false, m->nfields, m->its, terms, out);
    }
    for (int n = 0; n < out->terms.ndefinitions && m->status == STATUS_OK; n++) {
        const grid_definition *d = &out->terms.definitions[n];
        bool has = false;
        for (int k = 0; k < w->fields.terms.ndefinitions; k++) {
            has = has || strcmp(w->fields.terms.definitions[k].name, d->name) == 0;
        }
        m->status = has ? STATUS_OK : frame_fields_define(&w->fields, d->name, d->text);
    }
}

status integrals_fields_make(const frame_integrals_wish *wish, int nfields,
                             const grid_field *its, const grid_terms *terms,
                             integrals_fields *out)
{
    making m = {.nfields = nfields, .its = its, .fields = out};
    *out = (integrals_fields){0};
    m.status = frame_fields_find(wish->fields, wish->all_fields, nfields, its, terms,
                                 &out->fields);
    find_others(&m, wish->flux, terms, &out->fluxes);
    find_others(&m, wish->pressure, terms, &out->pressure);
    if (m.status == STATUS_OK && out->pressure.count != 1) {
        m.status = base_fail(STATUS_USAGE, "pressure %s: give one field", wish->pressure);
    }
    for (int group = 0; group < INTEGRALS_GROUPS; group++) {
        out->first[group] = m.count;
        add_group(&m, wish, (integrals_group)group);
    }
    out->first[INTEGRALS_GROUPS] = m.count;
    return m.status;
}

void integrals_fields_clear(integrals_fields *fields)
{
    for (int n = 0; n < fields->first[INTEGRALS_GROUPS]; n++) {
        grid_recipe_destroy(&fields->recipes[n]);
    }
    free(fields->recipes);
    frame_fields_clear(&fields->fields);
    frame_fields_clear(&fields->fluxes);
    frame_fields_clear(&fields->pressure);
}
