/* Places, wishes and quantities of integrals. */
#ifndef FRAME_INTEGRALS_WISH_H
#define FRAME_INTEGRALS_WISH_H

#include <stdbool.h>

typedef enum frame_integrals_kind {
    FRAME_INTEGRALS_ALL,   /* the whole volume */
    FRAME_INTEGRALS_BLOCK, /* the volume of a block */
    FRAME_INTEGRALS_PLANE, /* from here on: surfaces */
    FRAME_INTEGRALS_FACES,
    FRAME_INTEGRALS_WALL,
    FRAME_INTEGRALS_WALLS /* all of them */
} frame_integrals_kind;

typedef struct frame_integrals_place {
    frame_integrals_kind kind;
    const char *text; /* of a block, plane, face or wall; NULL */
} frame_integrals_place;

/* Fields are names or expressions. NULL: not asked for. */
typedef struct frame_integrals_wish {
    const char *fields; /* integrals and means */
    bool all_fields;    /* without `fields`: all of the data */
    const char *flux;   /* carried by the velocity through surfaces */
    bool mass_flow, force, moment;
    const char *pressure, *viscosity;       /* of the force; pressure is not NULL */
    const char *temperature, *conductivity; /* heat flow; temperature is not NULL */
} frame_integrals_wish;

/* A quantity, such as force_x; values may be NaN. */
typedef struct frame_integrals_value {
    const char *name;
    const char *unit; /* "": none is known */
    bool is_count;
    double value;
} frame_integrals_value;
typedef void frame_integrals_visitor(void *context, const frame_integrals_value *value);

#endif
