/* The catalogue of a source: its blocks, fields and steps. One rank reads it from the
 * data and broadcasts it. */
#ifndef IO_CATALOG_H
#define IO_CATALOG_H

#include "array.h"
#include "base/status.h"
#include "grid/field.h"
#include "grid/layout.h"
#include "unpack.h"

#include <mpi.h>

enum { IO_STEP_NAME_SIZE = 32 }; /* bytes of a step's name, with the ending zero */

/* A step and its name in the file: the number, with leading zeros if the file has
 * them. */
typedef struct io_named_step {
    io_step step;
    char name[IO_STEP_NAME_SIZE];
} io_named_step;

/* A boundary condition, for people. */
typedef struct io_condition {
    int block;  /* that is shown; -1: the grid that was chosen lacks it */
    int member; /* of all blocks; set by the catalogue, if grids have other blocks */
    char name[64], type[64], family[64]; /* as in the file; "": none */
    bool is_wall;
    bool has_range;       /* the following are set */
    int64_t lo[3], hi[3]; /* vertices, from 0, both ends included; bounds of a list */
    int first, nparts;    /* its places in the list of parts */
} io_condition;

/* A part of a block's end of which the data say what lies behind it: vertices of another
 * block, or of another part of this one, or nothing. */
typedef struct io_contact {
    int block;
    int donor; /* the block behind it; -1: no vertices that lie here */
    bool is_wall;
    int64_t lo[3], hi[3]; /* vertices, from 0, both ends included */
    int64_t begin[3];     /* the donor's vertex at `lo` */
    int axis[3], way[3];  /* the donor's axis along each axis, and 1 or -1 */
} io_contact;

/* The blocks of grids that move, or have other blocks from step to step. */
typedef struct io_block_sets {
    int ngrids;
    int nblocks;        /* of all grids together; 0: nothing is known of them */
    grid_block *blocks; /* [nblocks]: those of one name have different sizes */
    int32_t *geometry;  /* [ngrids][nblocks]: where it is the same at two grids, a block
                           has the same coordinates and iblank there; -1: the grid lacks
                           the block */
    int *members; /* [nblocks of the catalogue]: indices into `blocks` of the blocks of
                     the grid that was chosen */
    int *shown;   /* [nblocks]: the other way round; -1: the grid lacks the block */
    int ncontacts;
    io_contact *contacts; /* [ncontacts], of all blocks */
} io_block_sets;

/* Vertices of a boundary condition, from 0, both ends included: faces where one axis has
 * one index. */
typedef struct io_condition_part {
    int64_t lo[3], hi[3];
} io_condition_part;

typedef struct io_catalog {
    int nblocks;
    grid_block *blocks; /* [nblocks]: of the grid that was chosen, at first grid 0 */
    io_block_sets sets;
    bool double_coordinates;
    char length_unit[IO_UNIT_SIZE]; /* of all coordinates, as "m"; "": none is known */
    int longitude; /* 1, 2, 3: x, y or z is in degrees to the east; 0: none is known to be
                    */
    int nfields;
    grid_field *fields; /* [nfields] */
    int nsteps;
    io_step *steps;                        /* [nsteps], by ascending number */
    char (*step_names)[IO_STEP_NAME_SIZE]; /* [nsteps] */
    int *grids; /* [nsteps]: number of the step's grid; NULL: all steps have one grid */
    uint8_t *has_field;       /* [nsteps][nfields]: 1 if the step has the field */
    io_unpacking *unpackings; /* [nfields]: how stored values become numbers, taken from
                                 the first block of the first step that has the field */
    char *notes;              /* lines "name<tab>value" for people; NULL: none */
    int nomitted;             /* notes on what is left out, on rank 0 alone */
    int nconditions, nparts;  /* boundary conditions */
    io_condition *conditions; /* [nconditions] */
    int ncontacts;
    io_contact *contacts;     /* [ncontacts], by ascending block */
    io_condition_part *parts; /* [nparts] */
} io_catalog;

