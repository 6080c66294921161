/* Places of the data sets of an HDF5 file, by karman's own layout or by the config. */
#ifndef IO_SOURCES_HDF5_NAMES_H
#define IO_SOURCES_HDF5_NAMES_H

#include "io/catalog.h"

#include <stdbool.h>

enum { IO_PATH_SIZE = 512 }; /* bytes of a path inside a file, with the ending zero */

/*
 * A path of the config, split at the step:
 *
 *     /flow/out%04d.dat/p[2]
 *     ~~~~~ ~~~    ~~~~~~ ~
 *     group before after  axes
 *
 * Without %d the whole path is `after`, and the group is empty. IO_BLOCK_MARK stands in
 * the place of %s.
 */
enum { IO_BLOCK_MARK = 1 };

typedef struct io_pattern {
    char
        group[IO_PATH_SIZE]; /* the group that has the steps as members; "" is the root */
    char before[IO_PATH_SIZE]; /* the beginning of the step's name */
    char after[IO_PATH_SIZE];  /* the text after the number, to the end of the path */
    bool has_step;
    bool has_block; /* somewhere there is an IO_BLOCK_MARK */
    int digits;     /* fewest digits of the number */
    io_axes axes;
} io_pattern;

/* Splits `text`; `key` of the config is for messages. Local. Errors: STATUS_USAGE: empty,
 * too long, a '%' that is not %d, %0Nd or %s, or two of a kind. */
status io_pattern_parse(const char *key, const char *text, io_pattern *out);

/* The pattern for one block, without a mark. Local. */
void io_pattern_in_block(const io_pattern *pattern, const char *block, io_pattern *out);

/*
 * The place of the blocks of a pattern without a step: the group that has them as
 * members, the beginning and end of their names, and the rest of the path, to the data
 * set. Local.
 */
typedef struct io_block_place {
    char group[IO_PATH_SIZE], before[IO_PATH_SIZE], behind[IO_PATH_SIZE],
        rest[IO_PATH_SIZE];
} io_block_place;
void io_pattern_find_blocks(const io_pattern *pattern, io_block_place *out);

/* Whether `name`, a member of the group, is that of a block. If so, the text in place of
 * %s is copied to `block`. Local. */
bool io_block_place_match(const io_block_place *place, const char *name,
                          char block[GRID_NAME_SIZE]);

/* Whether `name`, a member of the pattern's group, is that of a step. If so, its digits
 * are copied to `step`. Local. */
bool io_pattern_match(const io_pattern *pattern, const char *name, io_named_step *step);

/* Path of the data set at the step with this name ("" if the pattern has no step).
 * Local. */
void io_pattern_expand(const io_pattern *pattern, const char *step_name,
                       char path[IO_PATH_SIZE]);

/* Path up to the name that contains the step: the object that may have the attribute
 * `time`. Local. */
void io_pattern_expand_step(const io_pattern *pattern, const char *step_name,
                            char path[IO_PATH_SIZE]);

/* Whether `name` is a number of at most 18 digits. If so, it is copied to `step`.
 * Local. */
bool io_step_name_parse(const char *name, io_named_step *step);

/* The paths of the config. Other paths are those of karman's own layout. */
typedef struct io_hdf5_names {
    bool own_grid, own_flow;
    bool lacks_z;    /* such a grid is a plane */
    bool has_iblank; /* in a grid that is not karman's own */
    bool has_blocks; /* a path of the grid holds %s */
    bool is_fortran; /* data.order */
    bool has_time;
    io_pattern time;
    io_pattern grid[4]; /* x, y, z, iblank */
    int nfields;
    io_pattern *fields; /* [nfields] */
} io_hdf5_names;

/* Splits all paths of a config. Local. Errors: STATUS_USAGE for invalid paths,
 * STATUS_MEMORY. */
status io_hdf5_names_create(const io_data_config *config, io_hdf5_names **out);
void io_hdf5_names_destroy(io_hdf5_names **names);

/* A data set: its path, and the meaning of its axes. */
typedef struct io_hdf5_place {
    char path[IO_PATH_SIZE];
    io_axes axes;
    int64_t step;       /* index along an axis of steps */
    bool is_fortran;    /* axes are [ni][nj][nk] */
    bool is_grid;       /* may lack axes: values are the same along them */
    int line;           /* of a grid: the axis of a list of values, 0 to 2 for i to k */
    const int64_t *fit; /* [3] the block's vertices, to find the axis of components;
                           NULL: unknown */
} io_hdf5_place;

/* The step whose coordinates a block has at a step, plus 1: those of /grids in karman's
 * own layout; 0: those of /grid. Local. */
int io_hdf5_names_grid(const io_catalog *catalog, int step, int block);

/* The place of an array (IO_ARRAY_X … or a field's index) of a block at a step. Local. */
void io_hdf5_names_locate(const io_hdf5_names *names, const io_catalog *catalog, int step,
                          int block, int array, io_hdf5_place *out);

#endif
