/* Batches of hits, whose streamlines are followed in the lanes of vectors. */
#ifndef RENDER_SURFACE_LIC_BATCH_H
#define RENDER_SURFACE_LIC_BATCH_H

#include <stdbool.h>
#include <stdint.h>

/* Values of a vertex: its position in the frame of the noise, then the steps along both
 * indices for a step of length 1 along the flow (0 where there is none). */
enum { LIC_VALUES = 5, LIC_FLOW = 3 };

/* Most vertices of a sheet: lanes count values with 32 bits. */
enum { LIC_MOST_VERTICES = INT32_MAX / LIC_VALUES };

/*
 * A sheet: vertex (u, v) is vertex[v * n[0] + u], with u along the axis that follows the
 * plane's own.
 */
typedef struct lic_sheet {
    int64_t n[2];
    bool closed[2]; /* its last vertices along the axis are its first ones: an O-grid */
    int64_t first;  /* its first vertex among those of all sheets */
    float (*vertex)[LIC_VALUES];
    uint8_t *present; /* of the cell between (u, v) and (u + 1, v + 1); three more bytes
                         follow the last one */
} lic_sheet;

enum { LIC_BATCH = 64 };

/*
 * Hits of one sheet. Lengths are in cells of the finer level of noise, from the lowest
 * vertex of the hit's cell, so that single precision is enough. Unused ones have copies.
 */
typedef struct lic_batch {
    _Alignas(64) int32_t cell[2][LIC_BATCH]; /* u and v */
    float share[2][LIC_BATCH];               /* 0 to 1 within the cell */
    float origin[3][LIC_BATCH];              /* its lowest vertex */
    float per_cell[LIC_BATCH];               /* 1 over the edge of a cell of the noise */
    float pixel[LIC_BATCH];                  /* length of a pixel in space */
    float pixels[LIC_BATCH];                 /* pixels in a cell of the noise */
    float blend[LIC_BATCH];      /* of the levels of noise; 0: the finer one */
    float base[2][3][LIC_BATCH]; /* for both levels: place of the origin in
                                    its cell of the noise, 0 to 1, */
    int32_t hash[2][LIC_BATCH];  /* and the hash of that cell */
    float values[LIC_BATCH];     /* out: sum of weighted noise, */
    float weights[LIC_BATCH];    /* and of weights */
} lic_batch;

/* Follows the lines of `count` hits. half: length of half a line, in pixels. Local; any
 * thread. */
typedef void lic_walk(const lic_sheet *sheet, float half, int count, lic_batch *batch);

lic_walk lic_walk_plain, lic_walk_four, lic_walk_avx2, lic_walk_avx512;

/* Those that this processor can run, for each width of base/lanes.h; the fastest first,
 * NULL at the end. All give the same bits. */
lic_walk *const *lic_walks(void);

/* Of the hash of a cell of the noise. */
#define LIC_PRIME_X INT32_C(-1918454973)
#define LIC_PRIME_Y INT32_C(-669632447)
#define LIC_PRIME_Z INT32_C(-887442657)

#endif
