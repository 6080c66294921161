/*
 * Layers, views and sizes that change while a program runs: each picture is that of a
 * program that was started with the changed config.
 *
 *   test_insitu_tools DATA_SET OUT_FOLDER
 */
#include "base/parallel/parallel.h"
#include "base/system.h"
#include "library/insitu.h"
#include "picture_difference.h"
#include "player.h"
#include "run/steer/client.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { TEXT = 4096 };

static struct test {
    const char *data, *out;
    int rank, ranks, failures;
} t;

static void expect(bool works, const char *what)
{
    if (!works) {
        t.failures++;
        printf("rank %d: %s (%s)\n", t.rank, what, karman_message());
    }
}

/* ---- Sessions ---------------------------------------------------------------------- */

#define IMAGE  "image: {width: 48, height: 36}\n"
#define CAMERA "camera: {position: [9, -9, 7], look_at: [3, 0, 2], fov: 60}\n"
#define VOLUME                                                                           \
    "{volume: {field: pressure, range: [-1, 1], opacity: [[0, 0.4], [1, 0.6]], "         \
    "unit_length: 1}}"
#define CONTOUR "{contour: {field: pressure, k: 0, range: [-1, 1]}}"
#define ISO     "{isosurface: {field: velocity_x, value: 0.5, color: [1, 0, 0]}}"
#define LAYERS  "layers: [" VOLUME ", " CONTOUR "]\n"

static const char *path_of(const char *name, const char *file)
{
    static char paths[2][1200];
    static int next;
    char *path = paths[next = 1 - next];
    snprintf(path, sizeof paths[0], "%s/%s-%d%s", t.out, name, t.ranks, file);
    return path;
}

static karman_session *open_session(const char *name, const char *base, const char *more)
{
    char text[TEXT];
    karman_session *session = NULL;
    snprintf(text, sizeof text, "%sin_situ: {run: '%s', %s}\n", base, path_of(name, ""),
             more);
    expect(karman_open_text(MPI_COMM_WORLD, text, NULL, &session) == KARMAN_DONE, name);
    return session;
}

static void step(karman_session *session, player *p, int number)
{
    player_play(p, session, number);
    expect(karman_render(session, number, 0.1 * number) == KARMAN_DONE, "a step");
}

/* Whether orders agree in a key, or both lack it. */
static bool is_same(const json_t *a, const json_t *b, const char *key)
{
    const json_t *one = json_object_get(a, key), *two = json_object_get(b, key);
    return one ? json_equal(one, two) : !two;
}

/* Sends an order, of rank 0, and polls until it is answered. */
static bool order(karman_session *session, const char *run, const json_t *json,
                  char answer[TEXT])
{
    const struct timespec nap = {0, 5 * 1000 * 1000};
    json_t *found = NULL, *log = NULL;
    int state[2] = {0, 0}; /* answered, accepted */
    if (t.rank == 0) {
        expect(steer_order_send(run, json, 0.0, &found) == STATUS_OK, "an order");
    }
    while (!state[0]) {
        karman_poll_steering(session, 0, 0.0);
        nanosleep(&nap, NULL);
        log = t.rank == 0 ? steer_read_last(run, "log.jsonl") : NULL;
        const json_t *own = json_object_get(log, "order");
        if (log && is_same(own, json, "config") && is_same(own, json, "name") &&
            is_same(own, json, "value")) {
            state[0] = 1;
            state[1] = json_is_true(json_object_get(log, "accepted"));
            snprintf(answer, TEXT, "%s",
                     json_string_value(json_object_get(log, "message")));
        }
        json_decref(log);
        parallel_bcast(state, 2, MPI_INT, 0, MPI_COMM_WORLD);
    }
    return state[1] != 0;
}

/* The order change with up to three texts. */
static bool change(karman_session *session, const char *name, const char *const *texts,
                   char answer[TEXT])
{
    json_t *config = json_array();
    for (int n = 0; n < 3 && texts[n]; n++) {
        json_array_append_new(config, json_string(texts[n]));
    }
    json_t *json = json_pack("{s:s, s:o}", "order", "change", "config", config);
    const bool accepted = order(session, path_of(name, ""), json, answer);
    json_decref(json);
    return accepted;
}

