/*
 * What a session promises the program around it.
 *
 *   test_insitu_rules DATA_SET OUT_FOLDER
 *
 * DATA_SET has six steps, which are played (player.h). A rank that expects something else
 * says so; the program fails where one does.
 */
#include "base/parallel/parallel.h"
#include "picture_difference.h"
#include "player.h"
#include "run/steer/client.h"

#include <dirent.h>
#include <malloc.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { STEPS = 6, TEXT = 4096 };

typedef struct test {
    const char *data, *out;
    int rank, ranks, failures;
} test;

static test t;

static void expect(bool works, const char *what)
{
    if (!works) {
        t.failures++;
        printf("rank %d: %s (%s)\n", t.rank, what, karman_message());
    }
}

/* ---- Configs ----------------------------------------------------------------------- */

#define BASE                                                                             \
    "image: {width: 48, height: 36}\n"                                                   \
    "camera: {position: [9, -9, 7], look_at: [3, 0, 2], fov: 60}\n"                      \
    "layers: [{volume: {field: pressure, range: [-1, 1], opacity: [[0, 0.4], [1, "       \
    "0.6]], unit_length: 1}}]\n"

#define ONE "derive: {one: '1 + 0 * pressure'}\n"

/* A run directory of this test and number of ranks. */
static const char *run_of(const char *name)
{
    static char path[1024];
    snprintf(path, sizeof path, "%s/%s-%d", t.out, name, t.ranks);
    return path;
}

/* Opens a session with `in_situ` of these contents, and its run directory. */
static karman_session *open_session(const char *name, const char *in_situ,
                                    const char *base)
{
    char text[TEXT];
    karman_session *session = NULL;
    snprintf(text, sizeof text, "%sin_situ:\n  run: '%s'\n%s", base, run_of(name),
             in_situ);
    int code = karman_open_text(MPI_COMM_WORLD, text, NULL, &session);
    expect(code == KARMAN_DONE && session, "opening");
    return session;
}

static bool has_frame(const char *name, const char *picture, int cycle)
{
    char path[1100];
    snprintf(path, sizeof path, "%s/frames/%s_%06d.png", run_of(name), picture, cycle);
    return access(path, R_OK) == 0;
}

/* Which of the cycles 0 to 5 have a picture, as digits; on rank 0. */
static void expect_frames(const char *name, const char *picture, const char *cycles)
{
    char found[16] = "", what[256];
    for (int cycle = 0; cycle < STEPS && t.rank == 0; cycle++) {
        if (has_frame(name, picture, cycle)) {
            found[strlen(found)] = (char)('0' + cycle);
        }
    }
    snprintf(what, sizeof what, "%s: pictures %s of the cycles '%s', found '%s'", name,
             picture, cycles, found);
    expect(t.rank != 0 || strcmp(found, cycles) == 0, what);
}

static void run_steps(karman_session *session, int seed)
{
    player *p = player_open(t.data, (unsigned)seed);
    player_describe(p, session);
    for (int step = 0; step < STEPS; step++) {
        player_play(p, session, step);
        expect(karman_render(session, step, 0.1 * step) == KARMAN_DONE, "a step");
    }
    karman_close(&session);
    player_close(&p);
}

/* ---- Nothing there ----------------------------------------------------------------- */

static void test_null(void)
{
    karman_session *none = NULL;
    const karman_block block = {.name = "b"};
    const karman_array array = {.data = NULL};
    double value = 1.0;
    const char *name = "n";
    expect(karman_set_block(NULL, 0, &block) == KARMAN_OFF, "NULL: set_block");
    expect(karman_drop_parts(NULL, 0) == KARMAN_OFF, "NULL: drop_parts");
    expect(karman_set_field(NULL, 0, "f", 0, &array) == KARMAN_OFF, "NULL: set_field");
    expect(karman_render(NULL, 0, 0.0) == KARMAN_OFF, "NULL: render");
    expect(karman_poll_steering(NULL, 0, 0.0) == KARMAN_GO_ON, "NULL: poll");
    expect(karman_parameter(NULL, "p", &value, 0, 2, "") == KARMAN_OFF, "NULL: param");
    expect(karman_monitor(NULL, 0, 0.0, 1, &name, &value) == KARMAN_OFF, "NULL: monitor");
    expect(karman_close(&none) == KARMAN_DONE, "NULL: close");
    expect(karman_close(NULL) == KARMAN_DONE, "no session: close");
}

/* ---- Configs that cannot be -------------------------------------------------------- */

static void refuse(const char *config, const char *part)
{
    karman_session *session = NULL;
    char what[512];
    snprintf(what, sizeof what, "a config should be refused with '%s'", part);
    int code = karman_open_text(MPI_COMM_WORLD, config, NULL, &session);
    expect(code == KARMAN_USAGE && !session && strstr(karman_message(), part), what);
}

