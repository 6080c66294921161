/* The contents of a file of another layout than karman's own: data sets, attributes and
 * links, as plain data. */
#ifndef IO_SOURCES_LISTING_LISTING_H
#define IO_SOURCES_LISTING_LISTING_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    IO_LISTING_AXES = 8, /* most axes of a data set to record */
    IO_LISTING_MOST_OBJECTS = 20000,
    IO_LISTING_MOST_ATTRIBUTES = 64 /* of one object */
};

typedef enum io_object_kind {
    IO_OBJECT_DATASET,
    IO_OBJECT_GROUP, /* listed if it has attributes */
    IO_OBJECT_LINK   /* leads nowhere, or to an object that is listed already */
} io_object_kind;

typedef struct io_attribute {
    char *name;
    char *value; /* as text; the shape of a long value */
} io_attribute;

typedef struct io_object {
    io_object_kind kind;
    char *path;
    char *note;    /* of a data set: its type, such as "float32"; of a link: its target */
    char *storage; /* of a data set: chunks and filters; NULL: none */
    bool is_number; /* floating-point or integer values */
    int rank;
    int64_t n[IO_LISTING_AXES]; /* [rank], slowest first as HDF5 has them */
    int nattributes;
    io_attribute *attributes;
    int alike; /* number of other objects that differ only in the number of a step; set by
                  folding */
    int last_alike; /* index of the last of them */
    bool is_folded; /* true for those others */
} io_object;

typedef struct io_listing {
    char *file;     /* as the user named it */
    char *layout;   /* the layout: "a VTKHDF file of the type PolyData"; NULL: unknown */
    char *obstacle; /* a sentence on why no config helps; NULL: a config may help */
    bool hides_attributes; /* the attributes belong to the layout's library */
    bool is_cut;           /* the file contains more than is listed */
    int nobjects;
    io_object *objects; /* sorted by path */
} io_listing;

/* An empty listing. Local. Errors: STATUS_MEMORY. */
status io_listing_create(const char *file, io_listing **out);
void io_listing_destroy(io_listing **listing);

/* Adds an object; its path and note (NULL: none) are copied. *out is borrowed until the
 * next object is added; `out` may be NULL. Local. Errors: STATUS_MEMORY. */
status io_listing_add(io_listing *listing, io_object_kind kind, const char *path,
                      const char *note, io_object **out);

/* Adds an attribute to an object. Local. Errors: STATUS_MEMORY. */
status io_object_add_attribute(io_object *object, const char *name, const char *value);

/* Sorts objects by path, a group before its members. Local. */
void io_listing_sort(io_listing *listing);

/* Whether a sorted listing has an object of this path. Local. */
bool io_listing_has(const io_listing *listing, const char *path);

/* Folds long series of steps. Of objects that differ only in the number of a step, the
 * first counts the others. Local. Errors: STATUS_MEMORY. */
status io_listing_fold(io_listing *listing);

/* Shape of a data set, slowest axis first: "25 x 33 x 57", or "one value". Local. */
enum { IO_SHAPE_SIZE = 24 * IO_LISTING_AXES };
void io_object_shape(const io_object *object, char text[IO_SHAPE_SIZE]);

#endif
