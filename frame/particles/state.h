/* The private parts of a collection of particles. */
#ifndef FRAME_PARTICLES_STATE_H
#define FRAME_PARTICLES_STATE_H

#include "plan.h"
#include "swarm.h"

typedef struct frame_particles frame_particles; /* particles.h */

enum { OWNER_SIZE = GRID_NAME_SIZE + 16, NOTE_SIZE = 768 };

/* A layer, and what it asks for. */
typedef struct particles_wish {
    char owner[OWNER_SIZE]; /* PICTURE/NUMBER OF THE LAYER */
    frame_plan plan;
} particles_wish;

/* A swarm, and the layers that show it. */
typedef struct particles_live {
    frame_plan plan;
    int nowners;
    char (*owners)[OWNER_SIZE]; /* [nowners] */
    frame_swarm *swarm;         /* NULL: it has failed, or begins anew */
    int flow;                   /* index into flows; -1: the swarm sleeps */
    bool seeks; /* the grid is another one than when the swarm went to sleep */
    /* After a failure: its status and message; failures in a row; steps to wait. */
    status failed;
    char *message;
    int failures;
    int64_t wait;
    bool is_wanted; /* while wishes are compared */
} particles_live;

typedef struct particles_flow {
    frame_plan plan; /* velocity and field */
    frame_flow *flow;
    bool is_loaded; /* with the present step */
} particles_flow;

struct frame_particles {
    MPI_Comm comm; /* borrowed */
    int nwishes;
    particles_wish *wishes; /* [nwishes] */
    bool is_changed;        /* wishes have changed since the last step */
    /* Memory ran out on this rank: while swarms fell asleep; while wishes were noted, so
     * that those of other ranks may differ. */
    bool is_broken, has_no_wishes;
    io_data_config data; /* of the last config: fills and priorities alone */

    int nlives;
    particles_live *lives; /* [nlives] */

    /* The grid of this rank; NULL: not read yet. */
    grid_layout *layout;
    int grid;        /* its number in the source that it was read from */
    bool is_leaving; /* the next step has another grid */
    int64_t nbricks, *bricks;
    int nfields;
    grid_field *fields; /* [nfields]: of the source, which recipes refer to */
    int nflows;
    particles_flow *flows; /* [nflows] */

    bool has_begun;
    int64_t cycle;
    double time;  /* of the last step */
    int standing; /* steps in a row at the same time */
    int64_t told; /* bytes of all ranks that were reported */
    char note[NOTE_SIZE];
    bool has_note;
};

/* Frees the wishes of all pictures, or of one. */
void particles_wishes_clear(frame_particles *p, const char *picture);

/* Makes a swarm and a note for each wish: those that stay, those that change, new ones.
 * Frees others. Local, the same on every rank. Errors: STATUS_MEMORY. */
status particles_reconcile(frame_particles *p);

/* Begins a step: takes its time, changes of plans, and the grid. Particles do not move.
 * Collective. Errors: those of frame_particles_step. */
status frame_particles_begin(frame_particles *p, io_source *source, int step);

/* Lets all particles begin anew at the next step. Local. */
void particles_restart(frame_particles *p);

/* Reads the layout, and cuts it into a box for each rank, unless that was done.
 * Collective. Errors: those of io_load_layout and grid_layout_rank_blocks. */
status particles_find_grid(frame_particles *p, io_source *source);

/* Before a step (index): if it has another grid, moves particles half of the way there,
 * and leaves the grid. Collective. Errors: those of frame_swarm_begin_step. */
status particles_cross(frame_particles *p, const io_source *source, int step);

/* Free the flows; the flows and the grid. No swarm is awake. Local. */
void particles_drop_flows(frame_particles *p);
void particles_drop_grid(frame_particles *p);

/* Frees a swarm with its owners. */
void particles_live_clear(particles_live *live);

/* Notes a message for the user, and prints it as a warning. Local; the same on every
 * rank. */
void particles_say(frame_particles *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Limits of every swarm. */
frame_swarm_limits particles_limits(void);

#endif
