/* Pictures that show nothing but one colour. */
#ifndef APP_FRAME_PLAIN_H
#define APP_FRAME_PLAIN_H

#include "app/frame/distribution/picture.h"
#include "io/picture/png_strip.h"

#include <stdbool.h>

/*
 * Whether nearly all pixels of a picture that differ from its background have one colour,
 * or hardly differing shades of it, and are a hundredth of the picture or more. Pixels
 * that annotations touch do not count. The share is what this rank has of the picture.
 * Collective.
 */
bool app_picture_is_plain(const app_picture *picture, const io_png_share *share);

#endif
