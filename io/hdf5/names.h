/* Places of the data sets of an HDF5 file, by karman's own layout or by the config. */
#ifndef IO_HDF5_NAMES_H
#define IO_HDF5_NAMES_H

#include "io/catalog.h"

#include <stdbool.h>

enum { IO_PATH_SIZE = 512 }; /* bytes of a path inside a file, with the ending zero */

/*
 * A path of the config, split at the step:
 *
 *     /flow/out%04d.dat/p[2]
 *     ~~~~~ ~~~    ~~~~~~ ~
 *     group before after  component
 *
 * Without %d the whole path is `after`, and the group is empty.
 */
typedef struct io_pattern {
    char
        group[IO_PATH_SIZE]; /* the group that has the steps as members; "" is the root */
    char before[IO_PATH_SIZE]; /* the beginning of the step's name */
    char after[IO_PATH_SIZE];  /* the text after the number, to the end of the path */
    bool has_step;
    int digits;    /* fewest digits of the number */
    int component; /* along a fourth axis, or -1 */
} io_pattern;

/* Splits `text`; `key` of the config is for messages. Local. Errors: STATUS_USAGE: empty,
 * too long, a '%' that is not %d or %0Nd, or two of them. */
status io_pattern_parse(const char *key, const char *text, io_pattern *out);

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
    bool has_iblank;    /* in a grid that is not karman's own */
    io_pattern grid[4]; /* x, y, z, iblank */
    int nfields;
    io_pattern *fields; /* [nfields] */
} io_hdf5_names;

/* Splits all paths of a config. Local. Errors: STATUS_USAGE for invalid paths,
 * STATUS_MEMORY. */
status io_hdf5_names_create(const io_data_config *config, io_hdf5_names **out);
void io_hdf5_names_destroy(io_hdf5_names **names);

/* A data set: its path and, along a fourth axis, the component (-1: there is none). */
typedef struct io_hdf5_place {
    char path[IO_PATH_SIZE];
    int component;
} io_hdf5_place;

/* The place of an array (IO_ARRAY_X … or a field's index) of a block at a step. Local. */
void io_hdf5_names_locate(const io_hdf5_names *names, const io_catalog *catalog, int step,
                          int block, int array, io_hdf5_place *out);

#endif
