/* One call of karman simulate: what is simulated, and how it is shown. */
#ifndef MESSAGES_SIMULATE_SIMULATION_H
#define MESSAGES_SIMULATE_SIMULATION_H

#include "messages/model/simulate.h"

#include <jansson.h>

typedef enum simulate_format {
    SIMULATE_TEXT,
    SIMULATE_JSON,
    SIMULATE_CSV
} simulate_format;

/* simulate_simulation.segment: as the program cuts the messages of each algorithm. */
enum { SIMULATE_USUAL_SEGMENT = -1 };

/* Zero, with the problem and the machine set, is a dense picture. */
typedef struct simulate_simulation {
    const composite_algorithm *algorithm; /* NULL: all */
    composite_problem problem;
    composite_params params;
    composite_nodes nodes; /* .size 0: each rank has its own */
    int width, height;
    int segment; /* pixels; 0: messages are whole; SIMULATE_USUAL_SEGMENT */
    composite_encoding encoding;
    simulate_machine machine;
    const char *activity_name; /* as the user wrote it: "dense", "kd" or a file */
    simulate_activity activity;
    double *late;         /* [ranks] s, or NULL */
    bool *around;         /* problem.late, or NULL */
    const char *timeline; /* path, or NULL */
    simulate_format format;
} simulate_simulation;

void simulate_simulation_clear(simulate_simulation *simulation);

/* The simulator's case of one algorithm; borrows from the simulation. Local. */
simulate_case simulate_simulation_case(const simulate_simulation *simulation,
                                       const composite_algorithm *algorithm);

/*
 * Simulates one algorithm, or all, and prints the predictions to standard output. Among
 * all, those that cannot be simulated are listed with the reason. Local. Errors:
 * STATUS_USAGE as of simulate_run, STATUS_OUTPUT (the timeline), STATUS_MEMORY.
 */
status simulate_simulation_show(const simulate_simulation *simulation);

/*
 * Writes a trace for Perfetto and chrome://tracing (Google, Trace Event Format) of one
 * algorithm: a process for each position, with sending, receiving and blending on
 * threads, and an arrow for each message. Local. Errors: STATUS_USAGE (too many events),
 * STATUS_OUTPUT, STATUS_MEMORY.
 */
status simulate_timeline_write(const char *path, const simulate_case *of,
                               const simulate_machine *machine);

#endif
