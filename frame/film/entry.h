/* Entries of the key `pictures`. */
#ifndef FRAME_FILM_ENTRY_H
#define FRAME_FILM_ENTRY_H

#include "io/config/config.h"

#include <jansson.h>

/*
 * Makes the config of entry `number` from that of all pictures: its keys go over those of
 * the config, but for `name` and `place`. So does its `data`; with a file, it takes no
 * names of data sets from the other one. Local. Errors: STATUS_USAGE, STATUS_MEMORY.
 */
status film_entry_apply(const io_config *config, const json_t *entry, int number,
                        io_config **out);

#endif
