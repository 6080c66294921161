/* MPI_Init_thread of an MPI without thread support, for a program linked with
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
