/* Lists of fields on command lines: names and expressions. */
#ifndef FRAME_INTEGRALS_FIELDS_H
#define FRAME_INTEGRALS_FIELDS_H

#include "base/status.h"
#include "grid/recipe.h"
#include "io/source.h"

/* Fields by name, and the terms that they can be made with. */
typedef struct frame_fields {
    int count;
    char **names;     /* [count] */
    grid_terms terms; /* its own copy */
} frame_fields;

/*
 * Takes the fields of a list, with commas between them; an expression is a field of its
 * own text. Without a list: none, or with `all` those of the data, then those that the
 * terms define; its: [nfields]. Local. Errors: STATUS_MEMORY; clear it then, too.
 */
status frame_fields_find(const char *list, bool all, int nfields, const grid_field *its,
                         const grid_terms *terms, frame_fields *out);

/* Defines a field, without listing it. Local. Errors: STATUS_MEMORY. */
status frame_fields_define(frame_fields *fields, const char *name, const char *text);

void frame_fields_clear(frame_fields *fields);

#endif
