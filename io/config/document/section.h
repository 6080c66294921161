/* Sections: mappings of the document together with their paths, for messages. */
#ifndef IO_CONFIG_DOCUMENT_SECTION_H
#define IO_CONFIG_DOCUMENT_SECTION_H

#include "document.h"

/* A mapping of the document and its dotted path, such as "layers.2.contour"; "" is the
 * whole config. */
typedef struct io_section {
    io_document *document;
    int node;
    char path[IO_DOCUMENT_PATH_SIZE];
} io_section;

/* The section at `path`; its node is 0 if there is none. */
io_section io_section_at(io_document *document, const char *path);

/* The whole document. */
io_section io_section_root(io_document *document);

/* The section that is the value of a key, or an entry of a list. */
io_section io_section_below(const io_section *section, const char *key);
io_section io_section_item(const io_section *section, const char *key, int index);

/* The value of a key or of a dotted path of keys, or 0; whether the key is given; its
 * text, or NULL. */
int io_section_value(const io_section *section, const char *key);
bool io_section_has(const io_section *section, const char *key);
const char *io_section_text(const io_section *section, const char *key);

/* Number of the keys ([count]) that are given. */
int io_section_count(const io_section *section, int count, const char *const *keys);

/* Fails with "PLACE: PATH.key message"; the place is that of the key's value. If the key
 * is missing or `key` is NULL, it is that of the section ("PLACE: PATH message"). */
status io_section_fail(const io_section *section, const char *key, const char *format,
                       ...) __attribute__((format(printf, 3, 4)));

/* Fails as io_document_fail_type does, for the value of a key, or for the section if
 * `key` is NULL. */
status io_section_fail_type(const io_section *section, const char *key,
                            const char *expected);

#endif
