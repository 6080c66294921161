/* From the tree of an expression to programs. A vector exists while an expression is
 * compiled only: each of its components is compiled when it is asked for, and operations
 * that occur twice are found and done once. */
#include "compile.h"

#include "assemble.h"
#include "made.h"

#include <stdlib.h>

static int compile_node(compiler *c, const frame *f, int node, int axis);
static bool is_vector(compiler *c, const frame *f, int node);

/* ---- Types ------------------------------------------------------------------------- */

/* Whether a call gives a vector. */
static bool is_vector_call(compiler *c, const frame *f, const expression_node *call)
{
    const expression_word *word = &expression_words[call->function];
    if (call->function == EXPRESSION_MULTIPLY) {
        return is_vector(c, f, call->arguments[0]) || is_vector(c, f, call->arguments[1]);
    }
    if (word->result != 'n') {
        return word->result == '3';
    }
    return is_vector(c, f,
                     call->arguments[strchr(word->arguments, 'n') - word->arguments]);
}

static bool is_vector(compiler *c, const frame *f, int node)
{
    const expression_node *n = node_of(f, node);
    switch (n->kind) {
    case EXPRESSION_FIELD:
        return names_are_vector(c, f, n->name);
    case EXPRESSION_CALL:
        return is_vector_call(c, f, n);
    default:
        return false;
    }
}

/* Fails unless the arguments of a call have the types that its function takes. */
static bool check_arguments(compiler *c, const frame *f, int node)
{
    const expression_node *call = node_of(f, node);
    const char *types = expression_words[call->function].arguments;
    const bool gives_vector = is_vector_call(c, f, call);
    for (int n = 0; types[n] && types[n] != '.' && c->status == STATUS_OK; n++) {
        const int argument = call->arguments[n];
        const bool is = is_vector(c, f, argument);
        const bool free = call->function == EXPRESSION_MULTIPLY && gives_vector;
        const bool wants = types[n] == '3' || (types[n] == 'n' && gives_vector);
        if (free && n == 1 && is && is_vector(c, f, call->arguments[0])) {
            assemble_fail(c, f, argument, "vectors are multiplied by dot() or cross()");
        } else if (!is && wants && names_are_unknown(c, f, argument)) {
            names_fail(c, f, argument, node_of(f, argument)->name);
        } else if (!free && is != wants) {
            assemble_fail(
                c, f, argument,
                is ? "a number is needed, and this is a vector: take mag() or a "
                     "component, such as .x"
                   : "a vector is needed, and this is a number");
        }
    }
    return c->status == STATUS_OK;
}

/* ---- Gradients --------------------------------------------------------------------- */

static int argument(compiler *c, const frame *f, int node, int n, int axis)
{
    return compile_node(c, f, node_of(f, node)->arguments[n], axis);
}

/* What a program of a quantity computes, if it is a field or a quotient of fields. */
static derive_parts find_parts(const derive_program *p, int number)
{
    const program_op *ops = p->ops;
    if (p->count == 1 && ops[0].code == PROGRAM_SLOT) {
        return (derive_parts){ops[0].a, -1, -1};
    }
    const bool divides = p->count == 3 && ops[0].code == PROGRAM_SLOT &&
                         ops[1].code == PROGRAM_SLOT && ops[2].code == PROGRAM_DIVIDE &&
                         ops[2].a == 0 && ops[2].b == 1;
    return divides ? (derive_parts){ops[0].a, ops[1].a, -1}
                   : (derive_parts){-1, -1, number};
}

/* Ends a program as a quantity of the formula. Returns its number. */
static int add_quantity(compiler *c, const frame *f, int node,
                        const derive_program *program)
{
    derive_formula *formula = c->recipe->formula;
    const size_t bytes = (size_t)program->count * sizeof *program->ops;
    for (int q = 0; q < formula->nquantities; q++) {
        if (formula->quantity[q].count == program->count &&
            memcmp(formula->quantity[q].ops, program->ops, bytes) == 0) {
            return q;
        }
    }
    if (formula->nquantities == PROGRAM_QUANTITIES) {
        return assemble_fail(c, f, node,
                             "an expression differentiates 6 quantities at most");
    }
    const int q = formula->nquantities++;
    formula->quantity[q] = *program;
    formula->parts[q] = find_parts(program, q);
    return q;
}

