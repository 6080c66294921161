#include "film.h"

#include "entry.h"
#include "io/config/keys/keys.h"
#include "io/config/table.h"
#include "names.h"
#include "track.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct frame_film {
    bool over_time, is_open;
    int frames;
    int nsteps;
    const io_step **steps; /* [nsteps]; borrowed */
    double orbit;
    bool orbit_eases;
    int ntracks;
    film_track *tracks; /* [ntracks] */
    bool has_frames;    /* else it has pictures of steps alone */
    int npictures;      /* at least 1 */
    json_t *pictures;   /* [npictures], the key `pictures`; NULL: none */
    bool has_cells;     /* some of them have a place in one picture */
    io_config *open;    /* as it was given, with the values of the first frame */
    io_config **bases;  /* [npictures]: with the values that were found */
};

/* ---- Tracks ------------------------------------------------------------------------ */

static status fail_memory(void)
{
    return base_fail_memory(0, "the frames of a film");
}

static status reserve(film_track *track, const char *key, size_t count)
{
    snprintf(track->key, sizeof track->key, "%s", key);
    track->at = calloc(count + 1, sizeof *track->at);
    track->rests = calloc(count + 1, sizeof *track->rests);
    track->values = calloc(count + 1, sizeof(json_t *));
    return track->at && track->rests && track->values ? STATUS_OK : fail_memory();
}

/* Adds a value, which the track takes. */
static void add(film_track *track, double at, json_t *value)
{
    track->at[track->count] = at;
    track->values[track->count++] = value;
}

/* A track of the key `keys`: [[place, value], …]. */
static status read_key(const char *key, const json_t *list, film_track *track)
{
    const io_key *known = io_keys_find(io_config_keys, key, NULL);
    status s = reserve(track, key, json_array_size(list));
    track->is_whole = known && (known->type == IO_KEY_INT || known->type == IO_KEY_INT64);
    for (size_t n = 0; s == STATUS_OK && n < json_array_size(list); n++) {
        const json_t *item = json_array_get(list, n);
        add(track, json_number_value(json_array_get(item, 0)),
            json_incref(json_array_get(item, 1)));
    }
    return s;
}

static status read_keys(const io_config *config, frame_film *film)
{
    json_t *keys = config->keys ? json_loads(config->keys, 0, NULL) : NULL;
    status s = config->keys && !keys ? fail_memory() : STATUS_OK;
    const char *key;
    json_t *list;
    json_object_foreach(keys, key, list)
    {
        s = s == STATUS_OK ? read_key(key, list, &film->tracks[film->ntracks++]) : s;
    }
    json_decref(keys);
    return s;
}

/* A value of keyframes; `count` 0: this one has none. */
typedef struct keyframe_value {
    const char *key;
    int count;
    const double *numbers;
} keyframe_value;

enum { KEYFRAME_VALUES = 5 };

static void list_values(const io_keyframe_config *k,
                        keyframe_value values[KEYFRAME_VALUES])
{
    const keyframe_value all[KEYFRAME_VALUES] = {
        {"camera.position", k->nposition, k->position},
        {"camera.look_at", k->nlook_at, k->look_at},
        {"camera.up", k->nup, k->up},
        {"camera.fov", k->nfov, k->fov},
        {"camera.height", k->nheight, k->height}};
    memcpy(values, all, sizeof all);
}

static json_t *pack(const keyframe_value *value)
{
    json_t *list = value->count > 1 ? json_array() : json_real(value->numbers[0]);
    for (int n = 0; value->count > 1 && n < value->count; n++) {
        json_array_append_new(list, json_real(value->numbers[n]));
    }
    return list;
}