static bool has_frame(const char *name, const char *file)
{
    return access(path_of(name, file), R_OK) == 0;
}

/* ---- Changes ----------------------------------------------------------------------- */

/* Changes, and the config that they lead to. */
static const struct {
    const char *texts[3], *after;
} changes[] = {
    {{"layers.1.shown=false"}, IMAGE CAMERA "layers: [" VOLUME "]\n"},
    {{"layers.0.shown=false"}, IMAGE CAMERA "layers: [" CONTOUR "]\n"},
    {{"layers.0=null"}, IMAGE CAMERA "layers: [" CONTOUR "]\n"},
    {{"layers.+=" ISO}, IMAGE CAMERA "layers: [" VOLUME ", " CONTOUR ", " ISO "]\n"},
    {{"layers.1=" ISO}, IMAGE CAMERA "layers: [" VOLUME ", " ISO "]\n"},
    {{"{layers.0: " ISO ", camera: {fov: 25}}"},
     IMAGE "camera: {position: [9, -9, 7], look_at: [3, 0, 2], fov: 25}\n"
           "layers: [" ISO ", " CONTOUR "]\n"},
    {{"image: {width: 64}", "layers: [" CONTOUR "]"},
     "image: {width: 64, height: 36}\n" CAMERA "layers: [" CONTOUR "]\n"},
    {{"clip.0={point: [3, 0, 0], normal: [1, 0, 0]}", "annotations.title=cut", NULL},
     NULL},
    {{"clip=[{point: [3, 0, 0], normal: [1, 0, 0]}]", "layers.0.volume.opacity=null",
      "layers.0.volume.extinction=[[0, 0.5], [1, 0.9]]"},
     IMAGE CAMERA "clip: [{point: [3, 0, 0], normal: [1, 0, 0]}]\n"
                  "layers: [{volume: {field: pressure, range: [-1, 1], extinction: [[0, "
                  "0.5], [1, 0.9]], unit_length: 1}}, " CONTOUR "]\n"},
    {{"layers.0.volume.opacity_by_gradient=[[0, 0], [0.4, 1]]", "layers.1=null"},
     IMAGE CAMERA "layers: [{volume: {field: pressure, range: [-1, 1], opacity: [[0, "
                  "0.4], [1, 0.6]], unit_length: 1, opacity_by_gradient: [[0, 0], [0.4, "
                  "1]]}}]\n"},
    {{"background=[1, 1, 1]"}, NULL},
    {{"image.background=[1, 1, 1]", "partition=screen"}, NULL},
    {{"data.gamma=1.3", "lights=[{direction: [1, 0, 0]}]"}, IMAGE CAMERA LAYERS},
};

/* A change draws at the next call, although no picture is due. */
static void check_change(int number)
{
    char name[32], alone[32], answer[TEXT], what[2 * TEXT];
    const char *after = changes[number].after;
    snprintf(name, sizeof name, "change%d", number);
    snprintf(alone, sizeof alone, "alone%d", number);
    karman_session *session = open_session(name, IMAGE CAMERA LAYERS, "every: 1000");
    player *p = player_open(t.data, 4);
    player_describe(p, session);
    step(session, p, 0);
    const bool accepted = change(session, name, changes[number].texts, answer);
    snprintf(what, sizeof what, "%s: %s", changes[number].texts[0], answer);
    expect(accepted == (after != NULL), what);
    step(session, p, 1);
    karman_close(&session);
    expect(t.rank != 0 || has_frame(name, "/frames/frame_000001.png") == (after != NULL),
           what);
    if (after) {
        session = open_session(alone, after, "every: 1");
        player_describe(p, session);
        step(session, p, 1);
        karman_close(&session);
        expect(t.rank != 0 ||
                   same_pngs(path_of(name, "/frames/frame_000001.png"),
                             path_of(alone, "/frames/frame_000001.png"), 0, 0.0),
               what);
    }
    player_close(&p);
}

