#include "base/path.h"
#include "catalogue.h"
#include "colormap.h"
#include "colormap_parts.h"

#include "base/status.h"
#include "base/words.h"

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

/* The n-th folder with named maps, or NULL after the last. Those of the installation that
 * has this program, or libkarman, come first, even if it was moved: for PREFIX/bin/karman
 * PREFIX/share/karman/colormaps. */
static const char *map_folder(int n)
{
    static char *of_program, *of_library; /* found once, kept until the end */
    if (!of_program) {
        of_program = base_path_beside_program(KARMAN_COLORMAPS_FROM_PROGRAM);
    }
    if (!of_library) {
        of_library = base_path_beside_library(KARMAN_COLORMAPS_FROM_LIBRARY);
    }
    const char *all[] = {getenv("KARMAN_COLORMAPS"), of_program, of_library,
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

/* ---- Names ---- */

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

/* A growing list of names, each once. */
typedef struct name_list {
    int count;
    char **names; /* [IO_COLORMAP_NAMES] */
    bool has_aliases;
} name_list;

static void add_name(void *context, const colormap_entry *entry)
{
    name_list *list = context;
    if (list->count == IO_COLORMAP_NAMES || (entry->is_alias && !list->has_aliases) ||
        is_listed(list->count, list->names, entry->name)) {
        return;
    }
    char *name = strdup(entry->name);
    if (name != NULL) {
        list->names[list->count++] = name;
    }
}

static int list_names(bool has_aliases, char *names[IO_COLORMAP_NAMES])
{
    name_list list = {.names = names, .has_aliases = has_aliases};
    for (int n = 0; map_folder(n) != NULL; n++) {
        io_colormap_visit(map_folder(n), &(colormap_visitor){add_name, &list});
    }
    qsort(names, (size_t)list.count, sizeof *names, compare_names);
    return list.count;
}

int io_colormap_names(char *names[IO_COLORMAP_NAMES])
{
    return list_names(false, names);
}

static void free_names(int count, char **names)
{
    for (int i = 0; i < count; i++) {
        free(names[i]);
    }
}

/* Names the nearest maps; without any, all maps. */
static status fail_unknown(const char *where, const char *name)
{
    enum { NEAREST = 3 };
    char *names[IO_COLORMAP_NAMES], text[1024] = "";
    const char *near[NEAREST];
    const int count = list_names(true, names);
    const int nnear =
        base_words_near(name, count, (const char *const *)names, NEAREST, near);
    if (nnear > 0) {
        base_words_choice(nnear, near, sizeof text, text);
    } else {
        free_names(count, names);
        const int shown = io_colormap_names(names);
        base_words_list(shown, (const char *const *)names, sizeof text, text);
        free_names(shown, names);
    }
    const status result = base_fail(
        STATUS_USAGE, "%s: unknown colour map '%.60s'%s%s%s", where, name,
        nnear > 0 ? ": did you mean " : "; there are: ",
        text[0] != '\0' ? text : "none (set KARMAN_COLORMAPS)", nnear > 0 ? "?" : "");
    if (nnear > 0) {
        free_names(count, names);
    }
    return result;
}

/* ---- Search ---- */

/* A search for a name in the folders. */
typedef struct search {
    const char *name;
    bool is_exact; /* case, spaces and hyphens count */
    char *path;    /* of the first map that has the name; malloc'ed; NULL: none */
    int index;
} search;

static void compare_entry(void *context, const colormap_entry *entry)
{
    search *s = context;
    if (s->path == NULL &&
        (s->is_exact ? strcmp(entry->name, s->name) == 0
                     : io_colormap_names_agree(entry->name, s->name))) {
        s->path = strdup(entry->path);
        s->index = entry->index;
    }
}

/* Searches files NAME.json, which is quick, and then the names in all files. */
static void search_name(search *s)
{
    for (int n = 0; map_folder(n) != NULL; n++) {
        char *path = map_path(map_folder(n), s->name);
        if (path != NULL && access(path, R_OK) == 0) {
            s->path = path;
            return;
        }
        free(path);
    }
    for (int pass = 0; pass < 2; pass++) {
        s->is_exact = pass == 0;
        for (int n = 0; s->path == NULL && map_folder(n) != NULL; n++) {
            io_colormap_visit(map_folder(n), &(colormap_visitor){compare_entry, s});
        }
    }
}

static status find_named(const char *where, const char *name, colormap_place *out)
{
    static const char reversed[] = "_r";
    char stem[256];
    const size_t length = strlen(name), tail = sizeof reversed - 1;
    search s = {.name = name};
    if (strchr(name, '/') == NULL) {
        search_name(&s);
    }
    if (s.path == NULL && length > tail && length < sizeof stem &&
        strcmp(name + length - tail, reversed) == 0 && strchr(name, '/') == NULL) {
        snprintf(stem, sizeof stem, "%.*s", (int)(length - tail), name);
        s.name = stem;
        search_name(&s);
        out->is_reversed = true;
    }
    out->path = s.path;
    out->index = s.index;
    return s.path != NULL ? STATUS_OK : fail_unknown(where, name);
}

status io_colormap_find(const char *where, const char *name, const char *folder,
                        colormap_place *out)
{
    *out = (colormap_place){0};
    if (!has_extension(name)) {
        return find_named(where, name, out);
    }
    out->path = base_path_join(folder, name);
    return out->path != NULL ? STATUS_OK : base_fail_memory(0, "a colour map");
}
