/* Inside grid: the fields that karman derives by itself, and what names stand for. */
#ifndef GRID_DERIVE_FIELDS_H
#define GRID_DERIVE_FIELDS_H

#include "derivation.h"

/* A field that karman derives by itself, if the data lack it. */
typedef struct derived_field {
    const char *name, *text; /* its expression */
    const char *given[2]; /* fields without which the expression is no way to it; NULL */
    const char *instead;  /* names them all, for messages */
    derive_kind kind;     /* of a kernel of its own, or DERIVE_FORMULA */
} derived_field;

extern const derived_field derived_fields[];

/* The derived field of this name, or NULL. */
const derived_field *derive_find(const char *name);

/* It as a definition, which borrows. */
grid_definition derive_definition(const derived_field *field);

/* What names stand for: fields of the data, and the terms of a config. */
typedef struct derive_names {
    int nfields;
    const grid_field *fields;
    const grid_terms *terms;
} derive_names;

/* The field of the data with this name or alias, or -1. */
int derive_find_field(const derive_names *names, const char *name);

/* Fields that a derived field needs and the data lack. */
enum { DERIVE_MOST_MISSING = 12 };
typedef struct derive_missing {
    int count;
    char name[DERIVE_MOST_MISSING][GRID_NAME_SIZE];
    const char *instead[DERIVE_MOST_MISSING]; /* or NULL */
} derive_missing;

/* Writes them into a text, separated by commas. */
void derive_list_missing(const derive_missing *missing, size_t size, char *text);

/*
 * Lists what is missing for a derived field; nothing if it can be made. Local. Errors:
 * STATUS_MEMORY.
 */
status derive_find_missing(const derive_names *names, const derived_field *field,
                           derive_missing *out);

#endif
