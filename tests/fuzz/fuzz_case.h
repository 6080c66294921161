/* A case of the fuzzer: all parameters of a grid, a field, a transfer function and a
 * view. A seed and a number determine it; shrinking may simplify it. */
#ifndef TESTS_FUZZ_FUZZ_CASE_H
#define TESTS_FUZZ_FUZZ_CASE_H

#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { FUZZ_MOST_BLOCKS = 4, FUZZ_MOST_PARTS = 8 };

typedef enum fuzz_kind {
    FUZZ_BOX,
    FUZZ_RING,    /* an O-grid: closed along the second axis */
    FUZZ_POLE,    /* the first plane of the first axis is a line */
    FUZZ_BALL,    /* closed along the third axis, poles at both ends of the second */
    FUZZ_WEDGE,   /* the first plane of the first axis has collapsed edges */
    FUZZ_LATTICE, /* random points of {0, 1, 2}^3: most cells are degenerate */
    FUZZ_KINDS
} fuzz_kind;

typedef enum fuzz_values {
    FUZZ_LINEAR,
    FUZZ_SMOOTH, /* half a wave along each axis */
    FUZZ_RANDOM, /* different at every vertex */
    FUZZ_EQUAL,  /* the same everywhere */
    FUZZ_VALUES
} fuzz_values;

typedef enum fuzz_profile {
    FUZZ_CONSTANT,
    FUZZ_RAMP,
    FUZZ_STEPS,
    FUZZ_SPIKES, /* narrow peaks between equal values */
    FUZZ_MAP,    /* 256 colours and some points of opacity */
    FUZZ_CLEAR,  /* invisible ranges */
    FUZZ_PROFILES
} fuzz_profile;

typedef enum fuzz_stand {
    FUZZ_OUTSIDE,
    FUZZ_FAR,
    FUZZ_INSIDE,
    FUZZ_AT_VERTEX,
    FUZZ_AT_FACE, /* in the middle of a face, of an edge or of a cell */
    FUZZ_PARALLEL,
    FUZZ_ALONG_LINES, /* parallel rays along an axis or a diagonal, through a vertex */
    FUZZ_STANDS
} fuzz_stand;

/* The geometry. Lengths are those before `scale`, in units of about the size of the
 * grid. */
typedef struct fuzz_shape {
    fuzz_kind kind;
    uint64_t seed; /* of jitter, folds, holes, directions */
    int64_t n[3];  /* vertices of the whole */
    int blocks;    /* it is cut into, along the axis `cut` */
    int cut;
    unsigned mirrored; /* bit b: the first axis of block b runs backwards */
    unsigned turned;   /* bit b: the axes of block b are k, i, j of the whole */
    double overlap;    /* shift of each block against the block before */
    double extent[3];
    double stretch[3];  /* ratio of the last cell to the first along each axis; 1 is
                           even */
    double warp;        /* amplitude of a smooth displacement */
    double jitter;      /* largest shift of a vertex along each axis, in cells */
    double folds;       /* share of vertices that are moved by up to three cells */
    bool even_boundary; /* neither jitter nor folds on the outside */
    double blanked;     /* share of vertices */
    double nowhere;     /* share of vertices whose coordinates are not numbers */
    bool rotated;
    double scale;
    vec3 shift;
    bool centred; /* the origin lies in the middle, as for float64 files, else at 0 */
} fuzz_shape;

/* The scalar: low + high * (0 to 1). */
typedef struct fuzz_field {
    fuzz_values values;
    uint64_t seed;
    bool in_cells;
    double low, high;
    double holes; /* share of values that are not finite */
    double fills; /* share of values replaced by this fill value, which may be close to
                     the limits of float32 */
    double fill;
} fuzz_field;

/* The transfer function. */
typedef struct fuzz_light {
    fuzz_profile profile;
    uint64_t seed;
    double density; /* largest optical depth over the grid's diagonal */
    bool is_alpha;  /* opacity points rather than extinction */
    bool is_data;   /* positions are values of the field */
} fuzz_light;

typedef struct fuzz_eye {
    fuzz_stand stand;
    uint64_t seed;
} fuzz_eye;

typedef struct fuzz_case {
    uint64_t seed;
    int64_t number;
    fuzz_shape shape;
    fuzz_field field;
    fuzz_light light;
    fuzz_eye eye;
    bool trilinear, quadratic; /* the style: render/volume.h; at most one */
    bool shaded;               /* lit by a gradient that turns from vertex to vertex */
    bool layered;              /* with surfaces at the same place (fuzz_layers.h) */
    bool is_smooth;            /* fine and smooth enough for the reference renderer */
    int side;                  /* pixels along a side */
    int parts;                 /* boxes that the picture is cut into */
} fuzz_case;

/* The case of this number. */
void fuzz_case_draw(uint64_t seed, int64_t number, fuzz_case *out);

/* Puts layers into a case, without overlaps and folds. */
void fuzz_case_layer(fuzz_case *c);

/* Makes the blocks of a case overlap, without folds; draws half of such cases in the
 * trilinear style. */
void fuzz_case_overlap(fuzz_case *c);

/* Lights a case. Lit pictures are compared with each other alone. */
void fuzz_case_shade(fuzz_case *c);

/* Prints a case in a few lines. */
void fuzz_case_print(FILE *out, const fuzz_case *c);

/* Styles of interpolation: linear, trilinear, quadratic. */
enum { FUZZ_STYLES = 3 };

/* The style of a case, and its name. */
int fuzz_case_style(const fuzz_case *c);
const char *fuzz_style_name(int style);

const char *fuzz_kind_name(fuzz_kind kind);
const char *fuzz_values_name(fuzz_values values);
const char *fuzz_profile_name(fuzz_profile profile);
const char *fuzz_stand_name(fuzz_stand stand);

/* Random bits for a seed and up to three numbers. */
uint64_t fuzz_hash(uint64_t seed, int64_t a, int64_t b, int64_t c);

#endif
