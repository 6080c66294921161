/* Vectors among the fields of a source: they turn with copies. */
#ifndef IO_SOURCES_COPIES_VECTORS_H
#define IO_SOURCES_COPIES_VECTORS_H

#include "io/catalog.h"

/* The vector of which a field is a component. */
typedef struct copies_vector {
    bool is;        /* false: the field is a scalar */
    bool is_pseudo; /* of a rotation: its sign turns in a mirror */
    int component, fields[3];
} copies_vector;

/* Finds the vectors: three fields whose names differ in a last x, y, z alone. out:
 * [nfields]. Local. */
void copies_vectors_find(const io_catalog *catalog, copies_vector *out);

#endif
