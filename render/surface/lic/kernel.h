/*
 * Streamlines of several hits, a lane for each, and the mean of noise along them.
 *
 *     flow of four vertices -> step in indices (midpoint rule) -> point in space -> noise
 *
 * Steps have one length in space. Where cells are smaller and their sizes vary, as at
 * walls, a step in indices may miss its length in space. It is then halved.
 *
 * A file that includes this header has defined KERNEL, and is compiled with the options
 * of one instruction set.
 */
#include "base/lanes.h"
#include "batch.h"

/* Numbers that wrap around. */
#if LANES == 1
typedef uint32_t vbits;
#else
typedef uint32_t vbits __attribute__((vector_size(4 * LANES)));
#endif

/* Noise is taken once a pixel along a line. Otherwise pixels side by side along it would
 * have the mean of different noise. The flow bends little in a step of three pixels. */
static const float longest_step = 3.0f;

/* ---- Noise ------------------------------------------------------------------------- */

/* The noise at two levels. */
typedef struct lane_noise {
    vfloat base[2][3], blend;
    vint hash[2];
} lane_noise;

IN_LOOP lane_noise load_noise(const lic_batch *batch, int first)
{
    lane_noise noise = {.blend = lanes_load(&batch->blend[first])};
    for (int level = 0; level < 2; level++) {
        noise.hash[level] = lanes_load_int(&batch->hash[level][first]);
        for (int c = 0; c < 3; c++) {
            noise.base[level][c] = lanes_load(&batch->base[level][c][first]);
        }
    }
    return noise;
}

IN_LOOP vint floor_of(vfloat value)
{
    const vint whole = lanes_truncate(value);
    const vint one = lanes_choose_int(lanes_less(value, lanes_convert(whole)),
                                      lanes_int(1), lanes_int(0));
    return (vint)((vbits)whole - (vbits)one);
}

/* Value at a corner of the lattice, -2^31 to 2^31: half of the finalizer of MurmurHash3
 * (A. Appleby 2008), enough for noise. */
IN_LOOP vfloat corner_value(vbits hash)
{
    hash ^= hash >> 16;
    hash *= UINT32_C(0x85ebca6b);
    hash ^= hash >> 13;
    hash *= UINT32_C(0xc2b2ae35);
    return lanes_convert((vint)hash);
}

/* The hashes of the corners of a tetrahedron, of fractions f. */
IN_LOOP void find_corners(const vfloat f[3], vbits lowest, vbits corner[4])
{
    const vmask xy = lanes_less_equal(f[1], f[0]), yz = lanes_less_equal(f[2], f[1]);
    const vmask zx = lanes_less(f[0], f[2]);
    const vint x = lanes_int(LIC_PRIME_X), y = lanes_int(LIC_PRIME_Y),
               z = lanes_int(LIC_PRIME_Z);
    const vint most = lanes_choose_int(lanes_and_not(xy, zx), x,
                                       lanes_choose_int(lanes_and_not(yz, xy), y, z));
    const vint least = lanes_choose_int(lanes_and_not(zx, xy), x,
                                        lanes_choose_int(lanes_and_not(xy, yz), y, z));
    corner[0] = lowest;
    corner[1] = lowest + (vbits)most;
    corner[3] = lowest + (vbits)x + (vbits)y + (vbits)z;
    corner[2] = corner[3] - (vbits)least;
}

/* Value noise at one level: linear in the tetrahedra that a cube's diagonal divides it
 * into, as in simplex noise (K. Perlin 2001). Four corners instead of eight. */
IN_LOOP vfloat level_at(const lane_noise *noise, int level, const vfloat point[3])
{
    static const int32_t prime[3] = {LIC_PRIME_X, LIC_PRIME_Y, LIC_PRIME_Z};
    const vfloat scale = lanes_float(level == 0 ? 1.0f : 0.5f), one = lanes_float(1.0f);
    vbits hash = (vbits)noise->hash[level], corner[4];
    vfloat f[3];
    for (int c = 0; c < 3; c++) {
        const vfloat at = noise->base[level][c] + scale * point[c];
        const vint cell = floor_of(at);
        f[c] = at - lanes_convert(cell);
        hash += (vbits)cell * (vbits)lanes_int(prime[c]);
    }
    find_corners(f, hash, corner);
    const vfloat most = lanes_max(lanes_max(f[0], f[1]), f[2]);
    const vfloat least = lanes_min(lanes_min(f[0], f[1]), f[2]);
    const vfloat middle = ((f[0] + f[1]) + f[2]) - (most + least);
    return ((one - most) * corner_value(corner[0]) +
            (most - middle) * corner_value(corner[1])) +
           ((middle - least) * corner_value(corner[2]) + least * corner_value(corner[3]));
}

