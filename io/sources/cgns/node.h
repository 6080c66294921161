/* Nodes of a CGNS file on HDF5. By the SIDS-to-HDF5 mapping a node is a group with the
 * attributes `name`, `label` and `type`; its values are its data set " data". A node of
 * type LK is a link: " link" leads to the node that it stands for. Source: CGNS Steering
 * Committee, "SIDS-to-HDF5 File Mapping Manual". */
#ifndef IO_SOURCES_CGNS_NODE_H
#define IO_SOURCES_CGNS_NODE_H

#include "io/sources/hdf5/dataset.h"

#include <stdbool.h>

enum { CGNS_NAME_SIZE = 64 }; /* bytes of a name or label: 32 by the standard */

typedef struct cgns_node {
    hid_t id; /* of its group; 0: none */
    char name[CGNS_NAME_SIZE];
    char label[CGNS_NAME_SIZE]; /* such as "Zone_t"; "": none */
    char path[IO_PATH_SIZE];    /* of its group in the file, with links resolved */
} cgns_node;

/* Opens the root of a file, or a child of a node; links are followed. Returns false if
 * there is none. Close with cgns_node_close. Local. */
bool cgns_node_root(hid_t file, cgns_node *out);
bool cgns_node_child(const cgns_node *parent, const char *name, cgns_node *out);
void cgns_node_close(cgns_node *node);

/* Opens the first child with this label. */
bool cgns_node_first(const cgns_node *parent, const char *label, cgns_node *out);

/* Names of children, in ascending order; malloc'ed, the caller's. Local. Errors:
 * STATUS_MEMORY, STATUS_INPUT for an absurd number of them. */
status cgns_node_names(const cgns_node *node, int *count, char (**names)[CGNS_NAME_SIZE]);

bool cgns_node_is(const cgns_node *node, const char *label);

/* The node's values as text without spaces at its end; "" if it is none. Cut at `size`.
 * Local. */
void cgns_node_text(const cgns_node *node, size_t size, char *text);

/* The text of a child, such as "GridLocation". Local. */
void cgns_node_child_text(const cgns_node *node, const char *name, size_t size,
                          char *text);

/* The node's values as a table of texts, [n[0]][n[1]][n[2]] characters; malloc'ed.
 * Returns NULL if it is none, or memory is short. Local. */
char *cgns_node_table(const cgns_node *node, int64_t n[3]);

/* Reads up to `most` of the node's numbers; returns how many it has, at most `most`, 0 if
 * it has none. Local. */
int cgns_node_ints(const cgns_node *node, int most, int64_t *out);
int cgns_node_reals(const cgns_node *node, int most, double *out);

/* Reads all of the node's whole numbers; *out is malloc'ed, or NULL if there are none.
 * Local. Errors: STATUS_MEMORY. */
status cgns_node_list(const cgns_node *node, int *count, int64_t **out);

#endif