/* Makes the track of one of the values of keyframes, if any has it. */
static status read_keyframes(const io_path_config *path, int number, film_track *track)
{
    keyframe_value values[KEYFRAME_VALUES] = {{0}};
    status s = STATUS_OK;
    for (int n = 0; n < path->nkeyframes && s == STATUS_OK; n++) {
        const io_keyframe_config *k = &path->keyframes[n];
        list_values(k, values);
        const keyframe_value *value = &values[number];
        if (value->count > 0 && !track->at) {
            s = reserve(track, value->key, 2 * (size_t)path->nkeyframes);
        }
        if (s == STATUS_OK && value->count > 0) {
            const bool holds = k->hold > 0.0;
            track->rests[track->count] = holds;
            add(track, k->at, pack(value));
            track->rests[track->count] = true;
            if (holds) {
                add(track, k->at + k->hold, pack(value));
            }
        }
    }
    if (track->count > 0) {
        track->is_smooth = true;
        track->rests[0] = track->rests[0] || path->eases;
        track->rests[track->count - 1] = track->rests[track->count - 1] || path->eases;
    }
    return s;
}

static status read_tracks(const io_config *config, frame_film *film)
{
    size_t count = KEYFRAME_VALUES;
    for (const char *c = config->keys; c && *c != '\0'; c++) {
        count += *c == ':';
    }
    film->tracks = calloc(count, sizeof *film->tracks);
    status s = film->tracks ? read_keys(config, film) : fail_memory();
    for (int n = 0; n < KEYFRAME_VALUES && s == STATUS_OK; n++) {
        film_track *track = &film->tracks[film->ntracks];
        s = read_keyframes(&config->camera.path, n, track);
        film->ntracks += track->at != NULL;
    }
    return s;
}

/* ---- Places ------------------------------------------------------------------------ */

/* The place of a frame among the steps, with a fraction. */
static double among_steps(const frame_film *film, int frame)
{
    return (double)frame * film->nsteps / film->frames;
}

/* The place of a frame's step among the steps. */
static int step_of(const frame_film *film, int frame)
{
    return film->is_open ? frame : (int)((int64_t)frame * film->nsteps / film->frames);
}

/* The number of a frame. */
static int64_t number_of(const frame_film *film, int frame)
{
    return film->is_open || !film->has_frames ? film->steps[step_of(film, frame)]->number
                                              : frame;
}

static double place_of(const frame_film *film, int frame)
{
    if (!film->over_time || film->nsteps == 0) {
        return (double)number_of(film, frame);
    }
    const int step = step_of(film, frame);
    const double among = film->is_open ? (double)step : among_steps(film, frame);
    const double here = film->steps[step]->time;
    return step + 1 < film->nsteps
               ? here + (among - step) * (film->steps[step + 1]->time - here)
               : here;
}

/* The number of frames that reach the last place, without a given number. */
static int count_needed(const frame_film *film)
{
    const double degrees = 3.0; /* of an orbit, from frame to frame */
    const double most = 1e6;
    double last = film->orbit != 0.0 ? ceil(fabs(film->orbit) / degrees) - 1.0 : 0.0;
    for (int n = 0; n < film->ntracks && !film->over_time; n++) {
        const film_track *track = &film->tracks[n];
        last = track->count > 0 ? fmax(last, floor(track->at[track->count - 1])) : last;
    }
    return (int)fmin(fmax(last, 0.0) + 1.0, most);
}

static double turn_of(const frame_film *film, int frame)
{
    const double number = (double)number_of(film, frame);
    const double all = film->frames;
    const double u = all > 1.0 ? number / (all - 1.0) : 0.0;
    const double part = film->orbit_eases ? u * u * (3.0 - 2.0 * u) : number / all;
    return fmod(film->orbit * part, 360.0);
}

static int frames_of(const frame_film *film)
{
    return film->is_open ? film->nsteps : film->frames;
}

/* Whether all frames of a picture come before those of the next one: that is how one step
 * is drawn, as another picture may take other data. */
static bool goes_by_pictures(const frame_film *film)
{
    return film->nsteps == 1 && !film->has_cells;
}

int frame_film_pictures(const frame_film *film)
{
    return film->npictures;
}

int frame_film_count(const frame_film *film)
{
    return frames_of(film) * film->npictures;
}

int frame_film_frame(const frame_film *film, int number)
{
    return goes_by_pictures(film) ? number % frames_of(film) : number / film->npictures;
}

int frame_film_picture_of(const frame_film *film, int number)
{
    return goes_by_pictures(film) ? number / frames_of(film) : number % film->npictures;
}

