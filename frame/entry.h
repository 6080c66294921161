/*
 * Every call of karman.h enters the library here and leaves it here. In between, the
 * calling thread and OpenMP's threads that work for it have the state that karman needs,
 * whatever the program has set:
 *
 * - numbers with a point: configs and JSON have no commas in numbers;
 * - the default floating-point environment: nothing traps, as our kernels divide by zero
 *   and compare with NaN on purpose; numbers are rounded to nearest; denormal numbers are
 *   kept (FE_DFL_ENV clears FTZ and DAZ), so that pictures do not depend on the program.
 *
 * Afterwards each thread has its former state again, including the raised exception
 * flags. Threads that start in between inherit karman's state.
 */
#ifndef FRAME_ENTRY_H
#define FRAME_ENTRY_H

#include <fenv.h>
#include <locale.h>

typedef struct frame_entry {
    locale_t plain, before;
    fenv_t floats; /* the program's, of the calling thread */
    struct frame_entry *outer;
} frame_entry;

/* Called around the work of a call. *entry must not move in between. Local. */
void frame_entry_begin(frame_entry *entry);
void frame_entry_end(frame_entry *entry);

/* Called around a call of the program's own functions: these run with the program's
 * state, and may call the library again. suspend returns NULL if no entry is active.
 * Local. */
frame_entry *frame_entry_suspend(void);
void frame_entry_resume(frame_entry *entry);

/* The state that frame_threads_end restores. */
typedef struct frame_threads {
    int before;
} frame_threads;

/* The number of threads of a rank whose node has `neighbours` ranks, itself included:
 * `asked` if positive, else OMP_NUM_THREADS, else the node's cores divided by its ranks.
 * Local. */
int frame_threads_choose(int neighbours, int asked);

/* Called around all work in parallel regions of OpenMP, inside an entry or without one.
 * Sets the regions' default number of threads. Not nested. Local. */
frame_threads frame_threads_begin(int threads);
void frame_threads_end(const frame_threads *threads);

#endif
