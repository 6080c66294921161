/*
 * Shared windows of MPI (MPI 3.0, 2012, section 11.2.3) lie in files of /dev/shm. If that
 * is full, a signal ends the process that touches the next page. Files in memory alone
 * (memfd_create of Linux) have no such limit. Other ranks open them by their descriptor
 * number in the owner's process.
 */
#define _GNU_SOURCE /* memfd_create */
#include "shared.h"

#include "base/parallel/parallel.h"
#include "base/system.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* The address and the identity of a rank's file. The identity is needed because process
 * numbers may be those of the owner's container. */
typedef struct address {
    int64_t process, descriptor, device, inode, size;
} address;

enum { ADDRESS_WORDS = sizeof(address) / sizeof(int64_t) };

static status fail(const char *what)
{
    return base_fail(STATUS_MEMORY, "%s: %s", what, strerror(errno));
}

/* Makes a file of so many bytes. */
static status make_file(size_t size, int *descriptor)
{
#ifdef MFD_CLOEXEC
    struct rlimit most;
    if (getrlimit(RLIMIT_FSIZE, &most) == 0 && most.rlim_cur < size) {
        errno = EFBIG; /* else a signal would say so */
        return fail("shared memory");
    }
    *descriptor = memfd_create("karman-image", MFD_CLOEXEC);
    return *descriptor >= 0 && ftruncate(*descriptor, (off_t)size) == 0
               ? STATUS_OK
               : fail("shared memory");
#else
    (void)size;
    (void)descriptor;
    errno = ENOSYS;
    return fail("shared memory");
#endif
}

static status map(int descriptor, size_t size, int flags, char **out)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, descriptor, 0);
    if (memory == MAP_FAILED) {
        return fail("shared memory");
    }
    *out = memory;
    return STATUS_OK;
}

static status describe(int descriptor, size_t size, address *mine)
{
    struct stat file;
    if (fstat(descriptor, &file) != 0) {
        return fail("shared memory");
    }
    *mine = (address){.process = getpid(),
                      .descriptor = descriptor,
                      .device = (int64_t)file.st_dev,
                      .inode = (int64_t)file.st_ino,
                      .size = (int64_t)size};
    return STATUS_OK;
}

/* Maps the memory of another rank. */
static status reach(const address *theirs, char **out)
{
    char path[64];
    struct stat file;
    snprintf(path, sizeof path, "/proc/%" PRId64 "/fd/%" PRId64, theirs->process,
             theirs->descriptor);
    int descriptor = open(path, O_RDWR | O_CLOEXEC);
    if (descriptor < 0 || fstat(descriptor, &file) != 0) {
        status s = fail(path);
        if (descriptor >= 0) {
            close(descriptor);
        }
        return s;
    }
    status s;
    if ((int64_t)file.st_dev != theirs->device || (int64_t)file.st_ino != theirs->inode) {
        s = base_fail(STATUS_MEMORY, "%s is another process's", path);
    } else {
        s = map(descriptor, (size_t)theirs->size, MAP_SHARED, out);
    }
    close(descriptor);
    return s;
}

static status reach_all(MPI_Comm node, const address *addresses, composite_shared *shared)
{
    for (int rank = 0; rank < shared->ranks; rank++) {
        shared->sizes[rank] = (size_t)addresses[rank].size;
        if (rank != parallel_rank(node)) {
            status s = reach(&addresses[rank], &shared->memory[rank]);
            if (s != STATUS_OK) {
                return s;
            }
        }
    }
    return STATUS_OK;
}

/* Tells the other ranks of a file, and maps theirs. Collective. */
static status exchange(MPI_Comm node, int descriptor, size_t size, address *addresses,
                       composite_shared *shared)
{
    address mine;
    status s = parallel_agree(node, describe(descriptor, size, &mine));
    if (s != STATUS_OK) {
        return s;
    }
    MPI_Allgather(&mine, ADDRESS_WORDS, MPI_INT64_T, addresses, ADDRESS_WORDS,
                  MPI_INT64_T, node);
    return parallel_agree(node, reach_all(node, addresses, shared));
}

/* Maps this rank's memory; shared only if the node has other ranks. */
static status map_own(MPI_Comm node, size_t size, int *descriptor,
                      composite_shared *shared)
{
    char **own = &shared->memory[parallel_rank(node)];
    shared->sizes[parallel_rank(node)] = size;
    if (shared->ranks == 1) {
        status s = map(-1, size, MAP_PRIVATE | MAP_ANONYMOUS, own);
        if (s == STATUS_OK) {
            base_use_large_pages(*own, size);
        }
        return s;
    }
    status s = make_file(size, descriptor);
    return s == STATUS_OK ? map(*descriptor, size, MAP_SHARED, own) : s;
}

status composite_shared_create(MPI_Comm node, size_t size, composite_shared *out)
{
    const int ranks = parallel_size(node);
    int descriptor = -1;
    composite_shared shared = {.ranks = ranks,
                               .memory = calloc((size_t)ranks, sizeof *shared.memory),
                               .sizes = calloc((size_t)ranks, sizeof *shared.sizes)};
    address *addresses = malloc((size_t)ranks * sizeof *addresses);
    status s =
        shared.memory && shared.sizes && addresses
            ? map_own(node, size, &descriptor, &shared)
            : base_fail_memory((size_t)ranks * sizeof *addresses, "the ranks of a node");
    s = parallel_agree(node, s);
    if (s == STATUS_OK && ranks > 1) {
        s = exchange(node, descriptor, size, addresses, &shared);
    }
    if (descriptor >= 0) {
        close(descriptor); /* all ranks have mapped it, or none will */
    }
    free(addresses);
    if (s != STATUS_OK) {
        composite_shared_destroy(&shared);
        return s;
    }
    *out = shared;
    return STATUS_OK;
}

void composite_shared_destroy(composite_shared *shared)
{
    for (int rank = 0; shared->memory && rank < shared->ranks; rank++) {
        if (shared->memory[rank]) {
            munmap(shared->memory[rank], shared->sizes[rank]);
        }
    }
    free(shared->memory);
    free(shared->sizes);
    *shared = (composite_shared){0};
}
