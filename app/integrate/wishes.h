/* Inside app/integrate: the fields whose integrals are needed. */
#ifndef APP_INTEGRATE_WISHES_H
#define APP_INTEGRATE_WISHES_H

#include "app/probe/fields.h"
#include "grid/recipe.h"
#include "request.h"

/* Groups of fields to be integrated, one after the other. */
typedef enum integrate_group {
    INTEGRATE_FIELDS,   /* of --fields */
    INTEGRATE_FLUXES,   /* three for each of --flux: times the velocity's components */
    INTEGRATE_MASS,     /* three: density times the velocity's components */
    INTEGRATE_CARRIED,  /* three for each of --fields: times those */
    INTEGRATE_PRESSURE, /* one */
    INTEGRATE_STRESS,   /* six: xx, yy, zz, xy, yz, xz of the viscous stress */
    INTEGRATE_HEAT,     /* three: components of the heat flux */
    INTEGRATE_GROUPS
} integrate_group;

typedef struct integrate_wishes {
    app_fields fields;               /* of --fields; the terms of all */
    app_fields fluxes;               /* of --flux */
    app_fields pressure;             /* one */
    int first[INTEGRATE_GROUPS + 1]; /* of the recipes of each group */
    grid_recipe **recipes;           /* [first[INTEGRATE_GROUPS]] */
} integrate_wishes;

/* Makes the list. Local. Errors: those of grid_recipe_create, STATUS_MEMORY; clear it
 * then, too. */
status integrate_wishes_make(const app_integrate_request *request,
                             const io_source *source, const grid_terms *terms,
                             integrate_wishes *out);
void integrate_wishes_clear(integrate_wishes *wishes);

/* Whether a group is asked for. */
static inline bool integrate_wishes_have(const integrate_wishes *w, integrate_group group)
{
    return w->first[group + 1] > w->first[group];
}

#endif