int frame_film_step(const frame_film *film, int number)
{
    return step_of(film, frame_film_frame(film, number));
}

int64_t frame_film_number(const frame_film *film, int number)
{
    return number_of(film, frame_film_frame(film, number));
}

/* ---- Configs ----------------------------------------------------------------------- */

/* Turning and magnifying keys: the found camera has none of it. */
static bool is_turn(const char *key)
{
    return strcmp(key, "camera.azimuth") == 0 || strcmp(key, "camera.elevation") == 0 ||
           strcmp(key, "camera.zoom") == 0;
}

/* Prints "PLACE, at 30\vcamera.zoom=2"; malloc'ed. */
static char *print(const io_config *config, const char *key, const char *value, double at)
{
    const bool is_listed = config->keys && strstr(config->keys, key);
    char place[IO_DOCUMENT_PLACE_SIZE + IO_DOCUMENT_PATH_SIZE], *text = NULL;
    size_t size = 0;
    io_config_place(config, is_listed ? "keys" : "camera.path", sizeof place, place);
    FILE *stream = open_memstream(&text, &size);
    if (stream) {
        fprintf(stream, "%s, at %g\v%s=%s", place, at, key, value);
        fclose(stream);
    }
    return text;
}

/* The override of a track at a place; malloc'ed, NULL without memory. */
static char *print_track(const io_config *config, const film_track *track, double at,
                         bool opens)
{
    if (opens && is_turn(track->key)) {
        return print(config, track->key, "null", at);
    }
    json_t *value = film_track_value(track, at);
    char *json =
        value
            ? json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(15))
            : NULL;
    char *text = json ? print(config, track->key, json, at) : NULL;
    json_decref(value);
    free(json);
    return text;
}

/* Makes a config with the values of a frame, or of a place. `opens`: for finding open
 * values. */
static status make(const frame_film *film, const io_config *config, double at,
                   const double *turn, io_config **out)
{
    char **overrides = calloc((size_t)film->ntracks + 1, sizeof *overrides);
    char angle[32];
    int count = 0;
    status s = overrides ? STATUS_OK : fail_memory();
    for (int n = 0; n < film->ntracks && s == STATUS_OK; n++) {
        overrides[count] = print_track(config, &film->tracks[n], at, !turn);
        s = overrides[count++] ? STATUS_OK : fail_memory();
    }
    if (s == STATUS_OK && turn && film->orbit != 0.0) {
        snprintf(angle, sizeof angle, "%.15g", *turn);
        overrides[count] = print(config, "camera.azimuth", angle, at);
        s = overrides[count++] ? STATUS_OK : fail_memory();
    }
    if (s == STATUS_OK) {
        s = io_config_override(config, count, (const char *const *)overrides, out);
    }
    for (int n = 0; n < count; n++) {
        free(overrides[n]);
    }
    free(overrides);
    return s;
}

status frame_film_config(const frame_film *film, int number, io_config **out)
{
    const int frame = frame_film_frame(film, number);
    const double turn = turn_of(film, frame);
    return film->ntracks == 0 && film->orbit == 0.0 && film->npictures == 1
               ? STATUS_OK
               : make(film, film->bases[frame_film_picture_of(film, number)],
                      place_of(film, frame), &turn, out);
}

/* ---- Pictures ---------------------------------------------------------------------- */

static const char *name_of(const json_t *picture)
{
    return json_string_value(json_object_get(picture, "name"));
}

const io_config *frame_film_base(const frame_film *film, int number)
{
    return film->bases[frame_film_picture_of(film, number)];
}

const io_config *frame_film_picture_base(const frame_film *film, int picture)
{
    return film->bases[picture];
}

static const json_t *cell_of(const frame_film *film, int picture)
{
    return json_object_get(json_array_get(film->pictures, (size_t)picture), "place");
}