/* ---- Refusals ---------------------------------------------------------------------- */

static const char *const refusals[][2] = {
    {"layers.1.shown=perhaps", "expected true or false"},
    {"layers.7.shown=true", "no index of a list of 2"},
    {"layers.9=null", "no such key"},
    {"layers.+={isosurfac: {}}", "did you mean 'isosurface'?"},
    {"layers.+={volume: {}}", "at most one"},
    {"layers.0.volume.field=presure", "did you mean 'pressure'?"},
    {"layers=[]", "empty"},
    {"output.frames=/tmp/elsewhere_%d.png", "cannot be changed while the program runs"},
    {"output: {frames: /tmp/elsewhere_%d.png}", "cannot be changed"},
    {"data.file=other.h5", "cannot be changed"},
    {"in_situ.run=elsewhere", "cannot be changed"},
    {"image: {width: 30000, height: 30000}", "an order may ask for"},
    {"camra.fov=20", "did you mean 'camera'?"},
    {"camera: [1, 2", "the change:2: not YAML"},
    {"nonsense", "expected a mapping"},
    {"{}", "empty"},
    {"pictures.front.camera.fov=20", "the pictures are frame"},
    {"every=often", "expected none or a whole number"},
    {"when={field: presure, above: 1}", "did you mean 'pressure'?"},
    {"when={field: pressure}", "needs above, below or change"},
    {"pictures.+={camera: {fov: 20}}", "a new picture needs a name"},
    {"pictures.+={name: frame}", "is that of picture 0, too"},
    {"pictures.+={name: b, output: {frames: /tmp/elsewhere_%d.png}}",
     "cannot be changed"},
    {"pictures.+={name: b, camra: {fov: 20}}", "did you mean 'camera'?"},
    {"pictures.frame=null", "in_situ.pictures"},
};

/* Orders and answers so far in a run directory. */
static int count_orders(const char *run)
{
    json_t *last = NULL;
    int count = -1;
    if (steer_read_json(path_of(run, ""), "status.json", &last) == STATUS_OK) {
        count = (int)json_integer_value(json_object_get(last, "sequence"));
    }
    json_decref(last);
    return count;
}

/* A client finds the same error before anything is sent; NULL: none. */
static void check_client(const char *run, const char *text, const char *part)
{
    const char *words[] = {"change", text};
    char what[2 * TEXT];
    json_t *order = NULL;
    const int before = t.rank == 0 ? count_orders(run) : 0;
    if (t.rank != 0) {
        return;
    }
    base_fail_set_message("");
    status s = steer_order_parse(path_of(run, ""), 2, words, &order);
    s = s == STATUS_OK ? insitu_client_check(path_of(run, ""), order) : s;
    snprintf(what, sizeof what, "a client should answer %s with '%s', not: %d %s", text,
             part ? part : "nothing", (int)s, base_fail_message());
    expect(part ? s != STATUS_OK && strstr(base_fail_message(), part) : s == STATUS_OK,
           what);
    expect(count_orders(run) == before, "a check sends something");
    base_fail_set_message("");
    json_decref(order);
}

static void check_refusals(void)
{
    char answer[TEXT], what[2 * TEXT];
    karman_session *session = open_session("refused", IMAGE CAMERA LAYERS, "every: 1000");
    player *p = player_open(t.data, 4);
    player_describe(p, session);
    step(session, p, 0);
    for (size_t n = 0; n < sizeof refusals / sizeof refusals[0]; n++) {
        const char *texts[] = {refusals[n][0], NULL};
        check_client("refused", refusals[n][0], refusals[n][1]);
        const bool accepted = change(session, "refused", texts, answer);
        snprintf(what, sizeof what, "%s should be refused with '%s', not: %s",
                 refusals[n][0], refusals[n][1], answer);
        expect(!accepted && (t.rank != 0 || strstr(answer, refusals[n][1])), what);
    }
    check_client("refused", "camera.fov=20", NULL);
    check_client("refused", "pictures.+={name: near, every: 5, camera: {fov: 20}}", NULL);
    step(session, p, 1);
    karman_close(&session);
    player_close(&p);
    expect(t.rank != 0 || !has_frame("refused", "/frames/frame_000001.png"),
           "a refused change was drawn");
}

