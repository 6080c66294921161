/*
 * Surfaces in the flow: faces of cells, planes between grid planes, walls, and cuts by
 * planes in space; filled, with contour lines, as wireframes.
 *
 * A surface is made once, as long as the grid stands still. A picture of it is a list of
 * fragments (render/fragments/fragments.h). While the camera stays where it is, too, only
 * colours are computed anew: which rays meet which quadrilateral and where, how contour
 * lines lie to the pixels, and the light, are kept from the picture before.
 *
 * Quadrilaterals are two triangles. Those of index planes are cut as the grid's own faces
 * are, and rays are tested against edges with the exact signs of render/cells/cell.h: a
 * ray passes a closed sheet of them exactly once, never between two of them, and a face
 * of the boundary is met at the very distance at which the volume begins.
 */
#ifndef RENDER_SURFACE_SURFACE_H
#define RENDER_SURFACE_SURFACE_H

#include "grid/brick.h"
#include "render/fragments/fragments.h"
#include "render/light/shade.h"
#include "render/view/clip_view.h"
#include "render/view/colors.h"

/* ---- What a surface is made of ---------------------------------------------------- */

/*
 * Vertices lo to hi of a block, both included. Where lo and hi agree along one axis, the
 * faces between them; where they differ along all three, the six sides of that box of
 * cells. A face is drawn where one of the two cells beside it is present.
 */
typedef struct surface_range {
    int block;
    int64_t lo[3], hi[3];
} surface_range;

/*
 * The plane of constant index along an axis. Where the index lies between two vertices,
 * position and scalar are linear between them, and cells that are present are drawn.
 */
typedef struct surface_plane {
    int block, axis;
    double index;         /* 0 to n - 1 of the block */
    int64_t lo[3], hi[3]; /* which part of it, as in a range; those of `axis` are not
                             looked at */
} surface_plane;

/*
 * A plane in space: every present cell that it passes through is cut. What lies exactly
 * in the plane counts as above it: a plane along faces of cells shows the side of the
 * cells below.
 */
typedef struct surface_cut {
    vec3 point;  /* relative to the layout's origin */
    vec3 normal; /* of any length but 0; points to what is above */
} surface_cut;

/* All parts of a surface. A face that several of them have is drawn once. */
typedef struct surface_spec {
    int nranges;
    const surface_range *ranges; /* [nranges] */
    int nplanes;
    const surface_plane *planes; /* [nplanes] */
    bool walls; /* all faces with a cell on one side only whose four vertices are walls
                   (GRID_WALL of grid/brick.h) */
    int ncuts;
    const surface_cut *cuts; /* [ncuts] */
} surface_spec;

/* All vertices of a block. */
surface_range render_surface_whole_block(const grid_layout *layout, int block);

/* Whether a brick may have a part of the surface, by what all ranks know of it: such
 * bricks must be in memory when the surface is made. With several ranks, those of them
 * that meet a rank's box. Local. */
bool render_surface_needs(const grid_layout *layout, const surface_spec *spec,
                          int64_t number);

/* ---- What it looks like ------------------------------------------------------------ */

typedef enum surface_fill {
    SURFACE_CLEAR,   /* nothing between the lines */
    SURFACE_PLAIN,   /* one colour */
    SURFACE_COLORED, /* the colour of the scalar */
    SURFACE_FRINGES  /* bands between levels, each of the colour halfway between them;
                        below the first and above the last level, of the colour there */
} surface_fill;

/* One colour for all, or that of the scalar (of the level for a contour line). */
typedef struct surface_paint {
    bool by_scalar;
    float rgb[3]; /* linear; where not by_scalar */
} surface_paint;

