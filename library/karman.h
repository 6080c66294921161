/*
 * libkarman: the calls for programs.
 *
 * Link with `pkg-config --cflags --libs karman`, or find_package(karman) and
 * karman::karman. Programs in Fortran use the module karman (karman.f90), which has the
 * same calls.
 *
 * There are three ways to use the library. karman_render_config draws the files that a
 * config names. karman_open_data and the calls behind it draw into memory, and read
 * values; the Python package stands on them (docs/user/python.md). The other calls draw
 * in situ, while a program computes (docs/user/insitu.md):
 *
 *     karman_session *session;
 *     karman_open(comm, "pictures.yaml", NULL, &session);
 *     karman_set_block(session, 0, &block);                        the grid: once
 *     karman_set_field(session, 0, "pressure", KARMAN_VERTEX, &p); pointers: once
 *     while (...) {
 *         ... one step ...
 *         karman_render(session, cycle, time);                     draws due pictures
 *         if (karman_poll_steering(session, cycle, time) == KARMAN_STOP) break;
 *     }
 *     karman_close(&session);
 *
 * No call aborts, installs a signal handler or touches the error handler of the caller's
 * communicator. Each call runs without floating-point traps and rounds to nearest. On
 * return, the program's locale and the floating-point environments of its threads are as
 * before. After any failure the program may go on; it need not look at the returned code.
 * If the session is NULL, for example because karman_open failed, every call does nothing
 * and returns KARMAN_OFF (karman_poll_steering: KARMAN_GO_ON; karman_close: KARMAN_DONE).
 *
 * The contract of each call says whether it is collective or local. All ranks make the
 * collective calls, in the same order. Only one thread of a rank may call karman.
 */
#ifndef KARMAN_H
#define KARMAN_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Result of a call, and exit code of the command karman. */
enum {
    KARMAN_DONE = 0,
    KARMAN_FAILED = 1, /* at run time: input, output, memory */
    KARMAN_USAGE = 2,  /* the config, an option or a description asks for something
                          impossible */
    KARMAN_OFF = 3     /* nothing was done: there is no session, or pictures pause after
                          failures */
};

typedef struct karman_options {
    int noverrides;
    const char *const *overrides; /* [noverrides]: "image.width=512", as for the option
                                     --set */
    int threads;                  /* of each rank; 0: cores of the node divided by its
                                     ranks */
    bool resume; /* keep frames that are complete and were drawn from the same config; in
                    situ: continue the run in the run directory */
    bool quiet;  /* print warnings only, no progress */
} karman_options;

/* The version, such as "0.1.0". */
const char *karman_version(void);

/*
 * Renders all frames of a config file. Collective over comm, which karman duplicates.
 *
 * The program initializes MPI before, with at least MPI_THREAD_FUNNELED: karman draws
 * with OpenMP and writes pictures in a thread, but only the calling thread calls MPI.
 * With a lower level, such as MPI_Init gives, karman warns and goes on.
 *
 * `options` may be NULL; zero is a valid default for each of them. Returns one of the
 * codes above, the same on every rank. Never aborts.
 */
int karman_render_config(MPI_Comm comm, const char *config_path,
                         const karman_options *options);

/* The reason why the last call failed, in one sentence: the same on every rank if the
 * call was collective. "" if the call succeeded. */
const char *karman_message(void);

/* Kinds of failures. */
enum {
    KARMAN_NO_FAILURE = 0,
    KARMAN_WRONG_USAGE = 1,  /* the config, an option or a description is impossible */
    KARMAN_WRONG_INPUT = 2,  /* data are missing or broken, or lack a field */
    KARMAN_WRONG_OUTPUT = 3, /* a file cannot be written */
    KARMAN_NO_MEMORY = 4,
    KARMAN_DEFECT = 5 /* of karman itself */
};

/* The kind of failure of the last call: KARMAN_NO_FAILURE if it succeeded. Local. */
int karman_failure(void);

/* Takes a warning, in one sentence, from the thread that warns: maybe one of OpenMP. */
typedef void karman_take_warning(void *context, const char *warning);

/* From now on `take` gets the warnings of this rank, and nothing is printed on standard
 * error. NULL: warnings are printed again, on rank 0 alone. The context is borrowed.
 * Local. */
void karman_on_warning(karman_take_warning *take, void *context);

/* ---- In situ: a session ------------------------------------------------------------ */

typedef struct karman_session karman_session;

