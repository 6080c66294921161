/* The opacity of a volume as a text, and round numbers. */
#ifndef FRAME_AUTO_OPACITY_H
#define FRAME_AUTO_OPACITY_H

#include "base/scale/scale.h"
#include "flow.h"

#include <stddef.h>

/* Rounds a value to a hundredth of the span's decimal order. */
double auto_tidy(double value, double span);

/* Prints points [position, alpha] from one end of the flow's range to the other into text
 * of `size` bytes: opaque at the ends, clear in the stream. Positions are those of the
 * scale, or values if `are_data`. alpha: of the end farthest from the stream. Local. */
void auto_opacity_print(const auto_flow *flow, const base_scale *scale, bool are_data,
                        double alpha, size_t size, char *text);

#endif
