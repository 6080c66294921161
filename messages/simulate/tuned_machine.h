/* The measured machine of a tuning file, and the rules that the simulator predicts with
 * it. */
#ifndef MESSAGES_SIMULATE_TUNED_MACHINE_H
#define MESSAGES_SIMULATE_TUNED_MACHINE_H

#include "frame/tuning/file.h"
#include "frame/tuning/tuning.h"
#include "messages/model/machine.h"

/*
 * Puts a machine into the place of the one that a file has for a signature
 * (machine_file.h); `about`: an object on its measurement, borrowed. Otherwise as
 * frame_tuning_add.
 */
status messages_tuning_add_machine(const char *path, const frame_signature *signature,
                                   const simulate_machine *machine, json_t *about);

/*
 * The machine that a file has for a signature. *nodes: on how many nodes it was measured;
 * 0: the file has none. Local. Errors: as of frame_tuning_read; STATUS_USAGE for an
 * impossible machine.
 */
status messages_tuning_machine(const char *path, const frame_signature *signature,
                               simulate_machine *machine, int *nodes);

/*
 * An frame_tuning_predictor: appends the simulator's choices for a job on several nodes,
 * if the file has a machine that was measured on several (messages/search/predict.h): one
 * for pictures with all pixels active, one for the footprints of a k-d tree. There is
 * none where the executor's own choice is predicted to be as good. *is_known: there is
 * such a machine. Local. Errors: STATUS_MEMORY, and those of messages_tuning_machine.
 */
frame_tuning_predictor messages_tuning_simulate;

#endif
