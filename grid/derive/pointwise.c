/* The numbers of a recipe that need no neighbours. */
#include "derivation.h"

#include "grid/recipe.h"

#include <math.h>

/* `inputs` are the values of the recipe's inputs at one point. */
double derive_source_value(const grid_recipe *recipe, const double *inputs,
                           derive_source source)
{
    return inputs[recipe->input_of[source]];
}

double derive_velocity(const grid_recipe *recipe, const double *inputs, int axis)
{
    derive_source component = (derive_source)(DERIVE_FROM_VELOCITY_X + axis);
    derive_source momentum = (derive_source)(DERIVE_FROM_MOMENTUM_X + axis);
    if (recipe->input_of[component] >= 0) {
        return derive_source_value(recipe, inputs, component);
    }
    return derive_source_value(recipe, inputs, momentum) /
           derive_source_value(recipe, inputs, DERIVE_FROM_DENSITY);
}

derive_parts derive_quantity_parts(const grid_recipe *recipe, int n)
{
    if (recipe->kind == DERIVE_GRADIENT) {
        return (derive_parts){0, -1};
    }
    if (recipe->kind == DERIVE_DENSITY_GRADIENT_MAGNITUDE) {
        return (derive_parts){recipe->input_of[DERIVE_FROM_DENSITY], -1};
    }
    const int velocity = recipe->input_of[DERIVE_FROM_VELOCITY_X + n];
    return velocity >= 0 ? (derive_parts){velocity, -1}
                         : (derive_parts){recipe->input_of[DERIVE_FROM_MOMENTUM_X + n],
                                          recipe->input_of[DERIVE_FROM_DENSITY]};
}

double derive_quantity(const grid_recipe *recipe, const double *inputs, int n)
{
    const derive_parts parts = derive_quantity_parts(recipe, n);
    return parts.per < 0 ? inputs[parts.input] : inputs[parts.input] / inputs[parts.per];
}

static double speed_squared(const grid_recipe *recipe, const double *inputs)
{
    double u = derive_velocity(recipe, inputs, 0), v = derive_velocity(recipe, inputs, 1);
    double w = derive_velocity(recipe, inputs, 2);
    return u * u + v * v + w * w;
}

/* p = (gamma - 1) (E - rho |u|^2 / 2) of a perfect gas; E is total energy per volume. */
static double pressure(const grid_recipe *recipe, const double *inputs)
{
    if (recipe->input_of[DERIVE_FROM_PRESSURE] >= 0) {
        return derive_source_value(recipe, inputs, DERIVE_FROM_PRESSURE);
    }
    double density = derive_source_value(recipe, inputs, DERIVE_FROM_DENSITY);
    double energy = derive_source_value(recipe, inputs, DERIVE_FROM_ENERGY);
    return (recipe->gas.gamma - 1.0) *
           (energy - 0.5 * density * speed_squared(recipe, inputs));
}

static double temperature(const grid_recipe *recipe, const double *inputs)
{
    double density = derive_source_value(recipe, inputs, DERIVE_FROM_DENSITY);
    return pressure(recipe, inputs) / (density * recipe->gas.gas_constant);
}

static double mach(const grid_recipe *recipe, const double *inputs)
{
    double density = derive_source_value(recipe, inputs, DERIVE_FROM_DENSITY);
    double sound_squared = recipe->gas.gamma * pressure(recipe, inputs) / density;
    return sqrt(speed_squared(recipe, inputs) / sound_squared);
}

double derive_pointwise(const grid_recipe *recipe, const double *inputs)
{
    switch (recipe->kind) {
    case DERIVE_VELOCITY_X:
    case DERIVE_VELOCITY_Y:
    case DERIVE_VELOCITY_Z:
        return derive_velocity(recipe, inputs, (int)(recipe->kind - DERIVE_VELOCITY_X));
    case DERIVE_VELOCITY_MAGNITUDE:
        return sqrt(speed_squared(recipe, inputs));
    case DERIVE_PRESSURE:
        return pressure(recipe, inputs);
    case DERIVE_TEMPERATURE:
        return temperature(recipe, inputs);
    case DERIVE_MACH:
        return mach(recipe, inputs);
    default:
        return inputs[0];
    }
}
