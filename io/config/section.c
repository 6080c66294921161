#include "parts.h"

#include <stdarg.h>
#include <stdio.h>

io_config_section io_config_section_at(io_document *document, const char *path)
{
    io_config_section section = {document, io_document_find(document, path), ""};
    snprintf(section.path, sizeof section.path, "%s", path);
    return section;
}

io_config_section io_config_section_of_layer(io_document *document, int index,
                                             io_layer_kind kind)
{
    char path[IO_DOCUMENT_PATH_SIZE];
    snprintf(path, sizeof path, "layers.%d.%s", index, io_config_kind_name(kind));
    return io_config_section_at(document, path);
}

/* Makes "PATH.key"; paths of keys that exist are short enough. */
static void join_path(const char *path, const char *key, size_t size, char *joined)
{
    int length = snprintf(joined, size, "%s", path);
    if (length >= 0 && (size_t)length < size) {
        snprintf(joined + length, size - (size_t)length, ".%s", key);
    }
}

io_config_section io_config_section_below(const io_config_section *section,
                                          const char *key)
{
    io_config_section below = {section->document, io_config_section_value(section, key),
                               ""};
    join_path(section->path, key, sizeof below.path, below.path);
    return below;
}

io_config_section io_config_section_item(const io_config_section *section,
                                         const char *key, int index)
{
    char entry[64];
    snprintf(entry, sizeof entry, "%s.%d", key, index);
    int list = io_config_section_value(section, key);
    io_config_section item = {section->document,
                              io_document_item(section->document, list, index), ""};
    join_path(section->path, entry, sizeof item.path, item.path);
    return item;
}

int io_config_section_value(const io_config_section *section, const char *key)
{
    return io_document_value(section->document, section->node, key);
}

bool io_config_section_has(const io_config_section *section, const char *key)
{
    return io_config_section_value(section, key) != 0;
}

int io_config_section_count(const io_config_section *section, int count,
                            const char *const *keys)
{
    int found = 0;
    for (int i = 0; i < count; i++) {
        found += io_config_section_has(section, keys[i]) ? 1 : 0;
    }
    return found;
}

status io_config_section_fail(const io_config_section *section, const char *key,
                              const char *format, ...)
{
    char message[768], path[IO_DOCUMENT_PATH_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    snprintf(path, sizeof path, "%s", section->path);
    int node = section->node;
    if (key != NULL) {
        int value = io_config_section_value(section, key);
        node = value != 0 ? value : node;
        join_path(section->path, key, sizeof path, path);
    }
    return io_document_fail(section->document, node, "%s %s", path, message);
}

status io_config_section_fail_type(const io_config_section *section, const char *key,
                                   const char *expected)
{
    char path[IO_DOCUMENT_PATH_SIZE];
    join_path(section->path, key, sizeof path, path);
    return io_document_fail_type(section->document, io_config_section_value(section, key),
                                 path, expected);
}
