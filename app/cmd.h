/* The commands of the program, each in a file cmd_NAME.c. */
#ifndef APP_CMD_H
#define APP_CMD_H

#include "arguments.h"
#include "base/status.h"

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
status cmd_simulate(MPI_Comm comm, int argc, char **argv);    /* only --measure */
status cmd_collectives(MPI_Comm comm, int argc, char **argv); /* only --run */
status cmd_schedule(MPI_Comm comm, int argc, char **argv);    /* only --picture */
status cmd_tune(MPI_Comm comm, int argc, char **argv);
status cmd_view(MPI_Comm comm, int argc, char **argv);

/* Runs a command that needs no MPI. main does not initialise MPI, and calls it in the
 * first process that a launcher has started. Local. */
status cmd_schedule_alone(int argc, char **argv);    /* all but --picture */
status cmd_collectives_alone(int argc, char **argv); /* all but --run */
status cmd_simulate_alone(int argc, char **argv);    /* all but --measure */
status cmd_steer(int argc, char **argv);
status cmd_live(int argc, char **argv);
status cmd_example(int argc, char **argv);
status cmd_help(int argc, char **argv);

status cmd_completion(int argc, char **argv);

/*
 * For the scripts of shells: prints the words that may stand in place of the last of
 * words[count], those behind the name of a command; and lines ":files EXTENSION...",
 * ":folders" or ":keys" (words that end within a word). Local.
 */
void cmd_complete(const app_line *line, int count, char **words);

/* Prints a word with its help, if the word begins with `text`. Local. */
void cmd_complete_offer(const char *text, const char *dashes, const char *word,
                        const char *help);

/* Whether the arguments ask for measuring, which needs MPI. Local. */
bool cmd_simulate_measures(int argc, char **argv);
bool cmd_collectives_runs(int argc, char **argv);

/* Whether the arguments ask for a picture, which needs MPI. Local. */
bool cmd_schedule_draws(int argc, char **argv);

/* The arguments of the commands, for help texts. */
extern const app_line cmd_check_line;
extern const app_line cmd_convert_line;
extern const app_line cmd_doctor_line;
extern const app_line cmd_info_line;
extern const app_line cmd_integrate_line;
extern const app_line cmd_init_line;
extern const app_line cmd_line_line;
extern const app_line cmd_mean_line;
extern const app_line cmd_probe_line;
extern const app_line cmd_render_line;
extern const app_line cmd_compare_line;
extern const app_line cmd_schedule_line;
extern const app_line cmd_collectives_line;
extern const app_line cmd_simulate_line;
extern const app_line cmd_tune_line;
extern const app_line cmd_steer_line;
extern const app_line cmd_live_line;
extern const app_line cmd_completion_line;
extern const app_line cmd_example_line;
extern const app_line cmd_help_line;
extern const app_line cmd_view_line;

#endif
