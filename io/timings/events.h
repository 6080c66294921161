/* What ranks did while a picture was put together, as JSON. Private to the timings. */
#ifndef IO_TIMINGS_EVENTS_H
#define IO_TIMINGS_EVENTS_H

#include "base/events.h"
#include "base/status.h"

#include <jansson.h>
#include <mpi.h>

/*
 * Brings the events of all ranks to rank 0: there *out is the array `events` of
 * docs/user/formats.md, a new reference; NULL on the others. `origin`, on the clock of
 * this rank, is when rank 0 began with the frame. Collective. Errors: STATUS_MEMORY, the
 * same on every rank.
 */
status io_timings_describe_events(MPI_Comm comm, const base_events *mine, double origin,
                                  json_t **out);

#endif
