/* Energies that say nothing of the flow. Some programs, and samples of others, leave the
 * energy of a solution 0. */
#ifndef IO_SOURCES_ENERGY_H
#define IO_SOURCES_ENERGY_H

#include "base/status.h"

struct io_source;

/*
 * Marks the field `energy` of a source (grid_field.is_void) and adds a note, if its last
 * step has one value in all blocks: 0 or less, or any while the density or a momentum
 * varies. Of most data a few rows tell. Collective. Errors: STATUS_MEMORY; data that
 * cannot be read are not marked.
 */
status io_energy_check(struct io_source *source);

#endif
