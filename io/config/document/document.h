/*
 * A YAML document that can be changed, and that records the origin of each part.
 *
 * It is libyaml's document with two uses of the marks of its nodes. start_mark.line is
 * the line in the config file; start_mark.index is the text that contained the node (enum
 * io_origin). Nodes are named by libyaml's numbers: 1 is the root, 0 is none. Everything
 * here is local.
 */
#ifndef IO_CONFIG_DOCUMENT_DOCUMENT_H
#define IO_CONFIG_DOCUMENT_DOCUMENT_H

#include "base/status.h"

#include <jansson.h>
#include <stdbool.h>
#include <yaml.h>

/* Origin of a node; from IO_ORIGIN_OVERRIDE on, the number of an override. */
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
    char **overrides; /* [noverrides]: their places, "--set key=value" */
    int nlater;
    char **later; /* [nlater]: overrides of layers that are to be found */
} io_document;

/*
 * Reads text from the file `path`: one YAML document, a mapping, without aliases and at
 * most 32 levels deep. Errors: STATUS_USAGE with "PATH:LINE: …", STATUS_MEMORY.
 */
status io_document_parse(const char *path, const char *text, size_t size,
                         io_document **out);
void io_document_destroy(io_document **document);

/* Copies a document, with its overrides and places. Errors: STATUS_MEMORY. */
status io_document_duplicate(io_document *document, io_document **out);

/*
 * Applies "image.width=512": the dotted path leads through mappings by key and through
 * lists by index; the value is YAML, or begins with '#'. Missing mappings on the way are
 * added. The index + adds an entry behind the last one. The value null removes the key.
 * "key?=value" sets a key that is missing or auto, and no other. Words before a '\v' are
 * the place for messages, such as what was typed: "--look paper\vlook=paper". If
 * layers are to be found (`layers: auto`, or none), overrides of entries are kept until
 * then (document->later). Errors: STATUS_USAGE with "--set image.width=512: …",
 * STATUS_MEMORY.
 */
status io_document_override(io_document *document, const char *override);

/* Removes the key or the entry of a list at a dotted path. Errors: STATUS_USAGE (there is
 * none). */
status io_document_drop(io_document *document, const char *path);

/* Forgets the texts of earlier overrides. Messages then attribute their nodes to the file
 * as a whole. */
void io_document_forget_overrides(io_document *document);

/* Forgets the lines of all nodes: messages name the file alone. */
void io_document_forget_lines(io_document *document);

/* Adds to the mapping `node` the keys of `defaults` (YAML) that it lacks, also in
 * mappings inside mappings. A node that is not a mapping stays unchanged. Errors:
 * STATUS_MEMORY. */
status io_document_complete(io_document *document, int node, const char *defaults);

/* The document as JSON: plain scalars become numbers, truth values and null as in YAML's
 * core schema. A new reference; NULL if memory is short. */
json_t *io_document_json(io_document *document);

/* A node as a line of JSON; malloc'ed; NULL for node 0 or if memory is short. */
char *io_document_json_text(io_document *document, int node);

/* The origin of `node`: "PATH:LINE" or "--set key=value"; "PATH" for a default or 0. */
void io_document_place(const io_document *document, int node, size_t size, char *place);

/* Fails with STATUS_USAGE and a message that begins with the place of `node`. */
status io_document_fail(const io_document *document, int node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Fails because a node has the wrong type: "key: expected a number, found 'abc'". */
status io_document_fail_type(io_document *document, int node, const char *key,
                             const char *expected);

/* The node; borrowed until the next node is added. */
yaml_node_t *io_document_node(io_document *document, int node);

bool io_document_is_mapping(io_document *document, int node);
bool io_document_is_sequence(io_document *document, int node);

/* The text of a scalar, or NULL if the node is not a scalar. Borrowed. */
const char *io_document_text(io_document *document, int node);

/* Whether the node is a plain scalar for no value: empty, ~ or null. */
bool io_document_is_null(io_document *document, int node);

/* Entries of a list or pairs of a mapping; 0 for a scalar. */
int io_document_count(io_document *document, int node);

/* Entry `index` of a list. */
int io_document_item(io_document *document, int node, int index);

/* Pair `index` of a mapping. */
yaml_node_pair_t io_document_pair(io_document *document, int node, int index);

/* The value of `key` in the mapping `node`, or 0. */
int io_document_value(io_document *document, int node, const char *key);

/* The index that `part` spells, if it is below `count`; else -1. */
int io_document_index(const char *part, int count);

/* The child of a mapping or list with the name or index `part` of a dotted path, or 0. */
int io_document_child(io_document *document, int node, const char *part);

/* The node at a dotted path such as "layers.0.volume.range", or 0: from the root, or from
 * a given node. */
int io_document_find(io_document *document, const char *path);
int io_document_below(io_document *document, int node, const char *path);

/* New nodes, which messages attribute to the place of `from`; 0 if memory is short. */
int io_document_add_scalar(io_document *document, int from, const char *text);
int io_document_add_sequence(io_document *document, int from);
int io_document_add_mapping(io_document *document, int from);

/* Copies a node of `from` and all below it, with their places; 0 if memory is short. */
int io_document_copy(io_document *to, io_document *from, int node);

/* Append to a list; add a pair to a mapping (with a new node for the key) or replace its
 * value; remove a pair. The first two return false if memory is short. */
bool io_document_append(io_document *document, int sequence, int item);
bool io_document_set(io_document *document, int mapping, const char *key, int value);
void io_document_remove(io_document *document, int mapping, const char *key);

#endif
