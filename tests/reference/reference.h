/*
 * The reference renderer: slow, with a serial structure, in double precision, and simple
 * enough to be trusted. Every picture of the fast renderer is compared with it.
 *
 * It shares no geometry with the fast one. A cell is the trilinear map of its eight
 * corners, and its faces are bilinear patches. Each ray is sampled in tiny steps: a
 * search finds the cell around each sample and inverts its map there.
 */
#ifndef REFERENCE_REFERENCE_H
#define REFERENCE_REFERENCE_H

#include "base/status.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

/* One curvilinear block; i runs fastest. All arrays are malloc'ed and the block's own. */
typedef struct reference_block {
    int64_t n[3];    /* vertices along i, j, k: at least 2 each */
    double *x[3];    /* [3] times [nk][nj][ni]: x, y and z */
    int32_t *iblank; /* [nk][nj][ni], 0 = blanked; NULL if no vertex is blanked */
    double *scalar;  /* [nk][nj][ni], or in cells [nk-1][nj-1][ni-1] */
    bool cell_values;
    vec3 *gradient; /* [nk][nj][ni], of reference_grid_add_gradients; or NULL */
} reference_block;

/* Blocks; in an overlap the first block that contains a point counts. */
typedef struct reference_grid {
    int nblocks;
    reference_block *blocks; /* [nblocks] */
} reference_grid;

/* Allocates a grid of `nblocks` blocks, all zero. Local. Errors: STATUS_MEMORY. */
status reference_grid_create(int nblocks, reference_grid *out);

/* Allocates the arrays of a block whose n and cell_values are set. Errors: STATUS_MEMORY;
 * reference_grid_clear then frees the arrays allocated so far. */
status reference_block_allocate(reference_block *block, bool with_iblank);

/* Frees everything that the grid holds. */
void reference_grid_clear(reference_grid *grid);

/* The paths of one block's data sets in an HDF5 file. */
typedef struct reference_paths {
    const char *x[3];
    const char *iblank; /* NULL: no vertex is blanked */
    const char *scalar;
} reference_paths;

/*
 * Reads a grid of one block from a file of any layout. Local; the caller clears the grid.
 * Errors: STATUS_INPUT for data sets that are missing or have the wrong shape,
 * STATUS_MEMORY.
 */
status reference_grid_read_paths(const char *file, const reference_paths *paths,
                                 reference_grid *out);

/* Reads all blocks of a file in karman's own layout: `field` at the step whose group is
 * the `step`-th by name, from 0. Otherwise like reference_grid_read_paths. */
status reference_grid_read(const char *file, int step, const char *field,
                           reference_grid *out);

/* A pinhole camera, or one with parallel rays. */
typedef struct reference_camera {
    vec3 position, look_at, up;
    bool orthographic;
    double fov;        /* perspective: full vertical angle, degrees */
    double height;     /* orthographic: height of the picture in the grid's units */
    int columns, rows; /* pixels; they are square */
} reference_camera;

/* The points origin + t * direction, |direction| = 1, t > 0 in front of the viewer. */
typedef struct reference_ray {
    vec3 origin, direction;
} reference_ray;

/* The ray through a point of the picture, in pixels from its upper left corner: the
 * centre of the first pixel is (0.5, 0.5). */
reference_ray reference_camera_ray(const reference_camera *camera, double column,
                                   double row);

/* Colour and opacity, linear between control points of ascending position, constant
 * beyond. */
typedef struct reference_transfer {
    int ncolors;
    const double (*colors)[4]; /* [ncolors]: position, r, g, b */
    int nopacities;
    const double (*opacities)[2]; /* [nopacities]: position; alpha, or extinction */
    bool opacities_are_extinction;
    bool positions_are_data; /* else positions are fractions of range */
    double range[2];
    double unit_length; /* unit of alpha and extinction, in the grid's units */
} reference_transfer;

/* Colour, and extinction per unit of length, of a scalar; NaN is transparent. */
void reference_transfer_evaluate(const reference_transfer *transfer, double scalar,
                                 double rgb[3], double *extinction);

/* Finds the cell around a point; see reference_locator_find. */
typedef struct reference_locator reference_locator;

/* `grid` is borrowed and must outlive the locator. Local. Errors: STATUS_MEMORY. */
status reference_locator_create(const reference_grid *grid, reference_locator **out);
void reference_locator_destroy(reference_locator **locator);

/* Bounds of all present cells: those with finite coordinates and no blanked vertex. */
box3 reference_locator_bounds(const reference_locator *locator);

/* A cell of a block and the parameters of a point in it; block -1: nowhere. */
typedef struct reference_place {
    int block;
    int64_t cell[3];
    double u[3]; /* 0..1 along i, j, k */
} reference_place;

/*
 * Finds the present cell that contains a point. On entry *place is the first cell to try
 * (block -1: no guess). It is overwritten only if the point is inside the grid. Local;
 * may be called by several threads at once.
 */
bool reference_locator_find(const reference_locator *locator, vec3 point,
                            reference_place *place);

/* The scalar at a place: trilinear, or that of the cell. */
double reference_grid_scalar(const reference_grid *grid, const reference_place *place);

/* Adds gradients at vertices, for fields at vertices: the mean of those of the present
 * cells around, each of which is trilinear. Errors: STATUS_MEMORY. */
status reference_grid_add_gradients(reference_grid *grid);

/* The gradient at a place, trilinear between those at vertices. */
vec3 reference_grid_gradient(const reference_grid *grid, const reference_place *place);

/* Everything that a picture depends on. */
typedef struct reference_scene {
    int ngradients;               /* 0: the extinction depends on the scalar alone */
    const double (*gradients)[2]; /* [ngradients]: magnitude, factor of the extinction */
    const reference_grid *grid;
    const reference_locator *locator; /* of grid */
    reference_transfer transfer;
    reference_camera camera;
    double step;      /* along rays, in the grid's units, > 0 */
    bool exact_steps; /* the transfer function is integrated exactly along each step, for
                         narrow spikes and long steps; not with gradients */
} reference_scene;

/* The result of one ray. */
typedef struct reference_pixel {
    double rgb[3]; /* premultiplied with opacity */
    double transmittance;
    double length;      /* of the ray inside the grid */
    double entry, exit; /* t of the first and last point inside; 0 if there is none */
    int runs;           /* pieces of the ray inside the grid */
} reference_pixel;

/*
 * Follows one ray: the emission-absorption integral by the trapezoidal rule between
 * samples one step apart. Bisection finds the points at which the ray enters and leaves
 * the grid, so the error is of second order in the step. Pieces shorter than a step may
 * be missed.
 */
reference_pixel reference_ray_render(const reference_scene *scene, reference_ray ray);

/* Renders `count` points of the picture (column and row as for reference_camera_ray) with
 * all threads of OpenMP. pixels: [count]. */
void reference_scene_render(const reference_scene *scene, int64_t count,
                            const double (*points)[2], reference_pixel *pixels);

#endif
