#include "example.h"

#include "base/path.h"
#include "base/words.h"
#include "copy.h"
#include "dataset.h"
#include "header.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_FILES = 8 };
static const char extension[] = ".yaml";

/* An example with all files to copy. */
typedef struct example {
    char *folder; /* folder of the sources */
    example_header header;
    int nfiles;
    char *names[MOST_FILES], *texts[MOST_FILES]; /* the config comes first */
} example;

/* ---- The list ---- */

static bool is_config(const struct dirent *entry)
{
    const size_t length = strlen(entry->d_name), tail = sizeof extension - 1;
    return length > tail && strcmp(entry->d_name + length - tail, extension) == 0;
}

/* Finds the folder of the examples. Tries the installation of this program, the
 * installation folder configured in CMake, then the source. malloc'ed. Errors:
 * STATUS_INPUT. */
static status find_folder(char **out)
{
    char *beside = base_path_beside_program(KARMAN_EXAMPLES_RELATIVE);
    const char *folders[] = {beside, KARMAN_EXAMPLES_INSTALLED, KARMAN_EXAMPLES_SOURCE};
    const char *found = NULL;
    for (size_t f = 0; f < sizeof folders / sizeof folders[0] && !found; f++) {
        found = folders[f] && access(folders[f], R_OK) == 0 ? folders[f] : NULL;
    }
    *out = found ? strdup(found) : NULL;
    free(beside);
    return *out ? STATUS_OK
                : base_fail(STATUS_INPUT,
                            "there are no examples: an installation has them in "
                            "share/karman/configs");
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void free_names(int count, char *const *names)
{
    for (int n = 0; n < count; n++) {
        free(names[n]);
    }
}

static bool is_listed(const char *name, int count, char *const *names)
{
    bool is = false;
    for (int n = 0; n < count; n++) {
        is = is || strcmp(names[n], name) == 0;
    }
    return is;
}

/* Adds the names of a folder to the list, unless it has them. */
static void add_names(const char *folder, int *count, char *names[EXAMPLE_MOST])
{
    DIR *listing = opendir(folder);
    for (struct dirent *entry = listing ? readdir(listing) : NULL;
         entry && *count < EXAMPLE_MOST; entry = readdir(listing)) {
        const size_t length = strlen(entry->d_name) - (sizeof extension - 1);
        char *name = is_config(entry) ? strndup(entry->d_name, length) : NULL;
        if (name && !is_listed(name, *count, names)) {
            names[(*count)++] = name;
        } else {
            free(name);
        }
    }
    if (listing) {
        closedir(listing);
    }
}

/* The examples of a folder, and those of the gallery below it. */
static status list_names(const char *folder, int *count, char *names[EXAMPLE_MOST])
{
    char *gallery = base_path_join(folder, "gallery");
    *count = 0;
    add_names(folder, count, names);
    if (gallery) {
        add_names(gallery, count, names);
    }
    free(gallery);
    qsort(names, (size_t)*count, sizeof *names, compare_names);
    return *count > 0 ? STATUS_OK
                      : base_fail(STATUS_INPUT, "%s holds no examples", folder);
}

status example_names(int *count, char *names[EXAMPLE_MOST])
{
    char *folder;
    status s = find_folder(&folder);
    if (s == STATUS_OK) {
        s = list_names(folder, count, names);
        free(folder);
    }
    return s;
}

static status fail_unknown(const char *name)
{
    char *names[EXAMPLE_MOST];
    int count = 0;
    status s = example_names(&count, names);
    if (s != STATUS_OK) {
        return s;
    }
    const char *nearest = base_words_nearest(name, count, (const char *const *)names);
    s = nearest
            ? base_fail(STATUS_USAGE, "there is no example '%s': did you mean '%s'?",
                        name, nearest)
            : base_fail(STATUS_USAGE,
                        "there is no example '%s': 'karman example' lists them", name);
    free_names(count, names);
    return s;
}

/* ---- An example ---- */

static void clear(example *e)
{
    free_names(e->nfiles, e->names);
    free_names(e->nfiles, e->texts);
    example_header_clear(&e->header);
    free(e->folder);
}

/* Adds a file unless it was added before. Errors: STATUS_INPUT, STATUS_MEMORY. */
static status add_file(const char *name, example *e)
{
    for (int n = 0; n < e->nfiles; n++) {
        if (strcmp(e->names[n], name) == 0) {
            return STATUS_OK;
        }
    }
    char *copy = strdup(name), *text = NULL;
    status s = copy && e->nfiles < MOST_FILES ? example_file_read(e->folder, name, &text)
                                              : base_fail_memory(0, name);
    if (s != STATUS_OK) {
        free(copy);
        return s;
    }
    e->texts[e->nfiles] = text;
    e->names[e->nfiles++] = copy;
    return STATUS_OK;
}

/* Adds the files beside the config that a command names. */
static status add_named(const char *command, example *e)
{
    status s = STATUS_OK;
    for (const char *at = command; *at != '\0' && s == STATUS_OK;) {
        char word[256];
        const size_t length = strcspn(at, " =");
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        char *path = base_path_join(e->folder, word);
        if (length > 0 && strchr(word, '.') && path && access(path, R_OK) == 0) {
            s = add_file(word, e);
        }
        free(path);
        at += length + strspn(at + length, " =");
    }
    return s;
}

/* Whether the example's folder has a file; if only the gallery below it does, that
 * becomes the folder. */
static bool find_file(const char *file, example *e)
{
    char *path = base_path_join(e->folder, file);
    bool is_there = path && !strchr(file, '/') && access(path, R_OK) == 0;
    free(path);
    if (!is_there && !strchr(file, '/')) {
        char *gallery = base_path_join(e->folder, "gallery");
        path = gallery ? base_path_join(gallery, file) : NULL;
        is_there = path && access(path, R_OK) == 0;
        if (is_there) {
            free(e->folder);
            e->folder = gallery;
            gallery = NULL;
        }
        free(gallery);
        free(path);
    }
    return is_there;
}

/* Errors: STATUS_USAGE (no such example), STATUS_INPUT, STATUS_MEMORY. */
static status open_example(const char *name, example *e)
{
    *e = (example){.folder = NULL};
    status s = find_folder(&e->folder);
    if (s != STATUS_OK) {
        return s;
    }
    char file[256];
    snprintf(file, sizeof file, "%s%s", name, extension);
    s = find_file(file, e) ? add_file(file, e) : fail_unknown(name);
    s = s == STATUS_OK ? example_header_read(e->texts[0], &e->header) : s;
    for (int n = 0; n < e->header.ncommands && s == STATUS_OK; n++) {
        s = add_named(e->header.commands[n], e);
    }
    if (s != STATUS_OK) {
        clear(e);
    }
    return s;
}

status example_list(FILE *stream)
{
    char *names[EXAMPLE_MOST];
    int count = 0;
    status s = example_names(&count, names);
    if (s != STATUS_OK) {
        return s;
    }
    for (int n = 0; n < count && s == STATUS_OK; n++) {
        example e;
        s = open_example(names[n], &e);
        if (s == STATUS_OK) {
            fprintf(stream, "%-16s %s\n", names[n], e.header.title);
            clear(&e);
        }
    }
    free_names(count, names);
    return s;
}

/* ---- Copying ---- */

static status make_folder(const char *folder)
{
    if (folder[0] == '\0' || mkdir(folder, 0777) == 0 || errno == EEXIST) {
        return STATUS_OK;
    }
    return base_fail(STATUS_OUTPUT, "the folder %s cannot be made: %s", folder,
                     strerror(errno));
}

/* Writes all files, or none if another file is in the way. */
static status write_files(const example *e, const char *folder, FILE *stream)
{
    status s = make_folder(folder);
    for (int n = 0; n < e->nfiles && s == STATUS_OK; n++) {
        s = example_file_check(folder, e->names[n], e->texts[n]);
    }
    for (int n = 0; n < e->nfiles && s == STATUS_OK; n++) {
        bool is_new;
        s = example_file_write(folder, e->names[n], e->texts[n], &is_new);
        if (s == STATUS_OK) {
            fprintf(stream, "%s %s\n", is_new ? "wrote" : "kept ", e->names[n]);
        }
    }
    return s;
}

static status make_data(const example *e, const char *folder, FILE *stream)
{
    status s = STATUS_OK;
    for (int n = 0; n < e->header.ncommands && s == STATUS_OK; n++) {
        const char *command = e->header.commands[n];
        bool is_made = false;
        if (!example_dataset_is(command)) {
            continue;
        }
        s = example_dataset_make(command, folder, &is_made);
        if (s == STATUS_OK) {
            fprintf(stream, "%s %s\n", is_made ? "made " : "kept ",
                    strrchr(command, ' ') + 1);
        }
    }
    return s;
}

static void print_next(const example *e, const char *folder, FILE *stream)
{
    fprintf(stream, "\n%s.\n%s%s", e->header.title,
            e->header.notes[0] != '\0' ? "\n" : "", e->header.notes);
    fputs("\nNext:\n\n", stream);
    if (folder[0] != '\0') {
        fprintf(stream, "    cd %s\n", folder);
    }
    for (int n = 0; n < e->header.ncommands; n++) {
        if (!example_dataset_is(e->header.commands[n])) {
            fprintf(stream, "    %s\n", e->header.commands[n]);
        }
    }
}

status example_put(const char *name, const char *folder, FILE *stream)
{
    example e;
    status s = open_example(name, &e);
    if (s != STATUS_OK) {
        return s;
    }
    s = write_files(&e, folder, stream);
    s = s == STATUS_OK ? make_data(&e, folder, stream) : s;
    if (s == STATUS_OK) {
        print_next(&e, folder, stream);
    }
    clear(&e);
    return s;
}

/* Whether an example has this name: a changed copy may have another. */
static bool is_example(const char *name)
{
    char *names[EXAMPLE_MOST];
    int count = 0;
    if (example_names(&count, names) != STATUS_OK) {
        return false;
    }
    const bool is = is_listed(name, count, names);
    free_names(count, names);
    return is;
}

/* Whether karman-dataset makes the data of a config, by its first comment. */
static bool makes_data(const char *config)
{
    example_header header = {0};
    char text[4096];
    FILE *stream = fopen(config, "r");
    const size_t length = stream ? fread(text, 1, sizeof text - 1, stream) : 0;
    bool makes = false;
    text[length] = '\0';
    if (stream) {
        fclose(stream);
    }
    if (example_header_read(text, &header) == STATUS_OK) {
        for (int n = 0; n < header.ncommands; n++) {
            makes = makes || example_dataset_is(header.commands[n]);
        }
        example_header_clear(&header);
    }
    return makes;
}

bool example_advise(const char *config, size_t size, char *advice)
{
    const char *slash = strrchr(config, '/');
    const char *base = slash ? slash + 1 : config;
    char name[128];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(base, "."), base);
    if (!is_example(name)) {
        return false;
    }
    if (makes_data(config)) {
        snprintf(advice, size,
                 "'karman example %s' makes a copy of this sample with its data", name);
    } else {
        snprintf(advice, size,
                 "the first lines of this sample say where its data come from");
    }
    return true;
}
