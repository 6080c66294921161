#include "particle.h"

#include <math.h>
#include <string.h>

/* The method of Dormand and Prince. The last row of weights gives the result, so the last
 * stage is also the first of the next step. */
enum { LAST = TRACE_STAGES - 1 };

static const double nodes[TRACE_STAGES] = {0.0, 0.2, 0.3, 0.8, 8.0 / 9.0, 1.0, 1.0};

static const double weights[TRACE_STAGES][LAST] = {
    {0.0},
    {1.0 / 5.0},
    {3.0 / 40.0, 9.0 / 40.0},
    {44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0},
    {19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0},
    {9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0},
    {35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0}};

/* Weights of the stages in the difference of the results of orders 5 and 4. */
static const double error_weights[TRACE_STAGES] = {
    71.0 / 57600.0,      0.0,          -71.0 / 16695.0, 71.0 / 1920.0,
    -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0};

/* A step shorter than the longest by this factor is accepted with any error. At a jump of
 * the velocity, as between overset blocks, no step is short enough. */
static const double least_step = 1e-4;

/* A step that leaves the grid is tried again, shorter by the first factor, as long as it
 * exceeds the second factor times the longest step. */
static const double retreat = 0.25, least_retreat = 1e-3;

enum { MOST_TRIALS = 100000 };

/* Begins a stage of a step: its point is searched for from the particle's cell. */
static void begin_stage(trace_particle *p, int stage)
{
    p->stage = stage;
    p->place = trace_place_from(&p->cell);
}

/* Lets it begin at stage 0. */
static void set_moving(trace_particle *p)
{
    p->state = TRACE_MOVING;
    p->method = TRACE_RUNGE_KUTTA;
    p->trials = p->since.steps = 0;
    begin_stage(p, 0);
}

trace_particle trace_particle_seek(int64_t number, const double x[3])
{
    trace_particle p = {.number = number,
                        .state = TRACE_SEEKING,
                        .to = -1,
                        .place = trace_place_anywhere()};
    memcpy(p.x, x, sizeof p.x);
    return p;
}

trace_particle trace_particle_place(int64_t number, const trace_cell *cell,
                                    const double local[3])
{
    trace_particle p = {.number = number,
                        .state = TRACE_PLACING,
                        .to = -1,
                        .place = trace_place_from(cell)};
    memcpy(p.place.local, local, sizeof p.place.local);
    return p;
}

trace_particle trace_particle_release(int64_t number, const double x[3],
                                      const trace_cell *cell, double time,
                                      double direction)
{
    trace_particle p = {.number = number,
                        .to = -1,
                        .direction = direction,
                        .time = time,
                        .release = time,
                        .cell = *cell,
                        .next_step = INFINITY};
    memcpy(p.x, x, sizeof p.x);
    set_moving(&p);
    return p;
}

/* ---- Records ----------------------------------------------------------------------- */

/* (Adding 0 turns -0 into 0, so that both directions of a streamline begin with the same
 * bits.) */
static trace_record record_of(const trace_particle *p, bool ended)
{
    return (trace_record){.particle = p->number,
                          .place = p->records,
                          .ended = ended,
                          .x = {p->x[0], p->x[1], p->x[2]},
                          .time = p->time,
                          .age = p->direction * (p->time - p->release) + 0.0,
                          .value = p->value};
}

static void record(const trace_particle *p, bool ended, trace_records *records)
{
    const trace_record r = record_of(p, ended);
    trace_records_add(records, &r);
}

trace_record trace_particle_record(const trace_particle *particle)
{
    return record_of(particle, false);
}

static void record_point(trace_particle *p, trace_records *records)
{
    record(p, false, records);
    p->records++;
}

static void end(const trace_rule *rule, trace_particle *p, trace_records *records)
{
    p->state = TRACE_ENDED;
    if (rule->leaves_trail) {
        record(p, true, records);
    }
}

/* At the beginning of the time, with the velocity there known. */
static void set_out(trace_particle *p)
{
    memcpy(p->velocity, p->rates[0], sizeof p->velocity);
    memcpy(p->since.velocity, p->velocity, sizeof p->since.velocity);
    p->since.time = p->time;
}