static void test_configs(void)
{
    refuse(BASE "in_situ: {evry: 3}", "unknown key 'evry'");
    refuse(BASE "in_situ: {mode: halted}", "mode");
    refuse(BASE "in_situ: {every: 0}", "must be at least 1");
    refuse(BASE "in_situ: {interval: 0}", "must be above 0");
    refuse(BASE "in_situ: {times: [2, 1]}", "must ascend");
    refuse(BASE "in_situ: {when: {field: pressure}}", "needs above, below or change");
    refuse(BASE "in_situ: {when: {above: 1}}", "needs a field");
    refuse(BASE "in_situ: {monitors: [{name: a, value: force_x}]}", "needs a plane");
    refuse(BASE "in_situ: {monitors: [{name: a, plane: x=1, walls: true, value: area}]}",
           "one place");
    refuse(BASE "in_situ: {pictures: [{name: a b}]}", "letters");
    refuse(BASE "in_situ: {pictures: [{name: a}, {name: a}]}", "is that of picture 0");
    refuse(BASE "in_situ: {pictures: [{name: a, layerz: 1}]}", "unknown key 'layerz'");
    refuse(BASE "in_situ: {pictures: [{name: a, camera: {fov: 200}}]}", "camera.fov");
    refuse(BASE "in_situ: {pictures: [{name: a}, {name: b}]}\noutput: {frames: '%d.png'}",
           "is the same");
    refuse("image: {width: 0}", "image.width");
    refuse("data: {other: before.h5}", "data.other");
    karman_session *session = NULL;
    expect(karman_open(MPI_COMM_WORLD, "/nowhere.yaml", NULL, &session) ==
                   KARMAN_FAILED &&
               !session,
           "a config that is not there");
}

/* ---- Triggers ---------------------------------------------------------------------- */

static void test_triggers(void)
{
    karman_session *session = open_session(
        "triggers",
        "  every: 4\n"
        "  pictures:\n"
        "    - {name: inherits}\n"
        "    - {name: second, every: 2, image: {width: 32}}\n"
        "    - {name: times, times: [0.05, 0.1, 0.41]}\n"
        "    - {name: interval, interval: 0.2}\n"
        "    - {name: never, when: {field: pressure, above: 1000}}\n"
        "    - {name: always, every: 3, when: {field: vorticity_magnitude, "
        "above: 0.01, below: 1000}}\n"
        "    - {name: low, when: {field: pressure, below: -0.01}}\n"
        "    - {name: mean, when: {field: pressure, value: mean, below: 1}}\n"
        "    - {name: much, when: {field: one, value: integral, below: 1}}\n"
        "    - {name: once, when: {field: pressure, value: mean, change: "
        "9}}\n"
        "    - {name: often, every: 2, when: {field: pressure, change: "
        "1.0e-9}}\n",
        ONE BASE);
    run_steps(session, 5);
    expect_frames("triggers", "inherits", "04");
    expect_frames("triggers", "second", "024");
    expect_frames("triggers", "times", "15");
    expect_frames("triggers", "interval", "024");
    expect_frames("triggers", "never", "");
    expect_frames("triggers", "always", "03");
    expect_frames("triggers", "low", "012345");
    expect_frames("triggers", "mean", "012345");
    expect_frames("triggers", "much", "");
    expect_frames("triggers", "once", "0");
    expect_frames("triggers", "often", "024");
}

/* Monitors have a row at each cycle that is due, whether pictures are or not. */
static void test_monitors(void)
{
    karman_session *session =
        open_session("monitors",
                     "  every: 100\n"
                     "  monitor_every: 2\n"
                     "  monitors:\n"
                     "    - {name: mean, field: pressure}\n"
                     "    - {name: all, field: pressure, value: integral}\n"
                     "    - {name: volume, field: one, value: integral}\n"
                     "    - {name: least, field: pressure, value: min}\n"
                     "    - {name: most, field: pressure, value: max}\n",
                     ONE BASE);
    run_steps(session, 5);
    char path[TEXT], line[TEXT];
    snprintf(path, sizeof path, "%s/monitors.csv", run_of("monitors"));
    FILE *file = t.rank == 0 ? fopen(path, "r") : NULL;
    expect(t.rank > 0 || file, "monitors.csv");
    if (file) {
        expect(fgets(line, sizeof line, file) != NULL &&
                   strcmp(line, "cycle,time,mean,all,volume,least,most\n") == 0,
               "the head of monitors.csv");
        for (int cycle = 0; cycle <= 4; cycle += 2) {
            int its = -1;
            double v[6] = {0.0};
            expect(fgets(line, sizeof line, file) != NULL &&
                       sscanf(line, "%d,%lf,%lf,%lf,%lf,%lf,%lf", &its, &v[0], &v[1],
                              &v[2], &v[3], &v[4], &v[5]) == 7 &&
                       its == cycle,
                   "a row of monitors.csv");
            expect(v[3] > 1.0 && fabs(v[1] * v[3] - v[2]) < 1e-9 * fabs(v[2]) &&
                       v[4] < v[1] && v[1] < v[5],
                   "the values of monitors.csv");
        }
        expect(fgets(line, sizeof line, file) == NULL, "three rows in monitors.csv");
        fclose(file);
    }
}

