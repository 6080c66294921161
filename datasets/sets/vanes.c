/* One passage of a ring of guide vanes, and the whole ring. The axis is that of x.
 *
 *     theta            ___
 *       ^   - - - - - /   \           the passage, from one vane (k = 0)
 *       |             \ +1  \         to the next (k = nk - 1); i runs along x,
 *       |   - - - - -  .     \        j from the hub to the casing
 *       o---> x         ` 0   \_______
 *
 * The flow comes along x, and the vanes turn it towards -theta. Behind them it keeps its
 * swirl, while the planes k of the grid turn back to the axis: streamlines cross them. */
#include "datasets/dataset.h"

enum { PASSAGES = 24 };

static const double pi = 3.14159265358979323846;
static const double pitch = 2.0 * 3.14159265358979323846 / PASSAGES;
static const double chord = 0.4; /* along x, from 0 */
static const double from = -0.3, to = 0.8;
static const double hub = 0.55, casing = 1.0;
static const double turning = 2.4;   /* swirl angle per length behind the vanes */
static const double straight = 0.12; /* length in which the grid turns back */

static double clamp(double x)
{
    return fmin(fmax(x, 0.0), 1.0);
}

/* The angle by which the flow has turned, from its swirl. */
static double flow_angle(double x)
{
    const double s = clamp(x / chord);
    return -turning * (0.5 * chord * s * s + fmax(x - chord, 0.0));
}

/* The angle of the plane k = 0, the middle of a vane. */
static double plane_angle(double x)
{
    const double behind = fmax(x - chord, 0.0);
    return x <= chord
               ? flow_angle(x)
               : flow_angle(chord) - turning * straight * (1.0 - exp(-behind / straight));
}

/* Half the thickness of a vane, in pitches. */
static double thickness(double x)
{
    const double s = clamp(x / chord);
    return 0.13 * sin(pi * pow(s, 0.7)) * (s < 1.0);
}

static dataset_vertex vertex(const int64_t size[3], int block, const int64_t at[3])
{
    const double x = from + (to - from) * dataset_fraction(at[0], size[0]);
    const double r = hub + (casing - hub) * dataset_fraction(at[1], size[1]);
    const double half = thickness(x), part = dataset_fraction(at[2], size[2]);
    const double across = part == 1.0 ? 1.0 - half : half + (1.0 - 2.0 * half) * part;
    const int passage = (block + (int)(across == 1.0)) % PASSAGES;
    const double inside = across == 1.0 ? 0.0 : across;
    const double angle = plane_angle(x) + pitch * (passage + inside);
    return (dataset_vertex){.position = vec3_make(x, r * cos(angle), r * sin(angle))};
}

/* The part of the speed that a wall leaves at this distance. */
static double beside_wall(double distance, double layer)
{
    return 1.0 - exp(-(distance * distance) / (layer * layer));
}

static void evaluate(vec3 p, double time, double *out)
{
    (void)time;
    const double x = p.v[0], r = sqrt(p.v[1] * p.v[1] + p.v[2] * p.v[2]);
    const double s = clamp(x / chord), angle = atan2(p.v[2], p.v[1]);
    const double turns = (angle - flow_angle(x)) / pitch, across = turns - floor(turns);
    const double side = fmin(across, 1.0 - across);
    const double beside = pitch * r * fmax(side - thickness(x), 0.0);
    const double wake = clamp(x / (0.06 * chord)) * exp(-fmax(x - chord, 0.0) / 0.3);
    const double at_vane = 1.0 - wake * (1.0 - beside_wall(beside, 0.014 + 0.02 * s));
    const double at_ends = beside_wall(r - hub, 0.03) * beside_wall(casing - r, 0.03);
    const double swirl = -turning * s * r, speed = at_vane * at_ends;
    out[0] = 1.0 - 0.2 * swirl * swirl - 0.25 * cos(pi * across) * sin(pi * s);
    out[1] = speed;
    out[2] = -speed * swirl * p.v[2] / r;
    out[3] = speed * swirl * p.v[1] / r;
    out[4] = out[0];
}

#define VANES                                                                            \
    .minimum = {12, 3, 3}, .steps = 1,                                                   \
    DATASET_FIELDS(DATASET_VERTEX("pressure"), DATASET_VERTEX("velocity_x"),             \
                   DATASET_VERTEX("velocity_y"), DATASET_VERTEX("velocity_z"),           \
                   DATASET_CELL("cell_pressure")),                                       \
    .vertex = vertex, .evaluate = evaluate

const dataset dataset_vanes = {
    .name = "vanes",
    .summary = "one of 24 passages of a ring of guide vanes (data.copies draws the ring)",
    .size = {89, 25, 25},
    DATASET_BLOCKS("passage"),
    VANES};

const dataset dataset_vane_ring = {
    .name = "vane-ring",
    .summary = "the whole ring of vanes in 24 blocks",
    .size = {33, 9, 9},
    DATASET_BLOCKS("p00", "p01", "p02", "p03", "p04", "p05", "p06", "p07", "p08", "p09",
                   "p10", "p11", "p12", "p13", "p14", "p15", "p16", "p17", "p18", "p19",
                   "p20", "p21", "p22", "p23"),
    VANES};