IN_LOOP vfloat noise_at(const lane_noise *noise, const vfloat point[3])
{
    const vfloat fine = level_at(noise, 0, point), coarse = level_at(noise, 1, point);
    return (fine + noise->blend * (coarse - fine)) * lanes_float(0x1p-32f);
}

/* ---- Places ------------------------------------------------------------------------ */

/* What lanes have in common, and the scale of each. */
typedef struct lane_sheet {
    const int32_t *values; /* the bits of all vertices */
    const uint8_t *present;
    int32_t n[2];
    bool closed[2];
    vfloat origin[3], per_cell;
} lane_sheet;

IN_LOOP lane_sheet load_sheet(const lic_sheet *sheet, const lic_batch *batch, int first)
{
    lane_sheet out = {.values = (const int32_t *)(const void *)sheet->vertex,
                      .present = sheet->present,
                      .n = {(int32_t)sheet->n[0], (int32_t)sheet->n[1]},
                      .closed = {sheet->closed[0], sheet->closed[1]},
                      .per_cell = lanes_load(&batch->per_cell[first])};
    for (int c = 0; c < 3; c++) {
        out.origin[c] = lanes_load(&batch->origin[c][first]);
    }
    return out;
}

/* A place within a cell. */
typedef struct lane_place {
    vint cell[2];
    vfloat share[2];
} lane_place;

/* A place on a streamline. */
typedef struct lane_walker {
    lane_place place;
    vfloat point[3], flow[2];
} lane_walker;

/* Moves the cell along until the share is within it; continues behind the seam of an
 * O-grid. Clear for lanes that are outside of present cells. */
IN_LOOP vmask settle(const lane_sheet *sheet, lane_place *place)
{
    const vint zero = lanes_int(0);
    vmask inside = lanes_mask(LANES_ALL);
    for (int axis = 0; axis < 2; axis++) {
        const vfloat share =
            lanes_clamp(place->share[axis], lanes_float(-0x1p20f), lanes_float(0x1p20f));
        const vmask is_settled = lanes_and(lanes_less_equal(lanes_float(0.0f), share),
                                           lanes_less_equal(share, lanes_float(1.0f)));
        const vint whole = lanes_choose_int(is_settled, zero, floor_of(share));
        const int32_t cells = sheet->n[axis] - 1;
        vint cell = place->cell[axis] + whole;
        place->share[axis] = share - lanes_convert(whole);
        if (sheet->closed[axis]) {
            const vint below =
                lanes_choose_int(lanes_greater_int(zero, cell), lanes_int(cells), zero);
            const vint above = lanes_choose_int(
                lanes_greater_int(cell, lanes_int(cells - 1)), lanes_int(cells), zero);
            cell += below - above;
        }
        const vmask is_in = lanes_and(lanes_greater_int(cell, lanes_int(-1)),
                                      lanes_greater_int(lanes_int(cells), cell));
        place->cell[axis] = lanes_choose_int(is_in, cell, zero);
        inside = lanes_and(inside, is_in);
    }
    const vint vertex = place->cell[1] * lanes_int(sheet->n[0]) + place->cell[0];
    const vint present = lanes_gather_bytes(sheet->present, vertex);
    return lanes_and(inside, lanes_greater_int(present, zero));
}

/* The four corners of a place's cell, and their weights. */
typedef struct lane_corners {
    vint at[4];
    vfloat weight[4];
} lane_corners;

IN_LOOP lane_corners find_place(const lane_sheet *sheet, const lane_place *place)
{
    const vfloat one = lanes_float(1.0f), a = place->share[0], b = place->share[1];
    const vint vertex = place->cell[1] * lanes_int(sheet->n[0]) + place->cell[0];
    lane_corners out = {
        .weight = {(one - a) * (one - b), a * (one - b), (one - a) * b, a * b}};
    out.at[0] = vertex * lanes_int(LIC_VALUES);
    out.at[1] = out.at[0] + lanes_int(LIC_VALUES);
    out.at[2] = out.at[0] + lanes_int(LIC_VALUES * sheet->n[0]);
    out.at[3] = out.at[2] + lanes_int(LIC_VALUES);
    return out;
}

/* A value at a place, less `origin`. */
IN_LOOP vfloat value_at(const lane_sheet *sheet, const lane_corners *corners, int value,
                        vfloat origin)
{
    vfloat part[4];
    for (int n = 0; n < 4; n++) {
        const vint bits = lanes_gather(sheet->values + value, corners->at[n]);
        part[n] = corners->weight[n] * (lanes_from_bits(bits) - origin);
    }
    return (part[0] + part[1]) + (part[2] + part[3]);
}

