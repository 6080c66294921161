/* The maps of the folders, by the names inside their files. */
#include "catalogue.h"

#include "base/status.h"

#include <ctype.h>
#include <dirent.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char extension[] = ".json";

/* ---- Names ---- */

/* The next letter of a name that counts: small, without spaces and hyphens. */
static int next_letter(const char **name)
{
    while (**name == ' ' || **name == '-' || **name == '_') {
        (*name)++;
    }
    return **name != '\0' ? tolower((unsigned char)*(*name)++) : '\0';
}

bool io_colormap_names_agree(const char *a, const char *b)
{
    for (;;) {
        const int x = next_letter(&a), y = next_letter(&b);
        if (x != y || x == '\0') {
            return x == y;
        }
    }
}

/* ---- One file ---- */

static bool has_extension(const char *name)
{
    size_t length = strlen(name), tail = sizeof extension - 1;
    return length > tail && strcmp(name + length - tail, extension) == 0;
}

static void visit(const colormap_visitor *visitor, const char *name, bool is_alias,
                  const char *path, int index)
{
    const colormap_entry entry = {
        .name = name, .is_alias = is_alias, .path = path, .index = index};
    if (name != NULL) {
        visitor->visit(visitor->context, &entry);
    }
}

/* Visits a map under its names. A file with one map has given it a name already. */
static void visit_map(const colormap_visitor *visitor, const json_t *map, bool is_only,
                      const char *path, int index)
{
    visit(visitor, json_string_value(json_object_get(map, "Name")), is_only, path, index);
    size_t n;
    json_t *alias;
    json_array_foreach(json_object_get(map, "Aliases"), n, alias)
    {
        visit(visitor, json_string_value(alias), true, path, index);
    }
}

static void visit_file(const colormap_visitor *visitor, const char *folder,
                       const char *file)
{
    const int stem = (int)(strlen(file) - sizeof extension + 1);
    char path[4096], name[256];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    snprintf(name, sizeof name, "%.*s", stem, file);
    json_t *root = json_load_file(path, 0, NULL);
    const size_t count = json_is_array(root) ? json_array_size(root) : 1;
    if (count <= 1) {
        visit(visitor, name, false, path, 0);
    }
    for (size_t n = 0; n < count && root != NULL; n++) {
        const json_t *map = json_is_array(root) ? json_array_get(root, n) : root;
        visit_map(visitor, map, count <= 1, path, (int)n);
    }
    json_decref(root);
}

/* ---- One folder ---- */

static int is_map_file(const struct dirent *entry)
{
    return has_extension(entry->d_name);
}

void io_colormap_visit(const char *folder, const colormap_visitor *visitor)
{
    struct dirent **entries = NULL;
    const int count = scandir(folder, &entries, is_map_file, alphasort);
    for (int n = 0; n < count; n++) {
        visit_file(visitor, folder, entries[n]->d_name);
        free(entries[n]);
    }
    free(entries);
}
