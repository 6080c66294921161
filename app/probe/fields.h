/* Lists of fields on command lines: names and expressions. */
#ifndef APP_PROBE_FIELDS_H
#define APP_PROBE_FIELDS_H

#include "base/status.h"
#include "grid/recipe.h"
#include "io/source.h"

/* Fields by name, and the terms that they can be made with. */
typedef struct app_fields {
    int count;
    char **names;     /* [count] */
    grid_terms terms; /* its own copy */
} app_fields;

/*
 * Takes the fields of a list, with commas between them; an expression is a field of its
 * own text. Without a list: none, or with `all` those of the data, then those that the
 * terms define. Local. Errors: STATUS_MEMORY; clear it then, too.
 */
status app_fields_find(const char *list, bool all, const io_source *source,
                       const grid_terms *terms, app_fields *out);

/* Defines a field, without listing it. Local. Errors: STATUS_MEMORY. */
status app_fields_define(app_fields *fields, const char *name, const char *text);

/* Whether a step (index) has all that a field is made from. Local. */
bool app_fields_are_there(const io_source *source, const grid_recipe *recipe, int step);

void app_fields_clear(app_fields *fields);

#endif
