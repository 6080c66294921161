/*
 * Kills the program at a chosen moment of its writing. These functions come before those
 * of libc in the dynamic linker's order, and count calls that change files.
 *
 *   KILL_AT=N     at the N-th of them: of a write the first half is done, else nothing
 *   KILL_RANK=R   on this rank alone
 *   KILL_COUNT=F  at the end, write the number of such calls into the file F
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int done;

static int number_in(const char *variable)
{
    const char *text = getenv(variable);
    return text ? atoi(text) : 0;
}

static int own_rank(void)
{
    return number_in(getenv("PMI_RANK") ? "PMI_RANK" : "OMPI_COMM_WORLD_RANK");
}

__attribute__((destructor)) static void tell(void)
{
    const char *path = getenv("KILL_COUNT");
    FILE *file = path && own_rank() == 0 ? fopen(path, "w") : NULL;
    if (file) {
        fprintf(file, "%d\n", done);
        fclose(file);
    }
}

/* Whether the moment has come. */
static int is_due(void)
{
    const int at = number_in("KILL_AT");
    return ++done == at && own_rank() == number_in("KILL_RANK");
}

static void die(void)
{
    kill(getpid(), SIGKILL);
    pause();
}

/* ISO C has no conversion from void * to a function pointer; POSIX requires this. */
static void find(void *function, const char *name)
{
    *(void **)function = dlsym(RTLD_NEXT, name);
}

static ssize_t write_at(const char *name, int file, const void *data, size_t size,
                        off_t at)
{
    ssize_t (*next)(int, const void *, size_t, off_t);
    find(&next, name);
    if (is_due()) {
        next(file, data, size / 2, at);
        die();
    }
    return next(file, data, size, at);
}

ssize_t pwrite(int file, const void *data, size_t size, off_t at)
{
    return write_at("pwrite", file, data, size, at);
}

ssize_t pwrite64(int file, const void *data, size_t size, off_t at)
{
    return write_at("pwrite64", file, data, size, at);
}

int ftruncate(int file, off_t size)
{
    int (*next)(int, off_t);
    find(&next, "ftruncate");
    if (is_due()) {
        die();
    }
    return next(file, size);
}

int ftruncate64(int file, off_t size)
{
    int (*next)(int, off_t);
    find(&next, "ftruncate64");
    if (is_due()) {
        die();
    }
    return next(file, size);
}

int fsync(int file)
{
    int (*next)(int);
    find(&next, "fsync");
    if (is_due()) {
        die();
    }
    return next(file);
}

int rename(const char *from, const char *to)
{
    int (*next)(const char *, const char *);
    find(&next, "rename");
    if (is_due()) {
        die();
    }
    return next(from, to);
}

int unlink(const char *path)
{
    int (*next)(const char *);
    find(&next, "unlink");
    /* MPI removes files of its own while it starts; these do not count. */
    if (strstr(path, ".h5") && is_due()) {
        die();
    }
    return next(path);
}
