/* Surfaces in the flow: faces of cells, planes between grid planes, walls, and cuts by
 * planes in space; filled, with contour lines, or as wireframes.
 *
 * A surface is made once, as long as the grid does not change. A picture of it is a list
 * of fragments (render/fragments/fragments.h). While the camera stays the same, too, only
 * colours are computed anew. The hits of rays with quadrilaterals, the slopes for contour
 * lines, and the light are kept from the previous picture.
 *
 * A quadrilateral is two triangles. On index planes they are cut like the grid's own
 * faces, and rays are tested against edges with the exact signs of render/cells/cell.h.
 * So a ray passes a closed sheet of them exactly once, never between two of them. It
 * meets a boundary face at exactly the distance at which the volume begins. */
#ifndef RENDER_SURFACE_SURFACE_H
#define RENDER_SURFACE_SURFACE_H

#include "base/scale/scale.h"
#include "grid/brick.h"
#include "render/fragments/fragments.h"
#include "render/fragments/geometry.h"
#include "render/light/shade.h"
#include "render/view/clip_view.h"
#include "render/view/colors.h"

/* ---- The parts of a surface -------------------------------------------------------- */

/* Vertices lo to hi of a block, both included. If lo and hi agree along one axis, the
 * range is the faces between them. If they differ along all three axes, it is the six
 * sides of that box of cells. A face is drawn if one of its two cells is present. */
typedef struct surface_range {
    int block;
    int64_t lo[3], hi[3];
} surface_range;

/* The plane of constant index along an axis. If the index lies between two vertices,
 * position and scalar are linear in between, and only present cells are drawn. */
typedef struct surface_plane {
    int block, axis;
    double index;         /* 0 to n - 1 of the block */
    int64_t lo[3], hi[3]; /* limits of the plane as in a range; the values for `axis` are
                             ignored */
} surface_plane;

/* A plane in space, which cuts every present cell that it passes through. Points exactly
 * in the plane count as above it: a plane along faces of cells shows the side of the
 * cells below. */
typedef struct surface_cut {
    vec3 point;  /* relative to the layout's origin */
    vec3 normal; /* of any length but 0; points to the side above */
} surface_cut;

/* All parts of a surface. A face that belongs to several of them is drawn once. */
typedef struct surface_spec {
    int nranges;
    const surface_range *ranges; /* [nranges] */
    int nplanes;
    const surface_plane *planes; /* [nplanes] */
    bool walls; /* all faces with a cell on one side only whose four vertices lie on walls
                   (GRID_WALL of grid/brick.h) */
    int ncuts;
    const surface_cut *cuts; /* [ncuts] */
    int nisos;
    const float *isos; /* [nisos]: values of isosurfaces of the store's scalars, for
                          render_surface_geometry */
    bool has_inner;    /* the vertices beside its faces are noted, too, as line integral
                          convolution needs (lic.h) */
} surface_spec;

/* The range of all vertices of a block. */
surface_range render_surface_whole_block(const grid_layout *layout, int block);

/* Whether a brick may have a part of the surface, judged by the layout alone. Such bricks
 * must be in memory when the surface is made; with several ranks, those that meet a
 * rank's box. Local. */
bool render_surface_needs(const grid_layout *layout, const surface_spec *spec,
                          int64_t number);

/* ---- The look of a surface --------------------------------------------------------- */

typedef enum surface_fill {
    SURFACE_CLEAR,   /* nothing between the lines */
    SURFACE_PLAIN,   /* one colour */
    SURFACE_COLORED, /* the colour of the scalar */
    SURFACE_FRINGES  /* bands between levels, each in the colour halfway between them;
                        below the first and above the last level, in the colour of that
                        level */
} surface_fill;

/* One colour for all, or the scalar's colour (for a contour line that of its level). */
typedef struct surface_paint {
    bool by_scalar;
    float rgb[3]; /* linear; unless by_scalar */
} surface_paint;

/* A texture along the flow (lic.h). */
typedef struct render_lic render_lic;

enum { SURFACE_EVERY_AUTO = -1 };

typedef struct surface_look {
    const render_colors *colors; /* NULL if nothing is coloured by the scalar */
    surface_fill fill;
    float color[3]; /* of SURFACE_PLAIN, linear */
    int nlevels;
    const float *levels;      /* [nlevels], ascending: of fringes and contour lines */
    const base_scale *scale;  /* a band has the colour in its middle on this scale; its
                                 range ends the outer bands. NULL: linear, and the outer
                                 bands have the colours of the outer levels */
    float line_width;         /* of contour lines, in pixels; 0: none */
    surface_paint line_paint; /* of contour lines */
    float wire_width;         /* of grid lines, in pixels; 0: none */
    int wire_every;           /* every n-th grid line is drawn, and the last; 0, 1: all;
                                 SURFACE_EVERY_AUTO: by powers of two, so many that they
                                 stand apart in the picture, face by face */
    surface_paint wire_paint; /* of grid lines, which are drawn over contour lines */
    bool lines_at_vertices;   /* the scalar lives in cells, and contour lines are those of
                                 the scalars that the vertices have besides */
    const render_lic *lic;    /* of this surface, with its flow; its texture varies the
                                 fill. NULL: none */
    float opacity;            /* 0 to 1, of fill and lines */
    bool smooth; /* normals vary smoothly across quadrilaterals, and colours vary within
                    them. Otherwise each half of a face (or of a plane's cut of a cell)
                    has one normal, and the whole face has the colour of its mean. Lines
                    are not affected */
    const render_shade *shade; /* NULL: flat colours. per_gradient is ignored */
    bool lines_apart; /* lines on a fill are fragments of their own, as another surface
                         may lie between: the same picture where none does */
} surface_look;

