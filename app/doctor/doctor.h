/* karman doctor: the facts that a support person asks for, and a frame on all ranks. */
#ifndef APP_DOCTOR_DOCTOR_H
#define APP_DOCTOR_DOCTOR_H

#include "base/status.h"

#include <mpi.h>
#include <stdio.h>

/*
 * Prints, on rank 0, the program with its libraries, machine, ranks, memory, folders,
 * limits and environment, draws a small picture, and names each problem with its remedy.
 * Collective. Errors: STATUS_INPUT (there are problems), STATUS_OUTPUT (the picture
 * cannot be written).
 */
status doctor_examine(MPI_Comm comm, FILE *stream);

#endif
