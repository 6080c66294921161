#include "version.h"

#include "base/version.h"
#include "commit.h"
#include "render/kernel/walk.h"

#include <hdf5.h>
#include <mpi.h>
#include <omp.h>
#include <string.h>

#ifdef H5_HAVE_PARALLEL
#define HDF5_KIND "parallel"
#else
#define HDF5_KIND "serial"
#endif

static void print_line(const char *what, const char *value, FILE *stream)
{
    fprintf(stream, "  %-13s %s\n", what, value);
}

/* The first line of MPI's answer; the others tell how it was configured. */
static const char *find_mpi(char text[MPI_MAX_LIBRARY_VERSION_STRING])
{
    text[0] = '\0';
    int length = 0, kept = 0;
    MPI_Get_library_version(text, &length);
    text[strcspn(text, "\n")] = '\0';
    for (const char *at = text; *at != '\0'; at++) {
        const char letter = *at == '\t' ? ' ' : *at;
        if (letter != ' ' || (kept > 0 && text[kept - 1] != ' ')) {
            text[kept++] = letter;
        }
    }
    text[kept] = '\0';
    return text;
}

/* Compilers define the month of the standard; people know its number. */
static const char *openmp_version(void)
{
    static const struct {
        long month;
        const char *number;
    } known[] = {{202111, "5.2"}, {202011, "5.1"}, {201811, "5.0"}, {201511, "4.5"}};
    for (size_t n = 0; n < sizeof known / sizeof known[0]; n++) {
        if (_OPENMP >= known[n].month) {
            return known[n].number;
        }
    }
    return "4.0 or older";
}

void about_version_print(const char *name, FILE *stream)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    fprintf(stream, "%s %s\n", name, base_version());
    print_line("commit", about_commit(), stream);
    print_line("MPI", find_mpi(text), stream);
    fprintf(stream, "  %-13s %d.%d.%d, %s\n", "HDF5", H5_VERS_MAJOR, H5_VERS_MINOR,
            H5_VERS_RELEASE, HDF5_KIND);
    print_line("OpenMP", openmp_version(), stream);
    print_line("options", KARMAN_OPTIONS, stream);
    print_line("instructions", render_walk_fastest()->name, stream);
    print_line("compiler", KARMAN_COMPILER, stream);
}

void about_version_print_short(FILE *stream)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    fprintf(stream, "karman %s, commit %s, %s, %s\n", base_version(), about_commit(),
            KARMAN_COMPILER, render_walk_fastest()->name);
    fprintf(stream, "  %-13s %s; its launcher is %s\n", "MPI", find_mpi(text),
            KARMAN_MPIEXEC);
    fprintf(stream, "  %-13s HDF5 %d.%d.%d, %s; optional: %s\n", "libraries",
            H5_VERS_MAJOR, H5_VERS_MINOR, H5_VERS_RELEASE, HDF5_KIND, KARMAN_OPTIONS);
}
