/* Functions on tables of keys (io/config/keys/key.h). Everything here is local. */
#ifndef IO_CONFIG_KEYS_KEYS_H
#define IO_CONFIG_KEYS_KEYS_H

#include "key.h"

#include <stdio.h>

/* ---- Configs ---- */

/* Adds the defaults of the keys that a section and its given subsections lack. is_quiet:
 * adds quiet defaults, too, and expands shorthands to sections. Values that are not
 * mappings are left to io_keys_load. Errors: STATUS_MEMORY. */
status io_keys_complete(const io_section *section, const io_key *keys, bool is_quiet);

/*
 * Reads a section into a structure that is all zero. Keys whose value is a word for no
 * value are removed from the document. Relative paths start at `folder`; NULL: they stay
 * unchanged. After a failure io_keys_free frees the values read so far. Errors:
 * STATUS_USAGE with the place: unknown keys with the nearest known one, wrong types,
 * missing keys, duplicate keys, lists of the wrong length, values out of range;
 * STATUS_MEMORY.
 */
status io_keys_load(const io_section *section, const io_key *keys, const char *folder,
                    void *structure);

/* Frees the values of a structure's members and sets them to NULL, but not the structure
 * itself. Keys may share a member. */
void io_keys_free(const io_key *keys, void *structure);

/* ---- Help ---- */

/* The key of that name in a table, or NULL. */
const io_key *io_keys_get(const io_key *keys, const char *name, size_t length);

/*
 * The key at a dotted path, such as "layers.volume.range"; indices of lists
 * ("layers.0.volume.range", "layers.+") are skipped. NULL: there is none. *is_steerable:
 * whether running programs accept changes; the pointer may be NULL.
 */
const io_key *io_keys_find(const io_key *keys, const char *path, bool *is_steerable);

/* Finds the path of a key of that name below the keys of a table, such as
 * "layers.0.volume.range"; false: there is none. */
bool io_keys_seek(const io_key *keys, const char *name, char path[IO_DOCUMENT_PATH_SIZE]);

/* Type and range in words; the default, "required" or "none". `mark` is put around words
 * of a config: "`" or "". */
void io_key_print_type(const io_key *key, const char *mark, size_t size, char *text);
void io_key_print_default(const io_key *key, const char *mark, size_t size, char *text);

/* Copies a text without the marks around code. */
void io_key_plain(const char *text, size_t size, char *plain);

/* The range in words, such as "1 to 65535"; "" without a limit. */
void io_key_print_range(const io_key_range *range, size_t size, char *text);

/* The least and the greatest value of a key. */
void io_key_limits(const io_key *key, double *low, double *high);

/*
 * Prints help: the list of all keys at and below `path` (NULL: the whole table), or all
 * about one key. Errors: STATUS_USAGE (there is no such key; names the nearest one).
 */
status io_keys_help(const io_key *keys, const char *path, FILE *stream);

/* Prints a document as YAML, in the order of the table, for editing. has_comments: adds
 * the meaning of each key as a comment. */
void io_keys_print(io_document *document, const io_key *keys, bool has_comments,
                   FILE *stream);

#endif