/* ---- Surfaces ---------------------------------------------------------------------- */

typedef struct render_surface render_surface;

/* Makes the surface in the bricks that the store has in memory; other bricks are ignored.
 * Borrows the store. While the surface is in use, neither the grid nor the bricks in
 * memory may change; the scalars may. Local. Errors: STATUS_USAGE (indices outside a
 * block, a range that is a line, a normal of length 0), STATUS_MEMORY. */
status render_surface_create(const grid_store *store, const surface_spec *spec,
                             render_surface **out);
void render_surface_destroy(render_surface **surface);

/* Draws the part of the surface that lies inside the view's box and is not cut off, and a
 * little behind it (render_fragments_end). *out belongs to the surface and is valid until
 * the next drawing or its destruction. It does not depend on the number of threads. If
 * the view is that of the last picture, only colours are computed, and light if `smooth`
 * or `shade` have changed. There are no contour lines at scalars that are not finite.
 *
 * If the scalar lives in cells, a face takes the scalar of the present cell below it
 * along its axis, else of the one above. It then has no contour lines, unless the look
 * has lines_at_vertices. Local. Errors: STATUS_USAGE (contour lines of a field in cells;
 * levels that do not ascend; widths or opacities out of range; colours of the scalar
 * without a colour map), STATUS_MEMORY. */
status render_surface_draw(render_surface *surface, const surface_look *look,
                           const render_clip_view *view, int threads,
                           const render_fragments **out);

/* The lines of the last picture, if they are apart. Borrowed, as long as its other
 * fragments. Local. */
const render_fragments *render_surface_lines(const render_surface *surface);

/* Sizes of the surface and of the last picture. */
typedef struct surface_counts {
    int64_t quads;   /* of this rank; 0: nothing to draw */
    int64_t samples; /* hits of the last picture's rays */
} surface_counts;

surface_counts render_surface_count(const render_surface *surface);

/*
 * The quadrilaterals, whose first corners lie in a half-open box, as polygons; those of
 * cuts and isosurfaces are triangles and flat. The boxes of all ranks, which part space,
 * give each of them once. has_values: with the store's scalars. Clear *out by
 * render_geometry_clear. Local. Errors: STATUS_MEMORY.
 */
status render_surface_geometry(const render_surface *surface, const box3 *box,
                               bool has_values, render_geometry *out);

/* A quadrilateral, or a triangle, of a surface, for those who do not draw. */
typedef struct surface_facet {
    int block, axis;    /* of a face: across which axis; -1: of a cut or between planes */
    int64_t at[3];      /* the lowest vertex of its face, or of its cell */
    int32_t cell;       /* in the store's `cell`; -1 without cell values */
    bool is_above;      /* of a face: its only cell lies above it */
    bool is_cut;        /* of a plane in space: two triangles, 0, 1, 2 and 2, 3, 0 */
    int corners;        /* 3 or 4; a face winds about its axis in a right-handed block */
    int32_t a[4], b[4]; /* corners: on the edge between two vertices of the store */
    float share[4];     /* of b in the place and the value */
    vec3 place[4];      /* relative to the layout's origin */
} surface_facet;

/* The n-th of them, 0 to the number of quads. Local. */
surface_facet render_surface_facet(const render_surface *surface, int64_t n);

/* The cost of the last picture's samples of a tile (render/fragments/fragments.h), in
 * samples of a large quadrilateral. Each quadrilateral that rays hit there costs as much
 * as a few of its samples. Local. */
double render_surface_cost(const render_surface *surface, int64_t tile);

/* ---- Normals ----------------------------------------------------------------------- */

/* Contribution of a quadrilateral to the normals around one of its corners. It has the
 * same bits on every rank with this quadrilateral. May be sent as bytes. */
typedef struct surface_record {
    float at[3];         /* the corner */
    int32_t block, part; /* of the quadrilateral: axis of a face, or 3 + number of the
                            plane in the spec */
    int32_t unused;      /* 0, so that no byte is undefined */
    int64_t index;       /* of its lowest vertex in the block */
    double area[3];      /* its normal times its area */
} surface_record;

/* Lists the records of corners on the rim of a brick. Other ranks may need them, because
 * they may have any of the bricks around it. *records is malloc'ed and the caller's.
 * Local. Errors: STATUS_MEMORY. */
status render_surface_rim(const render_surface *surface, int64_t *count,
                          surface_record **records);

/* Finds smooth normals, given the rims of other ranks in any order; this rank's own rim
 * may be among them. A normal at a corner is the area-weighted mean over all
 * quadrilaterals around that point whose normals lie within 60 degrees of its own, in
 * either sense. So the orientation of blocks does not matter. Points with equal
 * coordinates are the same point: across bricks, blocks and seams. Without this call, the
 * first picture that needs normals finds them from this rank's own quadrilaterals. Local.
 * Errors: STATUS_MEMORY. */
status render_surface_set_normals(render_surface *surface, int64_t count,
                                  const surface_record *records);

#endif
