/* Inside frame/integrals: the fields whose integrals are needed. */
#ifndef FRAME_INTEGRALS_WISHES_H
#define FRAME_INTEGRALS_WISHES_H

#include "fields.h"
#include "grid/recipe.h"
#include "wish.h"

/* Groups of fields to be integrated, one after the other. */
typedef enum integrals_group {
    INTEGRALS_FIELDS,  /* of the wish */
    INTEGRALS_FLUXES,  /* three for each of its fluxes: times the velocity's components */
    INTEGRALS_MASS,    /* three: density times the velocity's components */
    INTEGRALS_CARRIED, /* three for each of its fields: times those */
    INTEGRALS_PRESSURE, /* one */
    INTEGRALS_STRESS,   /* six: xx, yy, zz, xy, yz, xz of the viscous stress */
    INTEGRALS_HEAT,     /* three: components of the heat flux */
    INTEGRALS_GROUPS
} integrals_group;

typedef struct integrals_fields {
    frame_fields fields;             /* of the wish; the terms of all */
    frame_fields fluxes;             /* of the wish */
    frame_fields pressure;           /* one */
    int first[INTEGRALS_GROUPS + 1]; /* of the recipes of each group */
    grid_recipe **recipes;           /* [first[INTEGRALS_GROUPS]] */
} integrals_fields;

/* Makes the list. Local. Errors: those of grid_recipe_create, STATUS_MEMORY; clear it
 * then, too. */
status integrals_fields_make(const frame_integrals_wish *wish, int nfields,
                             const grid_field *its, const grid_terms *terms,
                             integrals_fields *out);
void integrals_fields_clear(integrals_fields *fields);

/* Whether a group is asked for. */
static inline bool integrals_have(const integrals_fields *w, integrals_group group)
{
    return w->first[group + 1] > w->first[group];
}

#endif
