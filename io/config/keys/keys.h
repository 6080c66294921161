/* What is done with tables of keys (io/config/keys/key.h). Everything here is local. */
#ifndef IO_CONFIG_KEYS_KEYS_H
#define IO_CONFIG_KEYS_KEYS_H

#include "key.h"

#include <stdio.h>

/* ---- Configs ---- */

/* Adds the defaults of the keys that a section lacks, and those of sections below it that
 * are there. With `is_quiet` also quiet ones, and shorthands become sections. What is no
 * mapping is left to io_keys_load. Errors: STATUS_MEMORY. */
status io_keys_complete(const io_section *section, const io_key *keys, bool is_quiet);

/*
 * Reads a section into a structure that is all zero. Keys whose value stands for no value
 * leave the document. Relative paths lead from `folder`; NULL: they stay as they are.
 * Where it fails, io_keys_free frees what was read. Errors: STATUS_USAGE with the place:
 * unknown keys with the nearest known one, wrong types, missing keys, keys that are there
 * twice, lists of the wrong length, values out of range; STATUS_MEMORY.
 */
status io_keys_load(const io_section *section, const io_key *keys, const char *folder,
                    void *structure);

/* Frees what members of a structure hold and sets them to NULL, not the structure. Keys
 * may share a member. */
void io_keys_free(const io_key *keys, void *structure);

/* ---- People ---- */

/* The key of that name in a table, or NULL. */
const io_key *io_keys_get(const io_key *keys, const char *name, size_t length);

/*
 * The key at a dotted path, such as "layers.volume.range"; indices of lists
 * ("layers.0.volume.range") are passed over. NULL: there is none. *is_steerable, which
 * may be NULL: whether it may be steered.
 */
const io_key *io_keys_find(const io_key *keys, const char *path, bool *is_steerable);

/* Type and range in words, and the default, "required" or "none". `mark` is put around
 * words of a config: "`" or "". */
void io_key_print_type(const io_key *key, const char *mark, size_t size, char *text);
void io_key_print_default(const io_key *key, const char *mark, size_t size, char *text);

/* Copies a text without the marks of code. */
void io_key_plain(const char *text, size_t size, char *plain);

/* The range in words, such as "1 to 65535"; "" where any value is good. */
void io_key_print_range(const io_key_range *range, size_t size, char *text);

/* The least and the greatest value that a key may have. */
void io_key_limits(const io_key *key, double *low, double *high);

/*
 * Prints for people: all keys at and below `path`, NULL for the whole table, or all that
 * is known of one. Errors: STATUS_USAGE (there is no such key, with the nearest one).
 */
status io_keys_help(const io_key *keys, const char *path, FILE *stream);

/* Prints a document as YAML, in the order of the table, for people to go on with; with
 * what each key means behind it, if `has_comments`. */
void io_keys_print(io_document *document, const io_key *keys, bool has_comments,
                   FILE *stream);

#endif
