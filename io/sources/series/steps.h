/* The steps of a series, and their numbers. */
#ifndef IO_SOURCES_SERIES_STEPS_H
#define IO_SOURCES_SERIES_STEPS_H

#include "files.h"

/* A step, its file and its place there. */
typedef struct series_step {
    int64_t number, inside_number;
    double time;
    int file, inside;  /* indices of the file, and of the step in it */
    int grid;          /* number of the step's grid in its file; rank 0 */
    int nfields;       /* of the series when the file was read */
    uint8_t *has;      /* [nfields]: 1 if the step has the field; rank 0 */
    int nblocks;       /* of the series when the file was read */
    int32_t *geometry; /* [nblocks]: of each block in the file (io_block_sets), -1: the
                          step has none of it; rank 0 */
} series_step;

/* Whether each file has one step at most. Steps ([count]) are in the order of files.
 * Local. */
bool series_steps_are_single(int count, const series_step *steps);

/*
 * Numbers the steps ([count]) and sorts them by number. Without times numbers stand in.
 * Local. Errors: STATUS_INPUT: a step is in two files.
 */
status series_steps_number(const series_files *files, int count, series_step *steps);

#endif
