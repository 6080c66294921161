/* Inside frame/measure: sums without rounding, so that they are the same in any order. */
#ifndef FRAME_MEASURE_SUM_H
#define FRAME_MEASURE_SUM_H

#include <mpi.h>
#include <stdint.h>

/* 32 bits each, from the smallest double to the largest, and room for carries. */
enum { MEASURE_LIMBS = 68 };

/*
 * A sum of doubles as one long integer, in units of the smallest double (U. Kulisch,
 * Computer Arithmetic and Validity, 2008). Zero: no summands.
 */
typedef struct measure_sum {
    int64_t limb[MEASURE_LIMBS]; /* limb n counts 2^(32 n - 1074) */
    int64_t adds;                /* since carries were passed on */
} measure_sum;

/* Adds a finite number, or another sum. Local. */
void measure_sum_add(measure_sum *sum, double value);
void measure_sum_join(measure_sum *sum, measure_sum *other);

/* Adds up the sums of all ranks, [count]; each rank gets them. Collective. */
void measure_sum_share(MPI_Comm comm, int count, measure_sum *sums);

/* The sum as a double, off by no more than its last digits. Local. */
double measure_sum_value(measure_sum *sum);

#endif
