/* The files of a series: those of a pattern, of a folder or of a list. */
#ifndef IO_SOURCES_SERIES_FILES_H
#define IO_SOURCES_SERIES_FILES_H

#include "base/status.h"
#include "io/config/config.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A file, and the number in its name. */
typedef struct series_file {
    char *path;
    int64_t number; /* -1: none counts */
    /* Of ParaView's lists: */
    char *q, *function; /* values of the grid `path`; NULL: found beside it */
    bool has_time;
    double time;
} series_file;

typedef struct series_files {
    bool has_numbers; /* names have numbers; false: a list */
    char *pattern;    /* such as "out/flow_%05d.h5"; NULL: a list */
    int count;
    series_file *files; /* [count], by ascending number, or as listed */
} series_files;

/* Length of the %d or %0Nd that stands at `text`; 0: none does. Local. */
size_t series_conversion(const char *text);

/* Whether a path has a number as %d or %0Nd in the name of its file, and no file has this
 * very name. Looks into the file system. Local. */
bool series_is_pattern(const char *path);

bool series_is_folder(const char *path);

/*
 * Finds the files of a config's data.file. Local. Errors: STATUS_INPUT: no file matches,
 * two have one number, a folder has no data files or files of several series, there are
 * two %d; STATUS_MEMORY.
 */
status series_files_find(const io_data_config *config, series_files *out);

/* The number that a name has in the place of the %d of a pattern's name; -1: it does not
 * match. Local. */
int64_t series_number(const char *pattern, const char *name);

/* A pattern for a name: its last number becomes %d. malloc'ed; NULL: it has no number, or
 * memory is short. Local. */
char *series_pattern_of(const char *name);

/* Leaves out the files whose numbers are not among `count` ascending ones. */
void series_files_keep(series_files *files, int count, const int64_t *numbers);

/* The files of a pattern, and those of a folder. A folder's pattern is found. `but` is
 * the path of a file that does not count; NULL: none. As series_files_find. */
status series_files_match(const char *pattern, series_files *out);
status series_files_scan(const char *folder, const char *but, series_files *out);

/* Adds a copy of a path. Local. Errors: STATUS_MEMORY. */
status series_files_add(series_files *files, const char *path, int64_t number);

void series_files_clear(series_files *files);

#endif
