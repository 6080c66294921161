/* Line integral convolution on surfaces of index planes and walls: noise, smeared along
 * the flow in the surface.
 *
 * At each hit of a ray a streamline is followed both ways, in the indices of the plane.
 * Each hit is computed by itself, from data of whole planes that are the same on all
 * ranks. So the texture depends neither on the parts of ranks nor on their number. The
 * noise is a function of the place in space, with grains of about two pixels. So the
 * texture stays with the surface, and neither stretches in thin cells nor aliases.
 *
 * After Cabral and Leedom 1993, Imaging vector fields using line integral convolution
 * (SIGGRAPH), and for curvilinear grids Forssell and Cohen 1995, Using line integral
 * convolution for flow visualization (IEEE TVCG 1). Noise of two levels after Perlin and
 * Hoffert 1989, Hypertexture (SIGGRAPH). */
#ifndef RENDER_SURFACE_LIC_H
#define RENDER_SURFACE_LIC_H

#include "surface.h"

/* The part of an index plane that faces of a surface span: a sheet. May be sent as
 * bytes. */
typedef struct lic_place {
    int32_t block, part;  /* part: axis of the faces, or 3 + number of the plane in the
                             spec */
    int32_t axis, unused; /* of the plane; 0, so that no byte is undefined */
    int64_t index;        /* of the plane along its axis; 0 for planes of the spec */
    int64_t lo[2], hi[2]; /* vertices along the two axes that follow, both included */
} lic_place;

typedef struct lic_look {
    double length;   /* of the whole line, in pixels, above 0 */
    double contrast; /* 0 to 1 */
} lic_look;

/* Lists the sheets of a surface with `has_inner`, of this rank's faces alone. Cuts by
 * planes in space have none. *places is malloc'ed and the caller's. Local. Errors:
 * STATUS_MEMORY. */
status render_lic_list(const render_surface *surface, int64_t *count, lic_place **places);

/* Makes the texture of a surface, still without points and flow. places: [count], the
 * lists of all ranks in any order. Local. Errors: STATUS_MEMORY, STATUS_INPUT (a plane
 * has 430 million vertices or more). */
status render_lic_create(const render_surface *surface, const lic_look *look,
                         int64_t count, const lic_place *places, render_lic **out);
void render_lic_destroy(render_lic **lic);

/* Vertices of all sheets, the same on every rank. */
int64_t render_lic_count(const render_lic *lic);

/* Fills in what this rank knows of the points of vertices and of the cells whose lowest
 * corners they are. values: [render_lic_count][4]. Ranks then take the maximum of each
 * value over all ranks, and pass it to render_lic_set_points. Local. */
void render_lic_tell_points(const render_lic *lic, int32_t (*values)[4]);
void render_lic_set_points(render_lic *lic, const int32_t (*values)[4]);

/* The same for the velocity: values: [render_lic_count][3], velocity: [vertices of the
 * store][3]. At walls, and at vertices of faces with one cell where it is 0, the velocity
 * one vertex off the surface is taken. Local. */
void render_lic_tell_flow(const render_lic *lic, const float (*velocity)[3],
                          int64_t (*values)[3]);
void render_lic_set_flow(render_lic *lic, const int64_t (*values)[3]);

#endif
