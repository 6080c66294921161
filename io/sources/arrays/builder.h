/* Makes the catalogue and the table of a source, array by array, in any order. */
#ifndef IO_SOURCES_ARRAYS_BUILDER_H
#define IO_SOURCES_ARRAYS_BUILDER_H

#include "arrays.h"
#include "base/hash.h"

/* An array of a block at a step: a coordinate, iblank, or a field. */
typedef struct io_array_item {
    int block, step;           /* indices; of coordinates: the step whose grid they are */
    int array;                 /* IO_ARRAY_X to IO_ARRAY_IBLANK; 0: a field */
    char name[GRID_NAME_SIZE]; /* of a field, for karman, and in the file */
    char alias[GRID_NAME_SIZE];
    grid_location location;
    io_array_place place;
    bool has_fill;
    double fill;             /* the value that means "missing" */
    char unit[IO_UNIT_SIZE]; /* of a field; "": none is known */
} io_array_item;

/* A step that a block is there at. */
typedef struct io_array_mark {
    int block, step;
} io_array_mark;

typedef struct io_array_builder {
    const char *path;
    io_catalog *catalog;
    io_array_table *table;
    int64_t count;
    io_array_item *items; /* [count] */
    int nsteps;
    io_named_step *steps; /* [nsteps]; the caller's; NULL: one, 0 */
    int grid_step;        /* the step whose coordinates and iblank are added */
    int64_t nlatest;      /* of them, the items that were added last: */
    int64_t *latest;      /* [nlatest], 4 for each block; -1: none */
    int64_t nknown, nmarks;
    struct io_array_known *known; /* [nknown]: blocks of lists that steps have, */
    base_lookup by[2];            /* and the first of each key, and of each place */
    base_lookup names;            /* those of blocks */
    io_array_mark *marks;         /* [nmarks]: blocks that are there at steps */
} io_array_builder;

/* A block in the list that a step has. */
typedef struct io_array_wanted {
    const char *key;   /* the same at all steps, or but for numbers; "": none */
    const char *title; /* its name in the file; "": none */
    const char *kind;  /* else it is named so, with the number */
    int64_t number;
    int64_t n[3];
    int step;  /* -1: it is there at all steps, and no other is it */
    int place; /* in the list of the step, from 0; -1: the list has no order */
} io_array_wanted;

/* A field of a file: its name there, its location, and the component of `components`. */
typedef struct io_array_field {
    const char *name;
    grid_location location;
    int component, components;
    const double *fill; /* the value that means "missing", as a number; NULL: none */
} io_array_field;

/* Values of an array along i, j, k: at `n` vertices, or in the cells between them.
 * Local. */
void io_array_counts(const int64_t n[3], grid_location location, int64_t out[3]);

/* Makes a name for the next block, which no other has: of its title in the file, else of
 * `kind` and `number`, as zone_3. Local. */
void io_array_builder_name(const io_array_builder *builder, const char *title,
                           const char *kind, int64_t number, char out[GRID_NAME_SIZE]);

/* Adds a block; *block: its index. Local. Errors: STATUS_INPUT for sizes that are none,
 * STATUS_MEMORY. */
status io_array_builder_add_block(io_array_builder *builder, const grid_block *block,
                                  int *index);

/*
 * Finds a block of a step among those of earlier ones: by key and sizes, else by place
 * and sizes. Otherwise adds it; of other sizes than before it is another block of the
 * same name. The block is there at those steps alone at which it was found. Steps of a
 * block ascend. Local. Errors: as _add_block.
 */
status io_array_builder_find_block(io_array_builder *builder, const io_array_wanted *want,
                                   int *index);

/* Marks a block as there at a step. One without marks is there at all steps. Local.
 * Errors: STATUS_MEMORY. */
status io_array_builder_mark(io_array_builder *builder, int block, int step);

/*
 * Adds a coordinate or iblank of a block, and a field of it at a step. Steps come in
 * ascending order. A grid holds until a step that has another; so grids that stay may be
 * added at all steps, or at the first. Local. Errors: STATUS_MEMORY.
 */
status io_array_builder_add_grid(io_array_builder *builder, int block, int array,
                                 const io_array_place *place);
/* The place of a coordinate or iblank that was added last; NULL: none was. Local. */
const io_array_place *io_array_builder_latest(const io_array_builder *builder, int block,
                                              int array);
status io_array_builder_add_field(io_array_builder *builder, int block, int step,
                                  const io_array_field *field,
                                  const io_array_place *place);

/* Fields are added at step 0, and are there at all: the table's steps are even. Call it
 * before the first. Local. */
void io_array_builder_make_even(io_array_builder *builder);

/* Gives the field that was added last a unit. Local. */
void io_array_builder_set_unit(io_array_builder *builder, const char *unit);

/* Sets the grids of steps, if there are several: *geometry is that of
 * io_catalog_set_geometry; else NULL. The second frees what _find_block and _mark noted.
 * For _finish. Local. Errors: STATUS_MEMORY. */
status io_array_builder_find_grids(const io_array_builder *builder, int *ngrids,
                                   int32_t **geometry);
void io_array_builder_drop_blocks(io_array_builder *builder);

/* Completes the catalogue and the table. Frees what was added, also after a failure
 * (`s`), which it returns. Local. Errors: STATUS_INPUT, STATUS_MEMORY. */
status io_array_builder_finish(io_array_builder *builder, status s);

#endif
