/* Values of the shown fields at points. Inside view/ only. */
#ifndef RUN_VIEW_SAMPLE_H
#define RUN_VIEW_SAMPLE_H

#include "frame/auto/sample.h"
#include "frame/probe/probe.h"
#include "state.h"

enum { VIEW_MOST_FIELDS = 16 };

/* Finds the fields that layers show, or are made of. Borrows names. Returns their number.
 * Local. */
int view_sample_fields(const io_config *config, const char *names[VIEW_MOST_FIELDS]);

/* The values of a field at the points of a probe at a step (index), as
 * frame_probe_values. Collective. Errors: its own. */
status view_sample_values(const view_state *state, frame_probe *probe, const char *field,
                          int step, double *values);

/* Samples the field of an order at its step; `what` needs it: "a histogram". Collective.
 * Errors: STATUS_USAGE (no field), those of view_config_aim and auto_sample_create. */
status view_sample_create(view_state *state, const json_t *order, const char *what,
                          auto_sample **out);

#endif