/* ---- Keys that may be missing ------------------------------------------------------ */

/* The order set, in the words of a client. */
static bool set(karman_session *session, const char *run, const char *key,
                const char *value, char answer[TEXT])
{
    const char *words[] = {"set", key, value};
    json_t *json = NULL;
    bool accepted = false;
    const status s =
        t.rank == 0 ? steer_order_parse(path_of(run, ""), 3, words, &json) : STATUS_OK;
    if (parallel_agree(MPI_COMM_WORLD, s) == STATUS_OK) {
        accepted = order(session, path_of(run, ""), json, answer);
    } else {
        snprintf(answer, TEXT, "%s", base_fail_message());
    }
    json_decref(json);
    return accepted;
}

/* The value of a setting in parameters.json: "5", "\"none\"". */
static bool has_value(const char *run, const char *key, const char *value)
{
    json_t *all = NULL, *item;
    bool has = false;
    size_t n;
    steer_read_json(path_of(run, ""), "parameters.json", &all);
    json_array_foreach(json_object_get(all, "parameters"), n, item)
    {
        char *text = json_dumps(json_object_get(item, "value"), JSON_ENCODE_ANY);
        const char *name = json_string_value(json_object_get(item, "name"));
        has = has || (strcmp(name, key) == 0 && strcmp(text, value) == 0);
        free(text);
    }
    json_decref(all);
    return has;
}

static void check_none(void)
{
    static const char *const keys[] = {"every", "interval"};
    char answer[TEXT];
    karman_session *session =
        open_session("lacking", IMAGE CAMERA LAYERS, "times: [1e9]");
    player *p = player_open(t.data, 4);
    player_describe(p, session);
    step(session, p, 0);
    for (int n = 0; n < 2; n++) {
        expect(set(session, "lacking", keys[n], "none", answer), answer);
        expect(set(session, "lacking", keys[n], "50", answer), answer);
        expect(t.rank != 0 || has_value("lacking", keys[n], n == 0 ? "50" : "50.0"),
               "a number in the place of none");
        expect(!set(session, "lacking", keys[n], "no", answer),
               "a word that is no number");
        expect(set(session, "lacking", keys[n], "none", answer), answer);
        expect(t.rank != 0 || has_value("lacking", keys[n], "\"none\""),
               "none in the place of a number");
    }
    step(session, p, 1);
    karman_close(&session);
    player_close(&p);
}

/* ---- Several pictures, and the pace of redrawing ----------------------------------- */

static void check_pictures(void)
{
    static const char *const one[] = {"pictures.b.layers.0.shown=false",
                                      "pictures.a={camera: {fov: 25}}", NULL};
    static const char *const unnamed[] = {"camera.fov=25", NULL};
    char answer[TEXT];
    karman_session *session =
        open_session("both", IMAGE CAMERA LAYERS,
                     "redraw_on_change: false, pictures: [{name: a, every: 1000}, {name: "
                     "b, every: 2}]");
    player *p = player_open(t.data, 4);
    player_describe(p, session);
    step(session, p, 0);
    expect(!change(session, "both", unnamed, answer), "a change without a picture");
    expect(change(session, "both", one, answer), answer);
    json_t *state = NULL;
    if (t.rank == 0 &&
        steer_read_json(path_of("both", ""), "status.json", &state) == STATUS_OK) {
        expect(json_array_size(json_object_get(state, "waiting")) == 2 &&
                   json_is_false(json_object_get(state, "soon")),
               "status.json does not name the changed pictures");
    }
    json_decref(state);
    step(session, p, 1);
    step(session, p, 2);
    karman_close(&session);
    player_close(&p);
    expect(t.rank != 0 || (!has_frame("both", "/frames/a_000001.png") &&
                           !has_frame("both", "/frames/b_000001.png") &&
                           has_frame("both", "/frames/b_000002.png")),
           "redraw_on_change: false");
}