/* At the end of the time. After a single step Adams's method may make the next one. */
static void arrive(trace_particle *p)
{
    const double span = p->time - p->since.time;
    p->state = TRACE_ARRIVED;
    p->past = p->since.steps == 1 ? span : 0.0;
    for (int axis = 0; axis < 3 && p->past > 0.0; axis++) {
        p->bend[axis] = (p->velocity[axis] - p->since.velocity[axis]) / span;
    }
}

/* Number of straight pieces to draw a step with, so that the line looks smooth: 1, 2, 4
 * or 8. Each turns by less than about a tenth of a radian. */
static int count_pieces(const double a[3], const double b[3])
{
    double aa = 0.0, bb = 0.0, ab = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        aa += a[axis] * a[axis];
        bb += b[axis] * b[axis];
        ab += a[axis] * b[axis];
    }
    const double cosine = ab / sqrt(aa * bb);
    if (!(cosine < 0.995)) {
        return 1;
    }
    return cosine > 0.980 ? 2 : cosine > 0.921 ? 4 : 8;
}

/* Records points from the particle to the end of its step, on the cubic with the
 * velocities of both ends. */
static void record_between(const trace_particle *from, const trace_arrival *to,
                           double end, trace_records *records)
{
    const double *a = from->velocity, *b = to->velocity;
    const int pieces = count_pieces(a, b);
    trace_particle there = *from;
    for (int n = 1; n < pieces; n++) {
        const double s = (double)n / pieces, h = end - from->time;
        for (int axis = 0; axis < 3; axis++) {
            there.x[axis] = (1.0 - s) * from->x[axis] + s * to->x[axis] +
                            s * (s - 1.0) *
                                ((1.0 - 2.0 * s) * (to->x[axis] - from->x[axis]) +
                                 (s - 1.0) * h * a[axis] + s * h * b[axis]);
        }
        there.time = from->time + s * (end - from->time);
        there.value = from->value + s * (to->value - from->value);
        record_point(&there, records);
    }
}

/* ---- Steps ------------------------------------------------------------------------- */

static double speed_of(const double velocity[3])
{
    return sqrt(velocity[0] * velocity[0] + velocity[1] * velocity[1] +
                velocity[2] * velocity[2]);
}

/* Chooses the next step, if there is time left. */
static void begin_step(const trace_rule *rule, trace_particle *p, trace_records *records)
{
    const double left = rule->end - p->time;
    if (left <= 0.0) {
        arrive(p);
        return;
    }
    const double way = rule->most_length - p->length;
    p->most = fmin(fmin(p->cell_time, left), way / speed_of(p->velocity));
    if (!isfinite(p->most) || p->trials >= MOST_TRIALS) {
        end(rule, p, records); /* it stands, and will stand for ever */
        return;
    }
    p->step = fmin(p->next_step, p->most);
    p->is_last = p->step >= left;
    p->trials++;
    begin_stage(p, 1);
}

/* The factor of the error of order 2, and of q / h (adams/lanes.h). */
static double adams_weight(const trace_particle *p)
{
    const double h = p->step;
    return h * h * h / (6.0 * (h + p->past));
}

static void adams_point(const trace_particle *p, double x[3])
{
    const double h = p->step, weight = 0.5 * h * h - adams_weight(p);
    for (int axis = 0; axis < 3; axis++) {
        const double v = p->velocity[axis], bend = p->bend[axis];
        x[axis] = p->x[axis] + h * (v + (0.5 * h) * bend);
        if (p->stage > 1) {
            x[axis] += weight * ((p->rates[1][axis] - v) / h - bend);
        }
    }
}

static void stage_point(const trace_particle *p, double x[3])
{
    if (p->method == TRACE_ADAMS) {
        adams_point(p, x);
        return;
    }
    for (int axis = 0; axis < 3; axis++) {
        double sum = 0.0;
        for (int n = 0; n < p->stage; n++) {
            sum += weights[p->stage][n] * p->rates[n][axis];
        }
        x[axis] = p->x[axis] + (p->stage > 0 ? p->step * sum : 0.0);
    }
}

