/* The vortex street behind a cylinder of diameter 1 in a flow of speed 1, over one period
 * of shedding. The grid is an O-grid. The flow is in closed form, with the anatomy of the
 * real one at a Reynolds number of about 300.
 *
 *     i runs clockwise, seen from +z          vortices, 4 apart in a row
 *
 *               . - - - - - - - .
 *           .                       .           (-)         (-)         (-)
 *         .    ( )------ i = 0 ------ .  y = 0                                ->
 *           .                       .                 (+)         (+)         (+)
 *               ' - - - - - - - '
 *
 * The velocity is the curl of b(d) (A, 0, psi), so it is free of divergence. The factor b
 * = 1 - exp(-(d / delta)^2) of the distance d from the wall makes it zero at the wall.
 * psi is the sum of
 *
 * - potential flow around the cylinder,
 *
 * - the wake of slow fluid behind it, which swings with the shedding,
 *
 * - a staggered double row of viscous vortices (T. von Karman, Nachr. Ges. Wiss.
 * Goettingen, 1911), which grow, drift and spread. Their profile is that of G. H.
 * Vatistas, V. Kozel, W. C. Mih, "A simpler model for concentrated vortices", Exp. Fluids
 * 11 (1991), n = 2. It is close to a Lamb-Oseen vortex, with stream function and pressure
 * in closed form.
 *
 * A holds the weak streamwise ribs between the vortices. Ribs and waves along the vortex
 * axes model the three-dimensional modes A and B (C. H. K. Williamson, "Vortex dynamics
 * in the cylinder wake", Annu. Rev. Fluid Mech. 28, 1996). */
#include "datasets/dataset.h"

static const double pi = 3.14159265358979323846;

/* The grid: circles that grow and move downstream. */
static const double cylinder_radius = 0.5;
static const double circle_growth = 8.0; /* outermost radius 8.5 */
static const double circle_drift =
    6.5; /* of a circle's centre; less than the growth, so that circles nest */
static const double wall_crowding = 0.25; /* first radial spacing over the mean one */
static const double wake_crowding = 0.55; /* strength of the crowding of angles
                                             downstream */
static const double span = 4.0;

/* The flow, in diameters and speeds of the oncoming flow. */
static const double period = 5.0;       /* Strouhal number 0.2 */
static const double drift_speed = 0.8;  /* of the vortices; 4 diameters apart in a row */
static const double birth = 0.4;        /* place at which a vortex starts to grow */
static const double maturity = 2.6;     /* distance from there to full strength */
static const double circulation = 2.8;  /* of a full-grown vortex */
static const double wall_layer = 0.18;  /* delta */
static const double wake_deficit = 1.0; /* of the slow fluid behind the cylinder */
static const double wake_width = 0.55;  /* its half height */
static const double wake_centre = 1.0;  /* its middle */
static const double wake_length = 0.9;  /* and its extent */
static const double rib_strength = 0.05;
static const double rib_wavelength = 2.0; /* along the span */

/* At time 0 vortices from number -VORTICES_DOWNSTREAM on are in sight. Those up to
 * VORTICES_TO_COME start within the period. */
enum { VORTICES_DOWNSTREAM = 14, VORTICES_TO_COME = 2 };

/* A stream function: its value and derivatives. */
typedef struct stream {
    double value, dx, dy;
} stream;

/* One vortex at one time and place along the span. */
typedef struct vortex {
    double x, y;
    double strength;     /* circulation / (4 pi), counter-clockwise */
    double core_squared; /* square of the core's radius */
} vortex;

static dataset_vertex vertex(const int64_t size[3], int block, const int64_t at[3])
{
    (void)block;
    double turn = 2.0 * pi * dataset_turn(at[0], size[0]);
    double angle = turn - wake_crowding * sin(turn);
    double level = dataset_fraction(at[1], size[1]);
    double out = level * (wall_crowding + (1.0 - wall_crowding) * level);
    double radius = cylinder_radius + circle_growth * out;
    return (dataset_vertex){
        .position =
            vec3_make(circle_drift * out + radius * cos(angle), -radius * sin(angle),
                      span * dataset_fraction(at[2], size[2])),
    };
}

