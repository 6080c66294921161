/* Fields that are made as a whole before a recipe takes them: a derivative is computed at
 * all vertices around, and then differentiated as a field of the data is. */
#include "made.h"

#include <stdlib.h>

enum { MOST_DEPTH = 2 }; /* of fields that are made for each other; each adds layers */

grid_recipe derive_empty_recipe(derive_kind kind)
{
    const derive_parts none = {-1, -1, -1};
    return (grid_recipe){.kind = kind, .quantity = {none, none, none}, .quotient = none};
}

void derive_place_time(compiler *c)
{
    grid_recipe *r = c->recipe;
    const int nfields = c->names->nfields, time = nfields + GRID_IMPLIED_TIME;
    bool in_cells = r->formula->nquantities == 0;
    for (int n = 0; n < r->ninputs; n++) {
        const bool is_time = grid_field_now(nfields, r->fields[n]) == time;
        in_cells = in_cells && (is_time || r->locations[n] == GRID_CELL);
    }
    for (int n = 0; n < r->ninputs && in_cells; n++) {
        if (grid_field_now(nfields, r->fields[n]) == time) {
            r->fields[n] += GRID_IMPLIED_TIME_OF_CELLS - GRID_IMPLIED_TIME;
            r->locations[n] = GRID_CELL;
        }
    }
}

/* ---- Owners ------------------------------------------------------------------------ */

grid_made *grid_made_hold(const grid_made *made)
{
    grid_made *held = (grid_made *)(uintptr_t)made;
    held->users++;
    return held;
}

void grid_made_release(grid_made **made)
{
    if (*made && --(*made)->users == 0) {
        derive_clear((*made)->recipe);
        free((*made)->recipe);
        free(*made);
    }
    *made = NULL;
}

void derive_drop_inputs(grid_recipe *recipe, int count)
{
    while (recipe->ninputs > count) {
        grid_made_release(&recipe->made[--recipe->ninputs]);
    }
}

void derive_clear(grid_recipe *recipe)
{
    derive_drop_inputs(recipe, 0);
    free(recipe->formula);
    recipe->formula = NULL;
}

/* ---- Places ------------------------------------------------------------------------ */

grid_location derive_location(const grid_recipe *recipe)
{
    bool in_cells =
        !derive_differentiates(recipe) && !derive_has_input_at(recipe, GRID_VERTEX);
    return in_cells && !recipe->at_vertices ? GRID_CELL : GRID_VERTEX;
}

int derive_layers(const grid_recipe *recipe)
{
    bool averages =
        derive_location(recipe) == GRID_VERTEX && derive_has_input_at(recipe, GRID_CELL);
    const int reach = derive_leaves(recipe) > 0 ? derive_reach(DERIVE_GRADIENTS)
                                                : derive_reach(recipe->kind);
    int made = 0;
    for (int n = 0; n < recipe->ninputs; n++) {
        const int layers = recipe->made[n] ? derive_layers(recipe->made[n]->recipe) : 0;
        made = layers > made ? layers : made;
    }
    return reach + (averages ? 1 : 0) + made;
}

/* ---- Comparisons ------------------------------------------------------------------- */

bool derive_are_programs_same(const derive_program *a, const derive_program *b)
{
    return a->count == b->count &&
           memcmp(a->ops, b->ops, (size_t)a->count * sizeof *a->ops) == 0;
}

static bool are_recipes_same(const grid_recipe *a, const grid_recipe *b)
{
    const derive_formula *one = a->formula, *other = b->formula;
    bool same = a->at_vertices == b->at_vertices && a->ninputs == b->ninputs &&
                one->nquantities == other->nquantities &&
                derive_are_programs_same(&one->result, &other->result);
    for (int n = 0; n < a->ninputs && same; n++) {
        same = a->fields[n] == b->fields[n] && grid_made_is_same(a->made[n], b->made[n]);
    }
    for (int q = 0; q < one->nquantities && same; q++) {
        same = derive_are_programs_same(&one->quantity[q], &other->quantity[q]);
    }
    return same;
}

