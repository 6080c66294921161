/* The files of a config: those of a list, those that match a pattern, or the data files
 * of one kind in a folder. */
#include "base/path.h"
#include "files.h"
#include "io/sources/formats.h"
#include "p3d.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME = 256, MOST_DIGITS = 18 };

/* Names that consist of two texts with a number between them. */
typedef struct name_pattern {
    char before[NAME], behind[NAME];
    int width; /* least number of digits */
} name_pattern;

/* Splits a path into its folder, with the slash or "", and its name. */
static const char *split(const char *path, int *folder)
{
    const char *slash = strrchr(path, '/');
    *folder = slash ? (int)(slash + 1 - path) : 0;
    return path + *folder;
}

/* ---- Patterns ---------------------------------------------------------------------- */

/* Takes a name with one %d or %0Nd apart. */
static status parse(const char *path, const char *name, name_pattern *out)
{
    int conversions = 0;
    char *to = out->before;
    *out = (name_pattern){.width = 1};
    for (const char *c = name; *c != '\0' && strlen(name) < NAME; c++) {
        const size_t length = series_conversion(c);
        if (length == 0) {
            *to++ = *c;
            continue;
        }
        out->width = length > 2 ? atoi(c + 1) : 1;
        to = out->behind;
        conversions++;
        c += length - 1;
    }
    return conversions == 1
               ? STATUS_OK
               : base_fail(STATUS_INPUT,
                           "'%s' may hold one %%d or %%0Nd for the number of a step, in "
                           "the name of the file",
                           path);
}

/* The number in a name; -1 if it does not match. */
static int64_t match(const name_pattern *pattern, const char *name)
{
    const size_t before = strlen(pattern->before), behind = strlen(pattern->behind);
    const size_t length = strlen(name);
    if (length <= before + behind || strncmp(name, pattern->before, before) != 0 ||
        strcmp(name + length - behind, pattern->behind) != 0) {
        return -1;
    }
    const size_t count = length - before - behind;
    if (count < (size_t)pattern->width || count > MOST_DIGITS ||
        strspn(name + before, "0123456789") < count) {
        return -1;
    }
    char digits[MOST_DIGITS + 1] = "";
    memcpy(digits, name + before, count);
    return strtoll(digits, NULL, 10);
}

static int compare(const void *a, const void *b)
{
    const series_file *left = a, *right = b;
    return left->number != right->number ? (left->number < right->number ? -1 : 1)
                                         : base_path_compare(left->path, right->path);
}

static status sort_files(series_files *files)
{
    if (files->count > 1) {
        qsort(files->files, (size_t)files->count, sizeof *files->files, compare);
    }
    for (int n = 1; n < files->count; n++) {
        const series_file *a = &files->files[n - 1], *b = &files->files[n];
        if (a->number == b->number && a->number >= 0) {
            return base_fail(STATUS_INPUT,
                             "step %" PRId64 " has two files, '%s' and '%s': remove one",
                             a->number, a->path, b->path);
        }
    }
    return STATUS_OK;
}

/* Opens a folder, given by the beginning of a path. */
static status open_folder(const char *path, int length, DIR **out)
{
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%.*s", length > 0 ? length : 1,
             length > 0 ? path : ".");
    *out = opendir(folder);
    return *out ? STATUS_OK
                : base_fail(STATUS_INPUT, "the folder '%s' cannot be read: %s", folder,
                            strerror(errno));
}

status series_files_match(const char *path, series_files *out)
{
    int folder;
    name_pattern pattern;
    DIR *listing = NULL;
    const char *name = split(path, &folder);
    status s = parse(path, name, &pattern);
    s = s == STATUS_OK ? open_folder(path, folder, &listing) : s;
    for (struct dirent *entry; s == STATUS_OK && (entry = readdir(listing));) {
        char found[PATH_MAX];
        const int64_t number = match(&pattern, entry->d_name);
        snprintf(found, sizeof found, "%.*s%s", folder, path, entry->d_name);
        s = number >= 0 ? series_files_add(out, found, number) : STATUS_OK;
    }
    if (listing) {
        closedir(listing);
    }
    if (s == STATUS_OK && out->count == 0) {
        s = base_fail(STATUS_INPUT, "no file in folder '%.*s' has a name like '%s'",
                      folder > 0 ? folder : 1, folder > 0 ? path : ".", name);
    }
    out->has_numbers = true;
    out->pattern = strdup(path);
    return s == STATUS_OK ? sort_files(out) : s;
}

/* ---- Folders ----------------------------------------------------------------------- */

/* The pattern of a name: its last number becomes %d. False without a number. */
static bool find_pattern(const char *name, name_pattern *out)
{
    const char *end = strrchr(name, '.');
    end = end && end > name ? end : name + strlen(name);
    while (end > name && !isdigit((unsigned char)end[-1])) {
        end--;
    }
    const char *start = end;
    while (start > name && isdigit((unsigned char)start[-1])) {
        start--;
    }
    *out = (name_pattern){.width = 1};
    snprintf(out->before, NAME, "%.*s", (int)(start - name), name);
    snprintf(out->behind, NAME, "%s", end);
    return end > start;
}

int64_t series_number(const char *pattern, const char *name)
{
    int folder;
    name_pattern parts;
    const bool works = parse(pattern, split(pattern, &folder), &parts) == STATUS_OK;
    return works ? match(&parts, name) : -1;
}

