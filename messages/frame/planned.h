/* Messages as the simulator plans them. Private to the traffic. */
#ifndef MESSAGES_FRAME_PLANNED_H
#define MESSAGES_FRAME_PLANNED_H

#include "messages/simulate/simulation.h"
#include "notes.h"

/*
 * Simulates a case and adds its messages and bars. finish [positions]: s at which each is
 * done. *seconds: at which all is done. Local. Errors: those of simulate_run.
 */
status traffic_plan(const simulate_case *of, const simulate_machine *machine,
                    traffic_notes *notes, double *finish, double *seconds);

#endif
