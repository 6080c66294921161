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

typedef struct app_entry {
    locale_t plain, before;
    fenv_t floats; /* the program's, of the calling thread */
    struct app_entry *outer;
} app_entry;

/* Called around the work of a call. *entry must not move in between. Local. */
void app_entry_begin(app_entry *entry);
void app_entry_end(app_entry *entry);

/* Called around a call of the program's own functions: these run with the program's
 * state, and may call the library again. suspend returns NULL if no entry is active.
 * Local. */
app_entry *app_entry_suspend(void);
void app_entry_resume(app_entry *entry);

/* The state that app_threads_end restores. */
typedef struct app_threads {
    int before;
} app_threads;

/* The number of threads of a rank whose node has `neighbours` ranks, itself included:
 * `asked` if positive, else OMP_NUM_THREADS, else the node's cores divided by its ranks.
 * Local. */
int app_threads_choose(int neighbours, int asked);

/* Called around all work in parallel regions of OpenMP, inside an entry or without one.
 * Sets the regions' default number of threads. Not nested. Local. */
app_threads app_threads_begin(int threads);
void app_threads_end(const app_threads *threads);

#endif