/* The pixels of a cell in a picture of width x height: left, upper, right, lower end. */
static void place_cell(const json_t *place, double width, double height, int ends[4])
{
    double p[4];
    for (int n = 0; n < 4; n++) {
        p[n] = json_number_value(json_array_get(place, (size_t)n));
    }
    ends[0] = (int)lround(p[0] * width);
    ends[1] = (int)lround((1.0 - p[1] - p[3]) * height);
    ends[2] = (int)lround((p[0] + p[2]) * width);
    ends[3] = (int)lround((1.0 - p[1]) * height);
}

/* Gives a cell its size. */
static status size_cell(const frame_film *film, const io_config *config,
                        const json_t *place, io_config **out)
{
    const double scale = film->open->scale;
    int ends[4];
    char width[48], height[48];
    place_cell(place, round(film->open->width / scale), round(film->open->height / scale),
               ends);
    snprintf(width, sizeof width, "image.width=%d",
             ends[2] > ends[0] ? ends[2] - ends[0] : 1);
    snprintf(height, sizeof height, "image.height=%d",
             ends[3] > ends[1] ? ends[3] - ends[1] : 1);
    const char *const overrides[] = {width, height};
    return io_config_override(config, 2, overrides, out);
}

bool frame_film_find_cell(const frame_film *film, int number, frame_film_cell *cell)
{
    const int picture = frame_film_picture_of(film, number);
    const double scale = film->open->scale;
    const json_t *place = cell_of(film, picture);
    int ends[4];
    if (!place) {
        return false;
    }
    place_cell(place, round(film->open->width / scale), round(film->open->height / scale),
               ends);
    *cell = (frame_film_cell){(int)lround(ends[0] * scale),
                              (int)lround(ends[1] * scale),
                              film->open->width,
                              film->open->height,
                              true,
                              true};
    for (int n = 0; n < film->npictures; n++) {
        cell->is_first = cell->is_first && (n >= picture || !cell_of(film, n));
        cell->is_last = cell->is_last && (n <= picture || !cell_of(film, n));
    }
    return true;
}

status frame_film_whole(const frame_film *film, int number, io_config **out)
{
    const int frame = frame_film_frame(film, number);
    const double turn = turn_of(film, frame);
    return make(film, film->open, place_of(film, frame), &turn, out);
}

status frame_film_picture(const frame_film *film, int picture, io_config **out)
{
    const json_t *its = json_array_get(film->pictures, (size_t)picture);
    if (!its) {
        return io_config_override(film->open, 0, NULL, out);
    }
    const json_t *place = cell_of(film, picture);
    io_config *made = NULL;
    status s = film_entry_apply(film->open, its, picture, &made);
    if (s == STATUS_OK) {
        s = place ? size_cell(film, made, place, out)
                  : film_names_set(made, name_of(its), out);
    }
    io_config_destroy(&made);
    return s;
}

bool frame_film_gives(const frame_film *film, int picture, const char *key)
{
    return json_object_get(json_array_get(film->pictures, (size_t)picture), key);
}

bool frame_film_gives_same(const frame_film *film, int a, int b, const char *key)
{
    const json_t *mine = json_object_get(json_array_get(film->pictures, (size_t)a), key);
    const json_t *its = json_object_get(json_array_get(film->pictures, (size_t)b), key);
    return mine == its || (mine && its && json_equal(mine, its));
}

json_t *frame_film_values(const frame_film *film, int number)
{
    const int frame = frame_film_frame(film, number);
    const json_t *picture =
        json_array_get(film->pictures, (size_t)frame_film_picture_of(film, number));
    json_t *values = json_object();
    if (picture) {
        json_object_set_new(values, "picture", json_string(name_of(picture)));
    }
    if (film->orbit != 0.0) {
        json_object_set_new(values, "phi", json_real(turn_of(film, frame)));
    }
    for (int n = 0; n < film->ntracks; n++) {
        json_object_set_new(values, film->tracks[n].key,
                            film_track_value(&film->tracks[n], place_of(film, frame)));
    }
    return values;
}

/* ---- The film ---------------------------------------------------------------------- */

static bool has_frames(const io_config *config)
{
    return config->film.frames > 0 || config->keys || config->camera.path.orbit != 0.0 ||
           config->camera.path.nkeyframes > 0;
}

bool frame_film_is_given(const io_config *config)
{
    return has_frames(config) || config->pictures;
}

