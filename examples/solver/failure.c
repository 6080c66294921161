#include "failure.h"

#include <stdarg.h>
#include <stdio.h>

/* Long enough for two paths and a sentence. */
typedef struct failure {
    int code;
    char text[2048];
} failure;

static failure held;

bool solver_fail(int code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (held.code == 0) {
        held.code = code;
        vsnprintf(held.text, sizeof held.text, format, arguments);
    }
    va_end(arguments);
    /* Names from files may hold anything, and a terminal obeys control characters. */
    for (char *c = held.text; *c != '\0'; c++) {
        const unsigned char byte = (unsigned char)*c;
        *c = byte < ' ' || byte == 0x7f ? '?' : *c;
    }
    return false;
}

bool solver_fail_memory(size_t bytes, const char *what)
{
    return solver_fail(
        SOLVER_FAILED,
        "not enough memory for %s (%.1f MiB): use more ranks on more nodes", what,
        (double)bytes / (1024.0 * 1024.0));
}

const char *solver_failure(void)
{
    return held.text;
}

int solver_failure_code(void)
{
    return held.code;
}

void solver_failure_clear(void)
{
    held = (failure){0, ""};
}

bool solver_agree(MPI_Comm comm, bool works)
{
    const int size = solver_size(comm), mine = works ? size : solver_rank(comm);
    int first;
    MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, comm);
    if (first < size) {
        MPI_Bcast(&held, (int)sizeof held, MPI_BYTE, first, comm);
    }
    return first == size;
}

int solver_rank(MPI_Comm comm)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    return rank;
}

int solver_size(MPI_Comm comm)
{
    int size;
    MPI_Comm_size(comm, &size);
    return size;
}
