/* Draws the flow in situ: a user of karman.h and of nothing else within karman. */
#ifndef EXAMPLES_SOLVER_INSITU_H
#define EXAMPLES_SOLVER_INSITU_H

#include "flow/flow.h"
#include "monitor.h"

#include <karman.h>

/*
 * Opens a session with a config of pictures. Describes the flow's blocks and variables,
 * which are not copied. If `goes_on`, the files of an earlier run in the run directory
 * are kept. Orders may set *cfl and *end, which must live as long as the session; `end`
 * is NULL if the run counts steps. Collective. Fails with karman's code and message.
 * Close *out after a failure, too, with karman_close.
 */
bool solver_insitu_open(const solver_flow *flow, const char *config, bool goes_on,
                        double *cfl, double *end, karman_session **out);

/* A session of NULL, without pictures, is fine in all of these. */

/* Draws the pictures that are due and carries out orders. Returns false if the run is to
 * end. Without a session: true. Collective. */
bool solver_insitu_step(karman_session *session, const solver_flow *flow);

/* Saves the particles of pictures with a checkpoint of this state; goes on with them
 * after a restart from one. Failures are warnings. Collective. */
void solver_insitu_save(karman_session *session, const solver_flow *flow);
void solver_insitu_restore(karman_session *session, const solver_flow *flow);

/* Publishes a sample, rank 0's. Local. */
void solver_insitu_publish(karman_session *session, const solver_sample *sample);

#endif