/* 0 before 0, 1 after 1, with two continuous derivatives in between. */
static double smooth_step(double x)
{
    double s = fmin(fmax(x, 0.0), 1.0);
    return s * s * s * (10.0 + s * (6.0 * s - 15.0));
}

/* Displacement of the axes of a row of vortices, which bend to and fro along the span, -1
 * to 1. */
static double row_bend(double side, double z)
{
    return sin(2.0 * pi * z / span + 0.7 * side);
}

/* The vortex with this number at this time; even ones are above. Half a period later the
 * next one takes its place on the other side, so one period closes on itself. `bends` are
 * those of the upper and the lower row. */
static vortex vortex_at(int number, double time, const double bends[2])
{
    bool above = number % 2 == 0;
    double side = above ? 1.0 : -1.0;
    double age = time - 0.5 * period * number;
    double x = birth + drift_speed * age;
    double bend = 0.45 * smooth_step((x - 1.0) / 6.0) * bends[above ? 0 : 1];
    double far_end = 1.0 - smooth_step((x - 17.0) / 8.0);
    return (vortex){
        .x = x + bend,
        .y = side * (0.38 + 0.3 * smooth_step(x / 12.0)) + 0.25 * bend,
        /* Clockwise above, like the shear layer from which it rolled up. */
        .strength = -side * circulation / (4.0 * pi) *
                    smooth_step((x - birth) / maturity) * far_end,
        .core_squared = 0.22 + 0.05 * fmax(x, 0.0),
    };
}

/* The vortex's stream function. `height` requests its value, the costly part. The value
 * is relative to that at the cylinder's axis, so that it is small at the wall. */
static stream vortex_stream(const vortex *v, double x, double y, bool height)
{
    double dx = x - v->x, dy = y - v->y;
    double far = dx * dx + dy * dy;
    double slope =
        2.0 * v->strength / sqrt(far * far + v->core_squared * v->core_squared);
    stream s = {.dx = -slope * dx, .dy = -slope * dy};
    if (height) {
        double origin = v->x * v->x + v->y * v->y;
        s.value = v->strength *
                  (asinh(origin / v->core_squared) - asinh(far / v->core_squared));
    }
    return s;
}

/* Pressure that balances the swirl: the integral of speed^2 / r from here to infinity,
 * negated. */
static double vortex_pressure(const vortex *v, double x, double y)
{
    double dx = x - v->x, dy = y - v->y;
    double squared = (dx * dx + dy * dy) / v->core_squared;
    return -2.0 * v->strength * v->strength / v->core_squared *
           (0.5 * pi - atan(squared));
}

/* Potential flow around the cylinder. The axis itself does not belong to the grid. */
static stream cylinder_stream(double x, double y)
{
    double squared = x * x + y * y;
    double shrink = cylinder_radius * cylinder_radius / squared;
    return (stream){
        .value = y * (1.0 - shrink),
        .dx = 2.0 * shrink * x * y / squared,
        .dy = 1.0 - shrink + 2.0 * shrink * y * y / squared,
    };
}

/* Velocity deficit at x in the wake close to the cylinder, 0 to 1. */
static double wake_share(double x)
{
    double s = (x - wake_centre) / wake_length;
    return exp(-s * s);
}

/* Height of the middle of that wake, which swings with the shedding. */
static double wake_swing(double time)
{
    return -0.18 * sin(2.0 * pi * time / period);
}

static stream wake_stream(double x, double y, double time)
{
    double above = y - wake_swing(time);
    double s = above / wake_width;
    double share = wake_deficit * wake_share(x) * exp(-0.5 * s * s);
    double fall = -2.0 * (x - wake_centre) / (wake_length * wake_length);
    return (stream){.value = -share * above,
                    .dx = -share * above * fall,
                    .dy = -share * (1.0 - s * s)};
}

