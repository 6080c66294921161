/* Finds a camera that shows a box. */
#ifndef FRAME_AUTO_VIEW_H
#define FRAME_AUTO_VIEW_H

#include "base/vec.h"
#include "io/config/config.h"
#include "walls.h"

/* What a view shows, in the file's coordinates. */
typedef struct view_scene {
    box3 box;
    box3 walls;       /* bounds of walls; lo > hi if there are none */
    auto_cover cover; /* sides of the box that walls cover */
    bool
        has_planes; /* that would be seen from their edges from the flat side of a slab */
    double aside;   /* the part of the picture's width, at the right, that bars take */
} view_scene;

/*
 * Fills in the values that a camera leaves open, so that the box fills the picture beside
 * bars. The longest axis lies across. If the box is no slab, z points up. A slab is seen
 * from its flat side; but if a wall lies along that side, the slab's short axis points
 * up. The eye looks from the left and from above; if the wall is the upper side, from
 * below; and from sides that walls do not cover. A given side, azimuth, elevation and
 * zoom count. Given values stay. Local.
 */
void auto_view_find(const io_config *config, const view_scene *scene,
                    io_camera_config *camera);

/*
 * Turns a camera that has all its values by its azimuth and elevation about the point it
 * looks at, and magnifies by its zoom. Local.
 */
void auto_view_turn(io_camera_config *camera);

#endif
