/* Trees of groups and data sets that are damaged before they are written as HDF5 files.
 * The files are sound HDF5; their contents lie. */
#ifndef TESTS_FUZZ_FILES_TREE_H
#define TESTS_FUZZ_FILES_TREE_H

#include <stdbool.h>
#include <stdint.h>

enum { FUZZ_NODES = 160, FUZZ_PATH = 160, FUZZ_RANK = 5, FUZZ_VALUES = 12 };

typedef enum fuzz_type {
    FUZZ_INT32,
    FUZZ_INT64,
    FUZZ_FLOAT32,
    FUZZ_FLOAT64,
    FUZZ_CHAR,   /* text as CGNS has it: an array of bytes */
    FUZZ_STRING, /* text as HDF5 has it */
    FUZZ_TYPES
} fuzz_type;

/* A group, or a data set with values. */
typedef struct fuzz_node {
    char path[FUZZ_PATH];
    char label[34]; /* of a node of CGNS; "": none */
    int rank;       /* of its data set; -1: a group alone */
    int64_t dims[FUZZ_RANK];
    fuzz_type type;
    int nvalues; /* 0: values count up from `first` */
    double values[FUZZ_VALUES];
    double first;
    char text[100];         /* of FUZZ_CHAR and FUZZ_STRING */
    char target[FUZZ_PATH]; /* a link instead, to this path; "": none */
    bool is_chunked;
    int nattributes;
    struct {
        char name[24];
        double value;
        char text[32]; /* instead of the value; "": none */
    } attributes[4];
} fuzz_node;

typedef struct fuzz_tree {
    bool is_cgns; /* a data set is the child " data" of its node */
    int count;
    fuzz_node nodes[FUZZ_NODES];
} fuzz_tree;

/* Adds a node; NULL when the tree is full. The node is a group. */
fuzz_node *fuzz_tree_add(fuzz_tree *tree, const char *path, const char *label);

/* Makes a node a data set: with `n` values along i, j, k; or with a list of numbers; or
 * with text. */
void fuzz_node_array(fuzz_node *node, fuzz_type type, const int64_t n[3], double first);
void fuzz_node_numbers(fuzz_node *node, fuzz_type type, int count, const double *values);
void fuzz_node_text(fuzz_node *node, const char *text);
void fuzz_node_attribute(fuzz_node *node, const char *name, double value);
void fuzz_node_word(fuzz_node *node, const char *name, const char *text);

/* A number that sizes, counts and indices may lie with. */
double fuzz_lie(uint64_t *state);

/* Damages a few nodes: paths, labels, shapes, types, values, attributes, links. */
void fuzz_tree_damage(fuzz_tree *tree, uint64_t *state);

/* Writes the file; what HDF5 refuses is left out. Values beyond a small size are not
 * written: such data sets are empty and large. */
void fuzz_tree_write(const fuzz_tree *tree, const char *path);

#endif
