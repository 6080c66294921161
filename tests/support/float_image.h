/* Float images of karman, read back. */
#ifndef TESTS_SUPPORT_FLOAT_IMAGE_H
#define TESTS_SUPPORT_FLOAT_IMAGE_H

#include "base/image.h"
#include "base/status.h"

/* Reads /rgba, and /depth if it is there; all pixels are active. Errors: STATUS_INPUT,
 * STATUS_MEMORY. */
status test_float_image_read(const char *path, image **out);

#endif
