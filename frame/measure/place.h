/* Places that fields are integrated over, and their integrals. */
#ifndef FRAME_MEASURE_PLACE_H
#define FRAME_MEASURE_PLACE_H

#include "base/vec.h"
#include "render/surface/surface.h"

typedef enum frame_measure_kind {
    FRAME_MEASURE_VOLUME,
    FRAME_MEASURE_SHARES, /* the same, but two-dimensional grids keep their depth */
    FRAME_MEASURE_PLANE,  /* normals as given */
    FRAME_MEASURE_FACES,  /* normals towards the rising index */
    FRAME_MEASURE_WALL    /* normals out of the fluid */
} frame_measure_kind;

/* What is integrated over. Blanked cells, and faces without any cell, do not count. */
typedef struct frame_measure_place {
    frame_measure_kind kind;
    int block;             /* of this one alone; -1: of all */
    int nranges;           /* of faces and walls */
    surface_range *ranges; /* [nranges]; a face in several of them counts once */
    bool walls;            /* and all faces that the data mark as walls (iblank 2) */
    vec3 point, normal; /* of a plane, in the coordinates of the layout and its origin */
    vec3 about;         /* from where levers go; the same */
} frame_measure_place;

/* Integrals of a field f. Without one, f is 1. */
typedef struct frame_measure_sums {
    int64_t parts;      /* cells with all, or faces with any, of the values */
    double size;        /* the volume or the area that has values */
    double total;       /* of f */
    double along[3];    /* of f n over a surface with the normals n */
    double lever[3][3]; /* [k][l]: of f (x - about)_k n_l */
} frame_measure_sums;

#endif
