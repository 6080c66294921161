/* The rules of a job, from the tuning file of its machine. */
#ifndef FRAME_TUNING_TUNING_H
#define FRAME_TUNING_TUNING_H

#include "file.h"
#include "io/config/config.h"

#include <mpi.h>

/* The ranks of a communicator and their nodes. Collective, the same on all ranks. */
frame_crowd frame_crowd_find(MPI_Comm comm);

/* The user's tuning file, $XDG_CONFIG_HOME/karman/tuning.json or
 * ~/.config/karman/tuning.json, whether it exists or not; malloc'ed. NULL: there is no
 * home folder, or memory is short. Local. */
char *frame_tuning_user_path(void);

/* The tuning file of a job: `named` if that is not NULL, else the user's, else the
 * installation's (etc/karman/tuning.json of it, wherever it was moved), whichever is
 * there first. malloc'ed; NULL: there is none. Local. */
char *frame_tuning_path(const char *named);

/* The pictures of a job. */
typedef struct frame_tuning_pictures {
    int width, height;
    composite_target target;
} frame_tuning_pictures;

/* The target of a job's pictures, for whoever draws, measures or looks for rules. Ranks
 * keep pieces for compression, as bytes if they share memory (composite_executor_shared_
 * bytes) and finish each pixel by its only sample. Floats go to rank 0. Local. */
composite_target frame_tuning_target(const io_config *config, bool shares_bytes);

/* The reason why a job on so many ranks follows no rule whatever; NULL: it may follow
 * one. Local. */
const char *frame_tuning_obstacle(const io_config *config, int ranks);

/* A file's rules for this machine, these ranks and these pictures, of any activity. *list
 * is empty before. A sentence on the file, if it has none, goes to `why` [size], else "".
 * Local. Errors: those of frame_tuning_read. */
status frame_tuning_find(const char *path, const frame_crowd *crowd,
                         const frame_tuning_pictures *pictures, frame_tuned_list *list,
                         size_t size, char *why);

/* Appends rules that were predicted, not measured, for a job with these pictures.
 * *is_known: the file has what a prediction takes. Local. Errors: as it has them. */
typedef status frame_tuning_predictor(const char *path, const frame_crowd *crowd,
                                      const frame_tuning_pictures *pictures,
                                      frame_tuned_list *list, bool *is_known);

/* Names the predictor of this process, of the laboratory above this room
 * (messages/simulate/tuned_machine.h). Without one, jobs have measured rules alone.
 * Local. */
void frame_tuning_take_predictor(frame_tuning_predictor *predictor);

/*
 * The rules of a job. Rank 0 reads the file and tells all. A file that cannot be used
 * brings a warning and no rules, and so does a named file without rules for these
 * pictures. Cases without a rule get a predicted one, if there is a predictor.
 * `named`: as of frame_tuning_path; rank 0's counts. Collective. Errors, the same on all
 * ranks: STATUS_MEMORY. rules->rules is malloc'ed.
 */
status frame_tuning_load(MPI_Comm comm, const char *named,
                         const frame_tuning_pictures *pictures, composite_rules *rules);

#endif
