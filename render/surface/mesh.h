/* Internals of surfaces: their quadrilaterals, and data that is kept from picture to
 * picture. */
#ifndef RENDER_SURFACE_MESH_H
#define RENDER_SURFACE_MESH_H

#include "render/light/light.h"
#include "surface.h"

/* ---- Quadrilaterals ---------------------------------------------------------------- */

/* A point on an edge between two vertices of the store: (1 - share) a + share b. The
 * order of a and b does not depend on the brick or the rank. */
typedef struct surface_vertex {
    int32_t a, b;   /* a == b: a vertex of the grid itself */
    float share;    /* 0 if a == b */
    float at[3];    /* its position */
    bool is_on_rim; /* on the rim of its brick: other ranks may have more quadrilaterals
                       around it */
} surface_vertex;

enum {
    SURFACE_TRIANGLE = 1, /* corner 3 is corner 0: half 1 is empty */
    SURFACE_LINEAR = 2,   /* scalars are linear on each half; otherwise bilinear */
    SURFACE_OF_CUT = 4,   /* part of a cut by a plane in space, whose normal it has */
    SURFACE_ABOVE = 8     /* a face whose only cell lies above it */
};

/*
 * Two triangles, cut from corner 0 to corner 2.
 *
 *     3 --- 2      half 0: corners 0, 1, 2
 *     |   / |      half 1: corners 2, 3, 0
 *     | /   |
 *     0 --- 1
 */
typedef struct surface_quad {
    int32_t corner[4]; /* surface vertices */
    int32_t cell;      /* in the store's `cell`; -1 without cell values */
    uint8_t kind;      /* the bits above */
    uint8_t lines;     /* bit n: a grid line runs from corner n to the next */
    uint8_t turn;      /* corner n is corner (n + turn) % 4 of the face (grid/brick.h) */
    int32_t block, part; /* as in a surface_record; the parts of cuts follow those of
                            planes */
    int64_t index;
} surface_quad;

typedef struct surface_mesh {
    int64_t nvertices, vertex_capacity;
    surface_vertex *vertices;
    int64_t nquads, quad_capacity;
    surface_quad *quads;
    bool has_inner;
    int64_t inner_capacity;
    int32_t (*inner)[4]; /* [nquads] with has_inner: of a face with one present cell, that
                            cell's vertices (of the store) opposite to the corners; of
                            other quadrilaterals -1 */
    bool failed;         /* memory ran out: additions since are lost */
} surface_mesh;

/* Adds a vertex or a quadrilateral. The returned index of a vertex is valid only if the
 * mesh has not failed. */
int32_t surface_mesh_add_vertex(surface_mesh *mesh, const grid_store *store, int32_t a,
                                int32_t b, double share, bool is_on_rim);
void surface_mesh_add_quad(surface_mesh *mesh, const surface_quad *quad);

/* Turns a vertex that was rounded to an end of its edge into that vertex of the grid. So
 * all edges with this end share one point with one scalar. */
void surface_mesh_snap_vertex(surface_mesh *mesh, const grid_store *store,
                              int32_t number);

/* ---- Bricks ------------------------------------------------------------------------ */

/* A brick during the listing of its quadrilaterals. */
typedef struct surface_brick {
    const grid_store *store;
    const grid_brick *brick;
    const int *n;  /* its cells */
    int32_t first; /* its first vertex in the store */
    int32_t stride[3];
    const grid_brick *around[27]; /* the neighbouring bricks: index 13 + di + 3 dj + 9 dk
                                     for di, dj, dk in -1..1; NULL if not in memory */
} surface_brick;

/* A vertex's index within its brick is below SURFACE_BRICK_VERTICES. */
enum {
    SURFACE_BRICK_SIDE = GRID_BRICK_CELLS + 1,
    SURFACE_BRICK_VERTICES = SURFACE_BRICK_SIDE * SURFACE_BRICK_SIDE * SURFACE_BRICK_SIDE
};

static inline int32_t surface_brick_vertex(const surface_brick *b, const int at[3])
{
    return at[0] + at[1] * b->stride[1] + at[2] * b->stride[2];
}

/* Opens a brick, together with the bricks around it. */
surface_brick surface_brick_open(const grid_store *store, const grid_brick *brick);

/* Index of a vertex of the brick in its block. */
int64_t surface_brick_index(const surface_brick *b, const int at[3]);

/* Index of a cell of the brick in the store's `cell`, or -1. */
int32_t surface_brick_cell(const grid_store *store, const grid_brick *brick,
                           const int at[3]);

/* Whether other bricks have the vertex, too, or might have it, along any axis but
 * `except` (-1: none). */
bool surface_brick_is_rim(const surface_brick *b, const int at[3], int except);

typedef enum surface_cell_state {
    SURFACE_CELL_ABSENT,
    SURFACE_CELL_PRESENT,
    SURFACE_CELL_UNKNOWN
} surface_cell_state;

/* A cell of the brick or of a neighbouring brick. */
typedef struct surface_near_cell {
    surface_cell_state state;
    const grid_brick *brick; /* if present */
    int at[3];               /* its indices in that brick */
} surface_near_cell;

/* The cell on the lower (side 0) or upper (side 1) side of the face across `axis` at
 * `at`. */
surface_near_cell surface_brick_beside(const surface_brick *b, int axis, const int at[3],
                                       int side);

/* Whether the plane misses all cells of a brick. */
bool surface_cut_misses(const grid_brick_info *info, const surface_cut *cut);

/* Lists the cuts of one brick. part: number of the first cut as a part. */
void surface_cut_brick(const surface_brick *b, int ncuts, const surface_cut *cuts,
                       int part, surface_mesh *mesh);

