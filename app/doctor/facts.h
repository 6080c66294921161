/* Numbers of this machine and of each rank on it. */
#ifndef APP_DOCTOR_FACTS_H
#define APP_DOCTOR_FACTS_H

#include <mpi.h>

/* Sizes are in bytes; below 0: unknown. */
typedef enum doctor_fact {
    DOCTOR_NEIGHBOURS,   /* ranks of a rank's node */
    DOCTOR_CORES,        /* of its node */
    DOCTOR_NODE_CORES,   /* of these, those that the ranks of the node may use together */
    DOCTOR_BOUND,        /* of these, those that the rank may use */
    DOCTOR_THREADS,      /* that it would start */
    DOCTOR_MEMORY,       /* of its node, or of its batch job or container */
    DOCTOR_FREE_MEMORY,  /* of that */
    DOCTOR_FREE_SHARED,  /* in /dev/shm */
    DOCTOR_FREE_SCRATCH, /* in the folder for temporary files */
    DOCTOR_STACK,        /* limits */
    DOCTOR_FILES,
    DOCTOR_FACTS
} doctor_fact;

typedef struct doctor_facts {
    int ranks, nodes;
    double least[DOCTOR_FACTS], most[DOCTOR_FACTS]; /* of all ranks */
} doctor_facts;

/* Finds them. The same on all ranks. Collective. */
void doctor_facts_find(MPI_Comm comm, doctor_facts *facts);

/* The folder for temporary files: TMPDIR, or /tmp. Local. */
const char *doctor_scratch(void);

#endif
