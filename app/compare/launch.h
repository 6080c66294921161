/* karman compare: child runs of karman render, under the launcher of MPI. */
#ifndef APP_COMPARE_LAUNCH_H
#define APP_COMPARE_LAUNCH_H

#include "plan.h"

enum { COMPARE_MOST_WORDS = 16 };

/* How runs are started: LAUNCHER -n RANKS karman render …. */
typedef struct compare_launcher {
    char text[1024];
    int count;
    char *words[COMPARE_MOST_WORDS]; /* [count], in text */
    bool is_given;                   /* by the user: it may know other machines */
    char program[4096];              /* of karman */
} compare_launcher;

/* One child. */
typedef struct compare_child {
    compare_case which;
    const char *frames;  /* pattern of the pictures' paths */
    const char *timings; /* path */
    const char *log;     /* path: what it prints */
    int width, height;   /* of a probe, which draws the first step only; 0: no probe */
    bool has_tiles;      /* timings tell what tiles of the picture cost */
} compare_child;

/* Cuts the launcher's command line at blanks, and finds this program. command: NULL: the
 * mpiexec that karman was built with. Local. Errors: STATUS_USAGE, STATUS_INTERNAL. */
status compare_launcher_create(const char *command, compare_launcher *launcher);

/*
 * Runs a child and waits for it. Interrupted from outside, it ends the child, too. Local.
 * *seconds: what it took. Errors: STATUS_INPUT, where the child fails, with its own
 * message; STATUS_OUTPUT, where the log cannot be written; STATUS_USAGE, where the
 * launcher cannot be started; STATUS_INTERNAL, where it was interrupted.
 */
status compare_launch(const compare_plan *plan, const compare_launcher *launcher,
                      const compare_child *child, double *seconds);

/* Whether a signal has ended the last child: nothing more is to be run. Local. */
bool compare_launch_interrupted(void);

#endif
