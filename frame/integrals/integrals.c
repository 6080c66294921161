#include "integrals.h"

#include "base/log.h"
#include "io/load/load.h"
#include "quantities.h"

#include <stdlib.h>

struct frame_integrals {
    io_source *source;
    const frame_integrals_wish *wish;
    integrals_fields fields;
    frame_measure_sums *sums; /* of each recipe, over one place */
    bool *has_warned;         /* the same */
};

/* Says which quantity takes fields of other steps. */
static status check_present(const integrals_fields *fields, int nfields)
{
    for (int r = 0; r < fields->first[INTEGRALS_GROUPS]; r++) {
        const grid_recipe *recipe = fields->recipes[r];
        if (grid_recipe_takes_steps(recipe, nfields)) {
            return base_fail(STATUS_USAGE,
                             "'%s' takes other steps, by previous() or mean(): a running "
                             "program has its present step alone",
                             grid_recipe_name(recipe));
        }
    }
    return STATUS_OK;
}

status frame_integrals_check(const frame_integrals_wish *wish, int nfields,
                             const grid_field *its, const grid_terms *terms)
{
    integrals_fields fields;
    status s = integrals_fields_make(wish, nfields, its, terms, &fields);
    s = s == STATUS_OK ? check_present(&fields, nfields) : s;
    integrals_fields_clear(&fields);
    return s;
}

status frame_integrals_create(io_source *source, const grid_terms *terms,
                              const frame_integrals_wish *wish, frame_integrals **out)
{
    frame_integrals *p = calloc(1, sizeof *p);
    if (!p) {
        return base_fail_memory(sizeof *p, "integrals");
    }
    p->source = source;
    p->wish = wish;
    status s = integrals_fields_make(wish, io_source_field_count(source),
                                     io_source_fields(source), terms, &p->fields);
    const size_t recipes = (size_t)p->fields.first[INTEGRALS_GROUPS] + 1;
    p->sums = calloc(recipes, sizeof *p->sums);
    p->has_warned = calloc(recipes, sizeof *p->has_warned);
    if (s == STATUS_OK && !(p->sums && p->has_warned)) {
        s = base_fail_memory(recipes * sizeof *p->sums, "integrals");
    }
    if (s != STATUS_OK) {
        frame_integrals_destroy(&p);
        return s;
    }
    *out = p;
    return STATUS_OK;
}

void frame_integrals_destroy(frame_integrals **integrals)
{
    frame_integrals *p = *integrals;
    if (p) {
        integrals_fields_clear(&p->fields);
        free(p->sums);
        free(p->has_warned);
        free(p);
        *integrals = NULL;
    }
}

const grid_recipe *frame_integrals_field(const frame_integrals *integrals)
{
    return integrals->fields.recipes[0];
}

static void warn_missing(frame_integrals *p, int recipe, double share, const char *place)
{
    if (share > 1e-12 && !p->has_warned[recipe]) {
        p->has_warned[recipe] = true;
        base_log_warning("%s has no value on %.3g %% of %s, which its integrals leave "
                         "out",
                         grid_recipe_name(p->fields.recipes[recipe]), 100.0 * share,
                         place);
    }
}

status frame_integrals_find(frame_integrals *p, frame_measure *measure,
                            const frame_integrals_place *place, int step,
                            frame_integrals_visitor *visit, void *context)
{
    const bool is_volume = place->kind < FRAME_INTEGRALS_PLANE;
    const int count = p->fields.first[is_volume ? INTEGRALS_FLUXES : INTEGRALS_GROUPS];
    integrals_found found = {is_volume, p->source, p->wish, &p->fields, {0}, p->sums};
    char name[300];
    frame_integrals_place_name(place, name, sizeof name);
    status s = frame_measure_find(measure, NULL, step, &found.all);
    for (int n = 0; n < count && s == STATUS_OK; n++) {
        p->sums[n] = (frame_measure_sums){0};
        if (io_load_has(p->source, p->fields.recipes[n], step)) {
            s = frame_measure_find(measure, p->fields.recipes[n], step, &p->sums[n]);
        }
        if (s == STATUS_OK) {
            warn_missing(p, n, 1.0 - p->sums[n].size / found.all.size, name);
        }
    }
    if (s == STATUS_OK) {
        integrals_visit(&found, visit, context);
    }
    if (s == STATUS_OK && found.all.parts == 0) {
        base_log_warning("%s has no cells and no faces", name);
    }
    return s;
}
