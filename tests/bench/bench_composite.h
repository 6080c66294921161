/* What the benchmark of compositing shares: frames, candidates and the libraries that run
 * them. */
#ifndef BENCH_COMPOSITE_H
#define BENCH_COMPOSITE_H

#include "base/image.h"
#include "composite/run/execute.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- Frames ------------------------------------------------------------------------ */

/* What a frame looks like. */
typedef struct bench_shape {
    int side;              /* pixels of the square picture */
    bool dense;            /* every pixel of every image is active; else: footprints */
    composite_operator op; /* COMPOSITE_NEAREST: images have depth */
    int late_rank;         /* draws longer than the others */
    int late_milliseconds; /* by so much; 0: no rank is late */
} bench_shape;

/* Half-open columns of one row; empty where x0 >= x1. */
typedef struct bench_span {
    int x0, x1;
} bench_span;

/*
 * The images of all ranks, as a function of rank and pixel, so that any rank can say what
 * any pixel of the picture must be.
 *
 * A cube is split among the ranks by a k-d tree (the longest side, in proportion to the
 * ranks, those of a node together) and seen obliquely in perspective. A sparse image is
 * active where the projection of its rank's box covers the centre of a pixel. Dense
 * frames use the same order.
 */
typedef struct bench_frame {
    MPI_Comm comm; /* borrowed */
    int rank, ranks;
    bench_shape shape;
    int *order;         /* [ranks]: rank at each position, front to back */
    bench_span *spans;  /* [ranks][side]: active columns */
    pixel_rect *bounds; /* [ranks]: of the active pixels */
    double covered;     /* share of the picture that is active in some image */
    double share;       /* of an image that is active, mean over the ranks */
    float *colours;     /* what pixels are made of: [BENCH_COLOURS + side][4] */
    uint16_t *depths;   /* [BENCH_COLOURS + side] */
    float *row;         /* [side][4], scratch */
    float *row_depth;   /* [side], scratch */
} bench_frame;

enum { BENCH_COLOURS = 1 << 16 };

/* The background of pictures in bytes. */
extern const float bench_background[3];

/* Makes the frame of a shape. Collective. Errors: STATUS_MEMORY, STATUS_USAGE where there
 * are too many ranks for depths that never tie. */
status bench_frame_create(MPI_Comm comm, bench_shape shape, bench_frame **out);
void bench_frame_destroy(bench_frame **frame);

/* Gives img this rank's pixels of the frame, whatever it held before. Local. */
void bench_frame_fill(const bench_frame *frame, image *img);

/* Active pixels of a rank's image. Local. */
int64_t bench_frame_active(const bench_frame *frame, int rank);

/* Takes the time by which this rank draws longer than the others. Unless NULL, `pause` is
 * called every millisecond, as while a picture is drawn. Local. */
void bench_frame_be_late(const bench_frame *frame, void (*pause)(void *context),
                         void *context);

/* Whether pixels [pix0, pix0 + npix) of the picture, rgba [npix][4], are the serial blend
 * of all images to 1e-5; prints the first that is not. Local. */
bool bench_frame_check_floats(const bench_frame *frame, const char *what, int64_t pix0,
                              int64_t npix, const float *rgba);

/* Whether the picture in bytes, rgb [side][side][3], is the serial blend over the
 * background to one count; prints the first pixel that is not. Local. */
bool bench_frame_check_bytes(const bench_frame *frame, const char *what,
                             const unsigned char *rgb);

/* ---- The machine ------------------------------------------------------------------- */

/* Pace of the machine, so that tables can say what they were measured on. */
typedef struct bench_machine {
    double copy;    /* memcpy by one core out of cache, GB/s */
    double latency; /* of a message of 64 bytes between ranks 0 and 1, us */
} bench_machine;

/* Measures it; figures are rank 0's. Collective. */
bench_machine bench_probe(const bench_frame *frame);

/* ---- Candidates -------------------------------------------------------------------- */

struct bench_library;

/* One way to composite a frame, and how long it took. */
typedef struct bench_candidate {
    const struct bench_library *library;
    char name[64]; /* of the algorithm with its parameters, or of the strategy */
    composite_target target;
    const composite_algorithm *algorithm; /* karman */
    composite_params params;              /* karman */
    bool by_nodes;                        /* karman */
    int segment;                          /* karman: pixels of a message; 0: the usual */
    bool is_raw;                          /* karman: messages are raw */
    bool is_tuned;                        /* karman: by the rules of a tuning file */
    int strategy;                         /* IceT: index of its strategies */
    double *milliseconds;                 /* [repeats]: the slowest rank's */
    composite_counters counters;          /* of the last run, summed over the ranks */
} bench_candidate;

/* What all libraries must know. */
typedef struct bench_settings {
    bool private_images; /* not the executor's, which all ranks of a node can read */
    const char *tuning;  /* karman: the file for "tuned"; NULL: that of jobs */
    int threads;
} bench_settings;

/* A compositing library, opened for one frame. */
typedef struct bench_library {
    const char *name;
    /* The image of this rank that will be composited: transparent, borrowed. Collective.
     */
    status (*open)(const bench_frame *frame, const bench_settings *settings, void **state,
                   image **img);
    /* What is timed. Collective. The status may differ among ranks. */
    status (*composite)(void *state, const bench_candidate *candidate,
                        composite_counters *counters);
    /* Whether what this rank has of the picture is right, and how many pixels that is.
     * Local, right after composite. */
    bool (*check)(void *state, const bench_candidate *candidate, int64_t *pixels);
    /* Collective. */
    void (*close)(void *state);
} bench_library;

extern const bench_library bench_karman;

/* The algorithm that text names, as "radix-k", "radix-k:4,4" or "nodes/direct-send",
 * which merges by nodes; "@8192" behind it is the segment, "+raw" at the end stands for
 * raw messages. "auto" is the executor's choice, and "tuned" the same with a tuning file.
 * Local. Errors: STATUS_USAGE. */
status bench_karman_candidate(const char *text, bench_candidate *out);

#ifdef BENCH_ICET
extern const bench_library bench_icet;

/* Name of IceT's n-th strategy, or NULL after the last. */
const char *bench_icet_strategy(int n);
#endif

#endif
