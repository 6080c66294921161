/* Functions shared by the parts of a catalogue. For one rank, or for all that opened the
 * file. */
#ifndef IO_SOURCES_HDF5_CATALOG_READER_H
#define IO_SOURCES_HDF5_CATALOG_READER_H

#include "io/sources/hdf5/dataset.h"

/* State while the catalogue of a file is made. */
typedef struct reader {
    const io_hdf5_file *file; /* of the fields */
    const io_hdf5_file *grid; /* of the coordinates: the same, or a file of its own */
    const io_data_config *config;
    const io_hdf5_names *names;
    io_catalog *catalog; /* borrowed, being filled in */
    bool is_virtual;     /* a data set is virtual */
} reader;

/* State of a walk over a group's members. */
typedef struct walk {
    reader *reader;
    const io_pattern *pattern; /* the pattern of the steps to look for; NULL: karman's own
                                  layout */
    const io_block_place *place; /* the place of blocks to look for */
    const char *path;            /* of the group, where members are left out */
    int nsteps;
    io_named_step *steps;
    char child[GRID_NAME_SIZE]; /* the last group found */
    int groups;
    status status;
} walk;

/* The kind of the object at a path; H5I_BADID: there is none. */
H5I_type_t catalog_object_kind(hid_t location, const char *path);

/* Calls `visit` for every member of a group, in the order of names, until it returns
 * another value than 0. False if the group cannot be opened. */
bool catalog_visit_members(const io_hdf5_file *file, const char *path,
                           H5L_iterate_t visit, void *context);

/* Reads an attribute, a number, of the object at `path`; false if there is none. */
bool catalog_read_attribute(const io_hdf5_file *file, const char *path, const char *name,
                            double *value);

/* Reads the time of an object: an attribute `time`, `Time`, `TIME` or `t`. */
bool catalog_read_time(const io_hdf5_file *file, const char *path, double *value);

/* Refuses a file of another layout than karman's own, and says how to proceed. `lack`: a
 * clause on the missing part, for a file of an unknown layout. */
status catalog_refuse_layout(const io_hdf5_file *file, const char *lack);

/* Fails if a name from the file is too long. */
status catalog_check_name(const io_hdf5_file *file, const char *name);

/* Finds the blocks, their shapes and iblank. Errors: STATUS_INPUT, STATUS_MEMORY. */
status catalog_read_grid(reader *r);

/* Finds the grids of steps in /grids of karman's own layout. Errors: STATUS_INPUT,
 * STATUS_MEMORY. */
status catalog_read_moves(reader *r);

/* Checks the shape of x, y, z or iblank of a block at a step. Errors: STATUS_INPUT. */
status catalog_look_at_grid(reader *r, int step, int block, int array);

/* Finds the steps and their times. Errors: STATUS_INPUT, STATUS_MEMORY. */
status catalog_read_steps(reader *r);

/* The number of steps along the axis [step] of a field of the config, in the first block.
 * Errors: STATUS_INPUT. */
status catalog_count_steps(const reader *r, int field, int64_t *count);

#endif