/* The quantity that a node, or a component of it, is. Returns its number. */
static int compile_quantity(compiler *c, const frame *f, int node, int axis)
{
    derive_program program = {.count = 0}, *outer = c->program;
    const int ninputs = c->recipe->ninputs;
    if (c->in_quantity) {
        c->is_nested = true; /* the outer quantity is made as a field of its own */
        return 0;
    }
    c->program = &program;
    c->in_quantity = true;
    c->is_nested = false;
    assemble_end(c, f, compile_node(c, f, node, axis));
    if (c->is_nested && c->status == STATUS_OK) {
        derive_drop_inputs(c->recipe, ninputs);
        program.count = 0;
        const derive_wish wish = {.node = node, .axis = axis};
        assemble_end(c, f, derive_make(c, f, &wish));
    }
    c->program = outer;
    c->in_quantity = c->is_nested = false;
    return c->status == STATUS_OK ? add_quantity(c, f, node, &program) : -1;
}

/* The first slot of the gradient of a call's argument. */
static int gradient(compiler *c, const frame *f, int node, int axis)
{
    const int q = compile_quantity(c, f, node_of(f, node)->arguments[0], axis);
    return q < 0 ? -1 : PROGRAM_GRADIENTS + 3 * q;
}

/* The derivative of component `of` of a call's argument along an axis. */
static int derivative(compiler *c, const frame *f, int node, int of, int along)
{
    const int slot = gradient(c, f, node, of);
    return slot < 0 ? -1 : assemble(c, f, PROGRAM_SLOT, slot + along, 0, 0);
}

static int compile_curl(compiler *c, const frame *f, int node, int axis)
{
    const int a = (axis + 1) % 3, b = (axis + 2) % 3;
    const int first = derivative(c, f, node, b, a);
    return assemble_two(c, f, PROGRAM_SUBTRACT, first, derivative(c, f, node, a, b));
}

static int compile_div(compiler *c, const frame *f, int node)
{
    int sum = -1;
    for (int axis = 0; axis < 3; axis++) {
        const int d = derivative(c, f, node, axis, axis);
        sum = axis == 0 ? d : assemble_two(c, f, PROGRAM_ADD, sum, d);
    }
    return sum;
}

/* -1/2 of the trace of the gradient's square, as derive_q_criterion (slopes.h). */
static int compile_q(compiler *c, const frame *f, int node)
{
    int own[3], across[3], back[3];
    for (int axis = 0; axis < 3; axis++) {
        const int next = (axis + 1) % 3;
        own[axis] = derivative(c, f, node, axis, axis);
        across[axis] = derivative(c, f, node, axis, next);
        back[axis] = derivative(c, f, node, next, axis);
    }
    const int squares = assemble_products(c, f, own, own);
    const int products = assemble_products(c, f, across, back);
    const int half =
        assemble_two(c, f, PROGRAM_MULTIPLY, assemble_number(c, f, -0.5), squares);
    return assemble_two(c, f, PROGRAM_SUBTRACT, half, products);
}

static int compile_lambda2(compiler *c, const frame *f, int node)
{
    int slot[3];
    for (int axis = 0; axis < 3; axis++) {
        slot[axis] = gradient(c, f, node, axis);
    }
    return slot[2] < 0 ? -1 : assemble(c, f, PROGRAM_LAMBDA2, slot[0], slot[1], slot[2]);
}

/* ---- Vectors ----------------------------------------------------------------------- */

static void components(compiler *c, const frame *f, int node, int n, int out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = argument(c, f, node, n, axis);
    }
}

static int compile_dot(compiler *c, const frame *f, int node, int second)
{
    int a[3], b[3];
    components(c, f, node, 0, a);
    components(c, f, node, second, b);
    return assemble_products(c, f, a, b);
}

static int compile_mag(compiler *c, const frame *f, int node)
{
    return assemble(c, f, PROGRAM_SQRT, compile_dot(c, f, node, 0), 0, 0);
}

static int compile_cross(compiler *c, const frame *f, int node, int axis)
{
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const int au = argument(c, f, node, 0, u), av = argument(c, f, node, 0, v);
    const int bu = argument(c, f, node, 1, u), bv = argument(c, f, node, 1, v);
    const int first = assemble_two(c, f, PROGRAM_MULTIPLY, au, bv);
    return assemble_two(c, f, PROGRAM_SUBTRACT, first,
                        assemble_two(c, f, PROGRAM_MULTIPLY, av, bu));
}