/* Steps 1 to 3, with an order before each of them, and the pictures that they draw. */
static const struct {
    const char *texts[3];
    const char *drawn[3], *left[3];
} times[] = {
    {{"pictures.a.every=1", "pictures.b.interval=none", "pictures.b.every=none"},
     {"a"},
     {"b"}},
    {{"pictures.+={name: c, every: 2, camera: {fov: 25}}", "pictures.a=null"},
     {"c"},
     {"a", "b"}},
    {{"pictures.c={every: 3, camera: {fov: 30}}", "pictures.b.every=1",
      "pictures.b.when={field: pressure, above: 1e30}"},
     {"c"},
     {"a", "b"}},
    {{"pictures.b.when=none", "pictures.c=null"}, {"b"}, {"c"}},
};

/* Times of pictures, and their number, change while the program runs. */
static void check_times(void)
{
    char answer[TEXT], file[64];
    karman_session *session = open_session("times", IMAGE CAMERA LAYERS,
                                           "pictures: [{name: a, every: 1000}, {name: b, "
                                           "every: 1000, interval: 100}]");
    player *p = player_open(t.data, 4);
    player_describe(p, session);
    step(session, p, 0);
    for (int n = 0; n < (int)(sizeof times / sizeof times[0]); n++) {
        expect(change(session, "times", times[n].texts, answer), answer);
        step(session, p, n + 1);
        for (int k = 0; k < 3 && t.rank == 0; k++) {
            const char *drawn = times[n].drawn[k], *left = times[n].left[k];
            snprintf(file, sizeof file, "/frames/%s_%06d.png", drawn ? drawn : "", n + 1);
            expect(!drawn || has_frame("times", file), file);
            snprintf(file, sizeof file, "/frames/%s_%06d.png", left ? left : "", n + 1);
            expect(!left || !has_frame("times", file), file);
        }
    }
    karman_close(&session);
    session = open_session(
        "times_alone",
        IMAGE LAYERS "camera: {position: [9, -9, 7], look_at: [3, 0, 2], fov: 25}\n",
        "every: 1");
    player_describe(p, session);
    step(session, p, 2);
    karman_close(&session);
    expect(t.rank != 0 ||
               same_pngs(path_of("times", "/frames/c_000002.png"),
                         path_of("times_alone", "/frames/frame_000002.png"), 0, 0.0),
           "an added picture is that of its config");
    player_close(&p);
}

/* Sends an order without waiting for its answer. */
static void send_order(const char *run, const char *name)
{
    json_t *answer = NULL, *json = json_pack("{s:s}", "order", name);
    steer_order_send(run, json, 0.0, &answer);
    json_decref(answer);
    json_decref(json);
}

static void *resume_later(void *run)
{
    const struct timespec nap = {1, 0};
    nanosleep(&nap, NULL);
    send_order(run, "resume");
    return NULL;
}

/* A change that waits for the next picture is drawn when the program is halted. */
static void check_halt(void)
{
    char answer[TEXT], run[1200];
    const char *const texts[] = {"camera.fov=41", NULL};
    karman_session *session =
        open_session("halt", IMAGE CAMERA LAYERS, "redraw_on_change: false, every: 1000");
    player *p = player_open(t.data, 4);
    pthread_t thread;
    player_describe(p, session);
    step(session, p, 0);
    expect(change(session, "halt", texts, answer), answer);
    snprintf(run, sizeof run, "%s", path_of("halt", ""));
    if (t.rank == 0) {
        send_order(run, "halt");
        expect(pthread_create(&thread, NULL, resume_later, run) == 0, "a thread");
    }
    int over[2] = {0, 0}; /* drawn, resumed long since */
    for (const double begin = base_clock(); !over[0] && !over[1];) {
        karman_poll_steering(session, 1, 0.1); /* waits from the halt to the end of it */
        over[0] = has_frame("halt", "/frames/frame_000001.png");
        over[1] = base_clock() - begin > 20.0;
        parallel_bcast(over, 2, MPI_INT, 0, MPI_COMM_WORLD);
    }
    expect(over[0], "a change from before the halt is not drawn");
    if (t.rank == 0) {
        pthread_join(thread, NULL);
    }
    karman_close(&session);
    player_close(&p);
}

