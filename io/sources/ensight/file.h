/* Files of EnSight Gold and of EnSight 6, of geometry and of variables: lines, whole
 * numbers and arrays one behind the other, in three forms. Source: EnSight, "User
 * Manual", chapter on data formats. */
#ifndef IO_ENSIGHT_FILE_H
#define IO_ENSIGHT_FILE_H

#include "io/sources/arrays/arrays.h"

enum { ENSIGHT_LINE = 512 };

typedef enum ensight_form {
    ENSIGHT_TEXT,
    ENSIGHT_C,      /* lines of 80 bytes, numbers of 4 */
    ENSIGHT_FORTRAN /* the same, each line or array in a record */
} ensight_form;

/* An open file, and the line that was read last. */
typedef struct ensight_file {
    const char *path;
    int32_t file; /* in the table */
    FILE *stream;
    int64_t size; /* bytes */
    ensight_form form;
    bool is_six; /* EnSight 6: a part begins with one line, "part 1"; in C binary, values
                    stand vertex by vertex and do not tell the order of bytes */
    bool is_big; /* order of bytes of numbers and of Fortran's marks */
    char line[ENSIGHT_LINE];
} ensight_file;

/* Opens a file of one of the forms, which its geometry has; close it all the same. Local.
 * Errors: STATUS_INPUT. */
status ensight_file_open(const char *path, int32_t file, ensight_form form,
                         ensight_file *out);
void ensight_file_close(ensight_file *file);

/* Whether a file begins as a geometry or a variable does. Local. */
bool ensight_file_is_part(FILE *stream);

/* Refuses such a file, which does not name the others of its case. Local. Errors:
 * STATUS_INPUT. */
status ensight_file_refuse(const char *path);

/* Finds the form of a geometry by its first bytes. Local. Errors: STATUS_INPUT. */
status ensight_file_form(const char *path, ensight_form *out);

/* Fails with a sentence about the file. */
status ensight_file_fail(const ensight_file *file, const char *what);

/* Reads the next line; false: there is none. Local. */
bool ensight_file_line(ensight_file *file);

/* Takes white space off both ends of a line. Local. */
void ensight_trim(char *line);

/* Whether the last line begins with a word. Local. */
bool ensight_file_is(const ensight_file *file, const char *word);

/* Moves behind the next line that begins a part, or says "END TIME STEP"; false: there is
 * none. Local. */
bool ensight_file_find(ensight_file *file);

/* Reads whole numbers, the number of a part, its sizes, or real numbers; false: they are
 * not there. Local. */
bool ensight_file_integers(ensight_file *file, int count, int64_t *out);
bool ensight_file_part(ensight_file *file, int64_t *out);
bool ensight_file_sizes(ensight_file *file, int64_t n[3]);
bool ensight_file_reals(ensight_file *file, int count, double *out);

/* The place of an array of numbers (IO_FLOAT32, IO_INT32) with `n` values along i, j, k,
 * and moves behind it; false: the file ends before. Local. */
bool ensight_file_array(ensight_file *file, io_number type, const int64_t n[3],
                        io_array_place *out);

#endif
