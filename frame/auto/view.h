/* Finds a camera that shows a box. */
#ifndef FRAME_AUTO_VIEW_H
#define FRAME_AUTO_VIEW_H

#include "base/vec.h"
#include "io/config/config.h"

/*
 * Fills in the values that a camera leaves open, so that a box (in the file's
 * coordinates) fills the picture. The longest axis lies across. If the box is no slab, z
 * points up. A slab is seen from its flat side; but if a wall lies along that side, the
 * slab's short axis points up. The eye looks from the left and from above; if the wall is
 * the upper side, from below. `walls`: their bounds; lo > hi if there are none. Given
 * values stay. Local.
 */
void auto_view_find(const io_config *config, const box3 *box, const box3 *walls,
                    io_camera_config *camera);

#endif
