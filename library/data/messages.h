/* What calls tell beside their results: warnings, and the kind of a failure. */
#ifndef LIBRARY_MESSAGES_H
#define LIBRARY_MESSAGES_H

#include "base/status.h"

#include <mpi.h>

/* Lets rank 0 print warnings, unless a function of the program takes them. Local. */
void insitu_configure_log(MPI_Comm comm);

/* Gives warnings to a function; NULL: they are printed. Local. */
void insitu_give_warnings(void (*take)(void *context, const char *warning),
                          void *context);

/* The status of the last call, which _note sets. Local. */
void insitu_note_status(status s);
status insitu_last_status(void);

#endif
