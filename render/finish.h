/* From the composited float image to the pixels of a file. */
#ifndef RENDER_FINISH_H
#define RENDER_FINISH_H

#include <stdint.h>

/*
 * Blends `count` premultiplied pixels rgba ([count][4]) over the background colour and
 * converts to 8 bits ([count][3]): values are clamped to 0..1 and rounded to the nearest
 * of 0..255.
 */
void render_finish_rgb8(int64_t count, const float *rgba, const float background[3],
                        uint8_t *rgb);

#endif
