/*
 * A YAML document that can be changed and still knows where every part of it came from.
 *
 * It is libyaml's document with two uses of the marks of its nodes: start_mark.line is
 * the line in the config file, and start_mark.index tells the text that a node was
 * written in (enum io_origin). Nodes are named by libyaml's numbers: 1 is the root, 0 is
 * none. Everything here is local.
 */
#ifndef IO_CONFIG_DOCUMENT_DOCUMENT_H
#define IO_CONFIG_DOCUMENT_DOCUMENT_H

#include "base/status.h"

#include <jansson.h>
#include <stdbool.h>
#include <yaml.h>

/* Where a node came from; from IO_ORIGIN_OVERRIDE on: that override. */
enum io_origin { IO_ORIGIN_FILE = 0, IO_ORIGIN_DEFAULT = 1, IO_ORIGIN_OVERRIDE = 2 };

enum {
    IO_DOCUMENT_ROOT = 1,
    IO_DOCUMENT_PATH_SIZE = 128, /* of a dotted path of keys that exist */
    IO_DOCUMENT_PLACE_SIZE = 512 /* of a place; a longer one is cut */
};

typedef struct io_document {
    yaml_document_t yaml;
    char *path; /* of the file, for messages */
    int noverrides;
    char **overrides; /* [noverrides]: "key=value", for messages */
} io_document;

/*
 * Reads text that came from `path`: one YAML document, a mapping, without aliases and at
 * most 32 levels deep. Errors: STATUS_USAGE with "PATH:LINE: …", STATUS_MEMORY.
 */
status io_document_parse(const char *path, const char *text, size_t size,
                         io_document **out);
void io_document_destroy(io_document **document);

/* A copy of a document, with its overrides and places. Errors: STATUS_MEMORY. */
status io_document_duplicate(io_document *document, io_document **out);

/*
 * Applies "image.width=512": the dotted path leads through mappings by key and through
 * lists by index, the value is YAML. Mappings that are missing on the way are made.
 * Errors: STATUS_USAGE with "--set image.width=512: …", STATUS_MEMORY.
 */
status io_document_override(io_document *document, const char *assignment);

/* Adds to the mapping `node` what `defaults` (YAML) holds and it does not, mappings
 * inside mappings too. A node that is no mapping stays as it is. Errors: STATUS_MEMORY.
 */
status io_document_complete(io_document *document, int node, const char *defaults);

/* The document as JSON: plain scalars become numbers, truth values and null as in YAML's
 * core schema. A new reference, or NULL where memory is short. */
json_t *io_document_json(io_document *document);

/* Where `node` was written: "PATH:LINE" or "--set key=value", or "PATH" for a default or
 * 0. */
void io_document_place(const io_document *document, int node, size_t size, char *place);

/* Fails with STATUS_USAGE and a message that begins with the place of `node`. */
status io_document_fail(const io_document *document, int node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Fails for a node that was expected to be something else: "key: expected a number, found
 * 'abc'". */
status io_document_fail_type(io_document *document, int node, const char *key,
                             const char *expected);

/* The node; borrowed until the next node is added. */
yaml_node_t *io_document_node(io_document *document, int node);

bool io_document_is_mapping(io_document *document, int node);
bool io_document_is_sequence(io_document *document, int node);

/* The text of a scalar, or NULL where the node is none. Borrowed. */
const char *io_document_text(io_document *document, int node);

/* Whether the node is a plain scalar that stands for nothing: empty, ~ or null. */
bool io_document_is_null(io_document *document, int node);

/* Entries of a list or pairs of a mapping; 0 for a scalar. */
int io_document_count(io_document *document, int node);

/* Entry `index` of a list. */
int io_document_item(io_document *document, int node, int index);

/* Pair `index` of a mapping. */
yaml_node_pair_t io_document_pair(io_document *document, int node, int index);

/* The value of `key` in the mapping `node`, or 0. */
int io_document_value(io_document *document, int node, const char *key);

/* The index below `count` that `part` says, or -1. */
int io_document_index(const char *part, int count);

/* The child of a mapping or list that one part of a dotted path names, or 0. */
int io_document_child(io_document *document, int node, const char *part);

/* The node at a dotted path such as "layers.0.volume.range", or 0: from the root, or from
 * a node. */
int io_document_find(io_document *document, const char *path);
int io_document_below(io_document *document, int node, const char *path);

/* New nodes that take the place of origin `from` in messages; 0 where memory is short. */
int io_document_add_scalar(io_document *document, int from, const char *text);
int io_document_add_sequence(io_document *document, int from);
int io_document_add_mapping(io_document *document, int from);

/* Copies a node of `from` and all below it, places included; 0 where memory is short. */
int io_document_copy(io_document *to, io_document *from, int node);

/* Appends to a list; adds a pair to a mapping (the key's node is new) or replaces its
 * value; removes a pair. The first two are false where memory is short. */
bool io_document_append(io_document *document, int sequence, int item);
bool io_document_set(io_document *document, int mapping, const char *key, int value);
void io_document_remove(io_document *document, int mapping, const char *key);

#endif
