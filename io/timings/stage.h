/* The clocks of a frame's stages. */
#ifndef IO_TIMINGS_STAGE_H
#define IO_TIMINGS_STAGE_H

#include "timings.h"

/* The clocks of this rank now; the time of a stage is the difference of two of them.
 * Local. */
io_stage_time io_stage_read(void);

/* The times since *mark, which moves on to now. Local. */
io_stage_time io_stage_lap(io_stage_time *mark);

/* Adds time that a stage goes on for, or begins with. */
void io_stage_extend(io_stage_time *stage, io_stage_time more);

#endif
