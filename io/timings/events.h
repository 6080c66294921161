/* The ranks' events during compositing, as JSON. Private to the timings. */
#ifndef IO_TIMINGS_EVENTS_H
#define IO_TIMINGS_EVENTS_H

#include "base/events.h"
#include "base/status.h"

#include <jansson.h>
#include <mpi.h>

/*
 * Gathers the events of all ranks on rank 0. There *out is the array `events` of
 * docs/user/formats.md, a new reference; NULL on the others. `origin`: the start of the
 * frame on rank 0, on the clock of this rank. Collective. Errors: STATUS_MEMORY, the same
 * on every rank.
 */
status io_timings_describe_events(MPI_Comm comm, const base_events *mine, double origin,
                                  json_t **out);

#endif
