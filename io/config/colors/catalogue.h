/* The maps in a folder of colour maps, by all their names. */
#ifndef IO_CONFIG_COLORS_CATALOGUE_H
#define IO_CONFIG_COLORS_CATALOGUE_H

#include <stdbool.h>

/* A name of a map, and the map's place. */
typedef struct colormap_entry {
    const char *name; /* borrowed, as is the path */
    bool is_alias;    /* the map has been visited under its first name */
    const char *path;
    int index; /* of the map in its file */
} colormap_entry;

typedef struct colormap_visitor {
    void (*visit)(void *context, const colormap_entry *entry);
    void *context;
} colormap_visitor;

/*
 * Visits all maps of a folder, file by file in alphabetical order. A file with one map is
 * named after the file; the others have their `Name`. Both may have `Aliases`, a list of
 * further names. A file that is not JSON has its own name alone. Local.
 */
void io_colormap_visit(const char *folder, const colormap_visitor *visitor);

/* Whether two names mean the same map: case, spaces, hyphens and underscores do not
 * count. Local. */
bool io_colormap_names_agree(const char *a, const char *b);

#endif
