/* The geometry of a layer on this rank, and the formats of files. */
#ifndef FRAME_EXTRACT_LAYER_PART_H
#define FRAME_EXTRACT_LAYER_PART_H

#include "file.h"
#include "frame/layers/layers.h"

/* Sizes of a rank's geometry. */
typedef struct extract_sizes {
    int64_t points, indices, parts;
} extract_sizes;

typedef struct extract_layer {
    const frame_scene *scene;
    const frame_layer *layer;
    char name[64];      /* of its file: "0_contour" */
    const char *values; /* name of its values; "": it has none */
    double time;
    render_geometry geometry;
    extract_sizes *sizes; /* [scene->ranks] */
} extract_layer;

/* This rank's bytes of a .vtp file. Local. Errors: STATUS_MEMORY. */
status extract_polydata_print(const extract_layer *of, FILE *out);

/* This rank's rows of a .csv file; the first rank prints their names, too, if `has_head`.
 * Local. */
status extract_rows_print(const extract_layer *of, bool has_head, FILE *out);

#endif
