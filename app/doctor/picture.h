/* A small picture, drawn by all ranks and by one. */
#ifndef APP_DOCTOR_PICTURE_H
#define APP_DOCTOR_PICTURE_H

#include "base/status.h"

#include <mpi.h>

enum { DOCTOR_WIDTH = 64, DOCTOR_HEIGHT = 48 };

/*
 * Draws a curved block of cells as a running program does, through libkarman: on all
 * ranks, and on rank 0 alone. *difference: the largest of an 8-bit channel, and *seconds:
 * those of all ranks, both on rank 0. The files lie in `folder` for the time of the call.
 * Collective. Errors: STATUS_OUTPUT, STATUS_INTERNAL (the picture cannot be drawn, with
 * the reason).
 */
status doctor_picture_draw(MPI_Comm comm, const char *folder, int *difference,
                           double *seconds);

#endif
