/* Tecplot files in text. */
#ifndef TESTS_MPI_TEST_TECPLOT_SUPPORT_H
#define TESTS_MPI_TEST_TECPLOT_SUPPORT_H

#include <stdio.h>

enum { TECPLOT_NI = 5, TECPLOT_NJ = 4, TECPLOT_NK = 3, TECPLOT_VARIABLES = 6 };

/* The number that a variable has at (i, j, k) of the first step. */
double tecplot_number(int variable, int i, int j, int k);

/* Writes what files begin with: names of variables, and a zone of triangles. */
void tecplot_head(FILE *f);

/* Writes a file of one zone by blocks or by points. */
typedef void tecplot_writer(FILE *f);
tecplot_writer tecplot_block, tecplot_point;

/* The same, and two steps of a strand: the second shares its coordinates, and has no
 * iblank. */
tecplot_writer tecplot_strand;

/* Two steps with coordinates of their own; two zones of a strand, each at two times. */
tecplot_writer tecplot_moving, tecplot_pair;

#endif
