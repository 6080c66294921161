/*
 * Commands of karman whose reads fail, one at a time: each run gives the bytes of the run
 * without a fault, or fails and names the error.
 *
 *   fail_read ERROR COMMAND...     ERROR: EIO; CUT: a file ends at this read; EMFILE:
 *                                  a file cannot be opened
 *
 * The linker (--wrap) redirects the reads of karman's own code to this file, and its
 * openings of data files, whose names have no folder. The command
 * is render to out.png, convert to out.h5, or info.
 */
#include "app/cmd.h"
#include "base/parallel/parallel.h"
#include "base/parallel/start.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_WORDS = 32 };

ssize_t __real_pread(int descriptor, void *bytes, size_t size, off_t at);
ssize_t __wrap_pread(int descriptor, void *bytes, size_t size, off_t at);
size_t __real_fread(void *bytes, size_t size, size_t count, FILE *file);
size_t __wrap_fread(void *bytes, size_t size, size_t count, FILE *file);
int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
FILE *__real_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode);
int __wrap_main(int argc, char **argv);

static int calls, victim; /* calls of the kind that fails */
static bool cuts, refuses;

static bool fails(bool opens)
{
    return opens == refuses && ++calls == victim;
}

static bool fails_to_open(const char *path)
{
    return strncmp(path, "data", 4) == 0 && fails(true);
}

int __wrap_open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    const int mode = (flags & O_CREAT) != 0 ? va_arg(arguments, int) : 0;
    va_end(arguments);
    if (fails_to_open(path)) {
        errno = EMFILE;
        return -1;
    }
    return __real_open(path, flags, mode);
}

FILE *__wrap_fopen(const char *path, const char *mode)
{
    if (fails_to_open(path)) {
        errno = EMFILE;
        return NULL;
    }
    return __real_fopen(path, mode);
}

ssize_t __wrap_pread(int descriptor, void *bytes, size_t size, off_t at)
{
    if (fails(false)) {
        errno = EIO;
        return cuts ? 0 : -1;
    }
    return __real_pread(descriptor, bytes, size, at);
}

/* Only a real failure marks a stream: its descriptor is closed meanwhile. Those without
 * one are data files, which __wrap_pread reads. */
size_t __wrap_fread(void *bytes, size_t size, size_t count, FILE *file)
{
    const int before = errno, descriptor = fileno(file);
    errno = before;
    if (descriptor >= 0 && fails(false)) {
        const int kept = dup(descriptor);
        close(descriptor);
        fflush(file);
        const size_t none = __real_fread(bytes, size, count, file);
        dup2(kept, descriptor);
        close(kept);
        errno = EIO;
        return none;
    }
    return __real_fread(bytes, size, count, file);
}

typedef struct contents {
    size_t size;
    char bytes[1 << 20];
} contents;

static const char *output; /* of the command */

static void read_output(contents *out)
{
    FILE *file = __real_fopen(output, "rb");
    out->size = file ? __real_fread(out->bytes, 1, sizeof out->bytes, file) : 0;
    if (file) {
        fclose(file);
    }
}

static status run(int argc, char **argv)
{
    char *words[MOST_WORDS + 1] = {NULL};
    memcpy(words, argv, (size_t)argc * sizeof *words);
    base_fail_set_message("");
    const bool prints = strcmp(argv[0], "info") == 0;
    output = prints ? "out.txt" : strcmp(argv[0], "convert") == 0 ? "out.h5" : "out.png";
    if (strcmp(argv[argc - 1], "--resume") != 0) {
        unlink(output);
    }
    if (freopen(prints ? output : "/dev/null", "w", stdout) == NULL) {
        return STATUS_OUTPUT;
    }
    calls = 0;
    status s = prints ? cmd_info(MPI_COMM_WORLD, argc, words)
               : strcmp(argv[0], "convert") == 0
                   ? cmd_convert(MPI_COMM_WORLD, argc, words)
                   : cmd_render(MPI_COMM_WORLD, argc, words);
    fflush(stdout);
    return s;
}

/* Whether a run with a failed read is as it should be. */
static bool is_right(status s, const contents *good)
{
    static contents now;
    read_output(&now);
    return s == STATUS_OK
               ? now.size == good->size && memcmp(now.bytes, good->bytes, good->size) == 0
           : cuts ? base_fail_message()[0] != '\0'
                  : strstr(base_fail_message(), strerror(refuses ? EMFILE : EIO)) != NULL;
}

int __wrap_main(int argc, char **argv)
{
    static contents good;
    bool speaks;
    int all = 0, wrong = 0;
    if (argc < 3 || argc - 2 > MOST_WORDS || parallel_start(&speaks) != STATUS_OK) {
        return 2;
    }
    cuts = strcmp(argv[1], "CUT") == 0;
    refuses = strcmp(argv[1], "EMFILE") == 0;
    status s = run(argc - 2, argv + 2);
    all = calls;
    read_output(&good);
    for (victim = 1; victim <= all && s == STATUS_OK; victim++) {
        const status now = run(argc - 2, argv + 2);
        if (!is_right(now, &good)) {
            fprintf(stderr, "call %d of %d: status %d: %s\n", victim, all, (int)now,
                    base_fail_message());
            wrong++;
        }
    }
    fprintf(stderr, "%d of %d calls are wrong; %s\n", wrong, all,
            s == STATUS_OK ? "" : base_fail_message());
    MPI_Finalize();
    return s != STATUS_OK || wrong > 0 || all == 0;
}