/* A and its derivative across the wake (dx is not needed), without the factor of z. */
static stream rib_stream(double x, double y, double time)
{
    double half = 0.5 * drift_speed * period;
    double braid = 0.5 - 0.5 * cos(2.0 * pi * (x - birth - drift_speed * time) / half);
    double envelope =
        smooth_step((x - 1.5) / 3.0) * (1.0 - smooth_step((x - 10.0) / 8.0));
    double value = rib_strength * braid * envelope * exp(-0.5 * y * y);
    return (stream){.value = value, .dy = -y * value};
}

/* The wall's factor on stream functions, and its derivatives. */
static stream wall_factor(double x, double y)
{
    double radius = sqrt(x * x + y * y);
    /* Rounded coordinates may lie a hair inside the cylinder. */
    double d = fmax(radius - cylinder_radius, 0.0) / wall_layer;
    double decay = exp(-d * d);
    double slope = 2.0 * d * decay / (wall_layer * radius);
    return (stream){.value = 1.0 - decay, .dx = slope * x, .dy = slope * y};
}

/* Pressure by Bernoulli in front of the cylinder, and the low base pressure behind it. */
static double cylinder_pressure(const stream *flow, double x, double y, double time)
{
    double s = (y - wake_swing(time)) / wake_width;
    double lag = x > 0.0 ? wake_share(x) * exp(-0.5 * s * s) : 0.0;
    double behind = smooth_step(x / cylinder_radius + 0.5);
    double bernoulli = 0.5 * (1.0 - flow->dx * flow->dx - flow->dy * flow->dy);
    return (1.0 - behind) * bernoulli + behind * (fmin(bernoulli, 0.0) - 0.4 * lag);
}

static void stream_add(stream *sum, stream more)
{
    sum->value += more.value;
    sum->dx += more.dx;
    sum->dy += more.dy;
}

/* Adds all vortices to psi, and their pressure. `height`: the value of psi is wanted. */
static void add_vortices(vec3 p, double time, bool height, stream *psi, double *pressure)
{
    const double bends[2] = {row_bend(1.0, p.v[2]), row_bend(-1.0, p.v[2])};
    for (int number = -VORTICES_DOWNSTREAM; number <= VORTICES_TO_COME; number++) {
        vortex v = vortex_at(number, time, bends);
        if (v.strength != 0.0) {
            stream_add(psi, vortex_stream(&v, p.v[0], p.v[1], height));
            *pressure += vortex_pressure(&v, p.v[0], p.v[1]);
        }
    }
}

static void evaluate(vec3 p, double time, double *out)
{
    double x = p.v[0], y = p.v[1];
    double wave_number = 2.0 * pi / rib_wavelength;
    stream wall = wall_factor(x, y);
    stream psi = cylinder_stream(x, y);
    double pressure = cylinder_pressure(&psi, x, y, time);
    stream_add(&psi, wake_stream(x, y, time));
    /* If the factor is 1, its derivatives are 0, and the value of psi does not matter. */
    add_vortices(p, time, wall.value < 1.0, &psi, &pressure);
    stream rib = rib_stream(x, y, time);
    out[0] = wall.value * psi.dy + wall.dy * psi.value;
    out[1] = -wall.value * psi.dx - wall.dx * psi.value -
             wall.value * rib.value * wave_number * sin(wave_number * p.v[2]);
    out[2] = -(wall.value * rib.dy + wall.dy * rib.value) * cos(wave_number * p.v[2]);
    out[3] = pressure;
}

const dataset dataset_karman = {
    "karman",
    "an O-grid around a cylinder, the vortex street behind it",
    .size = {81, 41, 11},
    .minimum = {9, 3, 2},
    .steps = 20,
    .period = 5.0,
    DATASET_BLOCKS("cylinder"),
    DATASET_FIELDS(DATASET_VERTEX("velocity_x"), DATASET_VERTEX("velocity_y"),
                   DATASET_VERTEX("velocity_z"), DATASET_VERTEX("pressure")),
    .vertex = vertex,
    .evaluate = evaluate};
