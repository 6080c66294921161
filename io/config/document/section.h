/* Mappings of the document and the paths that they are at, for messages. */
#ifndef IO_CONFIG_DOCUMENT_SECTION_H
#define IO_CONFIG_DOCUMENT_SECTION_H

#include "document.h"

/* A mapping of the document and the dotted path that it is at, such as
 * "layers.2.contour"; "" is the whole config. */
typedef struct io_section {
    io_document *document;
    int node;
    char path[IO_DOCUMENT_PATH_SIZE];
} io_section;

/* The section at `path`; its node is 0 where there is none. */
io_section io_section_at(io_document *document, const char *path);

/* The whole document. */
io_section io_section_root(io_document *document);

/* The section that a key of another one, or an entry of a list in it, holds. */
io_section io_section_below(const io_section *section, const char *key);
io_section io_section_item(const io_section *section, const char *key, int index);

/* The value of a key or of a dotted path of keys, or 0; whether the key is there; its
 * text, NULL where it has none.
 */
int io_section_value(const io_section *section, const char *key);
bool io_section_has(const io_section *section, const char *key);
const char *io_section_text(const io_section *section, const char *key);

/* How many of the keys ([count]) are there. */
int io_section_count(const io_section *section, int count, const char *const *keys);

/* Fails with "PLACE: PATH.key message"; the place is that of the value of the key, or of
 * the section where that is not there or `key` is NULL ("PLACE: PATH message"). */
status io_section_fail(const io_section *section, const char *key, const char *format,
                       ...) __attribute__((format(printf, 3, 4)));

/* Fails as io_document_fail_type does, for the value of a key, or for the section where
 * `key` is NULL. */
status io_section_fail_type(const io_section *section, const char *key,
                            const char *expected);

#endif
