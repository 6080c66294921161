#include "wishes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Wishes in the making. */
typedef struct making {
    const io_source *source;
    integrate_wishes *wishes;
    int count;
    status status;
} making;

static const char *const axes[3] = {"x", "y", "z"};

/* Adds the recipe of a field by its name. */
static void add_name(making *m, const char *name)
{
    integrate_wishes *w = m->wishes;
    grid_recipe **grown =
        realloc(w->recipes, ((size_t)m->count + 1) * sizeof *w->recipes);
    if (!grown || m->status != STATUS_OK) {
        w->recipes = grown ? grown : w->recipes;
        m->status = m->status == STATUS_OK ? base_fail_memory(8, "recipes") : m->status;
        return;
    }
    w->recipes = grown;
    grown[m->count] = NULL;
    m->status = grid_recipe_create(name, io_source_field_count(m->source),
                                   io_source_fields(m->source), w->fields.terms,
                                   &grown[m->count]);
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
                ? app_fields_define(&m->wishes->fields, text, text)
                : base_fail(STATUS_USAGE, "an expression is too long: %.60s…", text);
    }
    add_name(m, text);
}

/* A field within an expression: its name in quotes, or the expression in brackets. */
static const char *term_of(const making *m, const char *name, char *out, size_t size)
{
    bool is_field = false;
    for (int n = 0; n < io_source_field_count(m->source) && !is_field; n++) {
        is_field = strcmp(io_source_fields(m->source)[n].name, name) == 0;
    }
    snprintf(out, size, is_field && !strchr(name, '\'') ? "'%s'" : "(%s)", name);
    return out;
}

static void add_fluxes(making *m, const app_fields *fields, const char *times)
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

static void add_group(making *m, const app_integrate_request *r, integrate_group group)
{
    integrate_wishes *w = m->wishes;
    if (group == INTEGRATE_FIELDS) {
        for (int n = 0; n < w->fields.count; n++) {
            add_name(m, w->fields.names[n]);
        }
    } else if (group == INTEGRATE_FLUXES) {
        add_fluxes(m, &w->fluxes, "");
    } else if (group == INTEGRATE_MASS) {
        for (int axis = 0; axis < 3 && r->mass_flow; axis++) {
            add_text(m, "density * velocity.%s", axes[axis]);
        }
    } else if (group == INTEGRATE_CARRIED && r->mass_flow) {
        add_fluxes(m, &w->fields, "density * ");
    } else if (group == INTEGRATE_PRESSURE && r->force) {
        add_name(m, w->pressure.names[0]);
    } else if (group == INTEGRATE_STRESS && r->viscosity) {
        add_stress(m, r->viscosity);
    } else if (group == INTEGRATE_HEAT && r->conductivity) {
        for (int axis = 0; axis < 3; axis++) {
            add_text(m, "-(%s) * grad(%s).%s", r->conductivity, r->temperature,
                     axes[axis]);
        }
    }
}

/* Finds the fields of another list, whose expressions become terms of --fields, too. */
static status find_others(const char *list, const io_source *source,
                          const grid_terms *terms, integrate_wishes *w, app_fields *out)
{
    status s = app_fields_find(list, false, source, terms, out);
    for (int n = 0; n < out->terms.ndefinitions && s == STATUS_OK; n++) {
        const grid_definition *d = &out->terms.definitions[n];
        bool has = false;
        for (int k = 0; k < w->fields.terms.ndefinitions; k++) {
            has = has || strcmp(w->fields.terms.definitions[k].name, d->name) == 0;
        }
        s = has ? s : app_fields_define(&w->fields, d->name, d->text);
    }
    return s;
}

status integrate_wishes_make(const app_integrate_request *request,
                             const io_source *source, const grid_terms *terms,
                             integrate_wishes *out)
{
    const bool others =
        request->flux || request->mass_flow || request->force || request->conductivity;
    making m = {.source = source, .wishes = out};
    *out = (integrate_wishes){0};
    m.status = app_fields_find(request->fields, !others, source, terms, &out->fields);
    if (m.status == STATUS_OK) {
        m.status = find_others(request->flux, source, terms, out, &out->fluxes);
    }
    if (m.status == STATUS_OK) {
        m.status = find_others(request->pressure, source, terms, out, &out->pressure);
    }
    if (m.status == STATUS_OK && out->pressure.count != 1) {
        m.status =
            base_fail(STATUS_USAGE, "--pressure %s: give one field", request->pressure);
    }
    for (int group = 0; group < INTEGRATE_GROUPS; group++) {
        out->first[group] = m.count;
        add_group(&m, request, (integrate_group)group);
    }
    out->first[INTEGRATE_GROUPS] = m.count;
    return m.status;
}

void integrate_wishes_clear(integrate_wishes *wishes)
{
    for (int n = 0; n < wishes->first[INTEGRATE_GROUPS]; n++) {
        grid_recipe_destroy(&wishes->recipes[n]);
    }
    free(wishes->recipes);
    app_fields_clear(&wishes->fields);
    app_fields_clear(&wishes->fluxes);
    app_fields_clear(&wishes->pressure);
}
