#include "path.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *base_path_join(const char *folder, const char *path)
{
    size_t size = strlen(folder) + strlen(path) + 2;
    char *joined = malloc(size);
    if (joined != NULL) {
        bool is_alone = path[0] == '/' || folder[0] == '\0';
        snprintf(joined, size, "%s%s%s", is_alone ? "" : folder, is_alone ? "" : "/",
                 path);
    }
    return joined;
}
