/*
 * libkarman: what programs call.
 *
 * Link with `pkg-config --cflags --libs karman`, or find_package(karman) and
 * karman::karman. Programs in Fortran use the module karman (karman.f90), which has the
 * same calls.
 *
 * There are two ways: karman_render_config draws the files that a config names; the rest
 * is for programs that draw themselves while they compute (docs/user/insitu.md):
 *
 *     karman_session *session;
 *     karman_open(comm, "pictures.yaml", NULL, &session);
 *     karman_set_block(session, 0, &block);                        the grid: once
 *     karman_set_field(session, 0, "pressure", KARMAN_VERTEX, &p); pointers: once
 *     while (...) {
 *         ... one step ...
 *         karman_render(session, cycle, time);                     draws what is due
 *         if (karman_poll_steering(session, cycle, time) == KARMAN_STOP) break;
 *     }
 *     karman_close(&session);
 *
 * None of these aborts, installs a handler of signals or touches the error handler of the
 * caller's communicator. Each works without floating-point traps, rounding to nearest,
 * and leaves the program's locale and the floating-point environments of its threads as
 * they were. Whatever fails, the program may go on and may ignore it. With a
 * session that is NULL, because karman_open failed, say, every call does nothing and
 * returns KARMAN_OFF (karman_poll_steering: KARMAN_GO_ON).
 *
 * Calls are collective or local, and say so; one thread makes them. What is said to be
 * collective is called by all ranks in the same order.
 */
#ifndef KARMAN_H
#define KARMAN_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a call ended; also the exit codes of the program. */
enum {
    KARMAN_DONE = 0,
    KARMAN_FAILED = 1, /* at run time: input, output, memory */
    KARMAN_USAGE = 2,  /* the config, an option or a description asks for something that
                          cannot be */
    KARMAN_OFF = 3 /* there is no session, or pictures pause after failures: nothing was
                      done */
};

typedef struct karman_options {
    int noverrides;
    const char *const *overrides; /* [noverrides]: "image.width=512", as --set */
    int threads;                  /* of each rank; 0: cores of the node over its ranks */
    bool resume; /* keep frames that are complete and of the same config; in situ: go on
                    with what the run directory holds */
    bool quiet;  /* no progress, warnings only */
} karman_options;

/* "0.1.0". */
const char *karman_version(void);

/*
 * Renders all frames of a config file. Collective over comm, which is duplicated inside;
 * MPI has been initialized with at least MPI_THREAD_FUNNELED: karman draws with OpenMP,
 * and a thread writes pictures, but only the calling thread calls MPI. With less, as
 * MPI_Init gives it, there is a warning, and all goes on. Zero is a valid default for
 * every option, and options may be NULL. Returns the same of the codes above on every
 * rank; never aborts.
 */
int karman_render_config(MPI_Comm comm, const char *config_path,
                         const karman_options *options);

/* Why the last call failed: one sentence, the same on every rank where the call was
 * collective; "" where it did not. */
const char *karman_message(void);

/* ---- In situ: a session ------------------------------------------------------------ */

typedef struct karman_session karman_session;

/*
 * Opens a session: reads the config file on rank 0, checks all that the config alone
 * tells, makes the run directory. Everything is copied. The config's data.file, steps,
 * grid and fields mean nothing here; its key in_situ says what is drawn when
 * (docs/user/config.md). Collective over comm, which is duplicated inside; options may be
 * NULL. Returns KARMAN_DONE, KARMAN_FAILED or KARMAN_USAGE, the same on every rank; after
 * a failure, which is warned about once on standard error, *session is NULL.
 */
int karman_open(MPI_Comm comm, const char *config_path, const karman_options *options,
                karman_session **session);

/* The same with the config's text, rank 0's; its paths lead from the working directory.
 */
int karman_open_text(MPI_Comm comm, const char *config, const karman_options *options,
                     karman_session **session);

/* Lets go of everything. NULL, or a pointer to NULL, is fine. Collective. Returns
 * KARMAN_DONE, or KARMAN_FAILED where something that was under way could not be written.
 */
int karman_close(karman_session **session);

/* ---- In situ: what there is -------------------------------------------------------- */

/* Types of values. */
enum { KARMAN_FLOAT32 = 0, KARMAN_FLOAT64 = 1, KARMAN_INT32 = 2 };

/* Where values of a field live (Conduit's association). */
enum { KARMAN_VERTEX = 0, KARMAN_ELEMENT = 1 };

/*
 * Values in the program's memory, [nk][nj][ni] or with any strides; zero is packed and
 * without ghosts. They are read in karman_render and karman_poll_steering, never copied
 * as a whole and never written, and must stay where they are until the session is closed
 * or told of another place.
 */