/* ---- Calls ------------------------------------------------------------------------- */

/* Functions that are one operation of the same arguments. */
static const program_code codes[EXPRESSION_FUNCTIONS] = {
    [EXPRESSION_ADD] = PROGRAM_ADD,
    [EXPRESSION_SUBTRACT] = PROGRAM_SUBTRACT,
    [EXPRESSION_MULTIPLY] = PROGRAM_MULTIPLY,
    [EXPRESSION_DIVIDE] = PROGRAM_DIVIDE,
    [EXPRESSION_POWER] = PROGRAM_POWER,
    [EXPRESSION_NEGATE] = PROGRAM_NEGATE,
    [EXPRESSION_LESS] = PROGRAM_LESS,
    [EXPRESSION_LESS_EQUAL] = PROGRAM_LESS_EQUAL,
    [EXPRESSION_EQUAL] = PROGRAM_EQUAL,
    [EXPRESSION_UNEQUAL] = PROGRAM_UNEQUAL,
    [EXPRESSION_AND] = PROGRAM_AND,
    [EXPRESSION_OR] = PROGRAM_OR,
    [EXPRESSION_NOT] = PROGRAM_NOT,
    [EXPRESSION_IF] = PROGRAM_IF,
    [EXPRESSION_MIN] = PROGRAM_MIN,
    [EXPRESSION_MAX] = PROGRAM_MAX,
    [EXPRESSION_ABS] = PROGRAM_ABS,
    [EXPRESSION_SIGN] = PROGRAM_SIGN,
    [EXPRESSION_FLOOR] = PROGRAM_FLOOR,
    [EXPRESSION_CEIL] = PROGRAM_CEIL,
    [EXPRESSION_ROUND] = PROGRAM_ROUND,
    [EXPRESSION_MOD] = PROGRAM_MOD,
    [EXPRESSION_SQRT] = PROGRAM_SQRT,
    [EXPRESSION_CBRT] = PROGRAM_CBRT,
    [EXPRESSION_EXP] = PROGRAM_EXP,
    [EXPRESSION_LOG] = PROGRAM_LOG,
    [EXPRESSION_LOG10] = PROGRAM_LOG10,
    [EXPRESSION_LOG2] = PROGRAM_LOG2,
    [EXPRESSION_SIN] = PROGRAM_SIN,
    [EXPRESSION_COS] = PROGRAM_COS,
    [EXPRESSION_TAN] = PROGRAM_TAN,
    [EXPRESSION_ASIN] = PROGRAM_ASIN,
    [EXPRESSION_ACOS] = PROGRAM_ACOS,
    [EXPRESSION_ATAN] = PROGRAM_ATAN,
    [EXPRESSION_ATAN2] = PROGRAM_ATAN2,
    [EXPRESSION_SINH] = PROGRAM_SINH,
    [EXPRESSION_COSH] = PROGRAM_COSH,
    [EXPRESSION_TANH] = PROGRAM_TANH,
};

/* A power; small ones are products, and a half is a root. */
static int compile_power(compiler *c, const frame *f, int node)
{
    const expression_node *power = node_of(f, node_of(f, node)->arguments[1]);
    const int base = argument(c, f, node, 0, SCALAR);
    const double by = power->kind == EXPRESSION_NUMBER ? power->number : (double)NAN;
    if (by >= 1.0 && by <= 4.0 && !(by > floor(by))) {
        int product = base;
        for (int n = 1; n < (int)by; n++) {
            product = assemble_two(c, f, PROGRAM_MULTIPLY, product, base);
        }
        return product;
    }
    return assemble_two(c, f, PROGRAM_POWER, base, argument(c, f, node, 1, SCALAR));
}

/* A function that is one operation, on numbers or on components. */
static int compile_operation(compiler *c, const frame *f, int node, int axis)
{
    const expression_node *call = node_of(f, node);
    const char *types = expression_words[call->function].arguments;
    int args[EXPRESSION_ARGUMENTS] = {0};
    for (int n = 0; types[n]; n++) {
        const bool is_free = call->function == EXPRESSION_MULTIPLY && axis != SCALAR;
        const bool takes_axis =
            is_free ? is_vector(c, f, call->arguments[n]) : types[n] == 'n';
        args[n] = argument(c, f, node, n, takes_axis ? axis : SCALAR);
        if (args[n] < 0) {
            return -1;
        }
    }
    return assemble(c, f, codes[call->function], args[0], args[1], args[2]);
}