/* Reads row `row` of a table of monitors, columns from the third on: values[count]. */
static bool read_row(const char *run, int row, int count, double *values)
{
    char path[TEXT], line[4 * TEXT] = "", *rest = line;
    snprintf(path, sizeof path, "%s/monitors.csv", run_of(run));
    FILE *file = fopen(path, "r");
    for (int n = 0; file && n <= row + 1; n++) {
        rest = fgets(line, sizeof line, file);
    }
    for (int n = -2; n < count && rest; n++) {
        char *end = rest;
        const double value = strtod(rest, &end);
        values[n < 0 ? 0 : n] = value;
        rest = end == rest ? NULL : end + (*end == ',');
    }
    if (file) {
        fclose(file);
    }
    return rest != NULL;
}

/* The theorem of Gauss: a pressure of x pushes a closed wall by its volume, at its
 * centre. A plane between two vertices is as large as the faces below it. */
static void test_places(void)
{
#define WALL                                                                             \
    "'cylinder::,0,:;cylinder::,-1,:;cylinder::,:,0;cylinder::,:,-1', pressure: x, "
    karman_session *session = open_session(
        "places",
        "  every: 100\n"
        "  monitors:\n"
        "    - {name: volume, value: volume}\n"
        "    - {name: lever, field: y, value: integral}\n"
        "    - {name: push, wall: " WALL "value: force_x}\n"
        "    - {name: lift, wall: " WALL "value: force_y}\n"
        "    - {name: turn, wall: " WALL "value: moment_z, about: [1, 2, 3]}\n"
        "    - {name: plane, plane: z=1.7, value: area}\n"
        "    - {name: faces, faces: 'cylinder::,:,2', value: area}\n"
        "    - {name: flow, plane: '0,0,2:0,0,1.7', field: '3', value: flux}\n"
        "    - {name: block, block: cylinder, field: pressure, value: mean}\n"
        "    - {name: mean, field: pressure}\n"
        "  pictures: [{name: flows, every: 1, when: {plane: z=1.7, field: pressure,"
        " value: mean, above: 1000}}]\n",
        BASE);
    run_steps(session, 1);
    expect_frames("places", "flows", "");
    double v[10] = {0.0};
    if (t.rank == 0) {
        const double size = read_row("places", 1, 10, v) ? v[0] : 0.0;
        char what[200];
        snprintf(what, sizeof what, "%.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g",
                 v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9]);
        expect(size > 1.0 && fabs(v[2] - size) < 1e-5 * size &&
                   fabs(v[3]) < 1e-5 * size &&
                   fabs(v[4] - (2.0 * size - v[1])) < 1e-5 * size &&
                   fabs(v[5] - v[6]) < 1e-5 * v[5] && v[5] > 1.0 && fabs(v[7]) < v[5] &&
                   v[7] != 0.0 && v[8] == v[9],
               what);
    }
}

/* The place of an extreme has its value; of many such places the one that comes first. */
static void test_extremes(void)
{
#define FAR "field: '(x - 3.1)^2 + (y - 0.7)^2 + (z - 2)^2', "
    karman_session *session = open_session(
        "extremes",
        "  monitors:\n"
        "    - {name: far, " FAR "value: min}\n"
        "    - {name: x, " FAR "value: min_x}\n"
        "    - {name: y, " FAR "value: min_y}\n"
        "    - {name: z, " FAR "value: min_z}\n"
        "    - {name: most, " FAR "value: max}\n"
        "    - {name: most_x, " FAR "value: max_x}\n"
        "    - {name: left, field: x, value: min}\n"
        "    - {name: at_left, field: one, value: max_x}\n"
        "    - {name: at_left_too, field: one, value: min_x}\n"
        "  pictures:\n"
        "    - {name: beyond, every: 1, when: {" FAR "value: min_x, above: 3.5}}\n"
        "    - {name: near, every: 1, when: {" FAR
        "value: min_x, above: 2.5, below: 3.5}}\n",
        ONE BASE);
    run_steps(session, 1);
    expect_frames("extremes", "beyond", "");
    expect_frames("extremes", "near", "012345");
    double v[9] = {0.0};
    if (t.rank == 0) {
        const bool has = read_row("extremes", 0, 9, v);
        const double there = (v[1] - 3.1) * (v[1] - 3.1) + (v[2] - 0.7) * (v[2] - 0.7) +
                             (v[3] - 2.0) * (v[3] - 2.0);
        char what[200];
        snprintf(what, sizeof what, "%.9g at %.9g %.9g %.9g; %.9g %.9g; %.9g %.9g %.9g",
                 v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8]);
        expect(has && v[0] < 0.5 && fabs(there - v[0]) < 1e-5 && v[4] > 10.0 &&
                   (v[5] - 3.1) * (v[5] - 3.1) <= v[4] + 1e-4 &&
                   fabs(v[7] - v[6]) < 1e-6 && v[8] == v[7],
               what);
    }
}

