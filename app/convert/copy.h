/* Copies values from the source to the new file. */
#ifndef APP_CONVERT_COPY_H
#define APP_CONVERT_COPY_H

#include "output.h"

/*
 * Copies all arrays. Each rank takes boxes of an array in turns, of at most
 * io_source_window values. Collective. Errors: STATUS_INPUT, STATUS_OUTPUT,
 * STATUS_MEMORY.
 */
status convert_copy(MPI_Comm comm, const convert_plan *plan,
                    const convert_output *output);

#endif
