/* The steps between the text of a config and an io_config; see io/config.c for their
 * order. */
#ifndef IO_CONFIG_PARTS_H
#define IO_CONFIG_PARTS_H

#include "io/config.h"
#include "io/document.h"

/*
 * Brings what may be written in several ways into the one shape of the schema: steps into
 * {all} or {first, last, stride}, names and files of colour maps into their points,
 * `range: auto` into no range, data.fields into a list. Also refuses what the schema
 * cannot say: other layers than one volume, opacity together with extinction. `folder` is
 * the config file's. Errors: STATUS_USAGE, STATUS_INPUT (a colour map that cannot be
 * read), STATUS_MEMORY.
 */
status io_config_normalise(io_document *document, const char *folder);

/* Checks the values of a config that was loaded from `document`, with their lines.
 * Errors: STATUS_USAGE. */
status io_config_check(io_document *document, const io_config *config);

/* `path` as seen from `folder`; an absolute one stays. malloc'ed, or NULL where memory is
 * short. */
char *io_config_join(const char *folder, const char *path);

/* How many %d and %0Nd a pattern has, or -1 where it has any other conversion; %% is a
 * percent sign. */
int io_config_count_conversions(const char *pattern);

#endif