static int compile_clamp(compiler *c, const frame *f, int node)
{
    const int least = argument(c, f, node, 1, SCALAR);
    const int above =
        assemble_two(c, f, PROGRAM_MAX, argument(c, f, node, 0, SCALAR), least);
    return assemble_two(c, f, PROGRAM_MIN, above, argument(c, f, node, 2, SCALAR));
}

/* The value at the step before, or of the other data. */
static int compile_elsewhere(compiler *c, const frame *f, int node, int axis)
{
    const bool is_other = node_of(f, node)->function == EXPRESSION_OTHER;
    if (c->when != GRID_NOW) {
        return assemble_fail(c, f, node,
                             c->when == GRID_BEFORE && !is_other
                                 ? "previous() goes back by one step only"
                                 : "previous() and other() do not stand in each other");
    }
    if (is_other && !c->names->terms->has_other) {
        return assemble_fail(c, f, node,
                             "there are no other data: data.other names their file or "
                             "step, as does --minus");
    }
    c->when = is_other ? GRID_OTHER : GRID_BEFORE;
    const int result = argument(c, f, node, 0, axis);
    c->when = GRID_NOW;
    return result;
}

/* The number of a step, an argument of mean() that may be left out. */
static double step_number(compiler *c, const frame *f, int node, double otherwise)
{
    if (node < 0) {
        return otherwise;
    }
    const expression_node *n = node_of(f, node);
    if (n->kind != EXPRESSION_NUMBER) {
        assemble_fail(c, f, node, "mean() takes numbers of steps here, such as 2000");
    }
    return n->number;
}

static int compile_mean(compiler *c, const frame *f, int node, int axis)
{
    const int *arguments = node_of(f, node)->arguments;
    const derive_wish wish = {.node = arguments[0],
                              .axis = axis,
                              .is_mean = true,
                              .first = step_number(c, f, arguments[1], -DBL_MAX),
                              .last = step_number(c, f, arguments[2], DBL_MAX)};
    if (wish.first > wish.last) {
        return assemble_fail(c, f, arguments[1], "the first step is behind the last one");
    }
    return c->status == STATUS_OK ? derive_make(c, f, &wish) : -1;
}

static int compile_call(compiler *c, const frame *f, int node, int axis)
{
    switch (node_of(f, node)->function) {
    case EXPRESSION_POWER:
        return compile_power(c, f, node);
    case EXPRESSION_CLAMP:
        return compile_clamp(c, f, node);
    case EXPRESSION_VEC:
        return argument(c, f, node, axis, SCALAR);
    case EXPRESSION_MAG:
        return compile_mag(c, f, node);
    case EXPRESSION_UNIT: {
        const int length = compile_mag(c, f, node);
        return assemble_two(c, f, PROGRAM_DIVIDE, argument(c, f, node, 0, axis), length);
    }
    case EXPRESSION_DOT:
        return compile_dot(c, f, node, 1);
    case EXPRESSION_CROSS:
        return compile_cross(c, f, node, axis);
    case EXPRESSION_GRAD:
        return derivative(c, f, node, SCALAR, axis);
    case EXPRESSION_DIV:
        return compile_div(c, f, node);
    case EXPRESSION_CURL:
        return compile_curl(c, f, node, axis);
    case EXPRESSION_Q:
        return compile_q(c, f, node);
    case EXPRESSION_LAMBDA2:
        return compile_lambda2(c, f, node);
    case EXPRESSION_PREVIOUS:
    case EXPRESSION_OTHER:
        return compile_elsewhere(c, f, node, axis);
    case EXPRESSION_MEAN:
        return compile_mean(c, f, node, axis);
    default:
        return compile_operation(c, f, node, axis);
    }
}

