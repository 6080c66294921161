/* karman compare: child runs of karman render, under the MPI launcher. */
#ifndef MESSAGES_COMPARE_LAUNCH_H
#define MESSAGES_COMPARE_LAUNCH_H

#include "plan.h"

enum { COMPARE_MOST_WORDS = 16 };

/* The command that starts runs: LAUNCHER -n RANKS karman render … */
typedef struct compare_launcher {
    char shown[1024]; /* as given */
    char text[1024];
    int count;
    char *words[COMPARE_MOST_WORDS]; /* [count], in text */
    bool is_given;                   /* given by the user: it may start ranks on other
                                        machines */
    char program[4096];              /* path of karman */
} compare_launcher;

/* One child. */
typedef struct compare_child {
    compare_case which;
    const char *frames;  /* pattern of the pictures' paths */
    const char *timings; /* path */
    const char *log;     /* path of its output */
    int width, height;   /* of the picture of a probe, a tiny run that draws the first
                            step only; 0: no probe */
    bool has_tiles;      /* the timings include the costs of tiles */
} compare_child;

/* Splits the launcher's command line at blanks, and finds this program. command: NULL for
 * the mpiexec that karman was built with. Local. Errors: STATUS_USAGE,
 * STATUS_INTERNAL. */
status compare_launcher_create(const char *command, compare_launcher *launcher);

/*
 * Runs a child and waits for it. A signal that interrupts this process also ends the
 * child. *seconds: wall seconds of the child. Local. Errors: STATUS_INPUT (the child
 * fails; its message is repeated), STATUS_OUTPUT (the log cannot be written),
 * STATUS_USAGE (the launcher cannot be started), STATUS_INTERNAL (interrupted).
 */
status compare_launch(const compare_plan *plan, const compare_launcher *launcher,
                      const compare_child *child, double *seconds);

#endif