/* ---- Failures ---------------------------------------------------------------------- */

/* One rank describes something wrong: all hear of it, and in the end nobody draws. */
static void test_wrong_descriptions(void)
{
    karman_session *session = open_session("wrong", "  every: 1\n", BASE);
    player *p = player_open(t.data, 3);
    player_describe(p, session);
    player_play(p, session, 0);
    if (t.rank == t.ranks - 1) {
        const karman_block block = {.name = "bent", .size = {1, 2, 2}};
        expect(karman_set_block(session, 99, &block) == KARMAN_USAGE, "a flat block");
    }
    for (int step = 0; step < 3; step++) {
        expect(karman_render(session, step, 0.0) == KARMAN_USAGE, "a wrong description");
        expect(strstr(karman_message(), "bent") != NULL, "who is wrong");
    }
    expect(karman_render(session, 3, 0.0) == KARMAN_OFF, "switched off");
    expect(karman_poll_steering(session, 3, 0.0) == KARMAN_GO_ON, "still polling");
    karman_close(&session);
    player_close(&p);
}

/* Between pictures nobody need hear of it, and at the next one all do. */
static void test_wrong_description_between_pictures(void)
{
    karman_session *session = open_session("between", "  every: 2\n", BASE);
    player *p = player_open(t.data, 3);
    player_describe(p, session);
    player_play(p, session, 0);
    expect(karman_render(session, 0, 0.0) == KARMAN_DONE, "a picture");
    if (t.rank == t.ranks - 1) {
        const karman_block block = {.name = "bent", .size = {1, 2, 2}};
        expect(karman_set_block(session, 99, &block) == KARMAN_USAGE, "a flat block");
    }
    expect(karman_render(session, 1, 0.0) == KARMAN_DONE, "no picture");
    expect(karman_render(session, 2, 0.0) == KARMAN_USAGE, "a wrong description");
    expect(strstr(karman_message(), "bent") != NULL, "who is wrong");
    karman_close(&session);
    player_close(&p);
}

/* A field that nobody has, though only the tenth step is to be drawn. */
static void test_missing_field(void)
{
    karman_session *session =
        open_session("missing", "  every: 10\n",
                     "camera: {position: [9, -9, 7], look_at: [3, 0, 2]}\n"
                     "layers: [{volume: {field: presure, opacity: [[0, 1], [1, 1]]}}]\n");
    player *p = player_open(t.data, 3);
    player_describe(p, session);
    player_play(p, session, 0);
    expect(karman_render(session, 1, 0.0) == KARMAN_FAILED, "a field that is not there");
    expect(strstr(karman_message(), "presure") != NULL, "which field");
    karman_close(&session);
    player_close(&p);
}

static void limit_files(rlim_t bytes)
{
    struct rlimit limit;
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
    setrlimit(RLIMIT_FSIZE, &limit);
}

static int count_leftovers(const char *folder)
{
    DIR *listing = opendir(folder);
    int count = 0;
    for (struct dirent *entry; listing && (entry = readdir(listing));) {
        count += strstr(entry->d_name, ".png") == NULL && entry->d_name[0] != '.';
    }
    if (listing) {
        closedir(listing);
    }
    return count;
}