/* Many changes draw no more than a picture a second. */
static void check_pace(void)
{
    enum { CHANGES = 60 };
    char answer[TEXT], text[64];
    const char *const texts[] = {text, NULL};
    karman_session *session = open_session("pace", IMAGE CAMERA LAYERS, "every: 1000");
    player *p = player_open(t.data, 4);
    player_describe(p, session);
    step(session, p, 0);
    const double begin = base_clock();
    for (int n = 0; n < CHANGES; n++) {
        snprintf(text, sizeof text, "camera.fov=%d", 20 + n);
        expect(change(session, "pace", texts, answer), answer);
        karman_render(session, n + 1, 0.1);
    }
    int frames = 0;
    for (int n = 0; n < CHANGES && t.rank == 0; n++) {
        char file[64];
        snprintf(file, sizeof file, "/frames/frame_%06d.png", n + 1);
        frames += has_frame("pace", file);
    }
    expect(t.rank != 0 || (frames >= 1 && frames <= base_clock() - begin + 2.0),
           "more than a picture a second");
    karman_close(&session);
    player_close(&p);
}

/* Menus name what there is. */
static void check_menus(void)
{
    karman_session *session = open_session("menus", IMAGE, "every: 1000");
    player *p = player_open(t.data, 4);
    player_describe(p, session);
    step(session, p, 0);
    const struct timespec nap = {0, 300 * 1000 * 1000};
    nanosleep(&nap, NULL); /* parameters.json is rewritten every 0.2 s */
    karman_poll_steering(session, 0, 0.0);
    json_t *table = NULL;
    const json_t *entry;
    size_t n;
    int fields = 0, maps = 0, methods = 0, shown = 0, camera = 0, unset = 0;
    if (t.rank == 0) {
        steer_read_json(path_of("menus", ""), "parameters.json", &table);
    }
    json_array_foreach(json_object_get(table, "parameters"), n, entry)
    {
        const char *name = json_string_value(json_object_get(entry, "name"));
        const int count = (int)json_array_size(json_object_get(entry, "choices"));
        fields += strcmp(name, "layers.0.volume.field") == 0 ? count : 0;
        maps += strcmp(name, "layers.0.volume.colors") == 0 ? count : 0;
        methods += strcmp(name, "layers.0.volume.method") == 0 ? count : 0;
        shown += strcmp(name, "layers.1.shown") == 0;
        camera += strcmp(name, "camera.position") == 0;
        unset += strcmp(name, "camera.near") == 0 || strcmp(name, "camera.far") == 0 ||
                 strcmp(name, "clip") == 0 || strcmp(name, "lights") == 0 ||
                 strcmp(name, "every") == 0 || strcmp(name, "when") == 0;
    }
    json_decref(table);
    expect(t.rank != 0 || (fields > 4 && maps > 2 && methods == 3 && shown == 1 &&
                           camera && unset == 6),
           "menus of an open config");
    karman_close(&session);
    player_close(&p);
}

int main(int argc, char **argv)
{
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (argc != 3) {
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    t.data = argv[1];
    t.out = argv[2];
    t.rank = parallel_rank(MPI_COMM_WORLD);
    t.ranks = parallel_size(MPI_COMM_WORLD);
    for (int n = 0; n < (int)(sizeof changes / sizeof changes[0]); n++) {
        check_change(n);
    }
    check_refusals();
    check_none();
    check_pictures();
    check_times();
    check_halt();
    check_pace();
    check_menus();
    int failures = 0;
    MPI_Allreduce(&t.failures, &failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return failures > 0;
}
