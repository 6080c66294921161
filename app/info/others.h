/* The contents of a file of another layout, for `karman info`. */
#ifndef APP_INFO_OTHERS_H
#define APP_INFO_OTHERS_H

#include "io/sources/listing/guess.h"

#include <jansson.h>

/* Prints what the file holds, and what could be grid and fields; then the section of a
 * config, if there is a grid. Local. */
void others_print_text(const io_listing *listing, const io_guess *guess);
void others_print_section(const io_listing *listing, const io_guess *guess);

/* New object; NULL without memory. Local. */
json_t *others_describe(const io_listing *listing, const io_guess *guess);

#endif