/* Files may not grow any more: as on a full disk, writing fails. */
static void test_full_disk(void)
{
    static const int full[] = {0, 1, 1, 0, 1, 1, 1};
    static const int codes[] = {KARMAN_DONE,   KARMAN_FAILED, KARMAN_FAILED, KARMAN_DONE,
                                KARMAN_FAILED, KARMAN_FAILED, KARMAN_FAILED};
    enum { FULL_STEPS = sizeof full / sizeof full[0] }; /* test_insitu_failures goes on */
    struct sigaction before, ignore = {.sa_handler = SIG_IGN};
    sigaction(SIGXFSZ, &ignore, &before);
    karman_session *session = open_session("full", "  every: 1\n", BASE);
    player *p = player_open(t.data, 9);
    player_describe(p, session);
    player_play(p, session, 2);
    for (int step = 0; step < FULL_STEPS; step++) {
        char what[64];
        snprintf(what, sizeof what, "step %d on a disk that fills up", step);
        limit_files(full[step] ? 64 : RLIM_INFINITY);
        expect(karman_render(session, step, 0.0) == codes[step], what);
        karman_poll_steering(session, step, 0.0);
    }
    limit_files(RLIM_INFINITY);
    karman_close(&session);
    player_close(&p);
    sigaction(SIGXFSZ, &before, NULL);
    expect_frames("full", "frame", "03");
    char folder[1100];
    snprintf(folder, sizeof folder, "%s/frames", run_of("full"));
    expect(count_leftovers(folder) == 0, "parts of pictures were left");
}

/* ---- Good manners ------------------------------------------------------------------ */

static bool same_handler(int number, const struct sigaction *before)
{
    struct sigaction now;
    sigaction(number, NULL, &now);
    return now.sa_handler == before->sa_handler;
}

static void test_manners(void)
{
    static const int numbers[] = {SIGTERM, SIGINT, SIGPIPE, SIGSEGV, SIGFPE, SIGABRT};
    enum { SIGNALS = sizeof numbers / sizeof numbers[0] };
    struct sigaction before[SIGNALS];
    MPI_Errhandler own, after;
    for (int n = 0; n < SIGNALS; n++) {
        sigaction(numbers[n], NULL, &before[n]);
    }
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &own);
    run_steps(open_session("manners", "  every: 3\n", BASE), 2);
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &after);
    expect(own == after, "another error handler");
    for (int n = 0; n < SIGNALS; n++) {
        expect(same_handler(numbers[n], &before[n]), "another handler of a signal");
    }
}

/* The same grid from other places in memory, in parts of its own. */
static void move_grid(const char *name, unsigned seed, bool drops)
{
    karman_session *session = open_session(name, "  every: 1\n", BASE);
    player *p = player_open(t.data, 21), *q = player_open(t.data, seed);
    player_describe(p, session);
    player_play(p, session, 0);
    expect(karman_render(session, 0, 0.0) == KARMAN_DONE, "the first grid");
    if (drops) {
        player_play(p, NULL, 0); /* its values are overwritten */
        expect(karman_drop_parts(session, 0) == KARMAN_DONE, "no parts any more");
    }
    player_describe(q, session);
    player_play(q, session, 0);
    player_close(&p);
    expect(karman_render(session, 1, 0.0) == KARMAN_DONE, "the second grid");
    karman_close(&session);
    player_close(&q);
    char first[1100], second[1100];
    snprintf(first, sizeof first, "%s/frames/frame_000000.png", run_of(name));
    snprintf(second, sizeof second, "%s/frames/frame_000001.png", run_of(name));
    expect(t.rank != 0 || same_pngs(second, first, 0, 0.02), "a grid that was moved");
}

/* The grid changes: pictures are those of the new one. */
static void test_new_grid(void)
{
    move_grid("moved", 21, false);
    for (unsigned seed = 22; seed < 25; seed++) {
        move_grid("dealt", seed, true);
    }
}

/* Ranks without any part: a grid is asked for. */
static void test_no_parts(void)
{
    karman_session *session = open_session("none", "  every: 1\n", BASE);
    player *p = player_open(t.data, 21);
    player_describe(p, session);
    expect(karman_drop_parts(session, 0) == KARMAN_DONE, "no parts any more");
    expect(karman_render(session, 0, 0.0) == KARMAN_USAGE, "a picture of nothing");
    expect(karman_drop_parts(session, -1) == KARMAN_USAGE, "a negative number");
    karman_close(&session);
    player_close(&p);
}

/* ---- Steering ---------------------------------------------------------------------- */

static char steered[1024]; /* the run directory that the other thread sends orders to */

static bool send_order(int count, const char *const *words, double seconds)
{
    json_t *order = NULL, *answer = NULL;
    bool accepted = steer_order_parse(steered, count, words, &order) == STATUS_OK &&
                    steer_order_send(steered, order, seconds, &answer) == STATUS_OK &&
                    json_is_true(json_object_get(answer, "accepted"));
    json_decref(order);
    json_decref(answer);
    return accepted;
}

