/* The images of ranks, drawn one after another in one process. */
#ifndef MESSAGES_IMAGES_IMAGES_H
#define MESSAGES_IMAGES_IMAGES_H

#include "base/status.h"

#include <jansson.h>

enum { PIECES_WIDTH = 256 }; /* pixels of the pictures; the config gives their shape */

/*
 * Draws the images that `parts` ranks would composite for the last step of a config.
 * *out, the caller's, has "width", "height", "background" (a colour of CSS) and "images":
 * PNG files as data URIs, by position in visibility order. Needs MPI; one process does it
 * all. Errors: those of a job (frame/job.h).
 */
status pieces_draw(const char *config, int parts, json_t **out);

#endif
