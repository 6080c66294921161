/* The parts of describing an XDMF file. */
#ifndef IO_SOURCES_XDMF_READER_H
#define IO_SOURCES_XDMF_READER_H

#include "item.h"

typedef struct xdmf_reader {
    xdmf_set set;
    io_array_builder *builder;
    int64_t nsteps;
    io_named_step *steps; /* [nsteps] */
    int64_t nchildren;
    int *children; /* [nchildren]: steps of the children of temporal collections, in the
                      order of the file */
    int64_t child; /* the next one */
    char unstructured[64]; /* type of the first topology that is left out; "": none */
} xdmf_reader;

/* A grid with values at its own vertices. */
typedef struct xdmf_leaf {
    const xmlNode *grid, *topology;
    char type[64];   /* of the topology */
    int64_t n[3];    /* vertices along i, j, k */
    int block, step; /* -1: it is there at all steps */
} xdmf_leaf;

/* Finds the steps of a Domain. Local. Errors: STATUS_INPUT, STATUS_MEMORY. */
status xdmf_steps_find(xdmf_reader *r, const xmlNode *domain);

/* Whether a grid is a collection of this type: "Temporal", "Spatial". A Tree is spatial.
 * Local. */
bool xdmf_is_collection(const xmlNode *grid, const char *type);

/* Finds the places of x, y and z. Local. Errors: likewise. */
status xdmf_geometry_find(xdmf_reader *r, const xdmf_leaf *leaf, io_array_place place[3]);

/* Adds the attributes of a grid as fields; iblank->file stays IO_ARRAY_LACKS if none
 * hides vertices. Local. Errors: likewise. */
status xdmf_attributes_add(xdmf_reader *r, const xdmf_leaf *leaf, io_array_place *iblank);

#endif