static long frames_so_far(void)
{
    json_t *state = NULL;
    long count = -1;
    if (steer_read_json(steered, "status.json", &state) == STATUS_OK) {
        count = (long)json_integer_value(json_object_get(state, "frames"));
    }
    json_decref(state);
    return count;
}

static bool await_frames(long count)
{
    const struct timespec nap = {0, 5 * 1000 * 1000};
    for (int n = 0; n < 60000; n++) {
        if (frames_so_far() >= count) {
            return true;
        }
        nanosleep(&nap, NULL);
    }
    return false;
}

/* Somebody at a terminal: another view of the halted run, a step, other colours, the end.
 * Returns NULL where all orders were taken. */
static void *give_orders(void *context)
{
    static const char *const fov[] = {"set", "camera.fov", "25"};
    static const char *const bad[] = {"set", "layers.0.volume.field", "presure"};
    static const char *const range[] = {"set", "layers.0.volume.range", "-0.5,0.5"};
    static const char *const cfl[] = {"set", "solver.cfl", "0.25"};
    static const char *const step[] = {"step"}, *const stop[] = {"stop"};
    static const char *const redraw[] = {"redraw"};
    (void)context;
    bool works = await_frames(1);
    works = works && send_order(3, fov, 300.0) && await_frames(2);
    works = works && !send_order(3, bad, 300.0);
    works = works && send_order(3, cfl, 300.0);
    works = works && send_order(1, step, 300.0) && await_frames(3);
    works = works && send_order(3, range, 300.0) && await_frames(4);
    works = works && send_order(1, redraw, 300.0) && await_frames(5);
    bool stopped = send_order(1, stop, 300.0);
    return works && stopped ? NULL : steered;
}

static int refuse_value(void *context, double value)
{
    *(double *)context = value;
    return value > 1.0;
}

/* The picture of a step with this view from a session of its own. */
static void draw_alone(const char *name, int step, const char *base)
{
    karman_session *session = open_session(name, "  every: 1\n", base);
    player *p = player_open(t.data, 4);
    player_describe(p, session);
    player_play(p, session, step);
    expect(karman_render(session, step, 0.0) == KARMAN_DONE, name);
    karman_close(&session);
    player_close(&p);
}

static void expect_same(const char *a, const char *b, int step)
{
    char first[1100], second[1100];
    snprintf(first, sizeof first, "%s/frames/frame_%06d.png", run_of(a), step);
    snprintf(second, sizeof second, "%s/frames/frame_%06d.png", run_of(b), step);
    expect(t.rank != 0 || same_pngs(first, second, 0, 0.02), b);
}

#define OTHER(fov, range)                                                                \
    "image: {width: 48, height: 36}\n"                                                   \
    "camera: {position: [9, -9, 7], look_at: [3, 0, 2], fov: " fov "}\n"                 \
    "layers: [{volume: {field: pressure, range: " range ", opacity: [[0, 0.4], [1, "     \
    "0.6]], unit_length: 1}}]\n"

static void test_steering(const char *name, const char *more)
{
    pthread_t thread;
    void *failed = NULL;
    double cfl = 1.0, refused = 0.0;
    int step = 0;
    char base[TEXT];
    snprintf(base, sizeof base, BASE "%s", more);
    karman_session *session = open_session(name, "  mode: halt\n", base);
    snprintf(steered, sizeof steered, "%s", run_of(name));
    player *p = player_open(t.data, 4);
    player_describe(p, session);
    expect(karman_parameter(session, "solver.cfl", &cfl, 0.0, 1.2, "") == KARMAN_DONE,
           "a parameter");
    expect(karman_parameter(session, "solver.cfl", &cfl, 0.0, 1.2, "") == KARMAN_USAGE,
           "the same parameter");
    expect(karman_parameter_callback(session, "solver.limit", 0.5, 0.0, 9.0, "",
                                     refuse_value, &refused) == KARMAN_DONE,
           "a parameter by a function");
    if (t.rank == 0) {
        pthread_create(&thread, NULL, give_orders, NULL);
    }
    for (bool goes_on = true; goes_on && step < STEPS; step++) {
        player_play(p, session, step);
        expect(karman_render(session, step, 0.1 * step) == KARMAN_DONE, "a step");
        goes_on = karman_poll_steering(session, step, 0.1 * step) != KARMAN_STOP;
    }
    if (t.rank == 0) {
        pthread_join(thread, &failed);
    }
    karman_close(&session);
    player_close(&p);
    expect(!failed, "orders");
    expect(step == 2, "one step, then the end");
    expect(cfl == 0.25, "the program's parameter");
}

