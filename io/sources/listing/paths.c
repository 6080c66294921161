#include "paths.h"

#include <ctype.h>
#include <string.h>

path_part path_next(const char *path, size_t *at)
{
    while (path[*at] == '/') {
        (*at)++;
    }
    path_part part = {path + *at, strcspn(path + *at, "/")};
    *at += part.length;
    return part;
}

bool path_parts_equal(path_part a, path_part b)
{
    return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

bool path_has_part(const char *path, path_part part)
{
    size_t at = 0;
    for (path_part p = path_next(path, &at); p.length > 0; p = path_next(path, &at)) {
        if (path_parts_equal(p, part)) {
            return true;
        }
    }
    return false;
}

/* Whether a name says nothing about the array, so that the group names it. */
static bool is_nameless(path_part part)
{
    char name[8];
    path_normalise(part, name, sizeof name);
    return strcmp(name, "data") == 0 || strcmp(name, "values") == 0;
}

path_part path_name(const char *path, size_t *group_length)
{
    path_part name = {path, 0}, before = {path, 0};
    size_t at = 0;
    for (path_part p = path_next(path, &at); p.length > 0; p = path_next(path, &at)) {
        before = name;
        name = p;
    }
    if (is_nameless(name) && before.length > 0) {
        name = before;
    }
    size_t length = (size_t)(name.text - path);
    *group_length = length > 0 ? length - 1 : 0;
    return name;
}

void path_normalise(path_part part, char *out, size_t size)
{
    size_t length = 0;
    for (size_t n = 0; n < part.length && length + 1 < size; n++) {
        if (isalnum((unsigned char)part.text[n])) {
            out[length++] = (char)tolower((unsigned char)part.text[n]);
        }
    }
    out[length] = '\0';
}

bool path_is_nameable(const char *path)
{
    enum { LONGEST = 400 }; /* fits io/sources/hdf5/names.h, with a step's digits */
    const size_t length = strlen(path);
    for (size_t n = 0; n < length; n++) {
        if ((unsigned char)path[n] < ' ' || path[n] == 0x7f || path[n] == '%') {
            return false;
        }
    }
    return length > 1 && length <= LONGEST && path[length - 1] != ']';
}
