/*
 * Joints: vertices at which blocks meet, or a block meets itself. A field in cells has
 * there the mean over the cells of all blocks, and gradients are means over all of them,
 * of fields at vertices as well.
 */
#ifndef IO_LOAD_JOINTS_H
#define IO_LOAD_JOINTS_H

#include "io/load/sweep.h"

/* Bricks at ends of blocks are dealt out to ranks, as io_load_share does. A rank has the
 * members of joints in its bricks. Each joint is at home on one rank, where the parts of
 * its members are added up. */
typedef struct io_joint_member {
    int32_t brick;  /* that with the vertex, the highest of several */
    int32_t vertex; /* in the brick, [nk+1][nj+1][ni+1] */
} io_joint_member;

typedef struct io_joint_order {
    io_joint_member member;
    int64_t index; /* among the members of the rank */
} io_joint_order;

/* A face of another block on which a joint lies. */
typedef struct io_joint_face {
    int32_t joint;
    bool shares; /* the joint's sums take those of the face's block */
    bool hangs;  /* the joint has the bilinear value of the face */
} io_joint_face;

/* A corner of such a face. */
typedef struct io_joint_corner {
    int64_t face;
    float weight; /* bilinear */
} io_joint_corner;

/* Faces of the joints at home here. */
typedef struct io_joint_faces {
    int64_t total, hanging; /* on all ranks; 0: there are none */
    int64_t count;
    io_joint_face *faces; /* [count], by joint and block */
    int64_t ncorners;
    io_joint_corner *corners; /* [ncorners], in the order of the corners' ranks */
    int64_t *from;            /* [ranks] */
    int64_t nasked;
    int64_t *asked; /* [nasked]: members here at corners; -1: no member */
    int64_t *to;    /* [ranks] */
    uint8_t *ways;  /* [joints->count]: JOINT_..., or 0 */
} io_joint_faces;

typedef struct io_joints {
    MPI_Comm comm; /* borrowed */
    int ranks;
    int64_t total; /* members on all ranks; 0: no blocks meet */
    int64_t count;
    io_joint_member *members; /* [count], in the order of their homes */
    int64_t norder;
    io_joint_order *order; /* [norder]: members by ascending brick and vertex, without
                              those that turned out to meet nothing */
    int64_t *to;           /* [ranks]: members whose home is that rank */
    int64_t nparts;
    int32_t *joint; /* [nparts]: the joint of each member that is at home here, in the
                       order of the members' ranks */
    int64_t *from;  /* [ranks] */
    int32_t njoints;
    io_joint_faces faces;
    int64_t nbricks;
    int64_t *bricks; /* [nbricks]: those of this rank with members, ascending */
    bool holds;      /* io_joint_values_hold */
    double *held;    /* values of the members; NULL: none */
} io_joints;

/* Finds the joints of a grid: vertices at ends of blocks with equal coordinates, but for
 * rounding, and vertices that lie on faces of other blocks. Collective. Errors:
 * STATUS_INPUT, STATUS_MEMORY. */
status io_joints_find(MPI_Comm comm, io_source *source, const grid_layout *layout,
                      io_joints **out);
void io_joints_destroy(io_joints **joints);
void io_joints_forget(void **joints); /* the same, for io_source_keep */

/* The brick to which a vertex of a block belongs: the highest of those that have it. */
int64_t io_joints_brick(const grid_layout *layout, int block, const int64_t vertex[3]);

/* The members of a brick: joints->order[first] to [end - 1]. Local. */
void io_joints_of_brick(const io_joints *joints, int64_t brick, int64_t *first,
                        int64_t *end);

/* The index of a member of this rank; -1: there is none. Local. */
int64_t io_joints_member(const io_joints *joints, const io_joint_member *member);

/* The rank to whom a brick is dealt out. Local. */
int io_joints_rank(const io_joints *joints, const grid_layout *layout, int64_t brick);

/*
 * Adds up parts of members over the members of each joint, in the order of their bricks,
 * and over the faces of other blocks on which it lies. Every member then has the sum. The
 * same bits on any number of ranks. parts: [count][groups][group], in which each group is
 * a weight and sums with that weight. Collective. Errors: STATUS_MEMORY.
 */
status io_joints_add(const io_joints *joints, int groups, int group, double *parts);

/*
 * Gives joints that hang on faces their bilinear values there. values: [count][width];
 * NaN: there is none. The same bits on any number of ranks. Collective. Errors:
 * STATUS_MEMORY.
 */
status io_joints_hang(const io_joints *joints, int width, double *values);

/* ---- Values ------------------------------------------------------------------------ */

/* A recipe that a sweep computes at vertices, and its form for means at vertices. */
typedef struct io_joint_recipe {
    const grid_recipe *recipe;
    grid_recipe *of_means;
    int inputs[GRID_RECIPE_MAX_INPUTS]; /* of the sweep */
} io_joint_recipe;

/* Values at the joints near the bricks of a sweep, and its recipes. */
typedef struct io_joint_values io_joint_values;

/* The recipes of a sweep. */
typedef struct io_joint_wish {
    int count;
    const grid_recipe_use *uses; /* [count], with the recipes' inputs in the sweep */
    bool shaded;                 /* gradients of the results are wanted, too */
    bool is_inner;               /* the fields are made for others: they are not held */
} io_joint_wish;

/*
 * Finds values at joints for a sweep over these bricks: `nbricks` of them, ascending.
 * *out is NULL if no blocks meet, or no recipe averages cells or differentiates. The
 * sweep is complete but for `joints`. Collective. Errors: STATUS_INPUT, STATUS_MEMORY.
 */
status io_joint_values_load(const io_sweep *sweep, const io_joint_wish *wish,
                            int64_t nbricks, const int64_t *bricks,
                            io_joint_values **out);
void io_joint_values_destroy(io_joint_values **values);

/* Holds the values at all joints of this rank from the next load on, for loads of other
 * bricks with the same recipe at the same step; or drops them. Local, alike on all
 * ranks. */
void io_joint_values_hold(io_source *source, bool holds);

/* Lets a sweep's `visit` get means at vertices in place of inputs in cells; nothing
 * without values (NULL). Local. */
void io_joint_values_attach(const io_joint_values *values, io_sweep *sweep);

/*
 * Computes the only recipe of the values, or `recipe` without joints, at all vertices or
 * in all cells of a window's patch, with results at joints. The patch has the recipe's
 * inputs. Local, with all threads. Errors: STATUS_MEMORY.
 */
status io_joint_values_fill(const io_joint_values *values, const io_sweep *sweep,
                            const io_window *window, const grid_recipe *recipe,
                            const grid_patch *patch, float *out);

/* Computes the only recipe of the values, or `recipe` without joints, and its gradients,
 * as grid_recipe_compute_gradients does. The core of the patch is the vertices of this
 * place. Local; threads may call it at once. */
void io_joint_values_gradients(const io_joint_values *values, const grid_recipe *recipe,
                               const grid_brick_place *place, const grid_patch *patch,
                               float *results, float (*gradients)[3]);

/* Computes the n-th recipe of the values, or `recipe` without joints, as
 * grid_recipe_compute does, with results at joints. The core of the patch is the vertices
 * of this place. Local; threads may call it at once. */
void io_joint_values_compute(const io_joint_values *values, int n,
                             const grid_recipe *recipe, const grid_brick_place *place,
                             const grid_patch *patch, float *results);

#endif