static void test_views(void)
{
    test_steering("steered", "");
    draw_alone("fov", 0, OTHER("25", "[-1, 1]"));
    draw_alone("range", 1, OTHER("25", "[-0.5, 0.5]"));
    expect_same("steered", "fov", 0);
    expect_same("steered", "range", 1);
    test_steering("screened", "partition: screen\n");
    expect_same("screened", "fov", 0);
    expect_same("screened", "range", 1);
}

/* An order of rank 0 that the next poll finds, which answers it. */
static void leave_order(int count, const char *const *words)
{
    const struct timespec nap = {0, 50 * 1000 * 1000}; /* orders are looked for every
                                                          20 ms */
    if (t.rank == 0) {
        nanosleep(&nap, NULL);
        send_order(count, words, 0.0);
    }
}

/* A picture that is asked for between those that are due bears the cycle of the step that
 * is there. */
static void test_redraw(void)
{
    static const char *const redraw[] = {"redraw"};
    karman_session *session = open_session("redraw", "  every: 5\n", BASE);
    player *p = player_open(t.data, 6);
    snprintf(steered, sizeof steered, "%s", run_of("redraw"));
    player_describe(p, session);
    for (int step = 0; step < 4; step++) {
        player_play(p, session, step);
        expect(karman_render(session, step, 0.1 * step) == KARMAN_DONE, "a step");
        if (step == 2) {
            leave_order(1, redraw);
        }
        expect(karman_poll_steering(session, step, 0.1 * step) == KARMAN_GO_ON,
               "polling");
    }
    karman_close(&session);
    player_close(&p);
    expect_frames("redraw", "frame", "02");
}

/* A range that the config leaves open takes numbers as any other does. */
static void test_open_range(void)
{
    static const char *const range[] = {"set", "layers.0.volume.range", "-0.5,0.5"};
    karman_session *session = open_session("open", "  every: 1\n", OTHER("60", "auto"));
    player *p = player_open(t.data, 4);
    snprintf(steered, sizeof steered, "%s", run_of("open"));
    player_describe(p, session);
    player_play(p, session, 0);
    karman_poll_steering(session, 0, 0.0); /* shows what may be set */
    leave_order(3, range);
    karman_poll_steering(session, 0, 0.0);
    expect(karman_render(session, 0, 0.0) == KARMAN_DONE, "a step");
    karman_close(&session);
    player_close(&p);
    draw_alone("open-alone", 0, OTHER("60", "[-0.5, 0.5]"));
    expect_same("open", "open-alone", 0);
}

/* A step, then a later one, from another side where it turns. */
static void draw_two_steps(const char *name, const char *base, bool turns)
{
    static const char *const fov[] = {"set", "camera.fov", "25"};
    karman_session *session = open_session(name, "  every: 1\n", base);
    player *p = player_open(t.data, 4);
    snprintf(steered, sizeof steered, "%s", run_of(name));
    player_describe(p, session);
    player_play(p, session, 0);
    expect(karman_render(session, 0, 0.0) == KARMAN_DONE, "the first view");
    karman_poll_steering(session, 0, 0.0); /* shows what may be set */
    player_play(p, session, 3);
    if (turns) {
        leave_order(3, fov);
    }
    karman_poll_steering(session, 3, 0.3);
    expect(karman_render(session, 3, 0.3) == KARMAN_DONE, "the second step");
    karman_close(&session);
    player_close(&p);
}

/* Layers that leave their ranges open. */
#define TOOLS(fov)                                                                       \
    "image: {width: 48, height: 36}\n"                                                   \
    "camera: {position: [9, -9, 7], look_at: [3, 0, 2], fov: " fov "}\n"                 \
    "layers: [{contour: {field: pressure, k: 0}}, {particles: {mode: stream, seeds: "    \
    "[{line: [[-1.6, -3, 1], [-1.6, 3, 1]], count: 9}], style: tubes, radius: 0.3, "     \
    "color_by: velocity_x}}]\n"

/* A config of a picture and a view only. */
#define OPEN(fov)                                                                        \
    "image: {width: 48, height: 36}\n"                                                   \
    "camera: {position: [9, -9, 7], look_at: [3, 0, 2], fov: " fov "}\n"

/* Layers, ranges and opacity that were found stay when the view changes; and a config
 * that has nothing draws. */
static void test_open_config(void)
{
    draw_two_steps("open-turned", OPEN("60"), true);
    draw_two_steps("open-still", OPEN("25"), false);
    expect_same("open-turned", "open-still", 3);
    draw_two_steps("all-open", "image: {width: 48, height: 36}\n", true);
    expect_same("all-open", "all-open", 0); /* shows something */
    expect_same("all-open", "all-open", 3);
}

