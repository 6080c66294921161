/* The config file of karman-solver. */
#ifndef EXAMPLES_SOLVER_CONFIG_H
#define EXAMPLES_SOLVER_CONFIG_H

#include "flow/gas.h"
#include "grid/grid.h"
#include "output.h"

#include <mpi.h>
#include <stdio.h>

/* A boundary condition on a face of a block, for grids from files. */
typedef struct solver_boundary_config {
    char block[SOLVER_NAME_SIZE];
    int face;
    solver_face_kind kind;
    double velocity[3];
} solver_boundary_config;

enum { SOLVER_BOUNDARIES = 512 };

/* All that a run is told. Paths may be "". */
typedef struct solver_config {
    char grid_file[SOLVER_FILE_SIZE]; /* "": a cylinder */
    double radius, far, span, stretching;
    int ni, nj, nk;
    int nboundaries;
    solver_boundary_config boundaries[SOLVER_BOUNDARIES];
    double length; /* reference length of the Reynolds and Strouhal numbers; 0: the
                      cylinder's diameter, or 1 */
    double area;   /* reference area of the coefficients; 0: diameter times span, or 1 */
    solver_conditions flow;
    double disturbance; /* initial velocity across the free stream behind the body */
    double cfl, end;
    int steps;                       /* 0: as many as `end` needs */
    char output[SOLVER_FILE_SIZE];   /* HDF5 index of the checkpoints */
    int output_every;                /* steps; 0: only at the end */
    char monitors[SOLVER_FILE_SIZE]; /* CSV file */
    int monitor_every;               /* steps */
    char restart[SOLVER_FILE_SIZE];  /* checkpoint to start from */
    char insitu[SOLVER_FILE_SIZE];   /* config of the pictures drawn in situ */
} solver_config;

/* Prints a line for each key: its path, type, default and meaning. */
void solver_config_print_keys(FILE *out);

/*
 * Reads the config on rank 0, applies overrides ("time.cfl=0.5"), and makes all checks
 * that do not need the grid. Paths in the config are relative to its folder. Collective.
 * Returns false after solver_fail (failure.h), with "PATH:LINE: ...".
 */
bool solver_config_read(MPI_Comm comm, const char *path, int noverrides,
                        const char *const *overrides, solver_config *out);

/* The reference length and area: from the config, or from the grid. */
double solver_config_length(const solver_config *config);
double solver_config_area(const solver_config *config);

/* Makes the grid and joins its faces. Local. */
bool solver_config_grid(const solver_config *config, solver_grid **out);

#endif
