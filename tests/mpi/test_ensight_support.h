/* Cases of EnSight Gold and of EnSight 6, in all forms. */
#ifndef TESTS_MPI_TEST_ENSIGHT_SUPPORT_H
#define TESTS_MPI_TEST_ENSIGHT_SUPPORT_H

#include <stdbool.h>
#include <stdint.h>

enum {
    ENSIGHT_NI = 5,
    ENSIGHT_NJ = 4,
    ENSIGHT_NK = 3,
    ENSIGHT_FILES = 5 /* names of files at a step; the case file is the first */
};

/* What a case looks like. Zero: text, one step. */
typedef struct ensight_style {
    bool is_binary, is_fortran, is_big;
    bool is_six;      /* EnSight 6, not Gold */
    bool moves;       /* coordinates differ from step to step */
    bool repeats;     /* the geometry is written at each step, though it rests */
    bool in_one_file; /* all steps of a variable, or of the geometry */
    int steps;        /* 0: one, without a time set */
} ensight_style;

/* The number that variable 0 to 2 (x, y, z), 3 (pressure), 4 to 6 (velocity), 7 (load, in
 * cells) or 8 (rest) has at a place of a step. */
double ensight_number(int variable, int step, const int64_t at[3]);

/*
 * Writes a case: a curvilinear part with iblank and ghost flags, one of tetrahedra, a
 * rectilinear one and a uniform one. Pressure is undefined at the first vertex of the
 * rectilinear part, and lacks in the uniform one, whose velocity has no value at the
 * first vertex (`partial`); only the first has `rest`. EnSight 6 knows neither undefined
 * values nor `partial`. Returns the path of the case file.
 */
const char *ensight_write(const ensight_style *style);

/* Removes the files that ensight_write may have written. */
void ensight_remove(void);

/* A file of the case: 0: the case file, 1: geometry, 2 on: variables. */
const char *ensight_path(const ensight_style *style, int file, int step);

#endif