/* A range that was found stays, also where another view makes the picture anew. */
static void test_kept_range(void)
{
    draw_two_steps("kept", OTHER("60", "auto"), true);
    draw_two_steps("kept-anew", OTHER("60", "auto") "partition: screen\n", true);
    expect_same("kept", "kept-anew", 3);
    draw_two_steps("kept-turned", TOOLS("60"), true);
    draw_two_steps("kept-still", TOOLS("25"), false);
    expect_same("kept-turned", "kept-still", 3);
}

/* The grid is described anew, and the old one is gone, after a picture and before the
 * poll that draws again: what is drawn is what there is now, at the poll's cycle. */
static void test_new_grid_before_poll(void)
{
    static const char *const redraw[] = {"redraw"};
    karman_session *session = open_session("anew", "  every: 5\n", BASE);
    player *p = player_open(t.data, 21), *q = player_open(t.data, 21);
    snprintf(steered, sizeof steered, "%s", run_of("anew"));
    player_describe(p, session);
    player_play(p, session, 0);
    expect(karman_render(session, 0, 0.0) == KARMAN_DONE, "the first grid");
    player_describe(q, session);
    player_play(q, session, 3);
    player_close(&p);
    leave_order(1, redraw);
    expect(karman_poll_steering(session, 3, 0.3) == KARMAN_GO_ON, "polling");
    karman_close(&session);
    player_close(&q);
    draw_alone("anew-alone", 3, BASE);
    expect_frames("anew", "frame", "03");
    expect_same("anew", "anew-alone", 3);
}

/* ---- Leaks ------------------------------------------------------------------------- */

static int count_handles(void)
{
    DIR *listing = opendir("/proc/self/fd");
    int count = 0;
    while (listing && readdir(listing)) {
        count++;
    }
    if (listing) {
        closedir(listing);
    }
    return count;
}

static long count_heap(void)
{
    struct mallinfo2 info = mallinfo2();
    return (long)(info.uordblks + info.hblkhd);
}

static void test_leaks(void)
{
    /* The least that malloc gives is 32 bytes: so much for a step would be a leak, and
     * less is what libraries keep for later. */
    enum { BEGIN = 100, END = 500, MOST = 32 * (END - BEGIN) - 1 };
    static const char *const names[] = {"residual"};
    karman_session *session =
        open_session("leaks", "  pictures: [{name: a}, {name: b, every: 5}]\n",
                     "image: {width: 12, height: 9}\n"
                     "camera: {position: [9, -9, 7], look_at: [3, 0, 2], fov: 60}\n"
                     "layers: [{volume: {field: pressure, range: [-1, 1], opacity: [[0, "
                     "0.4], [1, 0.6]], unit_length: 1}}]\n"
                     "output: {}\n");
    player *p = player_open(t.data, 8);
    player_describe(p, session);
    player_play(p, session, 0);
    long heap = 0;
    int handles = 0;
    for (int step = 0; step < END; step++) {
        const double value = 1.0 / (step + 1);
        karman_render(session, step, 0.1 * step);
        karman_monitor(session, step, 0.1 * step, 1, names, &value);
        karman_poll_steering(session, step, 0.1 * step);
        if (step == BEGIN) {
            heap = count_heap();
            handles = count_handles();
        }
    }
    long grown = count_heap() - heap;
    char what[128];
    snprintf(what, sizeof what, "400 steps took %ld bytes and %d handles more", grown,
             count_handles() - handles);
    expect(grown < MOST && count_handles() == handles, what);
    karman_close(&session);
    player_close(&p);
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (argc != 3) {
        fprintf(stderr, "usage: test_insitu_rules DATA_SET OUT_FOLDER\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    t = (test){.data = argv[1],
               .out = argv[2],
               .rank = parallel_rank(MPI_COMM_WORLD),
               .ranks = parallel_size(MPI_COMM_WORLD)};
    static void (*const tests[])(void) = {test_null,
                                          test_configs,
                                          test_triggers,
                                          test_monitors,
                                          test_extremes,
                                          test_places,
                                          test_wrong_descriptions,
                                          test_wrong_description_between_pictures,
                                          test_missing_field,
                                          test_full_disk,
                                          test_manners,
                                          test_new_grid,
                                          test_no_parts,
                                          test_views,
                                          test_redraw,
                                          test_open_range,
                                          test_new_grid_before_poll,
                                          test_kept_range,
                                          test_open_config,
                                          test_leaks};
    for (size_t n = 0; n < sizeof tests / sizeof tests[0]; n++) {
        tests[n]();
        MPI_Barrier(MPI_COMM_WORLD);
    }
    int all = 0;
    parallel_allreduce(&t.failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (t.rank == 0) {
        printf("sessions on %d ranks: %d failures\n", t.ranks, all);
    }
    MPI_Finalize();
    return all > 0;
}
