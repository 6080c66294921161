/* Inputs of sweeps that are made. */
#include "made.h"

#include "base/parallel/parallel.h"
#include "io/load/joints/joints.h"
#include "io/load/load.h"
#include "means.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Which steps ------------------------------------------------------------------- */

static bool takes_any(const io_source *source, const grid_made *mean)
{
    bool any = false;
    for (int step = 0; step < io_source_step_count(source) && !any; step++) {
        any = io_means_take(source, mean, step);
    }
    return any;
}

bool io_load_has(const io_source *source, const grid_recipe *recipe, int step)
{
    bool has = true;
    for (int n = 0; n < grid_recipe_input_count(recipe) && has; n++) {
        const grid_made *made = grid_recipe_made(recipe, n);
        has = !made ? io_source_has_field(source, step, grid_recipe_input(recipe, n))
                    : made->is_mean || io_load_has(source, made->recipe, step);
    }
    return has;
}

/* ---- Inputs ------------------------------------------------------------------------ */

/* An input of a sweep. */
typedef struct io_made {
    const grid_made *field;  /* borrowed; NULL: the input is read */
    io_sweep sweep;          /* its inputs */
    io_joint_values *joints; /* of the field where blocks meet */
    struct io_made *inputs;  /* [sweep.ninputs] */
} io_made;

static status create(const io_sweep *sweep, int64_t count, const int64_t *numbers,
                     io_made **out);

static status create_one(const io_sweep *sweep, int64_t count, const int64_t *numbers,
                         io_made *made)
{
    const grid_recipe *recipe = made->field->recipe;
    if (made->field->is_mean && !takes_any(sweep->source, made->field)) {
        return base_fail(STATUS_INPUT,
                         "'%s' has no step with all fields of mean() between the "
                         "numbers that it names",
                         io_source_path(sweep->source));
    }
    made->sweep = (io_sweep){.comm = sweep->comm,
                             .source = sweep->source,
                             .layout = sweep->layout,
                             .step = sweep->step,
                             .coordinates = sweep->coordinates,
                             .blanked = sweep->blanked,
                             .layers = sweep->layers};
    io_made_add_inputs(&made->sweep, recipe);
    const bool is_wanted =
        !made->field->is_mean && grid_recipe_ghost_layers(recipe) <= sweep->layers;
    status s = create(&made->sweep, count, numbers, &made->inputs);
    if (s == STATUS_OK && is_wanted) {
        const grid_recipe_use use = io_sweep_use(&made->sweep, recipe);
        const io_joint_wish wish = {.count = 1, .uses = &use, .is_inner = true};
        s = io_joint_values_load(&made->sweep, &wish, count, numbers, &made->joints);
    }
    return s;
}

static status create(const io_sweep *sweep, int64_t count, const int64_t *numbers,
                     io_made **out)
{
    const size_t size = (size_t)sweep->ninputs + 1;
    io_made *made = *out = calloc(size, sizeof *made);
    status s = parallel_agree(
        sweep->comm, made ? STATUS_OK : base_fail_memory(size * sizeof *made, "fields"));
    for (int n = 0; n < sweep->ninputs && s == STATUS_OK; n++) {
        made[n].field = sweep->made[n];
        s = made[n].field ? create_one(sweep, count, numbers, &made[n]) : s;
    }
    return s;
}

static void destroy(const io_sweep *sweep, io_made **made)
{
    for (int n = 0; *made && n < sweep->ninputs; n++) {
        io_made *one = &(*made)[n];
        if (one->field) {
            destroy(&one->sweep, &one->inputs);
            io_joint_values_destroy(&one->joints);
        }
    }
    free(*made);
    *made = NULL;
}

/* ---- Windows ----------------------------------------------------------------------- */

static void make(io_reading *reading, const io_made *made, int input, float *out);

/* Values in the box of a window. */
static int64_t count_values(const io_reading *reading, grid_location location)
{
    const io_sweep *sweep = reading->sweep;
    if (!reading->window) {
        return 0;
    }
    const io_window_box box =
        io_window_vertices(sweep->layout, reading->window, sweep->layers);
    const int less = location == GRID_CELL ? 1 : 0;
    return (box.n[0] - less) * (box.n[1] - less) * (box.n[2] - less);
}

/* Computes a field from its inputs, at all vertices or in all cells of the window's
 * patch. In the outermost layers it is not valid, as neighbours are missing. */
