/* For dladdr and realpath: */
#define _GNU_SOURCE

#include "base/path.h"
#include "colormap.h"
#include "colormap_parts.h"

#include "base/status.h"
#include "base/words.h"

#include <dirent.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char extension[] = ".json";

static bool has_extension(const char *name)
{
    size_t length = strlen(name), tail = strlen(extension);
    return length > tail && strcmp(name + length - tail, extension) == 0;
}

/* Replaces the last part of the path in `folder` (of PATH_MAX bytes and more). */
static const char *replace_name(char *folder, const char *relative)
{
    char *slash = strrchr(folder, '/');
    if (!slash) {
        return NULL;
    }
    memcpy(slash, relative, strlen(relative) + 1);
    return folder;
}

/* The maps of the installation that has this program, even if it was moved: for
 * PREFIX/bin/karman they are in PREFIX/share/karman/colormaps. NULL if unknown. */
static const char *beside_program(void)
{
    static char folder[PATH_MAX + sizeof KARMAN_COLORMAPS_FROM_PROGRAM];
    ssize_t length = readlink("/proc/self/exe", folder, PATH_MAX - 1);
    if (length <= 0) {
        return NULL;
    }
    folder[length] = '\0';
    return replace_name(folder, KARMAN_COLORMAPS_FROM_PROGRAM);
}

/* The same for libkarman, in a program that is installed elsewhere. */
static const char *beside_library(void)
{
    static char folder[PATH_MAX + sizeof KARMAN_COLORMAPS_FROM_LIBRARY];
    Dl_info about;
    if (dladdr(extension, &about) == 0 || !realpath(about.dli_fname, folder)) {
        return NULL;
    }
    return replace_name(folder, KARMAN_COLORMAPS_FROM_LIBRARY);
}

/* The n-th folder with named maps, or NULL after the last. */
static const char *map_folder(int n)
{
    const char *all[] = {getenv("KARMAN_COLORMAPS"), beside_program(), beside_library(),
                         KARMAN_COLORMAPS_INSTALLED, KARMAN_COLORMAPS_SOURCE};
    for (size_t f = 0; f < sizeof all / sizeof all[0]; f++) {
        if (all[f] && all[f][0] != '\0' && n-- == 0) {
            return all[f];
        }
    }
    return NULL;
}

/* "FOLDER/NAME.json"; NULL if memory is short. */
static char *map_path(const char *folder, const char *name)
{
    size_t size = strlen(folder) + strlen(name) + sizeof extension + 1;
    char *path = malloc(size);
    if (path != NULL) {
        snprintf(path, size, "%s/%s%s", folder, name, extension);
    }
    return path;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_listed(int count, char *const *names, const char *name)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

/* Adds the names of the maps in a folder to names[*count], each once. */
static void list_folder(const char *folder, int *count, char **names)
{
    DIR *listing = opendir(folder);
    if (listing == NULL) {
        return;
    }
    for (struct dirent *entry = readdir(listing);
         entry != NULL && *count < IO_COLORMAP_NAMES; entry = readdir(listing)) {
        if (!has_extension(entry->d_name)) {
            continue;
        }
        char *name = strndup(entry->d_name, strlen(entry->d_name) - strlen(extension));
        if (name == NULL || is_listed(*count, names, name)) {
            free(name);
            continue;
        }
        names[(*count)++] = name;
    }
    closedir(listing);
}

int io_colormap_names(char *names[IO_COLORMAP_NAMES])
{
    int count = 0;
    for (int n = 0; map_folder(n) != NULL; n++) {
        list_folder(map_folder(n), &count, names);
    }
    qsort(names, (size_t)count, sizeof *names, compare_names);
    return count;
}

static status fail_unknown(const char *where, const char *name)
{
    char *names[IO_COLORMAP_NAMES], known[1024] = "";
    const int count = io_colormap_names(names);
    base_words_list(count, (const char *const *)names, sizeof known, known);
    const char *nearest = base_words_nearest(name, count, (const char *const *)names);
    status result = base_fail(
        STATUS_USAGE, "%s: unknown colour map '%.60s'%s%s%s; there are: %s", where, name,
        nearest != NULL ? " (did you mean '" : "", nearest != NULL ? nearest : "",
        nearest != NULL ? "'?)" : "", count > 0 ? known : "none (set KARMAN_COLORMAPS)");
    for (int i = 0; i < count; i++) {
        free(names[i]);
    }
    return result;
}

static status find_named(const char *where, const char *name, char **out)
{
    for (int n = 0; map_folder(n) != NULL && strchr(name, '/') == NULL; n++) {
        char *path = map_path(map_folder(n), name);
        if (path == NULL) {
            return base_fail_memory(0, "a colour map");
        }
        if (access(path, R_OK) == 0) {
            *out = path;
            return STATUS_OK;
        }
        free(path);
    }
    return fail_unknown(where, name);
}

status io_colormap_find(const char *where, const char *name, const char *folder,
                        char **out)
{
    if (!has_extension(name)) {
        return find_named(where, name, out);
    }
    *out = base_path_join(folder, name);
    return *out != NULL ? STATUS_OK : base_fail_memory(0, "a colour map");
}
