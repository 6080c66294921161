/* The rules of a job, from the tuning file of its machine. */
#ifndef APP_TUNING_TUNING_H
#define APP_TUNING_TUNING_H

#include "file.h"

#include <mpi.h>

/* The ranks of a communicator and their nodes. Collective, the same on all ranks. */
app_crowd app_crowd_find(MPI_Comm comm);

/* The user's tuning file, $XDG_CONFIG_HOME/karman/tuning.json or
 * ~/.config/karman/tuning.json, whether it exists or not; malloc'ed. NULL: there is no
 * home folder, or memory is short. Local. */
char *app_tuning_user_path(void);

/* The tuning file of a job: `named` if that is not NULL, else the user's, else the
 * installation's (etc/karman/tuning.json), whichever is there first. malloc'ed; NULL:
 * there is none. Local. */
char *app_tuning_path(const char *named);

/* The rules that this machine and these ranks have in a file. *list is empty before. A
 * sentence on the file, if it has none for this machine, goes to `why` [size], else "".
 * Local. Errors: those of app_tuning_read. */
status app_tuning_find(const char *path, const app_crowd *crowd, app_tuned_list *list,
                       size_t size, char *why);

/*
 * The rules of a job. Rank 0 reads the file and tells all. A file that cannot be used
 * brings a warning and no rules, and so does a named file without rules for this machine.
 * `named`: as of app_tuning_path; rank 0's counts. Collective. Errors, the same on all
 * ranks: STATUS_MEMORY. rules->rules is malloc'ed.
 */
status app_tuning_load(MPI_Comm comm, const char *named, composite_rules *rules);

#endif
