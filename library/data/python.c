/*
 * The calls of the Python package (python/karman) that need C. The package knows
 * communicators as the integers of MPI's Fortran interface, whatever the MPI, and starts
 * MPI itself where nobody has: in scripts without mpi4py.
 */
#include "library/karman.h"

#include "base/parallel/parallel.h"
#include "library/insitu.h"

int karman_python_start(MPI_Fint *world);
void karman_python_stop(void);
const char *karman_python_mpi(void);
void karman_python_place(MPI_Fint comm, int place[2]);
void karman_python_refuse(karman_session *session, const char *message);
int karman_python_open_data(MPI_Fint comm, const char *path,
                            const karman_options *options, karman_session **session);
int karman_python_render_config(MPI_Fint comm, const char *config_path,
                                const karman_options *options);

/* Initializes MPI if nobody has; returns whether it did: then _stop ends it. *world:
 * MPI_COMM_WORLD. */
int karman_python_start(MPI_Fint *world)
{
    int is_there = 0, level;
    MPI_Initialized(&is_there);
    if (!is_there) {
        MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level);
    }
    *world = MPI_Comm_c2f(MPI_COMM_WORLD);
    return !is_there;
}

void karman_python_stop(void)
{
    int is_over = 0;
    MPI_Finalized(&is_over);
    if (!is_over) {
        MPI_Finalize();
    }
}

/* The name and version of the MPI that karman was built with. */
const char *karman_python_mpi(void)
{
    static char name[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(name, &length);
    return name;
}

/* Rank and size. */
void karman_python_place(MPI_Fint comm, int place[2])
{
    place[0] = parallel_rank(MPI_Comm_f2c(comm));
    place[1] = parallel_size(MPI_Comm_f2c(comm));
}

/* Notes that this rank's arrays cannot be described: all ranks fail with this message in
 * their next collective call. */
void karman_python_refuse(karman_session *session, const char *message)
{
    base_fail_set_message("");
    insitu_refuse(session, message);
}

int karman_python_open_data(MPI_Fint comm, const char *path,
                            const karman_options *options, karman_session **session)
{
    return karman_open_data(MPI_Comm_f2c(comm), path, options, session);
}

int karman_python_render_config(MPI_Fint comm, const char *config_path,
                                const karman_options *options)
{
    return karman_render_config(MPI_Comm_f2c(comm), config_path, options);
}