/*
 * Opens a session. Rank 0 reads the config file. The call reports all faults of the
 * config that show without the grid, and makes the run directory. It copies its
 * arguments.
 *
 * The config's key in_situ says which pictures are drawn at which steps
 * (docs/user/config.md). The keys data.file, steps, grid and fields are ignored.
 * `options` may be NULL.
 *
 * Collective over comm, which karman duplicates. Returns KARMAN_DONE, KARMAN_FAILED or
 * KARMAN_USAGE, the same on every rank. After a failure *session is NULL, and rank 0 has
 * printed one warning on standard error.
 */
int karman_open(MPI_Comm comm, const char *config_path, const karman_options *options,
                karman_session **session);

/* The same from the text of a config, rank 0's. Its paths are relative to the working
 * directory. */
int karman_open_text(MPI_Comm comm, const char *config, const karman_options *options,
                     karman_session **session);

/* Frees the session and sets *session to NULL. NULL, or a pointer to NULL, is fine.
 * Collective. Returns KARMAN_DONE, or KARMAN_FAILED if the last output could not be
 * written. */
int karman_close(karman_session **session);

/* ---- In situ: the grid and its fields ---------------------------------------------- */

/* Types of values. */
enum { KARMAN_FLOAT32 = 0, KARMAN_FLOAT64 = 1, KARMAN_INT32 = 2 };

/* Association of a field (Conduit's word): its values belong to vertices or to cells. */
enum { KARMAN_VERTEX = 0, KARMAN_ELEMENT = 1 };

/*
 * Values in the program's memory: [nk][nj][ni], or with any strides. Zero strides and
 * ghosts mean a packed array without ghosts. karman reads the values only during
 * karman_render and karman_poll_steering. It never writes them, and never copies them as
 * a whole. The array must stay valid until the session is closed or another array is
 * given.
 */
typedef struct karman_array {
    const void *data; /* the first value of the array, ghosts included */
    int type;         /* KARMAN_FLOAT32, ... */
    int ghosts_before[3], ghosts_after[3]; /* layers of values along i, j, k before and
                                              after the part: they are left out */
    int64_t stride[3]; /* distance, in values, of neighbours along i, j, k; all 0: packed,
                          i fastest */
} karman_array;

/*
 * A part of a block: a box of its vertices on this rank. The parts of a block have all
 * its vertices together. Most simply a part has the rank's own vertices alone: parts then
 * share no vertices, and ghosts never count. A field in elements also needs the cells
 * between such parts: declare the layer of cells behind the part's last ones with
 * ghosts_after.
 *
 * Parts may share vertices, such as the plane between cells of two ranks. Of a shared
 * vertex the value counts of the part in which it lies furthest inside, ghosts included.
 * If that is undecided, the last plane of a part is taken for a ghost of it.
 *
 * A periodic block has its first plane once more as its last one. The rank that has the
 * first plane describes the last one as a part of its own, with a count of 1.
 */
typedef struct karman_block {
    const char *name; /* of the whole block, the same on every rank that has a part of
                         it */
    int64_t size[3];  /* vertices of the whole block along i, j, k: at least 2; of a plane
                         or a surface 1 along one axis */
    int64_t first[3]; /* index of the part's lowest vertex in the block, from 0, without
                         ghosts */
    int64_t count[3]; /* vertices of the part, without ghosts: at least 1; all 0: from
                         `first` to the end of the block */
    karman_array x, y, z; /* coordinates of its vertices: float32 or float64 */
    karman_array iblank;  /* int32, 0 = blanked, 2 = wall; data NULL: no vertex is
                             blanked */
} karman_block;

/*
 * Describes part number `part` of this rank: 0, 1, 2, ..., in order. A rank may have
 * none.
 *
 * A second description of a part says that the grid has changed. At the next picture
 * karman then makes the partition and all pictures anew. If the size of the part has
 * changed, describe its fields again, too.
 *
 * Local. Returns KARMAN_DONE, KARMAN_USAGE or, without memory, KARMAN_FAILED. After a
 * failure no pictures can be drawn any more, and karman_render says so on all ranks.
 */
int karman_set_block(karman_session *session, int part, const karman_block *block);

/*
 * Removes this rank's parts from number `first` on, for example because their blocks have
 * moved to other ranks. The next part to describe is number `first`. Before the next
 * picture the parts of all ranks must cover the grid again. Local. Returns KARMAN_DONE,
 * or KARMAN_USAGE if `first` is negative; then no pictures can be drawn any more.
 */
int karman_drop_parts(karman_session *session, int first);

