/*
 * libkarman: what programs call.
 *
 * Link with `pkg-config --cflags --libs karman`, or find_package(karman) and
 * karman::karman.
 */
#ifndef KARMAN_H
#define KARMAN_H

#include <mpi.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a call ended; also the exit codes of the program. */
enum {
    KARMAN_DONE = 0,
    KARMAN_FAILED = 1, /* at run time: input, output, memory */
    KARMAN_USAGE = 2   /* the config or an option asks for something that cannot be */
};

typedef struct karman_options {
    int noverrides;
    const char *const *overrides; /* [noverrides]: "image.width=512", as --set */
    int threads;                  /* of each rank; 0: cores of the node over its ranks */
    bool resume; /* keep frames that are complete and of the same config */
    bool quiet;  /* no progress, warnings only */
} karman_options;

/* "0.1.0". */
const char *karman_version(void);

/*
 * Renders all frames of a config file. Collective over comm, which is duplicated inside;
 * MPI has been initialized with at least MPI_THREAD_FUNNELED. Zero is a valid default for
 * every option, and options may be NULL. Returns the same of the codes above on every
 * rank; never aborts.
 */
int karman_render_config(MPI_Comm comm, const char *config_path,
                         const karman_options *options);

/* Why the last call failed: one sentence, the same on every rank; "" where it did not. */
const char *karman_message(void);

#ifdef __cplusplus
}
#endif

#endif
