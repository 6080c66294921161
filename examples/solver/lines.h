/*
 * A config as lines such as "flow.mach = 0.2": those of a YAML file, over which options
 * such as "--set flow.mach=0.3" are laid. Entries of lists are numbered from 0. Local.
 */
#ifndef EXAMPLES_SOLVER_LINES_H
#define EXAMPLES_SOLVER_LINES_H

#include <stdbool.h>
#include <stddef.h>

enum { SOLVER_KEY_SIZE = 128 };

typedef struct solver_line {
    char path[SOLVER_KEY_SIZE]; /* "grid.boundaries.0.face" */
    char *text;                 /* NULL: nothing stands behind the key */
    size_t number;              /* of the line in the file, from 1 */
    const char *override;       /* the option that set it, borrowed; NULL: the file did */
    bool is_known;              /* for the caller */
} solver_line;

typedef struct solver_lines {
    const char *file; /* for messages; borrowed */
    int count;
    solver_line *lines; /* [count] */
} solver_lines;

/* Reads a YAML document, a mapping. Fails with "FILE:LINE: ...". */
bool solver_lines_parse(solver_lines *lines, const char *text);

/* Applies "time.cfl=0.5" or "time={cfl: 0.5, steps: 7}", which replaces all keys below;
 * null removes them, and the index + adds an entry to a list. Fails with "--set ...". */
bool solver_lines_override(solver_lines *lines, const char *override);

void solver_lines_clear(solver_lines *lines);

/* The first line at or below a path, or NULL. */
solver_line *solver_lines_find(const solver_lines *lines, const char *path);

/* Fails with SOLVER_USAGE and a message that begins with the place of the line; NULL: the
 * file. */
bool solver_lines_fail(const solver_lines *lines, const solver_line *line,
                       const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