/*
 * Gives the values of a field in a part: at vertices or in elements, float32 or float64.
 * A part has one element less than vertices along each axis; one of a plane has its one
 * layer of elements as a ghost behind it. Of ghosts the layer behind
 * its last elements is read, if the next part shares no vertices with this one. Every
 * part has every field of the session.
 *
 * Call it again before any karman_render if the values have moved in memory: this costs
 * nothing. A new name, however, makes karman prepare all pictures anew. Local. Returns
 * the codes of karman_set_block.
 */
int karman_set_field(karman_session *session, int part, const char *name, int association,
                     const karman_array *values);

/* ---- In situ: checkpoints ---------------------------------------------------------- */

/*
 * Saves what karman has of the run beside the program's arrays: the particles of layers
 * with the mode path or streak, with their trails. Call it whenever the program writes a
 * checkpoint, with the checkpoint's cycle and time and its values in the arrays. The file
 * is particles/CYCLE.h5 in the run directory. Without such layers there is none.
 *
 * Collective. Returns KARMAN_DONE, or a code of karman_render; an earlier file of that
 * cycle then stays. A warning tells the reason.
 */
int karman_save(karman_session *session, int64_t cycle, double time);

/*
 * Goes on with the particles that karman_save saved at this cycle. Call it after a
 * restart, on any number of ranks: blocks and fields are described, the values of the
 * checkpoint are in the arrays, and karman_render was not called yet.
 *
 * Collective. Returns KARMAN_DONE, or after a warning a code of karman_render: there is
 * no such file, it is damaged or of another step. Then all particles set out anew.
 */
int karman_restore(karman_session *session, int64_t cycle, double time);

/* ---- In situ: drawing and steering ------------------------------------------------- */

/*
 * Draws the pictures that are due after this step. `cycle` and `time` are those of rank
 * 0. On return the pictures are written. A picture that cannot be written leaves no
 * partial file.
 *
 * Collective. Returns the same code on every rank:
 *
 * - KARMAN_DONE: all pictures that were due are drawn, or none was due.
 * - KARMAN_FAILED, KARMAN_USAGE: a picture could not be drawn. The first failure in a row
 *   is printed as a warning on standard error.
 * - KARMAN_OFF: every picture that was due pauses, because it failed three times in a row
 *   or more. Pauses grow from 1 s to 300 s; then karman tries again.
 *
 * A wrong description ends all pictures: when pictures are due or particles move, the
 * call returns KARMAN_USAGE three times, then KARMAN_OFF. Ranks learn of each other's
 * descriptions in such steps alone.
 */
int karman_render(karman_session *session, int64_t cycle, double time);

/* Results of karman_poll_steering. */
enum { KARMAN_GO_ON = 0, KARMAN_STOP = 1 };

/*
 * Carries out the orders that have come through the run directory: it changes parameters
 * and draws pictures again. While an order halts the run, the call waits. It draws the
 * requested pictures from the step in the arrays, until an order lets the run go on, make
 * one step, or stop.
 *
 * Call it once after each step, with the step's cycle and time. Collective. Returns
 * KARMAN_GO_ON or KARMAN_STOP, the same on every rank. After KARMAN_STOP the program
 * itself ends its run.
 */
int karman_poll_steering(karman_session *session, int64_t cycle, double time);

/*
 * Registers a parameter of the program, such as "solver.cfl". Orders may set it to a
 * number within [min, max]: karman_poll_steering then writes *value on all ranks. The
 * program owns *value, which must live as long as the session.
 *
 * Local, but all ranks must register the same parameters in the same order. Returns
 * KARMAN_DONE, KARMAN_USAGE (the name is taken, or the value is outside the limits) or
 * KARMAN_FAILED.
 */
int karman_parameter(karman_session *session, const char *name, double *value, double min,
                     double max, const char *help);

/* Takes a new value, on all ranks. Any result but 0 refuses it. */
typedef int karman_set_value(void *context, double value);

/* The same for a parameter that a function sets; `value` is its present value. */
int karman_parameter_callback(karman_session *session, const char *name, double value,
                              double min, double max, const char *help,
                              karman_set_value *set, void *context);

/* Publishes numbers of a step, such as residual and lift: [count] names and values, those
 * of rank 0. Local. Returns KARMAN_DONE or KARMAN_OFF. */
int karman_monitor(karman_session *session, int64_t cycle, double time, int count,
                   const char *const *names, const double *values);

/* ---- Data without a run: pictures in memory, and values ---------------------------- */

