#include "transport.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdlib.h>

static bool has_entry(const char *folder)
{
    DIR *list = opendir(folder);
    bool found = false;
    for (const struct dirent *entry; list && !found && (entry = readdir(list));) {
        found = entry->d_name[0] != '.';
    }
    if (list) {
        closedir(list);
    }
    return found;
}

void parallel_set_transport(const char *cards)
{
    if (!has_entry(cards)) {
        setenv("UCX_RNDV_THRESH", "1m", 0);
    }
}
