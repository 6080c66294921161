/* What the operating system tells about time and memory. */
#ifndef BASE_SYSTEM_H
#define BASE_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Seconds on a clock that never goes back; only differences mean something. */
double base_clock(void);

/* Processor seconds that this process (all its threads) has used. */
double base_cpu_clock(void);

/* Processor seconds that the calling thread has used. */
double base_thread_clock(void);

/* Most bytes of memory that this process has held so far. */
int64_t base_peak_memory(void);

/* Bytes of memory that this machine has; 0 where that is not known. */
int64_t base_machine_memory(void);

/* Gives memory back to the system: what was freed and the C library would keep for later,
 * and what of the calling thread's stack is not in use. Takes time: to be called after
 * something that will not come again soon. Local. */
void base_trim_memory(void);

/* Makes memory zero that the C library or mmap gave, and gives whole pages of it back to
 * the system until they are written again. is_shared: it is mapped as MAP_SHARED, from a
 * file that lies in memory; all that map it see zeros then. Local. */
void base_zero_memory(void *memory, size_t bytes, bool is_shared);

#endif