/* In place of the number of a step: the last one. */
enum { KARMAN_LAST_STEP = -1 };

/*
 * Opens data that pictures are drawn of into memory, and that values are read from. Of a
 * file it reads metadata only. Nothing is written, and no order is taken: karman_render
 * returns KARMAN_OFF.
 *
 * `path` names what `karman render` takes: a data file, a folder of files with a step
 * each, or a config. NULL: arrays, which karman_set_block and karman_set_field describe
 * before the first call below; their values may change between calls. options->overrides
 * hold for all pictures and values; `resume` and `quiet` mean nothing. `options` may be
 * NULL.
 *
 * Collective over comm, which karman duplicates. Returns KARMAN_DONE, KARMAN_FAILED or
 * KARMAN_USAGE, the same on every rank. After a failure *session is NULL; nothing is
 * printed. karman_close frees the session.
 */
int karman_open_data(MPI_Comm comm, const char *path, const karman_options *options,
                     karman_session **session);

/* A picture; borrowed until the next one of its session, or the end of that. */
typedef struct karman_picture {
    int width, height;  /* pixels */
    int channels;       /* 3: red, green, blue; 4: and opacity, not premultiplied */
    int channel_bytes;  /* 1, or 2 with the higher byte first */
    const void *pixels; /* [height][width][channels], as they are displayed, from the top;
                           NULL on ranks other than 0 */
    const void *png;    /* [png_size]: the bytes of the file that `karman render` writes;
                           NULL on ranks other than 0 */
    size_t png_size;
    const char *config; /* with all found values, as JSON, without output */
    int64_t step;
    double time;
} karman_picture;

/*
 * Draws a picture of the last step, or of the last of the config's steps. `options`,
 * [count]: those of the command `karman render` that choose the picture, as on its
 * command line without dashes, such as "slice=x=2", "view=iso", "streamlines" or
 * "set=image.width=512". A config's outputs are not written.
 *
 * Collective; all ranks pass the same. Returns as karman_open_data.
 */
int karman_draw(karman_session *session, int count, const char *const *options,
                karman_picture *picture);

/*
 * Lists what the data hold, as JSON, borrowed until the next such call:
 *
 *     {"path": "wake.h5", "notes": "name<tab>value lines",
 *      "blocks": [{"name": "grid", "n": [65, 33, 17], "iblank": false}],
 *      "fields": [{"name": "p", "alias": "", "at": "vertices", "single": true}],
 *      "derived": ["mach"], "steps": [[0, 0.0], [10, 0.5]]}
 *
 * "n" counts vertices along i, j, k; "at" is vertices or cells; "single" says whether the
 * values fit in float32; steps have number and time. Collective. Returns as
 * karman_open_data.
 */
int karman_describe(karman_session *session, const char **json);

/* The bounds of the grid at a step (number, or KARMAN_LAST_STEP): least and greatest x, y
 * and z of vertices of present cells. Collective. Returns as karman_open_data. */
int karman_find_bounds(karman_session *session, int64_t step, double bounds[6]);

/* The least and the greatest finite value of a field, stored or derived, at a step.
 * Collective. Returns as karman_open_data. */
int karman_find_range(karman_session *session, const char *field, int64_t step,
                      double range[2]);

/*
 * Reads a whole array of a block (from 0) at a step: `array` is x, y, z, iblank or a
 * stored field. `type`: KARMAN_FLOAT64 for coordinates, KARMAN_FLOAT32 or KARMAN_FLOAT64
 * for fields, KARMAN_INT32 for iblank. values: [nk][nj][ni] of that type, as many as the
 * block has vertices, or one less along each axis for a field in cells; a block with one
 * vertex along an axis has one cell along it. Each rank gets all. Collective. Returns as
 * karman_open_data.
 */
int karman_read(karman_session *session, const char *array, int block, int64_t step,
                int type, void *values);

/*
 * The values of fields, stored or derived, at points: trilinear between vertices, or
 * those of cells. points: [npoints]; fields: [nfields]. values: [nfields][npoints], NaN
 * outside of the grid or where a value is missing. blocks: [npoints], the block that has
 * the point, or -1. The same on every rank, which all pass the same. Collective. Returns
 * as karman_open_data.
 */
typedef struct karman_points {
    int64_t npoints;
    const double (*points)[3];
    int nfields;
    const char *const *fields;
    int64_t step;
} karman_points;

int karman_probe(karman_session *session, const karman_points *points, int *blocks,
                 double *values);

#ifdef __cplusplus
}
#endif

#endif
