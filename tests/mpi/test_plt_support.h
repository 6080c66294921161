/* Binary files of Tecplot, of all versions. */
#ifndef TESTS_MPI_TEST_PLT_SUPPORT_H
#define TESTS_MPI_TEST_PLT_SUPPORT_H

#include <stdbool.h>
#include <stdint.h>

enum { PLT_NI = 5, PLT_NJ = 4, PLT_NK = 3 };

/* What a file looks like. */
typedef struct plt_style {
    int version; /* 101 to 112, 191 */
    bool is_big;
    bool is_point; /* point by point, up to version 111: then no variable is in cells */
    int steps;     /* of a strand, from version 106 on; else 1 */
    bool shares;   /* later steps share the coordinates of the first */
    bool moves;    /* coordinates differ from step to step */
} plt_style;

/* The number that variable 0 to 2 (x, y, z), 3 (pressure), 4 (u) or 5 (count) has at a
 * place of a step. */
double plt_number(int variable, int step, const int64_t at[3]);

/*
 * Writes a file: a zone of a brick, a volume "a box" at all steps, and a sheet "flat" of
 * one vertex along k. Pressure is in cells, but with is_point. `iblank` is passive at
 * later steps, from version 105 on.
 */
void plt_write(const char *path, const plt_style *style);

#endif