/* Time of the stage between the two steps of the data, 0 to 1. */
static double stage_share(const trace_rule *rule, const trace_particle *p)
{
    const double span = rule->now - rule->before;
    if (rule->is_frozen || !(span > 0.0) || p->method == TRACE_ADAMS) {
        return 1.0;
    }
    const bool at_end = p->stage > 0 && p->is_last && nodes[p->stage] >= 1.0;
    const double time = p->time + (p->stage > 0 ? nodes[p->stage] * p->step : 0.0);
    return at_end && rule->end >= rule->now
               ? 1.0
               : fmin(fmax((time - rule->before) / span, 0.0), 1.0);
}

/* Length of a vector at the stage's point in cells, the largest along an axis. If the map
 * is singular, the size of the cell is used instead. */
static double length_in_cells(const trace_rule *rule, const trace_particle *p,
                              const trace_corners *corners, const double vector[3])
{
    double xyz[8][3], cells[3];
    const double zero[3] = {0.0, 0.0, 0.0};
    trace_map map;
    trace_corners_get(trace_locator_store(rule->locator), corners, xyz);
    trace_map_create(xyz, zero, &map);
    if (trace_map_pull(&map, p->place.local, vector, cells)) {
        return fmax(fmax(fabs(cells[0]), fabs(cells[1])), fabs(cells[2]));
    }
    return speed_of(vector) / trace_map_size(&map);
}

static double step_error(const trace_rule *rule, const trace_particle *p,
                         const trace_corners *corners)
{
    double error[3];
    for (int axis = 0; axis < 3; axis++) {
        double sum = 0.0;
        for (int n = 0; n < TRACE_STAGES; n++) {
            sum += error_weights[n] * p->rates[n][axis];
        }
        error[axis] = p->step * sum;
    }
    return length_in_cells(rule, p, corners, error);
}

/* Tries a step that was too long again, with the length `step`. */
static void retry_step(trace_particle *p, double step)
{
    p->step = p->next_step = step;
    p->is_last = 0;
    p->trials++;
    begin_stage(p, 1);
}

/* Moves the particle to the end of its step, at a time, and records its points. */
static void take_step(const trace_rule *rule, trace_particle *p, const trace_arrival *to,
                      double time, trace_records *records)
{
    const double way[3] = {to->x[0] - p->x[0], to->x[1] - p->x[1], to->x[2] - p->x[2]};
    p->length += rule->is_frozen ? speed_of(way) : 0.0;
    if (rule->leaves_trail && p->records == 0) {
        record_point(p, records);
    }
    if (rule->leaves_trail && count_pieces(p->velocity, to->velocity) > 1) {
        const int64_t pieces = count_pieces(p->velocity, to->velocity);
        record_between(p, to, time, records);
        p->records += pieces - 1;
    }
    memcpy(p->x, to->x, sizeof p->x);
    memcpy(p->velocity, to->velocity, sizeof p->velocity);
    p->time = time;
    p->value = to->value;
    p->steps++;
    if (rule->leaves_trail) {
        record_point(p, records);
    }
}

void trace_particle_arrive(const trace_rule *rule, trace_particle *particle,
                           const trace_arrival *to, trace_records *records)
{
    trace_particle *p = particle;
    const double span = rule->end - p->time;
    for (int axis = 0; axis < 3; axis++) {
        p->bend[axis] = (to->velocity[axis] - p->velocity[axis]) / span;
    }
    p->past = span;
    p->state = TRACE_ARRIVED;
    take_step(rule, p, to, rule->end, records);
}

static void accept_step(const trace_rule *rule, trace_particle *p, double value,
                        trace_records *records)
{
    trace_arrival to = {.value = value};
    stage_point(p, to.x);
    memcpy(to.velocity, p->rates[LAST], sizeof to.velocity);
    p->cell = p->place.cell;
    take_step(rule, p, &to, p->is_last ? rule->end : p->time + p->step, records);
    memcpy(p->rates[0], to.velocity, sizeof p->rates[0]);
    p->since.steps++;
    const double most_length = rule->most_length * (1.0 - 1e-9);
    if (p->length >= most_length || p->steps >= rule->most_steps) {
        end(rule, p, records);
    } else {
        begin_step(rule, p, records);
    }
}

/* Factor by which the next step may be longer, so that its error, proportional to the
 * fifth power, becomes the tolerance. The exponent is 3/16 rather than 1/5: square roots
 * are rounded alike everywhere, while no library promises that for powers. */
