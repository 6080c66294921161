/*
 * The messages of compositing as pages show them (messages/page): measured in a frame,
 * and planned by the simulator on the same clock.
 */
#ifndef MESSAGES_FRAME_MESSAGES_H
#define MESSAGES_FRAME_MESSAGES_H

#include "messages/simulate/problem.h"

/*
 * Describes frame `number` of timings (docs/user/formats.md) as page/frame.js reads it.
 * of: its path stands in messages, its machine is the planned one. A frame without events
 * has no measured messages. One with `partition: screen` has no planned ones. *out is a
 * new reference. Local. Errors: STATUS_INPUT, STATUS_USAGE (too many messages to
 * simulate), STATUS_MEMORY.
 */
status traffic_describe_frame(const simulate_comparison *of, const json_t *timings,
                              size_t number, json_t **out);

/* Describes the planned messages of one algorithm, `of`, in the same way. Local. Errors:
 * STATUS_USAGE, STATUS_MEMORY. */
status traffic_describe_case(const simulate_case *of, const simulate_machine *machine,
                             json_t **out);

#endif