/* A component of a node, or with SCALAR the number that it is. */
static int compile_node(compiler *c, const frame *f, int node, int axis)
{
    const expression_node *n = node_of(f, node);
    if (c->status != STATUS_OK) {
        return -1;
    }
    if (is_vector(c, f, node) != (axis != SCALAR) && c->status == STATUS_OK) {
        return assemble_fail(c, f, node,
                             axis == SCALAR
                                 ? "this is a vector: take mag() or a component, such "
                                   "as .x"
                                 : "this is a number, where a vector is needed");
    }
    switch (n->kind) {
    case EXPRESSION_NUMBER:
        return assemble_number(c, f, n->number);
    case EXPRESSION_FIELD:
        return names_compile(c, f, node, axis);
    case EXPRESSION_COMPONENT:
        return argument(c, f, node, 0, n->axis);
    default:
        return check_arguments(c, f, node) ? compile_call(c, f, node, axis) : -1;
    }
}

/* ---- Recipes ----------------------------------------------------------------------- */

static int compile_result(compiler *c, const frame *f, int node, int axis)
{
    assemble_end(c, f, compile_node(c, f, node, axis));
    if (c->status == STATUS_OK && c->recipe->ninputs == 0) {
        assemble_fail(c, f, node,
                      "the expression has no field, and one number everywhere");
    }
    return 0;
}

/* Compiles an expression by itself into a recipe with a formula. */
static status compile_formula(const derive_names *names,
                              const grid_definition *definition, grid_recipe *out)
{
    *out = derive_empty_recipe(DERIVE_FORMULA);
    out->formula = calloc(1, sizeof *out->formula);
    if (!out->formula) {
        return base_fail_memory(sizeof *out->formula, "a derived field");
    }
    compiler c = {.compile = compile_node,
                  .is_vector = is_vector,
                  .names = names,
                  .recipe = out,
                  .program = &out->formula->result};
    names_within(&c, NULL, definition, compile_result, SCALAR);
    if (c.status != STATUS_OK) {
        derive_clear(out);
        return c.status;
    }
    derive_place_time(&c);
    const derive_parts parts = find_parts(&out->formula->result, 0);
    out->quotient = parts.per >= 0 ? parts : out->quotient;
    return STATUS_OK;
}

/* Takes the kernel of a derived field if the formula is that of the field, of whatever
 * quantities: `mag(curl(velocity))`, `mag(grad(pressure))`. */
static status try_kernel(const derived_field *field, grid_recipe *recipe)
{
    /* A formula numbers its quantities as they occur, a kernel as these stand here. */
    static const grid_field quantities[] = {{.name = "velocity_x"},
                                            {.name = "velocity_y"},
                                            {.name = "velocity_z"},
                                            {.name = "density"}};
    static const grid_terms terms = {.gamma = 1.4, .gas_constant = 1.0};
    const derive_names names = {4, quantities, &terms};
    const grid_definition definition = derive_definition(field);
    grid_recipe own;
    const status s = compile_formula(&names, &definition, &own);
    if (s != STATUS_OK) {
        return s;
    }
    const int count = own.formula->nquantities;
    if (count == recipe->formula->nquantities &&
        derive_are_programs_same(&own.formula->result, &recipe->formula->result)) {
        recipe->kind = field->kind;
        for (int q = 0; q < count; q++) {
            const int place = own.fields[own.formula->parts[q].input];
            recipe->quantity[place % DERIVE_QUANTITIES] = recipe->formula->parts[q];
        }
    }
    derive_clear(&own);
    return STATUS_OK;
}

status derive_compile(const derive_names *names, const grid_definition *definition,
                      grid_recipe *out)
{
    status s = compile_formula(names, definition, out);
    if (s != STATUS_OK || out->formula->nquantities == 0) {
        return s;
    }
    for (const derived_field *field = derived_fields; field->name && s == STATUS_OK;
         field++) {
        if (field->kind != DERIVE_FORMULA && out->kind == DERIVE_FORMULA) {
            s = try_kernel(field, out);
        }
    }
    if (s != STATUS_OK) {
        derive_clear(out);
    }
    return s;
}

grid_recipe derive_leaf(const grid_recipe *recipe, int leaf)
{
    grid_recipe out = *recipe;
    out.kind = DERIVE_GRADIENTS;
    for (int q = 0; q < DERIVE_QUANTITIES; q++) {
        const int from = leaf * DERIVE_QUANTITIES + q;
        out.quantity[q] = from < recipe->formula->nquantities
                              ? recipe->formula->parts[from]
                              : (derive_parts){-1, -1, -1};
    }
    return out;
}