IN_LOOP void find_flow(const lane_sheet *sheet, const lane_corners *corners,
                       vfloat flow[2])
{
    for (int c = 0; c < 2; c++) {
        flow[c] = value_at(sheet, corners, LIC_FLOW + c, lanes_float(0.0f));
    }
}

/* Fills in the point and the flow at the walker's place. */
IN_LOOP void arrive(const lane_sheet *sheet, lane_walker *walker)
{
    const lane_corners corners = find_place(sheet, &walker->place);
    find_flow(sheet, &corners, walker->flow);
    for (int c = 0; c < 3; c++) {
        walker->point[c] =
            sheet->per_cell * value_at(sheet, &corners, c, sheet->origin[c]);
    }
}

/* Moves along the flow by the midpoint rule. Clear for lanes that leave the sheet. */
IN_LOOP vmask move(const lane_sheet *sheet, const lane_walker *from, vfloat step,
                   lane_walker *to)
{
    lane_place half = from->place;
    vfloat flow[2];
    for (int c = 0; c < 2; c++) {
        half.share[c] += lanes_float(0.5f) * step * from->flow[c];
    }
    const vmask is_inside = settle(sheet, &half);
    const lane_corners corners = find_place(sheet, &half);
    find_flow(sheet, &corners, flow);
    to->place = from->place;
    for (int c = 0; c < 2; c++) {
        to->place.share[c] += step * flow[c];
    }
    const vmask has_arrived = lanes_and(settle(sheet, &to->place), is_inside);
    arrive(sheet, to);
    return has_arrived;
}

/* Those lanes go on from there. */
IN_LOOP void go_on(vmask mask, const lane_walker *to, lane_walker *from)
{
    for (int c = 0; c < 2; c++) {
        from->place.cell[c] =
            lanes_choose_int(mask, to->place.cell[c], from->place.cell[c]);
        from->place.share[c] =
            lanes_choose(mask, to->place.share[c], from->place.share[c]);
        from->flow[c] = lanes_choose(mask, to->flow[c], from->flow[c]);
    }
    for (int c = 0; c < 3; c++) {
        from->point[c] = lanes_choose(mask, to->point[c], from->point[c]);
    }
}

IN_LOOP vfloat distance(const vfloat a[3], const vfloat b[3])
{
    const vfloat x = b[0] - a[0], y = b[1] - a[1], z = b[2] - a[2];
    return lanes_sqrt((x * x + y * y) + z * z);
}

/* ---- Lines ------------------------------------------------------------------------- */

/* Half a line: from the hit along the flow or against it. */
typedef struct lane_line {
    lane_noise noise;
    vfloat pixels; /* in a cell of the noise */
    vfloat per_half;
    vfloat length, step; /* so far, and the next one, in pixels */
    vfloat values, weights;
} lane_line;

/* Adds the noise along a step of this length in pixels, for the lanes of the mask. */
IN_LOOP void add_noise(vmask mask, const lane_walker *from, const lane_walker *to,
                       vfloat moved, lane_line *line)
{
    const vfloat zero = lanes_float(0.0f), one = lanes_float(1.0f);
    const vmask is_long = lanes_less(lanes_float(2.5f), moved);
    const vmask is_short = lanes_less_equal(moved, lanes_float(1.5f));
    const vfloat part =
        lanes_choose(is_long, lanes_float(1.0f / 3.0f),
                     lanes_choose(is_short, lanes_float(1.0f), lanes_float(0.5f)));
    for (int n = 1; n <= 3; n++) {
        const vmask has = n == 1   ? mask
                          : n == 2 ? lanes_and_not(mask, is_short)
                                   : lanes_and(mask, is_long);
        if (!lanes_any(has)) {
            break;
        }
        const vfloat share = lanes_float((float)n) * part;
        const vfloat at = (line->length + share * moved) * line->per_half;
        const vfloat rest = one - lanes_min(at * at, one);
        const vfloat weight = lanes_choose(has, part * moved * (rest * rest), zero);
        vfloat point[3];
        for (int c = 0; c < 3; c++) {
            point[c] = from->point[c] + share * (to->point[c] - from->point[c]);
        }
        line->values += weight * lanes_choose(has, noise_at(&line->noise, point), zero);
        line->weights += weight;
    }
}

