/* The config file of karman-solver. */
#ifndef EXAMPLES_SOLVER_CONFIG_H
#define EXAMPLES_SOLVER_CONFIG_H

#include "base/status.h"
#include "examples/solver/flow/gas.h"
#include "examples/solver/grid/grid.h"
#include "io/config/keys/key.h"

#include <mpi.h>

/* A boundary condition on a face of a block, for grids from files. */
typedef struct solver_boundary_config {
    char *block;
    int face;
    solver_face_kind kind;
    double velocity[3];
} solver_boundary_config;

typedef struct solver_config {
    char *path;      /* of the config file */
    char *grid_file; /* or NULL: a cylinder */
    double radius, far, span, stretching;
    int ni, nj, nk;
    solver_boundary_config *boundaries;
    int nboundaries;
    double length; /* reference length of the Reynolds and Strouhal numbers; 0: the
                      cylinder's diameter, or 1 */
    double area;   /* reference area of the coefficients; 0: diameter times span, or 1 */
    solver_conditions flow;
    double disturbance; /* initial velocity across the free stream behind the body */
    double cfl, end;
    int steps;         /* 0: as many as `end` needs */
    char *output;      /* HDF5 index of the checkpoints; may be NULL */
    int output_every;  /* steps; 0: only at the end */
    char *monitors;    /* CSV file; may be NULL */
    int monitor_every; /* steps */
    char *restart;     /* checkpoint to start from; may be NULL */
    char *insitu;      /* config of the pictures drawn in situ; may be NULL */
} solver_config;

/* The table of the config's keys. */
extern const io_key solver_config_keys[];

/*
 * Reads the config on rank 0, applies overrides ("time.cfl=0.5"), and makes all checks
 * that do not need the grid. Paths in the config are relative to its folder. Collective.
 * Errors: STATUS_USAGE with "PATH:LINE: ...", STATUS_INPUT (cannot be read),
 * STATUS_MEMORY.
 */
status solver_config_read(MPI_Comm comm, const char *path, int noverrides,
                          const char *const *overrides, solver_config **out);
void solver_config_destroy(solver_config **config);

/* The reference length and area: from the config, or from the grid. */
double solver_config_length(const solver_config *config);
double solver_config_area(const solver_config *config);

/* Makes the grid and joins its faces. Local. Errors: STATUS_INPUT, STATUS_USAGE,
 * STATUS_MEMORY. */
status solver_config_grid(const solver_config *config, solver_grid **out);

#endif
