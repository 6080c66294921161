/* Fields of a file, and the gas that other fields are derived with. */
#ifndef GRID_FIELD_H
#define GRID_FIELD_H

#include "layout.h"
#include "view.h"

/* A field that a source offers. */
typedef struct grid_field {
    char name[GRID_NAME_SIZE];
    grid_location location;
    char alias[GRID_NAME_SIZE]; /* another name for it, as the file has it; "": none */
    uint8_t closing; /* in cells: bits of axes along which there are as many cells as
                        vertices, since the last cells lead back to the first vertices */
    bool is_void;    /* of energy: says nothing of the flow (io/energy.h) */
} grid_field;

/* The perfect gas that pressure, temperature and Mach number are derived with. */
typedef struct grid_gas {
    double gamma;        /* ratio of specific heats, > 1 */
    double gas_constant; /* R in p = rho R T, > 0 */
} grid_gas;

/* The largest number of inputs of a derived field. */
enum { GRID_RECIPE_MAX_INPUTS = 8 };

/* Bricks along i whose vertices are best computed together: as long are the rows of
 * vertices that gradients are computed in. */
enum { GRID_RECIPE_BRICKS = 4 };

#endif
