/* The commands of the program, each in a file cmd_NAME.c. */
#ifndef APP_CMD_H
#define APP_CMD_H

#include "base/status.h"
#include "base/usage/usage.h"

#include <argp.h>
#include <mpi.h>
#include <stdbool.h>

/*
 * Runs a command. argv[0] is its full name for messages ("karman info"), the rest its
 * arguments; main has handled --help. Collective: returns the same status on every rank.
 * base_fail holds the message of a failure, and main prints it.
 */
status cmd_check(MPI_Comm comm, int argc, char **argv);
status cmd_convert(MPI_Comm comm, int argc, char **argv);
status cmd_doctor(MPI_Comm comm, int argc, char **argv);
status cmd_info(MPI_Comm comm, int argc, char **argv);
status cmd_integrate(MPI_Comm comm, int argc, char **argv);
status cmd_init(MPI_Comm comm, int argc, char **argv);
status cmd_line(MPI_Comm comm, int argc, char **argv);
status cmd_mean(MPI_Comm comm, int argc, char **argv);
status cmd_probe(MPI_Comm comm, int argc, char **argv);
status cmd_render(MPI_Comm comm, int argc, char **argv);
status cmd_compare(MPI_Comm comm, int argc, char **argv);
status cmd_simulate(MPI_Comm comm, int argc, char **argv); /* only --measure */
status cmd_schedule(MPI_Comm comm, int argc, char **argv); /* only --picture */
status cmd_tune(MPI_Comm comm, int argc, char **argv);
status cmd_view(MPI_Comm comm, int argc, char **argv);

/* Runs a command that needs no MPI. main does not initialise MPI, and calls it in the
 * first process that a launcher has started. Local. */
status cmd_schedule_alone(int argc, char **argv); /* all but --picture */
status cmd_collectives(int argc, char **argv);
status cmd_simulate_alone(int argc, char **argv); /* all but --measure */
status cmd_steer(int argc, char **argv);
status cmd_live(int argc, char **argv);
status cmd_example(int argc, char **argv);
status cmd_help(int argc, char **argv);

/* Prints the completion of a program's command lines. Local. */
status cmd_completion(const usage_program *program, int argc, char **argv);

/* Whether the arguments ask for measuring, which needs MPI. Local. */
bool cmd_simulate_measures(int argc, char **argv);

/* Whether the arguments ask for a picture, which needs MPI. Local. */
bool cmd_schedule_draws(int argc, char **argv);

/* The collectives of MPI, or their algorithms, as "broadcast scatter", each name once;
 * malloc'ed, or NULL if memory is short. Local. */
char *cmd_collectives_words(bool algorithms);

/* The arguments of the commands, for help texts. */
extern const struct argp cmd_check_argp;
extern const struct argp cmd_convert_argp;
extern const struct argp cmd_doctor_argp;
extern const struct argp cmd_info_argp;
extern const struct argp cmd_integrate_argp;
extern const struct argp cmd_init_argp;
extern const struct argp cmd_line_argp;
extern const struct argp cmd_mean_argp;
extern const struct argp cmd_probe_argp;
extern const struct argp cmd_render_argp;
extern const struct argp cmd_compare_argp;
extern const struct argp cmd_schedule_argp;
extern const struct argp cmd_collectives_argp;
extern const struct argp cmd_simulate_argp;
extern const struct argp cmd_tune_argp;
extern const struct argp cmd_steer_argp;
extern const struct argp cmd_live_argp;
extern const struct argp cmd_completion_argp;
extern const struct argp cmd_example_argp;
extern const struct argp cmd_help_argp;
extern const struct argp cmd_view_argp;

#endif
