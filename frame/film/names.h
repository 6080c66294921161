/* Names of the files of several pictures. */
#ifndef FRAME_FILM_NAMES_H
#define FRAME_FILM_NAMES_H

#include "io/config/config.h"

/* Makes a config whose patterns of names have the name of a picture. Local. Errors:
 * STATUS_MEMORY. */
status film_names_set(const io_config *config, const char *name, io_config **out);

#endif
