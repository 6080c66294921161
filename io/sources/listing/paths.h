/* Paths of data sets, split into parts. */
#ifndef IO_SOURCES_LISTING_PATHS_H
#define IO_SOURCES_LISTING_PATHS_H

#include <stdbool.h>
#include <stddef.h>

/* A part of a path between two slashes. */
typedef struct path_part {
    const char *text; /* borrowed from the path */
    size_t length;
} path_part;

/* The part of `path` at *at, after any slashes. *at moves behind it. After the last part,
 * an empty one. */
path_part path_next(const char *path, size_t *at);

/* Whether both have the same bytes. */
bool path_parts_equal(path_part a, path_part b);

/* Whether a part of `path` equals `part`. */
bool path_has_part(const char *path, path_part part);

/*
 * The name of an array: the last part of its path. If the last part is "data", it is the
 * part before, as in CGNS: /Base/Zone/GridCoordinates/CoordinateX/ data. group_length:
 * bytes of the path before that name, without the slash.
 */
path_part path_name(const char *path, size_t *group_length);

/* Letters and digits of a part in lower case, cut at `size` - 1 bytes. */
void path_normalise(path_part part, char *out, size_t size);

/* Whether a config can contain the path: short enough, printable, without '%', and
 * without "[3]" at its end, which a config reads as a component. */
bool path_is_nameable(const char *path);

#endif
