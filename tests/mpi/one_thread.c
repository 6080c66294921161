/* MPI_Init_thread of an MPI that knows no threads, for a program that is linked with
 * --wrap=MPI_Init_thread. */
#include <mpi.h>

int __real_MPI_Init_thread(int *argc, char ***argv, int required, int *provided);
int __wrap_MPI_Init_thread(int *argc, char ***argv, int required, int *provided);

int __wrap_MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    int error = __real_MPI_Init_thread(argc, argv, required, provided);
    *provided = MPI_THREAD_SINGLE;
    return error;
}
