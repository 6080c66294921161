#include "files.h"

#include "base/array.h"
#include "base/path.h"
#include "io/sources/series/files.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- The list ---------------------------------------------------------------------- */

/* The pattern for fnmatch: %d stands for digits; without a pattern the extension decides.
 * "": names without either. False if it is too long. */
static bool choose_pattern(const char *name, char pattern[FOLLOW_PATTERN])
{
    const char *dot = strrchr(name, '.');
    const char *percent = name;
    while (*percent != '\0' && series_conversion(percent) == 0) {
        percent++;
    }
    const size_t length = series_conversion(percent);
    const bool is_pattern = strpbrk(name, "*?[") != NULL;
    const int size = length > 0 ? snprintf(pattern, FOLLOW_PATTERN, "%.*s[0-9]*%s",
                                           (int)(percent - name), name, percent + length)
                                : snprintf(pattern, FOLLOW_PATTERN, "%s%s",
                                           is_pattern || !dot ? "" : "*",
                                           is_pattern ? name
                                           : dot      ? dot
                                                      : "");
    return size < FOLLOW_PATTERN;
}

/* Whether a name is looked for. */
static bool fits(const follow_files *files, const char *name)
{
    static const char *const of_data[] = {".h5", ".hdf5", ".hdf", ".cgns", ".nc", ".xyz"};
    const char *dot = strrchr(name, '.');
    bool is_data = false;
    for (size_t n = 0; n < sizeof of_data / sizeof of_data[0] && dot; n++) {
        is_data = is_data || strcasecmp(dot, of_data[n]) == 0;
    }
    return files->pattern[0] != '\0' ? fnmatch(files->pattern, name, FNM_PERIOD) == 0
                                     : is_data && name[0] != '.';
}

status follow_files_create(const char *folder, const char *data_file, follow_files *out)
{
    const char *slash = strrchr(data_file, '/');
    const char *last = slash ? slash + 1 : data_file;
    follow_files files = {.folder = strdup(folder)};
    if (!files.folder) {
        return base_fail_memory(strlen(folder), "a path");
    }
    if (!choose_pattern(last, files.pattern)) {
        free(files.folder);
        return base_fail(STATUS_USAGE, "data.file: the pattern '%.64s…' is too long",
                         last);
    }
    *out = files;
    return STATUS_OK;
}

void follow_files_clear(follow_files *files)
{
    free(files->folder);
    free(files->files);
    *files = (follow_files){0};
}

static int compare_files(const void *a, const void *b)
{
    return base_path_compare(((const follow_file *)a)->name,
                             ((const follow_file *)b)->name);
}

/* The entry of the same name, or NULL. */
static const follow_file *find(const follow_files *files, const follow_file *file)
{
    return files->count > 0 ? bsearch(file, files->files, (size_t)files->count,
                                      sizeof *file, compare_files)
                            : NULL;
}

/* Reads the identity of a regular file; false for anything else. */
static bool identify(const follow_files *files, const char *name, follow_file *out)
{
    char path[4096];
    struct stat about;
    int length = snprintf(path, sizeof path, "%s/%s", files->folder, name);
    if (length >= (int)sizeof path || strlen(name) >= sizeof out->name ||
        stat(path, &about) != 0 || !S_ISREG(about.st_mode)) {
        return false;
    }
    *out = (follow_file){
        .identity = (int64_t)about.st_ino,
        .size = (int64_t)about.st_size,
        .changed = {(int64_t)about.st_mtim.tv_sec, (int64_t)about.st_mtim.tv_nsec}};
    strcpy(out->name, name);
    return true;
}

static bool is_same(const follow_file *a, const follow_file *b)
{
    return a->identity == b->identity && a->size == b->size &&
           a->changed[0] == b->changed[0] && a->changed[1] == b->changed[1];
}

static status append(follow_files *files, const follow_file *file)
{
    return base_array_add(files->files, files->count, *file, "the list of files");
}

/* Adds the current files of the folder to `found`. Unchanged files keep their state. */
static status list(const follow_files *files, DIR *listing, follow_files *found)
{
    status s = STATUS_OK;
    for (struct dirent *entry; s == STATUS_OK && (entry = readdir(listing));) {
        follow_file file;
        if (!fits(files, entry->d_name) || !identify(files, entry->d_name, &file)) {
            continue;
        }
        const follow_file *known = find(files, &file);
        s = append(found, known && is_same(known, &file) ? known : &file);
    }
    return s;
}

status follow_files_look(follow_files *files)
{
    follow_files found = {0};
    DIR *listing = opendir(files->folder);
    if (!listing) {
        return base_fail(STATUS_INPUT, "the folder '%s' cannot be read: %s",
                         files->folder, strerror(errno));
    }
    status s = list(files, listing, &found);
    closedir(listing);
    if (s != STATUS_OK) {
        free(found.files);
        return s;
    }
    if (found.count > 0) {
        qsort(found.files, (size_t)found.count, sizeof *found.files, compare_files);
    }
    free(files->files);
    files->files = found.files;
    files->count = found.count;
    return STATUS_OK;
}

follow_file *follow_files_next(const follow_files *files)
{
    for (int n = 0; n < files->count; n++) {
        if (files->files[n].state == FOLLOW_NEW) {
            return &files->files[n];
        }
    }
    return NULL;
}

bool follow_files_stop(const follow_files *files)
{
    char path[4096];
    return snprintf(path, sizeof path, "%s/stop", files->folder) < (int)sizeof path &&
           access(path, F_OK) == 0;
}