/* The same for isosurfaces of the store's scalars, which are in memory. */
void surface_cut_isos(const surface_brick *b, int nisos, const float *isos, int part,
                      surface_mesh *mesh);

/* Errors: STATUS_USAGE. */
status surface_spec_check(const grid_layout *layout, const surface_spec *spec);

/* Lists all quadrilaterals of a checked spec. */
status surface_mesh_create(const grid_store *store, const surface_spec *spec,
                           surface_mesh *out);
void surface_mesh_clear(surface_mesh *mesh);

/* The quadrilaterals [*first, *end) that one plane cuts out of a cell, including this
 * one; they are consecutive. A quadrilateral that is not part of a cut is the only
 * one. */
void surface_mesh_find_cut(const surface_mesh *mesh, int64_t number, int64_t *first,
                           int64_t *end);

/* Area times normal; the loop of corners determines its sense. */
vec3 surface_quad_area(const surface_mesh *mesh, const surface_quad *quad);

static inline vec3 surface_vertex_point(const surface_vertex *vertex)
{
    return vec3_make((double)vertex->at[0], (double)vertex->at[1], (double)vertex->at[2]);
}

/* Whether point a comes before b: by x, then y, then z. */
static inline bool surface_comes_before(const float a[3], const float b[3])
{
    if (a[0] != b[0]) {
        return a[0] < b[0];
    }
    return a[1] != b[1] ? a[1] < b[1] : a[2] < b[2];
}

/* ---- Views ------------------------------------------------------------------------- */

/* A hit of a ray with a half of a quadrilateral. The third weight, of corner 1 or 3, is 1
 * - p - q. */
typedef struct surface_sample {
    int32_t pixel;
    int32_t half; /* 2 * quadrilateral + half */
    float t;
    float p, q; /* weights of corners 0 and 2 */
} surface_sample;

/* Data that is kept while the camera stays the same. */
typedef struct surface_view {
    render_kept_view seen;   /* only points inside its box and not cut off have samples */
    int columns, rows;       /* tiles, as in render_fragments */
    int64_t *first;          /* [columns * rows + 1]: start of each tile's samples */
    surface_sample *samples; /* [first[columns * rows]], quadrilateral by quadrilateral */
    int64_t nfull;
    int32_t *full; /* [nfull]: tiles with samples */
    int64_t nused;
    int32_t
        *used; /* [nused]: vertices on which colours of samples may depend, ascending */
    /* For each sample; NULL until first requested: */
    float (*slope)[4]; /* changes of p and q to the next pixel on the right, then to
                          the next below */
    float *wire;       /* the part of the pixel that grid lines cover, for these: */
    float wire_width;
    int wire_every;
    float *lic; /* lightness of the texture, -1 to 1, for this flow: */
    uint64_t lic_number;
    surface_light *light; /* for this shade: */
    bool is_smooth;
    render_shade shade;
} surface_view;

struct render_surface {
    const grid_store *store;
    surface_mesh mesh;
    int ncuts, first_cut;   /* part number of the first cut */
    vec3 *cut_normals;      /* [ncuts]: of length 1 */
    int *plane_axes;        /* [planes of the spec] */
    float (*normals)[4][3]; /* [nquads], at the corners; NULL: not yet found */
    float *values;          /* [nvertices]: the current picture's scalars, of the vertices
                               that the view uses */
    surface_view view;
    render_fragments fragments, lines; /* lines: at the same places, if they are apart */
    int nlevels;                       /* capacity of: */
    float (*level_colors)[3];          /* [nlevels]: of contour lines */
    float (*band_colors)[3];           /* [nlevels + 1] */
    bool has_beyond; /* the look's colours have their own outside of the range */
};

static inline int64_t surface_view_tiles(const surface_view *view)
{
    return (int64_t)view->columns * view->rows;
}

/* Samples of all tiles. */
static inline int64_t surface_view_count(const surface_view *view)
{
    return view->seen.is_ready ? view->first[surface_view_tiles(view)] : 0;
}

/* Finds the samples of a view. Local. Errors: STATUS_MEMORY. */
status surface_view_create(const surface_mesh *mesh, const render_clip_view *seen,
                           int threads, surface_view *out);
void surface_view_clear(surface_view *view);

/* Computes these data if the view does not have them. Local. Errors: STATUS_MEMORY. */
status surface_view_find_slopes(const surface_mesh *mesh, int threads,
                                surface_view *view);

/* Share of a pixel that a line of this width covers, with its middle at this distance. */
static inline float surface_line_coverage(float width, float distance)
{
    float from = distance - 0.5f * width, to = distance + 0.5f * width;
    from = from > -0.5f ? from : -0.5f;
    to = to < 0.5f ? to : 0.5f;
    return to > from ? to - from : 0.0f;
}

/* Computes the coverage by grid lines unless the view has it for this look. Local.
 * Errors: STATUS_MEMORY. */
status surface_wires_find(render_surface *surface, const surface_look *look, int threads);

/* Computes the light if the view has none for this shade. Finds normals if they are
 * needed. Local. Errors: STATUS_MEMORY. */
status surface_light_find(render_surface *surface, const surface_look *look, int threads);

/* Traces the texture unless the view has it for this flow. Local. Errors: STATUS_MEMORY.
 */
status surface_lic_find(render_surface *surface, const render_lic *lic, int threads);

/* The ray of a sample: its origin, and its direction of length 1. */
render_ray surface_sample_ray(const surface_view *view, const surface_sample *sample);

/* Positions of the corners of a half: those with weights p and q, then the third. */
void surface_half_corners(const surface_mesh *mesh, int32_t half, vec3 corner[3]);

/* Colours all samples and writes the visible ones into surface->fragments. Local. Errors:
 * STATUS_MEMORY. */
status surface_color(render_surface *surface, const surface_look *look, int threads);

#endif
