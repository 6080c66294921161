/* Fields of a file, and what other fields are derived with. */
#ifndef GRID_FIELD_H
#define GRID_FIELD_H

#include "layout.h"
#include "view.h"

#include <stdbool.h>

/* A field that a source offers. */
typedef struct grid_field {
    char name[GRID_NAME_SIZE];
    grid_location location;
    char alias[GRID_NAME_SIZE]; /* another name for it, as the file has it; "": none */
    uint8_t closing;  /* in cells: bits of axes along which there are as many cells as
                         vertices, since the last cells lead back to the first vertices */
    bool lacks_other; /* other data (GRID_OTHER) do not have it at the same places */
    bool is_void;     /* of energy: says nothing of the flow (io/sources/energy.h) */
} grid_field;

/* A field that the user defines by an expression (expression/expression.h). */
typedef struct grid_definition {
    char *name, *text;
} grid_definition;

/* What derived fields are made with, beside fields of the data. */
typedef struct grid_terms {
    double gamma;        /* ratio of specific heats of a perfect gas, > 1 */
    double gas_constant; /* R in p = rho R T, > 0 */
    bool has_other;      /* the source has other data beside it: GRID_OTHER */
    int ndefinitions;
    const grid_definition *definitions; /* [ndefinitions]; they go before fields of the
                                           data with the same names */
} grid_terms;

/* Compares terms; copies them with their definitions (false without memory); frees the
 * definitions of a copy. Local. */
bool grid_terms_are_same(const grid_terms *a, const grid_terms *b);
bool grid_terms_copy(const grid_terms *from, grid_terms *out);
void grid_terms_clear(grid_terms *copy);

/*
 * Fields that every grid has, whatever its data: sources offer them behind the fields of
 * the data. First those of grid/quality.h; then, for expressions, coordinates of the data
 * and indices from 0 at vertices, and the time of the step at vertices and in cells.
 */
enum {
    GRID_IMPLIED_X = 3, /* y and z follow */
    GRID_IMPLIED_I = 6, /* j and k follow */
    GRID_IMPLIED_TIME = 9,
    GRID_IMPLIED_TIME_OF_CELLS = 10,
    GRID_IMPLIED_FIELDS = 11 /* how many */
};

/* All of these again: as they were at the step before, previous() of expressions; and
 * those of other data on the same grid, other(). */
typedef enum grid_when { GRID_NOW, GRID_BEFORE, GRID_OTHER, GRID_WHENS } grid_when;

/* In place of the index of a field: it is made (made.h), and has its own times within. */
enum { GRID_FIELD_MADE = 1 << 30 };

/* The number of a field of GRID_NOW at another one, and back. Coordinates, below 0, and
 * fields that are made are of GRID_NOW. */
static inline int grid_field_at(grid_when when, int nfields, int field)
{
    return (int)when * (nfields + GRID_IMPLIED_FIELDS) + field;
}

static inline grid_when grid_field_when(int nfields, int field)
{
    const bool is_now = field < 0 || field == GRID_FIELD_MADE;
    return is_now ? GRID_NOW : (grid_when)(field / (nfields + GRID_IMPLIED_FIELDS));
}

static inline int grid_field_now(int nfields, int field)
{
    const bool is_now = field < 0 || field == GRID_FIELD_MADE;
    return is_now ? field : field % (nfields + GRID_IMPLIED_FIELDS);
}

/* The largest number of inputs of a derived field. */
enum { GRID_RECIPE_MAX_INPUTS = 12 };

/* Bricks along i whose vertices are best computed together: as long are the rows of
 * vertices that gradients are computed in. */
enum { GRID_RECIPE_BRICKS = 4 };

#endif