typedef struct surface_look {
    const render_colors *colors; /* NULL where nothing takes its colour from the scalar */
    surface_fill fill;
    float color[3]; /* of SURFACE_PLAIN, linear */
    int nlevels;
    const float *levels;      /* [nlevels], ascending: of fringes and contour lines */
    float line_width;         /* of contour lines, in pixels; 0: none */
    surface_paint line_paint; /* of contour lines */
    float wire_width;         /* of grid lines, in pixels; 0: none */
    surface_paint wire_paint; /* of grid lines, which are drawn over contour lines */
    float opacity;            /* 0 to 1, of fill and lines */
    bool smooth; /* normals go over from one quadrilateral to the next, and colours vary
                    within them; else a face (or what a plane cuts out of a cell) has one
                    normal a half and the colour of its mean. Lines stay as they are */
    const render_shade *shade; /* NULL: flat colours. per_gradient is not looked at */
} surface_look;

/* Levels that cut a range into count + 1 bands of equal width: none at its ends. levels:
 * [count]. */
void render_surface_space_levels(const double range[2], int count, float *levels);

/* ---- Surfaces ---------------------------------------------------------------------- */

typedef struct render_surface render_surface;

/*
 * Makes the surface of what the store has in memory; bricks that are not are as if not
 * there. The store is borrowed, and neither its grid nor what is in memory may change
 * while the surface is used; its scalars may. Local. Errors: STATUS_USAGE (indices
 * beyond a block, a range that is a line, a normal of length 0), STATUS_MEMORY.
 */
status render_surface_create(const grid_store *store, const surface_spec *spec,
                             render_surface **out);
void render_surface_destroy(render_surface **surface);

/*
 * Draws what of the surface lies inside the box of the view and its cuts leave. What
 * comes is the surface's and stays until it is drawn again or destroyed. It does not
 * depend on the number of threads. With the view of the last picture only colours are
 * computed, and light where `smooth` or `shade` are not those of the last
 * picture. Wherever the scalar is not finite, there are no contour lines.
 *
 * Where the scalar lives in cells, a face has that of the present cell below it along its
 * axis, else of the one above. It then has no contour lines. Local. Errors: STATUS_USAGE
 * (contour lines of a field in cells; levels that do not ascend; widths or opacities out
 * of range; colours of the scalar without a colour map), STATUS_MEMORY.
 */
status render_surface_draw(render_surface *surface, const surface_look *look,
                           const render_clip_view *view, int threads,
                           const render_fragments **out);

/* How much there is to draw, and how much the last picture shows. */
typedef struct surface_counts {
    int64_t quads;   /* of this rank; 0: there is nothing to draw */
    int64_t samples; /* places where rays of the last picture meet them */
} surface_counts;

surface_counts render_surface_count(const render_surface *surface);

/* What the last picture's samples of a tile (render/fragments/fragments.h) take, in
 * samples of a large quadrilateral: each quadrilateral that rays meet there takes as much
 * as a few of its samples. Local. */
double render_surface_cost(const render_surface *surface, int64_t tile);

/* ---- Normals ----------------------------------------------------------------------- */

/*
 * What a quadrilateral adds to the normals around one of its corners. Same bits on every
 * rank that has it. May be sent as bytes.
 */
typedef struct surface_record {
    float at[3];         /* the corner */
    int32_t block, part; /* of the quadrilateral: axis of a face, or 3 + number of the
                            plane in the spec */
    int32_t unused;      /* 0: no byte is left unset */
    int64_t index;       /* of its lowest vertex in the block */
    double area[3];      /* its normal times its area */
} surface_record;

/*
 * Lists what other ranks may want to know: records of corners on the rim of a brick,
 * since any of the bricks around it may be what another rank lacks. *records is malloc'ed
 * and the caller's. Local. Errors: STATUS_MEMORY.
 */
status render_surface_rim(const render_surface *surface, int64_t *count,
                          surface_record **records);

/*
 * Finds smooth normals, given the rims of other ranks (of this one, too, if that is
 * simpler; in any order). A normal at a corner is the area-weighted mean over all
 * quadrilaterals around that point whose normals lie within 60 degrees of its own,
 * whichever sense they have, so that it does not matter how blocks are turned. Points
 * are the same where their coordinates are: across bricks, blocks and seams. Without a
 * call of this, the first picture that needs normals finds them from this rank's own
 * quadrilaterals. Local. Errors: STATUS_MEMORY.
 */
status render_surface_set_normals(render_surface *surface, int64_t count,
                                  const surface_record *records);

#endif
