/* What the operating system tells about time and memory. */
#ifndef BASE_SYSTEM_H
#define BASE_SYSTEM_H

#include <stdint.h>

/* Seconds on a clock that never goes back; only differences mean something. */
double base_clock(void);

/* Processor seconds that this process (all its threads) has used. */
double base_cpu_clock(void);

/* Processor seconds that the calling thread has used. */
double base_thread_clock(void);

/* Most bytes of memory that this process has held so far. */
int64_t base_peak_memory(void);

/* Gives freed memory back to the system that the C library would keep for later. Takes
 * time: to be called after something that will not come again soon. Local. */
void base_trim_memory(void);

#endif