static status check(const frame_film *film, const io_config *config)
{
    for (int n = 0; n < film->ntracks && film->orbit != 0.0; n++) {
        if (strcmp(film->tracks[n].key, "camera.azimuth") == 0) {
            return io_config_fail(config, "keys",
                                  "camera.azimuth and camera.path.orbit turn the same "
                                  "camera: give one of them");
        }
    }
    return film->over_time && film->nsteps < 2 && !film->is_open && film->ntracks > 0
               ? io_config_fail(config, "film.over",
                                "is time, but the data have one step: use frames")
               : STATUS_OK;
}

static status begin(const frame_film_steps *steps, const io_config *config,
                    frame_film *film)
{
    film->over_time = config->film.over_time;
    film->is_open = steps->is_open;
    film->nsteps = steps->count;
    film->orbit = config->camera.path.orbit;
    film->orbit_eases = config->camera.path.eases;
    film->has_frames = has_frames(config);
    film->pictures = config->pictures ? json_loads(config->pictures, 0, NULL) : NULL;
    film->npictures = config->pictures ? (int)json_array_size(film->pictures) : 1;
    for (int n = 0; n < film->npictures; n++) {
        film->has_cells = film->has_cells || cell_of(film, n);
    }
    film->bases = calloc((size_t)film->npictures + 1, sizeof(io_config *));
    film->steps = malloc(((size_t)steps->count + 1) * sizeof *film->steps);
    status s = film->steps && film->bases ? read_tracks(config, film) : fail_memory();
    for (int n = 0; n < steps->count && s == STATUS_OK; n++) {
        film->steps[n] = steps->all[n];
    }
    film->frames = config->film.frames > 0              ? config->film.frames
                   : steps->count > 1 || steps->is_open ? steps->count
                                                        : count_needed(film);
    return s == STATUS_OK ? check(film, config) : s;
}

status frame_film_create(const frame_film_steps *steps, io_config **config,
                         frame_film **out)
{
    if (!frame_film_is_given(*config)) {
        return STATUS_OK;
    }
    frame_film *film = calloc(1, sizeof *film);
    io_config *first = NULL;
    status s = film ? begin(steps, *config, film) : fail_memory();
    if (s == STATUS_OK) {
        s = make(film, *config, place_of(film, 0), NULL, &film->open);
    }
    if (s == STATUS_OK) {
        s = frame_film_picture(film, 0, &first);
    }
    if (s != STATUS_OK) {
        frame_film_destroy(&film);
        return s;
    }
    io_config_destroy(config);
    *config = first;
    *out = film;
    return STATUS_OK;
}

status frame_film_take(frame_film *film, int picture, const io_config *config)
{
    const double turn = 0.0;
    io_config **base = &film->bases[picture];
    status s = io_config_override(config, 0, NULL, base);
    for (int n = 0; n < film->ntracks && s == STATUS_OK; n++) {
        for (int k = 0; k < film->tracks[n].count && s == STATUS_OK; k++) {
            io_config *made = NULL;
            s = make(film, *base, film->tracks[n].at[k], &turn, &made);
            io_config_destroy(&made);
        }
    }
    return s;
}

const io_config *frame_film_open(const frame_film *film)
{
    return film->open;
}

status frame_film_close(frame_film *film, int count, const char *const *values)
{
    io_config *closed = NULL;
    const status s = io_config_override(film->open, count, values, &closed);
    if (s == STATUS_OK) {
        io_config_destroy(&film->open);
        film->open = closed;
    }
    return s;
}

void frame_film_destroy(frame_film **doomed)
{
    frame_film *film = *doomed;
    if (!film) {
        return;
    }
    for (int n = 0; film->tracks && n < film->ntracks; n++) {
        film_track_clear(&film->tracks[n]);
    }
    free(film->tracks);
    free(film->steps);
    for (int n = 0; film->bases && n < film->npictures; n++) {
        io_config_destroy(&film->bases[n]);
    }
    free(film->bases);
    io_config_destroy(&film->open);
    json_decref(film->pictures);
    free(film);
    *doomed = NULL;
}
