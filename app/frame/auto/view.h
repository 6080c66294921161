/* A camera for a box: what a config leaves open of its view. */
#ifndef APP_FRAME_AUTO_VIEW_H
#define APP_FRAME_AUTO_VIEW_H

#include "base/vec.h"
#include "io/config/config.h"

/*
 * Fills in what a camera leaves open, so that a box, in the file's coordinates, fills the
 * picture: the longest axis lies across; of the other two, z points up where the box is
 * no slab, and a slab is seen from its flat side; but where a wall has that side, it lies
 * below. The eye looks from the left and from above. walls: their bounds; lo > hi where
 * there are none. What the camera has stays. Local.
 */
void auto_view_find(const io_config *config, const box3 *box, const box3 *walls,
                    io_camera_config *camera);

#endif
