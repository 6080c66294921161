/* The inside of io_source: one table of functions for each kind of data. Callers of a
 * source need only io/source.h. */
#ifndef IO_SOURCE_KIND_H
#define IO_SOURCE_KIND_H

#include "catalog.h"
#include "io/config/config.h"

#include <mpi.h>
#include <stdio.h>

typedef struct io_source io_source;
struct io_listing;

/*
 * A kind of source. To add one, implement these functions and add a line to IO_SOURCES.
 *
 * `takes` tells whether a file is of this kind, by its first bytes; the stream is open
 * for reading, at any place. Local; needs no MPI. NULL: it is not for files.
 *
 * `wants` tells whether a config names this kind, whatever the bytes of the file. For
 * one rank. NULL: no config does.
 *
 * `leads` tells whether a file that it takes can be opened by itself, rather than beside
 * another, as values beside a grid. NULL: all can. Local.
 *
 * `list` is io_source_list of such a file. NULL: all files say where grid and fields are.
 *
 * Blocks may have one vertex along one axis (io/flat.h), and then one cell as well.
 *
 * `open` fills in source->catalog and source->state; comm and path are set already.
 * Collective, the same status on every rank. `close` is called even if it fails.
 *
 * `read` is io_source_read with a box inside the array and a step other than
 * IO_GRID_STEP. Blocks are counted as the catalogue shows them (io_catalog_member). If
 * source->wants_doubles is set, which it is only with has_doubles, fields are read as
 * double (io_source_read_doubles). If source->origin is set, which it is only with
 * has_places, coordinates are read as float, less the origin (io_source_read_places).
 * Collective, errors are local. `reads` tells whether a file beside source->path is read;
 * NULL: there is none. Local, on rank 0. With `out` NULL `read` only says that a box of a
 * field will be read soon (io_source_expect): ranks may pass other boxes, or none, but
 * for the first one. Kinds with `holds` are not told. `holds` and `copy` are
 * io_source_holds and io_source_copy; NULL: a rank holds nothing. `close` frees
 * source->state, which may be NULL. Collective.
 */
typedef struct io_source_kind {
    bool (*takes)(const char *path, FILE *stream);
    bool (*wants)(const io_data_config *config);
    bool (*leads)(const char *path);
    status (*list)(const char *path, struct io_listing **out);
    status (*open)(io_source *source, const io_data_config *config);
    status (*read)(io_source *source, int step, int block, int array, const io_box *box,
                   void *out);
    bool (*reads)(const io_source *source, const char *path);
    bool (*holds)(const io_source *source, int block, int field, const io_box *box);
    void (*copy)(const io_source *source, const io_fields *fields, const io_box *box,
                 const io_rows *to);
    void (*close)(io_source *source);
    bool has_doubles; /* `read` heeds source->wants_doubles; else fields are float32 */
    bool has_bases;   /* files have bases, of which data.base names one */
    bool has_places;  /* `read` heeds source->origin; else coordinates are double */
    int64_t window;   /* largest number of vertices to read at a time: io_source_window */
} io_source_kind;

/* Large boxes of fields that were read at a step. */
typedef struct io_read_box {
    int block, array;
    io_box box;
} io_read_box;

typedef struct io_read_boxes {
    int step;
    int64_t count;
    io_read_box *all; /* [count] */
} io_read_boxes;

/* Other data on the same grid, for the fields of GRID_OTHER. */
typedef struct io_other {
    io_source *source;
    int *fields; /* [catalog.nfields]: indices of the other's; -1: it lacks the field */
    int *steps;  /* [catalog.nsteps]: indices of the other's; -1: it lacks the step */
    status (*check)(io_source *source); /* that the chosen grids are the same; collective
                                         */
} io_other;

struct io_source {
    const io_source_kind *kind;
    MPI_Comm comm;     /* a duplicate that the source owns, */
    bool borrows_comm; /* unless this is true: then the caller owns it */
    bool reads_alone;  /* `read` is local: io_source_reads_alone; set by `open` */
    char *path;
    io_catalog catalog;
    grid_block *shown;    /* [catalog.nblocks]: what callers see of the blocks (view.h) */
    grid_view *views;     /* [catalog.nblocks]: io_source_views */
    grid_view *all_views; /* those of the blocks of all grids */
    box3 data_bounds;     /* io_source_data_bounds */
    int nshapes;
    struct io_shape *shapes; /* [nshapes]: of the blocks: rings, longitudes (view.h) */
    int closed;              /* data.grid.closed of the config */
    bool knows_rings;        /* io_source_take_rings was called */
    int grid_step;           /* whose grid is read at IO_GRID_STEP */
    bool has_moved;          /* another grid than that of the first step was chosen */
    bool wants_doubles;      /* of fields, while a box is read */
    const double *origin;    /* of a coordinate, while a box is read: [1]; else NULL */
    io_read_boxes boxes;     /* for io_source_expect */
    struct io_flat *flat;    /* blocks of one vertex along an axis; NULL: none */
    void *state;             /* the kind's own */
    io_other other;          /* all zero: there are none */
    void *kept[2];           /* by loading, in slots (io/source.h) */
    int kept_grid;
    void (*forget[2])(void **kept);
};

/* Opens a source of a kind. `borrows_comm`: the source keeps to `comm` itself, which
 * stays open until it is closed, and blocks are shown as they are: it is inside another
 * source. Collective. Errors, the same on every rank: those of the kind, STATUS_MEMORY.
 */
status io_source_open_as(const io_source_kind *kind, MPI_Comm comm, bool borrows_comm,
                         const io_data_config *config, io_source **out);

/* Makes source->shown of the catalogue; of a source that is ready. _show_grid does so for
 * the blocks of a grid that was chosen. Local. Errors: STATUS_MEMORY. */
status io_source_show(io_source *source);
status io_source_show_grid(io_source *source);

/* The index that a field of this source, one of the present, has in the other data; -1:
 * none. Recipes refuse such fields. Local. */
int io_other_field(const io_source *source, int field);

/* Fails as the other data have nothing beside a step. Returns STATUS_INPUT. */
status io_other_fail_step(const io_source *source, int step);

/* The formats of files; several files are a series (sources/series) of one of them. The
 * first one that a config names, or else that takes the file, is asked
 * (sources/formats.c). A file that none of them takes is left to io_source_hdf5, which
 * says why it cannot be read. */
#define IO_SOURCES(X)                                                                    \
    X(io_source_cgns)                                                                    \
    X(io_source_hdf5)                                                                    \
    X(io_source_ensight)                                                                 \
    X(io_source_netcdf)                                                                  \
    X(io_source_vtk) X(io_source_xdmf) X(io_source_tecplot) X(io_source_plot3d)

#define IO_SOURCE_DECLARE(kind) extern const io_source_kind kind;
IO_SOURCES(IO_SOURCE_DECLARE)
#undef IO_SOURCE_DECLARE

#endif
