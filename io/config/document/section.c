#include "section.h"

#include <stdarg.h>
#include <stdio.h>

io_section io_section_at(io_document *document, const char *path)
{
    io_section section = {document, io_document_find(document, path), ""};
    snprintf(section.path, sizeof section.path, "%s", path);
    return section;
}

io_section io_section_root(io_document *document)
{
    return (io_section){document, IO_DOCUMENT_ROOT, ""};
}

/* Makes "PATH.key". Paths of existing keys are short enough. */
static void join_path(const char *path, const char *key, size_t size, char *joined)
{
    int length = snprintf(joined, size, "%s", path);
    if (length >= 0 && (size_t)length < size) {
        snprintf(joined + length, size - (size_t)length, "%s%s", length > 0 ? "." : "",
                 key);
    }
}

io_section io_section_below(const io_section *section, const char *key)
{
    io_section below = {section->document, io_section_value(section, key), ""};
    join_path(section->path, key, sizeof below.path, below.path);
    return below;
}

io_section io_section_item(const io_section *section, const char *key, int index)
{
    char entry[64];
    snprintf(entry, sizeof entry, "%s.%d", key, index);
    int list = io_section_value(section, key);
    io_section item = {section->document,
                       io_document_item(section->document, list, index), ""};
    join_path(section->path, entry, sizeof item.path, item.path);
    return item;
}

int io_section_value(const io_section *section, const char *key)
{
    return io_document_below(section->document, section->node, key);
}

bool io_section_has(const io_section *section, const char *key)
{
    return io_section_value(section, key) != 0;
}

const char *io_section_text(const io_section *section, const char *key)
{
    return io_document_text(section->document, io_section_value(section, key));
}

int io_section_count(const io_section *section, int count, const char *const *keys)
{
    int found = 0;
    for (int i = 0; i < count; i++) {
        found += io_section_has(section, keys[i]) ? 1 : 0;
    }
    return found;
}

status io_section_fail(const io_section *section, const char *key, const char *format,
                       ...)
{
    char message[768], path[IO_DOCUMENT_PATH_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    snprintf(path, sizeof path, "%s", section->path);
    int node = section->node;
    if (key != NULL) {
        int value = io_section_value(section, key);
        node = value != 0 ? value : node;
        join_path(section->path, key, sizeof path, path);
    }
    return io_document_fail(section->document, node, "%s %s", path, message);
}

status io_section_fail_type(const io_section *section, const char *key,
                            const char *expected)
{
    if (key == NULL) {
        return io_document_fail_type(section->document, section->node, section->path,
                                     expected);
    }
    char path[IO_DOCUMENT_PATH_SIZE];
    join_path(section->path, key, sizeof path, path);
    return io_document_fail_type(section->document, io_section_value(section, key), path,
                                 expected);
}
