/* The commands of the program: one file cmd_NAME.c each. */
#ifndef APP_CMD_H
#define APP_CMD_H

#include "base/status.h"
#include "base/usage/usage.h"

#include <argp.h>
#include <mpi.h>

/*
 * Runs a command. argv[0] is its full name for messages ("karman info"), the rest its
 * arguments; main has dealt with --help. Collective: returns the same status on every
 * rank; the message of a failure is held by base_fail and printed by main.
 */
status cmd_info(MPI_Comm comm, int argc, char **argv);
status cmd_init(MPI_Comm comm, int argc, char **argv);
status cmd_render(MPI_Comm comm, int argc, char **argv);
status cmd_compare(MPI_Comm comm, int argc, char **argv);

/* The same for commands that need no MPI: main does not initialise it, and calls them in
 * the first of the processes that a launcher has started. Local. */
status cmd_schedule(int argc, char **argv);
status cmd_steer(int argc, char **argv);
status cmd_live(int argc, char **argv);
status cmd_completion(int argc, char **argv);
status cmd_example(int argc, char **argv);
status cmd_help(int argc, char **argv);

/* Their arguments, for help texts. */
extern const struct argp cmd_info_argp;
extern const struct argp cmd_init_argp;
extern const struct argp cmd_render_argp;
extern const struct argp cmd_compare_argp;
extern const struct argp cmd_schedule_argp;
extern const struct argp cmd_steer_argp;
extern const struct argp cmd_live_argp;
extern const struct argp cmd_completion_argp;
extern const struct argp cmd_example_argp;
extern const struct argp cmd_help_argp;

/* The program with all of its commands. Borrowed. Local; not at the same time in several
 * threads. */
const usage_program *app_program(void);

#endif
