/* Frames, and schedules of many ranks, as pages. */
#ifndef MESSAGES_FRAME_PAGE_H
#define MESSAGES_FRAME_PAGE_H

#include "messages.h"

/*
 * Takes the machine that this computer's tuning file has (docs/user/tune.md), or the
 * usual one. Local. */
void traffic_find_machine(simulate_machine *machine);

/*
 * The data of a page of a frame (messages/page). frame: traffic_describe_frame; it
 * becomes part of the page. picture: of all ranks (frame/recording), or NULL; borrowed. A
 * new reference, NULL without memory. Local.
 */
json_t *traffic_page_data(json_t *frame, const json_t *picture);

/* Writes the last frame of a run as a page. timings: docs/user/formats.md; source: their
 * name in messages. Local. Errors: those of traffic_describe_frame; STATUS_OUTPUT. */
status traffic_write_page(const char *path, const char *source, const json_t *timings,
                          const json_t *picture);

/* Writes the planned messages of a schedule as a page, for any number of ranks. Local.
 * Errors: those of traffic_describe_case; STATUS_OUTPUT. */
status traffic_write_case(const char *path, const simulate_case *of);

#endif
