/* Points, directions and boxes in space. */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include <math.h>
#include <stdbool.h>

/* A point or direction; `v[0..2]` are x, y, z. */
typedef struct vec3 {
    double v[3];
} vec3;

/* The half-open box [lo, hi): points on its lower faces belong to it. */
typedef struct box3 {
    vec3 lo, hi;
} box3;

static inline vec3 vec3_make(double x, double y, double z)
{
    return (vec3){{x, y, z}};
}

static inline vec3 vec3_add(vec3 a, vec3 b)
{
    return vec3_make(a.v[0] + b.v[0], a.v[1] + b.v[1], a.v[2] + b.v[2]);
}

static inline vec3 vec3_sub(vec3 a, vec3 b)
{
    return vec3_make(a.v[0] - b.v[0], a.v[1] - b.v[1], a.v[2] - b.v[2]);
}

static inline vec3 vec3_scale(vec3 a, double s)
{
    return vec3_make(a.v[0] * s, a.v[1] * s, a.v[2] * s);
}

static inline double vec3_dot(vec3 a, vec3 b)
{
    return a.v[0] * b.v[0] + a.v[1] * b.v[1] + a.v[2] * b.v[2];
}

static inline vec3 vec3_cross(vec3 a, vec3 b)
{
    return vec3_make(a.v[1] * b.v[2] - a.v[2] * b.v[1], a.v[2] * b.v[0] - a.v[0] * b.v[2],
                     a.v[0] * b.v[1] - a.v[1] * b.v[0]);
}

static inline double vec3_length(vec3 a)
{
    return sqrt(vec3_dot(a, a));
}

/* a scaled to length 1; a zero vector stays as it is. */
static inline vec3 vec3_normalize(vec3 a)
{
    double length = vec3_length(a);
    return length > 0.0 ? vec3_scale(a, 1.0 / length) : a;
}

/* Whether all coordinates are equal. */
static inline bool vec3_is_same(vec3 a, vec3 b)
{
    return a.v[0] == b.v[0] && a.v[1] == b.v[1] && a.v[2] == b.v[2];
}

/* An empty box: growing it by a point gives that point. */
static inline box3 box3_empty(void)
{
    return (box3){vec3_make(INFINITY, INFINITY, INFINITY),
                  vec3_make(-INFINITY, -INFINITY, -INFINITY)};
}

/* All of space. */
static inline box3 box3_everything(void)
{
    return (box3){vec3_make(-INFINITY, -INFINITY, -INFINITY),
                  vec3_make(INFINITY, INFINITY, INFINITY)};
}

static inline box3 box3_union(box3 a, box3 b)
{
    for (int axis = 0; axis < 3; axis++) {
        a.lo.v[axis] = fmin(a.lo.v[axis], b.lo.v[axis]);
        a.hi.v[axis] = fmax(a.hi.v[axis], b.hi.v[axis]);
    }
    return a;
}

/* The box with its sides moved outwards by `margin`. */
static inline box3 box3_widen(box3 box, double margin)
{
    for (int axis = 0; axis < 3; axis++) {
        box.lo.v[axis] -= margin;
        box.hi.v[axis] += margin;
    }
    return box;
}

/* Whether the closed boxes a and b share a point. */
static inline bool box3_meets(box3 a, box3 b)
{
    for (int axis = 0; axis < 3; axis++) {
        if (a.lo.v[axis] > b.hi.v[axis] || b.lo.v[axis] > a.hi.v[axis]) {
            return false;
        }
    }
    return true;
}

#endif
