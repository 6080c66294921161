#include "track.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PARTS = 3 };

/* ---- Linear ------------------------------------------------------------------------ */

static json_t *mix(const json_t *a, const json_t *b, double u, bool is_whole)
{
    if (json_is_number(a) && json_is_number(b)) {
        const double x = json_number_value(a), y = json_number_value(b);
        const double value = x + u * (y - x);
        return is_whole ? json_integer(llround(value)) : json_real(value);
    }
    if (!json_is_array(a) || !json_is_array(b) ||
        json_array_size(a) != json_array_size(b)) {
        return json_deep_copy(a);
    }
    json_t *list = json_array();
    for (size_t n = 0; list && n < json_array_size(a); n++) {
        json_array_append_new(
            list, mix(json_array_get(a, n), json_array_get(b, n), u, is_whole));
    }
    return list;
}

/* ---- Smooth ------------------------------------------------------------------------ */

static int parts_of(const film_track *track)
{
    const size_t size = json_array_size(track->values[0]);
    return size == 0 ? 1 : size < MOST_PARTS ? (int)size : MOST_PARTS;
}

static double part_of(const json_t *value, int part)
{
    return json_number_value(json_is_array(value) ? json_array_get(value, (size_t)part)
                                                  : value);
}

/* The velocity from value n to the next one, and its length. */
static double chord(const film_track *track, int n, double velocity[MOST_PARTS])
{
    const double time = track->at[n + 1] - track->at[n];
    double sum = 0.0;
    for (int c = 0; c < parts_of(track); c++) {
        velocity[c] =
            (part_of(track->values[n + 1], c) - part_of(track->values[n], c)) / time;
        sum += velocity[c] * velocity[c];
    }
    return sqrt(sum);
}

static void find_velocity(const film_track *track, int n, double velocity[MOST_PARTS])
{
    double after[MOST_PARTS] = {0};
    memset(velocity, 0, MOST_PARTS * sizeof *velocity);
    if (track->rests[n] || track->count == 1) {
        return;
    }
    if (n == 0 || n == track->count - 1) {
        chord(track, n == 0 ? 0 : n - 1, velocity);
        return;
    }
    const double h0 = track->at[n] - track->at[n - 1],
                 h1 = track->at[n + 1] - track->at[n];
    const double slowest = fmin(chord(track, n - 1, velocity), chord(track, n, after));
    double sum = 0.0;
    for (int c = 0; c < parts_of(track); c++) {
        velocity[c] = (h1 * velocity[c] + h0 * after[c]) / (h0 + h1);
        sum += velocity[c] * velocity[c];
    }
    const double most = 3.0 * slowest, length = sqrt(sum);
    for (int c = 0; c < parts_of(track) && length > most; c++) {
        velocity[c] *= most / length;
    }
}

static json_t *curve(const film_track *track, int n, double u)
{
    const double time = track->at[n + 1] - track->at[n];
    const double b = u * u * (3.0 - 2.0 * u), before = u * (1.0 - u) * (1.0 - u) * time,
                 after = -u * u * (1.0 - u) * time;
    double v0[MOST_PARTS], v1[MOST_PARTS];
    find_velocity(track, n, v0);
    find_velocity(track, n + 1, v1);
    const bool is_list = json_is_array(track->values[n]);
    json_t *list = is_list ? json_array() : NULL;
    for (int c = 0; c < parts_of(track); c++) {
        const double x = part_of(track->values[n], c),
                     y = part_of(track->values[n + 1], c);
        const double value = x + b * (y - x) + before * v0[c] + after * v1[c];
        if (!is_list) {
            return json_real(value);
        }
        json_array_append_new(list, json_real(value));
    }
    return list;
}

/* ------------------------------------------------------------------------------------ */

json_t *film_track_value(const film_track *track, double at)
{
    int n = 0;
    while (n < track->count && track->at[n] <= at) {
        n++;
    }
    if (n == 0 || n == track->count) {
        return json_deep_copy(track->values[n == 0 ? 0 : n - 1]);
    }
    const double u = (at - track->at[n - 1]) / (track->at[n] - track->at[n - 1]);
    return track->is_smooth
               ? curve(track, n - 1, u)
               : mix(track->values[n - 1], track->values[n], u, track->is_whole);
}

void film_track_clear(film_track *track)
{
    for (int n = 0; track->values && n < track->count; n++) {
        json_decref(track->values[n]);
    }
    free(track->values);
    free(track->rests);
    free(track->at);
    *track = (film_track){0};
}
