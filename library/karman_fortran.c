/* The calls of the module karman (karman.f90) that need C: Fortran's communicators are
 * integers. */
#include "karman.h"

#include <stddef.h>

int karman_open_from_fortran(MPI_Fint comm, const char *config_path,
                             karman_session **session);
int karman_open_text_from_fortran(MPI_Fint comm, const char *config,
                                  karman_session **session);

int karman_open_from_fortran(MPI_Fint comm, const char *config_path,
                             karman_session **session)
{
    return karman_open(MPI_Comm_f2c(comm), config_path, NULL, session);
}

int karman_open_text_from_fortran(MPI_Fint comm, const char *config,
                                  karman_session **session)
{
    return karman_open_text(MPI_Comm_f2c(comm), config, NULL, session);
}
