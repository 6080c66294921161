/*
 * Every call of karman.h enters the library here and leaves it here. In between the
 * calling thread, and OpenMP's threads while they work for it, have what our work
 * expects, whatever the program around us has set:
 *
 * - numbers with a point: configs and JSON have no commas in numbers;
 * - the default floating-point environment: nothing traps, as our kernels divide by zero
 *   and compare with NaN on purpose; numbers are rounded to nearest; denormal numbers are
 *   kept (FE_DFL_ENV clears FTZ and DAZ), so that pictures do not depend on the program.
 *
 * Afterwards each of them has what it had before, the flags that exceptions raise
 * included. Threads that are started in between inherit ours.
 */
#ifndef APP_FRAME_ENTRY_H
#define APP_FRAME_ENTRY_H

#include <fenv.h>
#include <locale.h>

typedef struct app_entry {
    locale_t plain, before;
    fenv_t floats; /* the program's, of the calling thread */
    struct app_entry *outer;
} app_entry;

/* Around the work of a call; *entry stays where it is in between. Local. */
void app_entry_begin(app_entry *entry);
void app_entry_end(app_entry *entry);

/* Around a call of the program's own functions, which find what is the program's; it may
 * call the library again. suspend returns NULL where no entry is under way. Local. */
app_entry *app_entry_suspend(void);
void app_entry_resume(app_entry *entry);

/* What app_threads_end puts back. */
typedef struct app_threads {
    int before;
} app_threads;

/* How many threads a rank takes that shares its node with so many, itself among them: as
 * many as were asked for, or OMP_NUM_THREADS, or the cores of the node over its ranks.
 * Local. */
int app_threads_choose(int neighbours, int asked);

/* Around all work in parallel regions of OpenMP, within one entry or without any: sets
 * how many threads they have by default. Not nested. Local. */
app_threads app_threads_begin(int threads);
void app_threads_end(const app_threads *threads);

#endif
