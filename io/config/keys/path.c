#include "path.h"

#include <stdlib.h>
#include <string.h>

char *io_path_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (slash == NULL) {
        return strdup("");
    }
    /* "/x.yaml" is in "/", which joins as "//": every system takes that for "/". */
    return slash == path ? strdup("/") : strndup(path, (size_t)(slash - path));
}

char *io_path_pattern(const char *path)
{
    char *pattern = malloc(2 * strlen(path) + 1);
    char *end = pattern;
    for (const char *text = path; pattern != NULL && *text != '\0'; text++) {
        if (*text == '%') {
            *end++ = '%';
        }
        *end++ = *text;
    }
    if (pattern != NULL) {
        *end = '\0';
    }
    return pattern;
}
