/* Recognises pictures of a single colour. */
#ifndef FRAME_SINGLE_COLOR_H
#define FRAME_SINGLE_COLOR_H

#include "frame/distribution/picture.h"
#include "io/picture/png_strip.h"

#include <stdbool.h>

/*
 * Whether nearly all pixels that differ from the background have one colour or similar
 * shades of it, and make up at least a hundredth of the picture. Pixels with annotations
 * do not count. `share`: this rank's pixels of the picture. Collective.
 */
bool frame_picture_is_plain(const frame_picture *picture, const io_png_share *share);

#endif
