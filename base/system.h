/* Time and memory, as the operating system reports them; pauses of long loops. */
#ifndef BASE_SYSTEM_H
#define BASE_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Seconds on a clock that never goes back. Only differences are meaningful. */
double base_clock(void);

/* Processor seconds that this process (all its threads) has used. */
double base_cpu_clock(void);

/* Processor seconds that the calling thread has used. */
double base_thread_clock(void);

/* Peak memory of this process so far, in bytes. */
int64_t base_peak_memory(void);

/* Memory of this machine in bytes; 0 if unknown. */
int64_t base_machine_memory(void);

/* Returns unused memory to the system: freed memory that the C library would keep, and
 * the unused part of the calling thread's stack. It takes time, so call it after work
 * that will not recur soon. Local. */
void base_trim_memory(void);

/* Zeroes memory that malloc or mmap gave. Whole pages of it are returned to the system
 * until they are written again. If `is_shared` is set, the memory is mapped as
 * MAP_SHARED, from a file in memory; all processes that map it then see zeros. Local. */
void base_zero_memory(void *memory, size_t bytes, bool is_shared);

/* Bytes of a large page: of x86-64, and of ARM with small pages of 4 KiB. */
enum { BASE_LARGE_PAGE = 1 << 21 };

/* Asks for large pages, if the system has them. The system hands them out faster, and
 * random access to the memory needs fewer address translations. Touching one byte of a
 * large page takes all of it. Only whole pages of the memory count. Local. */
void base_use_large_pages(void *memory, size_t bytes);

/* Allocates memory that is aligned to 64 bytes, with large pages of its own if there are
 * some MiB. This pays for buffers that are filled at once: to map a small page takes
 * longer than to fill it. bytes > 0. Returns NULL without memory; base_free_pages frees
 * it. Local. */
void *base_allocate_pages(size_t bytes);

/* memory: what base_allocate_pages returned for so many bytes. Local. */
void base_free_pages(void *memory, size_t bytes);

/* Maps the pages of memory that will be filled at once. That takes less time than a fault
 * at the first touch of each page. Only advice; new pages are zeroed, others keep their
 * bytes. Local. */
void base_map_pages(void *memory, size_t bytes);

/* ---- Pauses: in long loops a thread now and then does some other work -------------- */

/* Work for a pause: some microseconds. */
typedef void base_pause_work(void *context);

/* From now on this thread does `work` in its pauses, in place of the last one. NULL:
 * none. The context is borrowed. Local. */
void base_pause_set(base_pause_work *work, void *context);

/* The same for work beside that: a look for orders, say. */
void base_pause_watch(base_pause_work *watch, void *context);

/*
 * A pause. Loops that take long call this between two steps of a millisecond or less, on
 * any thread. Does the work of the calling thread, but at most every 200 microseconds;
 * without work it costs a comparison. Local.
 */
void base_pause(void);

/* ---- Stops: nobody wants the result of a long loop any more ------------------------ */

/* Asks the loops that pause to leave out their further steps, or no longer. The result is
 * unusable then, and the caller drops it. A signal handler may call it. Any thread. */
void base_stop_set(bool stops);

/* Whether loops leave out their steps. Any thread. */
bool base_is_stopped(void);

#endif
