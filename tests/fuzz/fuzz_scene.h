/* The transfer function and the view of a case. */
#ifndef TESTS_FUZZ_FUZZ_SCENE_H
#define TESTS_FUZZ_FUZZ_SCENE_H

#include "fuzz_grid.h"

#include "render/transfer/transfer.h"
#include "render/view/camera.h"

enum { FUZZ_MOST_COLORS = 256, FUZZ_MOST_OPACITIES = 40 };

/* Control points, as a config would give them. */
typedef struct fuzz_points {
    double colors[FUZZ_MOST_COLORS][4];
    double opacities[FUZZ_MOST_OPACITIES][2];
    render_transfer_points points; /* borrows both */
} fuzz_points;

/* Makes the points of a case; *out must not be moved afterwards. Local. */
void fuzz_points_create(const fuzz_case *c, const fuzz_grid *grid, fuzz_points *out);

/* Makes the view of a case: toward some point of the grid. Local. */
render_view fuzz_view_create(const fuzz_case *c, const fuzz_grid *grid);

#endif
