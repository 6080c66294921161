/* Inside io/load/joints: the search for joints, and for vertices on faces of blocks. */
#ifndef IO_LOAD_JOINTS_SEARCH_H
#define IO_LOAD_JOINTS_SEARCH_H

#include "joints.h"

#include <math.h>

/* A vertex at the end of a block. */
typedef struct joint_place {
    double along; /* its place along a line askew to all axes */
    float at[3];
    float edge;          /* the shortest one at the vertex; 0 if there is none */
    int8_t inward[3][3]; /* normals of the block's ends there, times 127, into the block;
                            0: the axis does not end there */
    uint8_t walls;       /* bits of axes that end at walls there; 0 unless the data say of
                            all ends what lies behind them */
    int32_t slab;
    io_joint_member member;
    io_joint_member first; /* of the vertices that are one, as the data say */
} joint_place;

/* A vertex at the end of a block, for those who make its place. */
typedef struct joint_vertex {
    int block;
    int64_t of_block[3]; /* its indices in the block */
    int at[3];           /* in the patch */
    int ends[3];         /* 1 and -1 where an axis begins and ends */
    float longest;       /* edge at the vertex */
} joint_vertex;

/* A member of a joint that is at home on this rank. */
typedef struct joint_part {
    int rank; /* of the member */
    int32_t joint;
    io_joint_member member;
} joint_part;

/* The members of a joint, or a vertex that may become one. A joint with more members
 * takes no part in the search for faces: they lie on a pole. */
enum { JOINT_MOST_MEMBERS = 32 };

typedef struct joint_group {
    int32_t joint;
    int64_t count;
    const joint_place *places[JOINT_MOST_MEMBERS];
    int blocks[JOINT_MOST_MEMBERS];
} joint_group;

/* A vertex that may lie on a face of another block. */
typedef struct joint_question {
    int32_t joint, brick; /* brick: that with the face */
    io_joint_member member;
    float at[3], edge;
    int8_t inward[3][3];
} joint_question;

/* A joint hangs on a face; or it is one vertex that turned out to meet nothing. */
enum { JOINT_HANGS = 1, JOINT_APART = 2 };

/* The face on which a vertex lies: the best one of the brick, or none. */
typedef struct joint_hit {
    int32_t joint, brick, block; /* block: that of the brick */
    bool is_near;    /* else only joints at its corners show that it is meant */
    double distance; /* INFINITY: no face */
    io_joint_member member, corner[4];
    float weight[4]; /* bilinear */
} joint_hit;

/* Bricks at ends of blocks, for a search by place. */
typedef struct joint_tree joint_tree;

/* What the data say of ends of blocks. */
typedef struct joint_contacts joint_contacts;

/* The search on one rank. */
typedef struct joint_search {
    io_joints *joints;
    const grid_layout *layout;
    io_source *source;
    double lo, per_slab; /* of the line */
    int64_t count;
    joint_place *places;
    joint_tree *tree;         /* NULL: there is one block */
    joint_contacts *contacts; /* NULL: the data say nothing */
    int64_t nquestions;
    joint_question *questions; /* of this rank's joints, and vertices that may be some */
    int64_t nhits;
    joint_hit *hits; /* by joint and block, one of each */
    status status;
} joint_search;

/* Whether a brick has vertices at an end of its block that is no seam. */
bool joints_is_at_end(const grid_layout *layout, int64_t number);

/* ---- Members (members.c) ----------------------------------------------------------- */

/* Two places within this distance of both are the same: some roundings of the
 * coordinates, but less than the shortest edge. */
static inline double joints_reach(const float at[3], float edge)
{
    const float size = fmaxf(fmaxf(fabsf(at[0]), fabsf(at[1])), fabsf(at[2]));
    return fmin((double)size * 5e-7, 0.25 * (double)edge);
}

static inline double joints_distance_squared(const float a[3], const float b[3])
{
    double sum = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const double d = (double)a[axis] - (double)b[axis];
        sum += d * d;
    }
    return sum;
}

/* Orders members by brick and vertex, as qsort does. Local. */
int joints_compare_members(const io_joint_member *a, const io_joint_member *b);

/* Tells the ranks which of their vertices are members. Collective. */
status joints_send_members(io_joints *joints, const joint_part *parts);

/* Sorts this rank's members, and lists the bricks that have some. Local. */
status joints_sort_members(io_joints *joints);

/* ---- What the data say (contacts.c) ------------------------------------------------ */

/* *out is NULL if they say nothing. Local. Errors: STATUS_MEMORY. */
status joints_contacts_create(const io_source *source, const grid_layout *layout,
                              joint_contacts **out);
void joints_contacts_destroy(joint_contacts **contacts);

/* Sets `first` and `walls` of the place that is listed next. Local. */
void joints_know(joint_search *s, const joint_vertex *vertex, joint_place *p);

/* Whether a wall without thickness lies between two vertices at the same place. Local. */
bool joints_are_apart(const joint_place *a, const joint_place *b);

/* Gives vertices that are one, as the data say, the place of the first of them.
 * Collective. */
status joints_move_places(joint_search *s);

/* ---- Vertices on faces (faces.c) --------------------------------------------------- */

status joints_tree_create(const grid_layout *layout, joint_tree **out);
void joints_tree_destroy(joint_tree **tree);

/* Asks the bricks of blocks that have none of these members, and in whose bounds they
 * lie, for their faces. Returns whether there are such bricks. Local. */
bool joints_ask(joint_search *s, const joint_group *group);

/* Finds the hits of the questions. Collective. */
status joints_find_hits(joint_search *s);

/* Makes links of the hits: parts are the members at home. Collective. */
status joints_link(joint_search *s, const joint_part *parts);

#endif
