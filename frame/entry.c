/*
 * No arithmetic in this file: compilers move it across calls that change its environment.
 */
#include "entry.h"

#include <omp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

/* Each thread keeps its own state. OpenMP starts and ends threads as it likes, and memory
 * for a list of them might run out. */
static _Thread_local frame_entry *current; /* of a thread that called the library */
static _Thread_local struct {
    bool works_for_us;
    fenv_t floats; /* the program's */
} worker;          /* a thread of OpenMP */

void frame_entry_begin(frame_entry *entry)
{
    locale_t copy = duplocale(uselocale((locale_t)0));
    entry->plain = copy ? newlocale(LC_NUMERIC_MASK, "C", copy) : copy;
    entry->before = uselocale(entry->plain);
    if (copy && !entry->plain) {
        freelocale(copy);
    }
    fegetenv(&entry->floats);
    fesetenv(FE_DFL_ENV);
    entry->outer = current;
    current = entry;
}

void frame_entry_end(frame_entry *entry)
{
    current = entry->outer;
    fesetenv(&entry->floats);
    uselocale(entry->before);
    if (entry->plain) {
        freelocale(entry->plain);
    }
}

frame_entry *frame_entry_suspend(void)
{
    frame_entry *entry = current;
    if (entry) {
        frame_entry_end(entry);
    }
    return entry;
}

void frame_entry_resume(frame_entry *entry)
{
    if (entry) {
        frame_entry_begin(entry);
    }
}

/* ---- Threads of OpenMP ------------------------------------------------------------- */

/* Threads that OpenMP starts now inherit the state of the calling thread. They are the
 * program's threads, too, so that thread has the program's state meanwhile. */
static void take_threads(const frame_entry *entry)
{
    fesetenv(&entry->floats);
#pragma omp parallel
    if (omp_get_thread_num() > 0) {
        if (!worker.works_for_us) {
            fegetenv(&worker.floats);
        }
        worker.works_for_us = true;
        fesetenv(FE_DFL_ENV);
    }
    fesetenv(FE_DFL_ENV);
}

/* Gives threads their state back. Threads started in between get the state of the calling
 * thread before. */
static void give_threads_back(const frame_entry *entry)
{
#pragma omp parallel
    if (omp_get_thread_num() > 0) {
        fesetenv(worker.works_for_us ? &worker.floats : &entry->floats);
        worker.works_for_us = false;
    }
}

int frame_threads_choose(int neighbours, int asked)
{
    if (asked > 0) {
        return asked;
    }
    if (getenv("OMP_NUM_THREADS")) {
        return omp_get_max_threads();
    }
    const int threads = omp_get_num_procs() / neighbours;
    return threads > 1 ? threads : 1;
}

frame_threads frame_threads_begin(int threads)
{
    const frame_threads taken = {.before = omp_get_max_threads()};
    omp_set_num_threads(threads);
    if (current && threads > 1) {
        take_threads(current);
    }
    return taken;
}

void frame_threads_end(const frame_threads *threads)
{
    if (current && omp_get_max_threads() > 1) {
        give_threads_back(current);
    }
    omp_set_num_threads(threads->before);
}