static double step_factor(double error)
{
    const double safety = 0.9, least = 0.2, most = 5.0;
    const double root = sqrt(sqrt(error));
    const double power = root / sqrt(sqrt(root));
    return error > 0.0 ? fmin(fmax(safety / power, least), most) : most;
}

/* Called with all stages known: accepts the step or tries a shorter one. */
static void finish_step(const trace_rule *rule, trace_particle *p,
                        const trace_corners *corners, double value,
                        trace_records *records)
{
    const double error = step_error(rule, p, corners) / rule->tolerance;
    const double factor = step_factor(error);
    if (!(error <= 1.0) && p->step > least_step * p->most && p->trials < MOST_TRIALS) {
        retry_step(p, p->step * fmin(factor, 0.9));
        return;
    }
    const double next = p->step * factor;
    /* A step cut short by the end of the time does not limit the next. */
    p->next_step = p->is_last ? fmax(next, p->next_step) : next;
    const double rate = length_in_cells(rule, p, corners, p->rates[LAST]);
    p->cell_time = rate > 0.0 ? 1.0 / rate : INFINITY;
    accept_step(rule, p, value, records);
}

/* ---- Adams's method ---------------------------------------------------------------- */

static void begin_adams(const trace_rule *rule, trace_particle *p)
{
    p->method = TRACE_ADAMS;
    p->step = rule->end - p->time;
    begin_stage(p, 1);
}

/* Begins the step again, by the method of Runge and Kutta. */
static void leave_adams(trace_particle *p)
{
    p->past = 0.0;
    p->method = TRACE_RUNGE_KUTTA;
    begin_stage(p, 0);
}

/* Called with the velocity at the predicted place, or at the corrected one, known. */
static void finish_adams(const trace_rule *rule, trace_particle *p,
                         const trace_corners *corners, double value,
                         trace_records *records)
{
    if (p->stage == 1) {
        double error[3];
        for (int axis = 0; axis < 3; axis++) {
            const double change = p->rates[1][axis] - p->velocity[axis];
            error[axis] = adams_weight(p) * (change / p->step - p->bend[axis]);
        }
        if (!(length_in_cells(rule, p, corners, error) <= rule->tolerance)) {
            leave_adams(p);
            return;
        }
        const trace_cell cell = p->place.cell;
        p->place = trace_place_from(&cell);
        p->stage = 2;
        return;
    }
    trace_arrival to = {.value = value};
    stage_point(p, to.x);
    memcpy(to.velocity, p->rates[2], sizeof to.velocity);
    p->cell = p->place.cell;
    trace_particle_arrive(rule, p, &to, records);
}

/* ---- Stages ------------------------------------------------------------------------ */

/* Called with the velocity of a stage known: goes on to the next stage. */
static void finish_stage(const trace_rule *rule, trace_particle *p,
                         const trace_corners *corners, double value,
                         trace_records *records)
{
    if (p->stage == LAST) {
        finish_step(rule, p, corners, value, records);
    } else if (p->stage > 0) {
        const trace_cell cell = p->place.cell;
        p->place = trace_place_from(&cell);
        p->stage++;
    } else {
        set_out(p);
        const double rate = length_in_cells(rule, p, corners, p->velocity);
        p->cell_time = rate > 0.0 ? 1.0 / rate : INFINITY;
        p->value = value;
        p->cell = p->place.cell;
        if (rule->leaves_trail && p->records == 0) {
            record_point(p, records);
        }
        begin_step(rule, p, records);
    }
}

/* There is no velocity at the stage's point: tries a shorter step, or ends the
 * particle. */
static void shy_back(const trace_rule *rule, trace_particle *p, trace_records *records)
{
    const double step = retreat * p->step;
    if (p->stage == 0 || p->step < least_retreat * p->most || p->trials >= MOST_TRIALS) {
        end(rule, p, records);
    } else {
        retry_step(p, step);
    }
}