/* Adds the rest of half a line beyond the edge of the sheet, straight on in space. The
 * noise is fixed in space, so a streak goes on in the sheet of the neighbouring block. */
IN_LOOP void go_straight(vmask lanes, const lane_sheet *sheet, lane_walker from,
                         vfloat pixel, float half, lane_line *line)
{
    const int most = 2 + (int)(half / longest_step);
    lane_walker to = from;
    for (int c = 0; c < 2; c++) {
        to.place.share[c] += pixel * from.flow[c];
    }
    arrive(sheet, &to);
    const vfloat per_pixel =
        lanes_float(1.0f) / (distance(from.point, to.point) * line->pixels);
    const vfloat step = lanes_float(longest_step);
    vfloat along[3];
    for (int c = 0; c < 3; c++) {
        along[c] = step * per_pixel * (to.point[c] - from.point[c]);
    }
    lanes = lanes_and(lanes, lanes_less(per_pixel, lanes_float(100.0f)));
    for (int n = 0; n < most && lanes_any(lanes); n++) {
        for (int c = 0; c < 3; c++) {
            to.point[c] = from.point[c] + along[c];
        }
        add_noise(lanes, &from, &to, step, line);
        line->length += step;
        from = to;
        lanes = lanes_and(lanes, lanes_less(line->length, lanes_float(half)));
    }
}

/* Adds half a line. pixel: its length, negative against the flow. */
IN_LOOP void follow(const lane_sheet *sheet, lane_walker from, vfloat pixel, float half,
                    lane_line *line)
{
    enum { MOST_TRIES = 8 }; /* for each step */
    const int most = MOST_TRIES * (1 + (int)(half / longest_step));
    vmask active = lanes_mask(LANES_ALL), beyond = lanes_and_not(active, active);
    for (int n = 0; n < most && lanes_any(active); n++) {
        lane_walker to;
        const vfloat step = line->step;
        const vmask has_arrived =
            lanes_and(active, move(sheet, &from, step * pixel, &to));
        const vfloat moved = distance(from.point, to.point) * line->pixels;
        const vmask is_enough = lanes_less_equal(lanes_float(0.01f) * step, moved);
        const vmask is_too_much = lanes_less(lanes_float(1.5f) * step, moved);
        const vmask goes_on =
            lanes_and(has_arrived, lanes_and_not(is_enough, is_too_much));
        add_noise(goes_on, &from, &to, moved, line);
        go_on(goes_on, &to, &from);
        line->length = lanes_choose(goes_on, line->length + moved, line->length);
        line->step = lanes_choose(
            goes_on, lanes_min(lanes_float(longest_step), lanes_float(2.0f) * step),
            lanes_float(0.5f) * step);
        const vmask is_near = lanes_less(step, lanes_float(1.0f));
        const vmask leaves = lanes_and_not(lanes_and(active, is_near), has_arrived);
        beyond = lanes_or(beyond, leaves);
        active = lanes_and_not(active, leaves);
        active = lanes_and_not(active, lanes_and_not(has_arrived, is_enough));
        active = lanes_and(active, lanes_less(line->length, lanes_float(half)));
    }
    go_straight(beyond, sheet, from, pixel, half, line);
}

/* Both halves of the lines of hits `first` to first + LANES - 1. */
IN_LOOP void walk(const lic_sheet *all, float half, int first, lic_batch *batch)
{
    const lane_sheet sheet = load_sheet(all, batch, first);
    const vfloat pixel = lanes_load(&batch->pixel[first]);
    lane_walker start;
    lane_line line = {.noise = load_noise(batch, first),
                      .pixels = lanes_load(&batch->pixels[first]),
                      .per_half = lanes_float(1.0f / half),
                      .weights = lanes_float(1.0f)};
    for (int axis = 0; axis < 2; axis++) {
        start.place.cell[axis] = lanes_load_int(&batch->cell[axis][first]);
        start.place.share[axis] = lanes_load(&batch->share[axis][first]);
    }
    arrive(&sheet, &start);
    line.values = noise_at(&line.noise, start.point);
    for (int side = 0; side < 2; side++) {
        const vfloat signs[2] = {pixel, -pixel};
        line.length = lanes_float(0.0f);
        line.step = lanes_float(longest_step);
        follow(&sheet, start, signs[side], half, &line);
    }
    lanes_store(&batch->values[first], line.values);
    lanes_store(&batch->weights[first], line.weights);
}

void KERNEL(const lic_sheet *sheet, float half, int count, lic_batch *batch)
{
    for (int first = 0; first < count; first += LANES) {
        walk(sheet, half, first, batch);
    }
    lanes_leave();
}
