/* Inputs of sweeps that are made: what is differentiated again, and means over steps. */
#ifndef IO_LOAD_MADE_H
#define IO_LOAD_MADE_H

#include "io/load/sweep.h"

/*
 * Adds the inputs of a recipe to those of a sweep, unless they are there; false if they
 * are too many. Fields that are made are computed in each window, with their layers, from
 * inputs that are read for them. Means over steps read a box at all of them, and stay
 * with the source: a rank reads those of its boxes once. Local.
 */
bool io_made_add_inputs(io_sweep *sweep, const grid_recipe *recipe);

#endif