/* Adds a copy at the end. Local. Errors: STATUS_MEMORY. */
status io_catalog_add_block(io_catalog *catalog, const grid_block *block);
status io_catalog_add_field(io_catalog *catalog, const grid_field *field);

/* Sorts the fields by name. Call it before anything refers to their indices. */
void io_catalog_sort_fields(io_catalog *catalog);

/* Index of the field with this name, or -1. Local. */
int io_catalog_find_field(const io_catalog *catalog, const char *name);

/*
 * Sorts the steps ([nsteps], in any order, repetitions allowed) into the catalogue, whose
 * list of steps is empty. Local. Errors: STATUS_INPUT if two names stand for one number
 * (`path` is the file's, for the message); STATUS_MEMORY.
 */
status io_catalog_set_steps(io_catalog *catalog, const char *path, int nsteps,
                            io_named_step *steps);

/* Allocates has_field (all 0) and unpackings (all plain) for the fields and steps of the
 * catalogue. Local. Errors: STATUS_MEMORY. */
status io_catalog_clear_presence(io_catalog *catalog);

/*
 * Gives the catalogue, whose blocks are those of all grids, as are those of its
 * conditions and contacts, the geometry of each grid: [ngrids][nblocks], malloc'ed, which
 * it takes. Chooses grid 0. Local. Errors: STATUS_MEMORY.
 */
status io_catalog_set_geometry(io_catalog *catalog, int ngrids, int32_t *geometry);

/* Chooses the grid whose blocks the catalogue shows. Local. */
void io_catalog_choose(io_catalog *catalog, int grid);

/* All blocks of all grids; their number; the index among them of a block that is shown.
 * Local. */
const grid_block *io_catalog_all_blocks(const io_catalog *catalog);
int io_catalog_all_count(const io_catalog *catalog);
int io_catalog_member(const io_catalog *catalog, int block);

/* Whether two grids have the same blocks. Local. */
bool io_catalog_same_blocks(const io_catalog *catalog, int a, int b);

static inline uint8_t *io_catalog_presence(const io_catalog *catalog, int step, int field)
{
    return &catalog->has_field[(size_t)step * (size_t)catalog->nfields + (size_t)field];
}

/*
 * Adds a line to the notes: a name and its value, printed as `format` says. Control
 * characters become '?'. Local. Errors: STATUS_MEMORY.
 */
status io_catalog_note(io_catalog *catalog, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Notes something that is left out. After some notes there is one on all others. Local.
 * Errors: STATUS_MEMORY. */
status io_catalog_omit(io_catalog *catalog, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds a boundary condition without parts. Local. Errors: STATUS_MEMORY. */
status io_catalog_add_condition(io_catalog *catalog, const io_condition *condition);

/* Adds contacts. Local. Errors: STATUS_MEMORY. */
status io_catalog_add_contacts(io_catalog *catalog, int count,
                               const io_contact *contacts);

/*
 * Adds a part to the condition that was added last; parts that continue each other become
 * one. gap: 0 if the part is of faces, which share vertices with the next; 1 if its
 * vertices were counted one by one. Local. Errors: STATUS_MEMORY.
 */
status io_catalog_add_part(io_catalog *catalog, const io_condition_part *part, int gap);

/* Adds the boundary conditions, or the contacts, of another catalogue, of all of its
 * blocks. Local. Errors: STATUS_MEMORY. */
status io_catalog_take_contacts(io_catalog *catalog, const io_catalog *from);
status io_catalog_take_conditions(io_catalog *catalog, const io_catalog *from);

/* Gives an empty catalogue a copy of all but blocks, conditions and contacts. Local.
 * Errors: STATUS_MEMORY. */
status io_catalog_copy(const io_catalog *from, io_catalog *to);

/* Copies the catalogue of rank 0 to the other ranks, whose catalogues are empty.
 * Collective. Errors: STATUS_MEMORY. */
status io_catalog_broadcast(MPI_Comm comm, io_catalog *catalog);

/* Frees the contents and makes the catalogue empty. */
void io_catalog_clear(io_catalog *catalog);

#endif