static status compute(const io_reading *reading, const io_made *made, float *inputs,
                      float *out)
{
    const int64_t count = count_values(reading, GRID_VERTEX);
    grid_patch patch = io_reading_patch(reading);
    for (int n = 0; n < made->sweep.ninputs; n++) {
        patch.inputs[n] = inputs + n * count;
    }
    for (int axis = 0; axis < 3; axis++) {
        patch.core_lo[axis] = 0;
        patch.core_n[axis] = patch.n[axis];
    }
    return io_joint_values_fill(made->joints, &made->sweep, reading->window,
                                made->field->recipe, &patch, out);
}

/* Makes a field at the step of the sweep. Collective. */
static void make_now(io_reading *reading, const io_made *made, float *out)
{
    const size_t count = (size_t)count_values(reading, GRID_VERTEX);
    const size_t bytes = (count * (size_t)made->sweep.ninputs + 1) * sizeof(float);
    float *inputs = malloc(bytes);
    if (!inputs && reading->status == STATUS_OK) {
        reading->status = base_fail_memory(bytes, "reading a part of the grid");
    }
    for (int n = 0; n < made->sweep.ninputs; n++) {
        float *input = inputs ? inputs + (size_t)n * count : NULL;
        if (made->inputs[n].field) {
            make(reading, made->inputs, n, input);
        } else {
            io_reading_field(reading, made->sweep.inputs[n], input);
        }
    }
    if (reading->window && reading->status == STATUS_OK) {
        reading->status = compute(reading, made, inputs, out);
    }
    free(inputs);
}

/* Adds a field up over steps. Collective. */
static void make_mean(io_reading *reading, const io_made *made, float *out)
{
    io_sweep sweep = *reading->sweep;
    io_reading other = *reading;
    io_mean_sum sum = {
        .count = count_values(reading, grid_recipe_location(made->field->recipe))};
    const status s = io_mean_begin(&sum);
    other.sweep = &sweep;
    other.status = reading->status == STATUS_OK ? s : reading->status;
    for (sweep.step = 0; sweep.step < io_source_step_count(sweep.source); sweep.step++) {
        if (io_means_take(sweep.source, made->field, sweep.step)) {
            make_now(&other, made, out);
            if (other.status == STATUS_OK) {
                io_mean_add(&sum, out);
            }
        }
    }
    if (other.status == STATUS_OK) {
        io_mean_end(&sum, out);
    }
    free(sum.sums);
    reading->status = other.status;
}

/* Takes the mean that was kept, or finds and keeps it. Collective. */
static void take_mean(io_reading *reading, const io_made *made, float *out)
{
    const io_sweep *sweep = reading->sweep;
    io_mean_box box = {.block = reading->block};
    int misses = 0;
    if (reading->window) {
        const io_window_box vertices =
            io_window_vertices(sweep->layout, reading->window, sweep->layers);
        memcpy(box.lo, vertices.lo, sizeof box.lo);
        memcpy(box.n, vertices.n, sizeof box.n);
        misses = !io_means_find(sweep->source, made->field, &box, out);
    }
    if (!reading->is_alone) {
        parallel_allreduce(MPI_IN_PLACE, &misses, 1, MPI_INT, MPI_MAX, sweep->comm);
    }
    if (misses > 0) {
        make_mean(reading, made, out);
        if (reading->window && reading->status == STATUS_OK) {
            io_means_keep(sweep, made->field, &box, out);
        }
    }
}

static void make(io_reading *reading, const io_made *made, int input, float *out)
{
    const io_made *one = &made[input];
    if (one->field->is_mean) {
        take_mean(reading, one, out);
    } else if (grid_recipe_ghost_layers(one->field->recipe) <= reading->sweep->layers) {
        make_now(reading, one, out);
    } /* else nobody takes it: means over cells are wanted */
}

bool io_made_add_inputs(io_sweep *sweep, const grid_recipe *recipe)
{
    static const io_sweep_makers makers = {create, make, destroy};
    for (int n = 0; n < grid_recipe_input_count(recipe); n++) {
        const int at = io_sweep_find(sweep, recipe, n);
        if (at == GRID_RECIPE_MAX_INPUTS) {
            return false;
        }
        sweep->inputs[at] = grid_recipe_input(recipe, n);
        sweep->made[at] = grid_recipe_made(recipe, n);
        sweep->makers = sweep->made[at] ? &makers : sweep->makers;
        sweep->ninputs += at == sweep->ninputs;
    }
    return true;
}