/* Reads the velocity at the place found; false if it is not finite. */
static bool read_velocity(const trace_rule *rule, trace_particle *p,
                          trace_corners *corners, double *value)
{
    trace_cell_look(trace_locator_store(rule->locator), &p->place.cell, corners);
    const trace_sample sample = trace_velocity_sample(
        rule->velocity, corners, p->place.local, stage_share(rule, p));
    bool is_finite = true;
    for (int axis = 0; axis < 3; axis++) {
        p->rates[p->stage][axis] = p->direction * sample.velocity[axis];
        is_finite &= isfinite(sample.velocity[axis]) != 0;
    }
    *value = sample.value;
    return is_finite;
}

/* ---- Driving ----------------------------------------------------------------------- */

/* Finds the position in space of a place in the grid. False if its brick is on another
 * rank. */
static bool settle_place(const trace_rule *rule, trace_particle *p, int64_t *needed)
{
    const grid_store *store = trace_locator_store(rule->locator);
    trace_corners corners;
    const trace_look look = trace_cell_look(store, &p->place.cell, &corners);
    if (look == TRACE_ELSEWHERE) {
        *needed = trace_cell_brick(store->layout, &p->place.cell);
        return false;
    }
    p->state = look == TRACE_PRESENT ? TRACE_ARRIVED : TRACE_ENDED;
    if (look == TRACE_PRESENT) {
        const double zero[3] = {0.0, 0.0, 0.0};
        double xyz[8][3];
        trace_map map;
        trace_corners_get(store, &corners, xyz);
        trace_map_create(xyz, zero, &map);
        trace_map_point(&map, p->place.local, p->x);
        p->cell = p->place.cell;
    }
    return true;
}

/* Finds the place in the grid of a point in space. False if another rank must
 * continue. */
static bool settle_point(const trace_rule *rule, trace_particle *p, int64_t *needed)
{
    const trace_found found = trace_locate(rule->locator, p->x, &p->place, needed);
    if (found == TRACE_AWAY) {
        return false;
    }
    p->state = found == TRACE_FOUND ? TRACE_ARRIVED : TRACE_ENDED;
    p->cell = p->place.cell;
    return true;
}

/* Does one stage; false if another rank must continue it. */
static bool move(const trace_rule *rule, trace_particle *p, trace_records *records,
                 int64_t *needed)
{
    double x[3], value = 0.0;
    trace_corners corners;
    stage_point(p, x);
    const trace_found found = trace_locate(rule->locator, x, &p->place, needed);
    if (found == TRACE_AWAY) {
        return false;
    }
    const bool has_velocity =
        found == TRACE_FOUND && read_velocity(rule, p, &corners, &value);
    if (p->method == TRACE_ADAMS && has_velocity) {
        finish_adams(rule, p, &corners, value, records);
    } else if (p->method == TRACE_ADAMS) {
        leave_adams(p);
    } else if (has_velocity) {
        finish_stage(rule, p, &corners, value, records);
    } else {
        shy_back(rule, p, records);
    }
    return true;
}

/* Lets a particle that has arrived go on. A step that may be short begins by Adams's
 * method. False if the cell is on another rank, which must try the step, too
 * (trace_adams_move). */
static bool go_on(const trace_rule *rule, trace_particle *p, int64_t *needed)
{
    trace_corners corners;
    if (!trace_adams_may_move(rule, p)) {
        set_moving(p);
        return true;
    }
    const grid_store *store = trace_locator_store(rule->locator);
    const trace_look look = trace_cell_look(store, &p->cell, &corners);
    if (look == TRACE_ELSEWHERE) {
        *needed = trace_cell_brick(store->layout, &p->cell);
        return false;
    }
    set_moving(p);
    if (look == TRACE_PRESENT) {
        begin_adams(rule, p);
    }
    return true;
}

bool trace_particle_advance(const trace_rule *rule, trace_particle *particle,
                            trace_records *records, int64_t *needed)
{
    if (particle->state == TRACE_PLACING) {
        return settle_place(rule, particle, needed);
    }
    if (particle->state == TRACE_SEEKING) {
        return settle_point(rule, particle, needed);
    }
    if (trace_particle_goes_on(rule, particle) && !go_on(rule, particle, needed)) {
        return false;
    }
    while (particle->state == TRACE_MOVING) {
        if (!move(rule, particle, records, needed)) {
            return false;
        }
    }
    return true;
}