bool grid_made_is_same(const grid_made *a, const grid_made *b)
{
    if (!a || !b || a == b) {
        return a == b;
    }
    return a->is_mean == b->is_mean && !(a->first < b->first) && !(a->first > b->first) &&
           !(a->last < b->last) && !(a->last > b->last) &&
           are_recipes_same(a->recipe, b->recipe);
}

/* ---- Making ------------------------------------------------------------------------ */

static grid_made *create(void)
{
    grid_made *made = calloc(1, sizeof *made);
    grid_recipe *recipe = malloc(sizeof *recipe);
    derive_formula *formula = calloc(1, sizeof *formula);
    if (!made || !recipe || !formula) {
        base_fail_memory(sizeof *formula, "a derived field");
        free(made);
        free(recipe);
        free(formula);
        return NULL;
    }
    *recipe = derive_empty_recipe(DERIVE_FORMULA);
    recipe->formula = formula;
    made->recipe = recipe;
    made->users = 1;
    return made;
}

/* Fails if no mean can be taken of a field without its neighbours in space. */
static void check_mean(compiler *c, const frame *f, const derive_wish *wish,
                       const grid_made *made)
{
    bool has_mean = false;
    for (int n = 0; n < made->recipe->ninputs; n++) {
        has_mean = has_mean || (made->recipe->made[n] && made->recipe->made[n]->is_mean);
    }
    if (has_mean) {
        assemble_fail(c, f, wish->node, "mean() takes no mean() of others");
    } else if (derive_layers(made->recipe) > 0) {
        assemble_fail(c, f, wish->node,
                      "mean() takes no derivatives and does not mix values in cells with "
                      "others: derive them from means, as in curl(mean(velocity))");
    }
}

/* Adds a field to the inputs, which own it then. Returns the operation. */
static int add(compiler *c, const frame *f, int node, grid_made *made)
{
    grid_recipe *r = c->recipe;
    int input = 0;
    while (input < r->ninputs && !grid_made_is_same(r->made[input], made)) {
        input++;
    }
    if (input == GRID_RECIPE_MAX_INPUTS) {
        grid_made_release(&made);
        return assemble_fail(c, f, node, DERIVE_TOO_MANY_INPUTS);
    }
    if (input < r->ninputs) {
        grid_made_release(&made);
    } else {
        r->fields[input] = GRID_FIELD_MADE;
        r->locations[input] = derive_location(made->recipe);
        r->made[input] = made;
        r->ninputs++;
    }
    return assemble(c, f, PROGRAM_SLOT, input, 0, 0);
}

int derive_make(compiler *c, const frame *f, const derive_wish *wish)
{
    grid_made *made = create();
    if (!made) {
        c->status = STATUS_MEMORY;
        return -1;
    }
    made->is_mean = wish->is_mean;
    made->first = wish->first;
    made->last = wish->last;
    compiler inner = *c;
    inner.recipe = made->recipe;
    inner.program = &made->recipe->formula->result;
    inner.in_quantity = inner.is_nested = false;
    inner.when = wish->is_mean && c->when == GRID_BEFORE ? GRID_NOW : c->when;
    inner.depth++;
    if (inner.depth > MOST_DEPTH) {
        assemble_fail(&inner, f, wish->node, "derivatives lie too deep in each other");
    }
    assemble_end(&inner, f, c->compile(&inner, f, wish->node, wish->axis));
    if (inner.status == STATUS_OK && made->recipe->ninputs == 0) {
        assemble_fail(&inner, f, wish->node, "this is one number everywhere");
    }
    if (inner.status == STATUS_OK) {
        derive_place_time(&inner);
    }
    if (inner.status == STATUS_OK && wish->is_mean) {
        check_mean(&inner, f, wish, made);
    }
    c->status = inner.status;
    c->expanded = inner.expanded;
    if (c->status != STATUS_OK) {
        grid_made_release(&made);
        return -1;
    }
    return add(c, f, wish->node, made);
}
