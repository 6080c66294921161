#define _GNU_SOURCE /* madvise, pthread_getattr_np */
#include "system.h"

#include <pthread.h>
#include <stdlib.h> /* defines __GLIBC__ */
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double base_clock(void)
{
    return seconds(CLOCK_MONOTONIC);
}

double base_cpu_clock(void)
{
    return seconds(CLOCK_PROCESS_CPUTIME_ID);
}

double base_thread_clock(void)
{
    return seconds(CLOCK_THREAD_CPUTIME_ID);
}

int64_t base_peak_memory(void)
{
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0) {
        return 0;
    }
    return (int64_t)usage.ru_maxrss * 1024;
}

int64_t base_machine_memory(void)
{
    const int64_t pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? pages * page : 0;
}

#if defined(__GLIBC__) && defined(__linux__)
/*
 * Returns the pages of a thread's stack below `used` to the system, but only the 64 MiB
 * nearest to it. The main thread's stack, if unlimited, is reported to reach down to the
 * next mapping. This may be another thread's memory, and may grow meanwhile. The system
 * keeps such mappings 128 MiB or more away from stacks.
 */
static void drop_stack(const pthread_attr_t *thread, uintptr_t used)
{
    const size_t most = (size_t)1 << 26;
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    void *lowest;
    size_t bytes;
    if (pthread_attr_getstack(thread, &lowest, &bytes) == 0 &&
        used <
            (uintptr_t)lowest + bytes) { /* else this code runs on a stack of its own */
        const uintptr_t nearest = used > most ? used - most : 0;
        const uintptr_t from = nearest > (uintptr_t)lowest ? nearest : (uintptr_t)lowest;
        const uintptr_t begin = (from + page - 1) / page * page;
        const uintptr_t end = used / page * page;
        if (begin < end) {
            /* This may fail even though pages are freed, if the stack has not grown to
             * its limit. */
            madvise((void *)begin, end - begin, MADV_DONTNEED);
        }
    }
}

/* Returns the pages that larger stack frames of earlier calls took. A stack never shrinks
 * by itself. */
static void trim_stack(void)
{
    const uintptr_t room = 1 << 13; /* for the frames of the functions called here */
    pthread_attr_t thread;
    if (pthread_getattr_np(pthread_self(), &thread) == 0) {
        drop_stack(&thread, (uintptr_t)__builtin_frame_address(0) - room);
        pthread_attr_destroy(&thread);
    }
}
#endif

void base_trim_memory(void)
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
#if defined(__GLIBC__) && defined(__linux__)
    trim_stack();
#endif
}

/* Zeroes whole pages by returning them; false if the system cannot do that. */
static bool drop_pages(void *pages, size_t bytes, bool is_shared)
{
#ifdef __linux__ /* elsewhere these flags guarantee less */
    return madvise(pages, bytes, is_shared ? MADV_REMOVE : MADV_DONTNEED) == 0;
#else
    (void)pages;
    (void)bytes;
    (void)is_shared;
    return false;
#endif
}

void base_zero_memory(void *memory, size_t bytes, bool is_shared)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    unsigned char *begin = memory, *end = begin + bytes;
    const size_t before = (page - (uintptr_t)begin % page) % page;
    const size_t after = (uintptr_t)end % page;
    if (before + after >= bytes ||
        !drop_pages(begin + before, bytes - before - after, is_shared)) {
        memset(begin, 0, bytes);
        return;
    }
    memset(begin, 0, before);
    memset(end - after, 0, after);
}

#if defined(MADV_HUGEPAGE) || defined(MADV_POPULATE_WRITE)
/* Gives advice about the whole pages in some memory. It may be refused. */
static void advise(void *memory, size_t bytes, int advice)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t begin = ((uintptr_t)memory + page - 1) / page * page;
    const uintptr_t end = ((uintptr_t)memory + bytes) / page * page;
    if (begin < end) {
        madvise((void *)begin, end - begin, advice);
    }
}
#endif

void base_use_large_pages(void *memory, size_t bytes)
{
#ifdef MADV_HUGEPAGE
    advise(memory, bytes, MADV_HUGEPAGE);
#else
    (void)memory;
    (void)bytes;
#endif
}

void base_map_pages(void *memory, size_t bytes)
{
#ifdef MADV_POPULATE_WRITE /* Linux 5.14 */
    advise(memory, bytes, MADV_POPULATE_WRITE);
#else
    (void)memory;
    (void)bytes;
#endif
}

static size_t round_up(size_t bytes, size_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

/* Less than a large page comes from the heap, whose pages are in use already. More does
 * not: the C library would hand out and return parts of large pages later. */
void *base_allocate_pages(size_t bytes)
{
    enum { LINE = 64 };
    if (bytes < BASE_LARGE_PAGE) {
        return aligned_alloc(LINE, round_up(bytes, LINE));
    }
    const size_t size = round_up(bytes, BASE_LARGE_PAGE);
    void *memory =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        return NULL;
    }
    base_use_large_pages(memory, size);
    return memory;
}

void base_free_pages(void *memory, size_t bytes)
{
    if (bytes < BASE_LARGE_PAGE) {
        free(memory);
    } else if (memory) {
        munmap(memory, round_up(bytes, BASE_LARGE_PAGE));
    }
}

/* ---- Pauses ------------------------------------------------------------------------ */

static const double LEAST_SECONDS = 200e-6;

static _Thread_local base_pause_work *work;
static _Thread_local void *work_context;
static _Thread_local base_pause_work *watch;
static _Thread_local void *watch_context;
static _Thread_local double last; /* base_clock of the last work */

void base_pause_set(base_pause_work *new_work, void *context)
{
    work = new_work;
    work_context = context;
    last = 0.0;
}

void base_pause_watch(base_pause_work *new_watch, void *context)
{
    watch = new_watch;
    watch_context = context;
}

void base_pause(void)
{
    if (!work && !watch) {
        return;
    }
    const double now = base_clock();
    if (now - last >= LEAST_SECONDS) {
        if (work) {
            work(work_context);
        }
        if (watch) {
            watch(watch_context);
        }
        last = now;
    }
}

/* ---- Stops ------------------------------------------------------------------------- */

static _Atomic bool is_stopped;

void base_stop_set(bool stops)
{
    is_stopped = stops;
}

bool base_is_stopped(void)
{
    return is_stopped;
}
