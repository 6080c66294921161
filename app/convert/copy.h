/* Copies values from the source to the new file. */
#ifndef APP_CONVERT_COPY_H
#define APP_CONVERT_COPY_H

#include "output.h"

/*
 * Copies all arrays. Each rank takes boxes of an array in turns, of at most
 * io_source_window values. Collective. Errors: STATUS_INPUT, STATUS_OUTPUT,
 * STATUS_MEMORY.
 */
status convert_copy(MPI_Comm comm, const convert_plan *plan,
                    const convert_output *output);

/* ---- Boxes, of which arrays consist ------------------------------------------------ */

/* The size of the boxes of at most `most` values: whole rows; 16 planes, as bricks and
 * chunks of files have them; then as many rows, then planes, as fit. Local. */
void convert_box_size(const int64_t n[3], int64_t most, int64_t size[3]);

/* Their number. The box with a number; an empty one if there is none. Local. */
int64_t convert_box_count(const int64_t n[3], const int64_t size[3]);
io_box convert_box_find(const int64_t n[3], const int64_t size[3], int64_t number);

/* The index that a block has in the grid that was chosen, that of a step of the plan.
 * Local. */
int convert_block_shown(const convert_plan *plan, int step, int block);

/* Writes a box: in one run if it has whole planes, else a run for each plane, or for each
 * row. Local. Errors: STATUS_OUTPUT. */
status convert_box_write(const convert_output *output, const convert_array *array,
                         const io_box *box, const char *values);

#endif