char *series_pattern_of(const char *name)
{
    name_pattern parts;
    const size_t size = 2 * NAME + 4;
    const bool has_number = strlen(name) < NAME && find_pattern(name, &parts);
    char *pattern = has_number ? malloc(size) : NULL;
    if (pattern) {
        snprintf(pattern, size, "%s%%d%s", parts.before, parts.behind);
    }
    return pattern;
}

/* A series of names in a folder. */
typedef struct family {
    name_pattern pattern;
    char first[NAME]; /* the name of its first member */
    bool has_number;
    int kind; /* io_formats_find_data */
} family;

/* Whether a name belongs to a series. */
static bool belongs(const family *all, int kind, const char *name)
{
    return kind == all->kind && (all->has_number ? match(&all->pattern, name) >= 0
                                                 : strcmp(all->first, name) == 0);
}

static status refuse_mixture(const char *folder, const family *all, const char *name)
{
    return base_fail(STATUS_INPUT,
                     "folder '%s' holds data files of several series, such as '%s' and "
                     "'%s': name one, as data.file: %s/NAME_%%d.h5, or list the files",
                     folder, all->first, name, folder);
}

/* Looks at a file of the folder: is it data, and of the series? */
static status look_at(const char *folder, const char *name, const char *but, family *all,
                      series_files *out)
{
    char path[PATH_MAX];
    struct stat about, other;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (name[0] == '.' || stat(path, &about) != 0 || !S_ISREG(about.st_mode) ||
        (but && stat(but, &other) == 0 && other.st_ino == about.st_ino)) {
        return STATUS_OK;
    }
    int kind;
    status s = io_formats_find_data(path, &kind);
    if (s != STATUS_OK || kind < 0) {
        return s;
    }
    if (out->count == 0) {
        all->has_number = find_pattern(name, &all->pattern);
        all->kind = kind;
        snprintf(all->first, sizeof all->first, "%s", name);
    } else if (!belongs(all, kind, name)) {
        return refuse_mixture(folder, all, name);
    }
    return series_files_add(out, path, all->has_number ? match(&all->pattern, name) : -1);
}

static int compare_names(const void *a, const void *b)
{
    return base_path_compare(*(char *const *)a, *(char *const *)b);
}

/* The names in a folder, in order, so that messages do not depend on the file system. */
static status list_names(const char *folder, int *count, char ***out)
{
    struct dirent **entries = NULL;
    const int found = scandir(folder, &entries, NULL, NULL);
    if (found < 0) {
        return base_fail(STATUS_INPUT, "the folder '%s' cannot be read: %s", folder,
                         strerror(errno));
    }
    char **names = calloc((size_t)found + 1, sizeof *names);
    bool works = names != NULL;
    for (int n = 0; n < found; n++) {
        char *copy = works ? strdup(entries[n]->d_name) : NULL;
        works = copy != NULL;
        if (works) {
            names[n] = copy;
        }
        free(entries[n]);
    }
    free(entries);
    *count = found;
    *out = names;
    if (!works) {
        return base_fail_memory((size_t)found * NAME, "the names in a folder");
    }
    qsort(names, (size_t)found, sizeof *names, compare_names);
    return STATUS_OK;
}

/* The pattern of all files of a folder. */
static char *join_pattern(const char *folder, const family *all)
{
    const size_t size = strlen(folder) + 2 * NAME + 8;
    char *pattern = malloc(size);
    if (pattern) {
        snprintf(pattern, size, "%s/%s%%d%s", folder, all->pattern.before,
                 all->pattern.behind);
    }
    return pattern;
}

status series_files_scan(const char *folder, const char *but, series_files *out)
{
    int count = 0;
    char **names = NULL;
    family all = {.has_number = false};
    status s = list_names(folder, &count, &names);
    for (int n = 0; n < count && s == STATUS_OK; n++) {
        s = look_at(folder, names[n], but, &all, out);
    }
    for (int n = 0; n < count && names; n++) {
        free(names[n]);
    }
    free(names);
    if (s == STATUS_OK && out->count == 0) {
        s = base_fail(STATUS_INPUT,
                      "folder '%s' holds no data file: HDF5, CGNS or PLOT3D is needed",
                      folder);
    }
    if (out->count == 1) { /* the file itself: its steps have their own numbers */
        out->files[0].number = -1;
        all.has_number = false;
    }
    out->has_numbers = all.has_number;
    out->pattern = all.has_number ? join_pattern(folder, &all) : NULL;
    return s == STATUS_OK ? sort_files(out) : s;
}

/* ---- Files of a config ------------------------------------------------------------- */

static status list_files(const io_data_config *config, series_files *out)
{
    status s = STATUS_OK;
    for (int n = 0; n < config->nfiles && s == STATUS_OK; n++) {
        s = access(config->files[n], R_OK) == 0
                ? series_files_add(out, config->files[n], -1)
                : base_fail(STATUS_INPUT,
                            "file '%s' of the list is missing or cannot be read",
                            config->files[n]);
    }
    return s;
}

status series_files_find(const io_data_config *config, series_files *out)
{
    series_files files = {0};
    status s = config->nfiles > 1            ? list_files(config, &files)
               : series_p3d_is(config->file) ? series_p3d_read(config->file, &files)
               : series_is_folder(config->file)
                   ? series_files_scan(config->file, config->grid_file, &files)
                   : series_files_match(config->file, &files);
    if (s != STATUS_OK) {
        series_files_clear(&files);
        return s;
    }
    *out = files;
    return STATUS_OK;
}