typedef struct karman_array {
    const void *data; /* the first value that is stored, ghosts included */
    int type;         /* KARMAN_FLOAT32 ... */
    int ghosts_before[3], ghosts_after[3]; /* layers of values along i, j, k beyond the
                                              part, which are left out */
    int64_t stride[3]; /* values from one to the next along i, j, k; all 0: packed, i
                          fastest */
} karman_array;

/* A part of a block that this rank has. Parts of a block share the vertices on their
 * common planes, and together are all of it. */
typedef struct karman_block {
    const char *name; /* of the whole block, the same on every rank that has a part */
    int64_t size[3];  /* vertices of the whole block along i, j, k: at least 2 */
    int64_t first[3]; /* the part's lowest vertex in it, from 0, ghosts left out */
    int64_t count[3]; /* its vertices, ghosts left out; all 0: the part is the block */
    karman_array x, y, z; /* coordinates of its vertices: float32 or float64 */
    karman_array iblank;  /* int32, 0 = blanked, 2 = wall; data NULL: nothing is */
} karman_block;

/*
 * Describes part number `part` of this rank: 0, 1, 2, ..., in order. A rank may have
 * none. Describing a part again says that the grid has changed: partition and pictures
 * are then made anew at the next picture; where the part has another size, its fields
 * must be described again, too. Local. Returns KARMAN_DONE or KARMAN_USAGE; after the
 * latter no pictures can be drawn any more, and karman_render says so on all ranks.
 */
int karman_set_block(karman_session *session, int part, const karman_block *block);

/*
 * Says that this rank's parts from number `first` on are not there any more, as blocks
 * have moved to other ranks, say; the next part to describe is number `first`. Before the
 * next picture the parts of all ranks are all of the grid again. Local. Returns
 * KARMAN_DONE, or KARMAN_USAGE where `first` is negative.
 */
int karman_drop_parts(karman_session *session, int first);

/*
 * Says where a field's values of that part are: at vertices or in elements, float32 or
 * float64. Every part has every field of the session. May be called again before any
 * karman_render to say that the values are somewhere else now, which costs nothing; a
 * name that is new makes pictures anew. Local. Returns as karman_set_block.
 */
int karman_set_field(karman_session *session, int part, const char *name, int association,
                     const karman_array *values);

/* ---- In situ: drawing and steering ------------------------------------------------- */

/*
 * Draws the pictures that are due after this step; cycle and time are rank 0's. They are
 * written when it returns, whole or not at all. Collective. Returns the same on every
 * rank: KARMAN_DONE, also where nothing was due; KARMAN_FAILED or KARMAN_USAGE: a picture
 * could not be made, of which the first in a row is warned about on standard error;
 * KARMAN_OFF: all that was due pauses, as it has failed three times in a row or more.
 * Pauses grow from 1 s to 300 s, and then it is tried again. What a rank has described
 * wrongly ends all pictures: KARMAN_USAGE three times, then KARMAN_OFF.
 */
int karman_render(karman_session *session, int64_t cycle, double time);

/* What karman_poll_steering returns. */
enum { KARMAN_GO_ON = 0, KARMAN_STOP = 1 };

/*
 * Takes the orders that have come through the run directory: parameters change,
 * pictures are drawn again. While the run is halted it waits, drawing what is asked
 * for from the step that the arrays hold, until it may go on, for one step or for good,
 * or is to stop. Call it once after each step, with the step's cycle and time.
 * Collective. Returns KARMAN_GO_ON or KARMAN_STOP, the same on every rank; stopping is
 * up to the program.
 */
int karman_poll_steering(karman_session *session, int64_t cycle, double time);

/*
 * Registers a parameter of the program, such as "solver.cfl", that orders may set to a
 * number within [min, max]: karman_poll_steering then writes *value, on all ranks, which
 * stays the program's. Collective in the sense that all ranks register the same in the
 * same order. Local. Returns KARMAN_DONE, KARMAN_USAGE (a name that is taken, a value
 * outside the limits) or KARMAN_FAILED.
 */
int karman_parameter(karman_session *session, const char *name, double *value, double min,
                     double max, const char *help);

/* Takes a new value, on all ranks; anything but 0 refuses it. */
typedef int karman_set_value(void *context, double value);

/* The same for a parameter that a function sets; `value` is what it is now. */
int karman_parameter_callback(karman_session *session, const char *name, double value,
                              double min, double max, const char *help,
                              karman_set_value *set, void *context);

/* Publishes numbers of a step, such as residual and lift: [count] names and values, of
 * rank 0. Local. Returns KARMAN_DONE or KARMAN_OFF. */
int karman_monitor(karman_session *session, int64_t cycle, double time, int count,
                   const char *const *names, const double *values);

#ifdef __cplusplus
}
#endif

#endif
