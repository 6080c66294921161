/* Run directories on several ranks: orders, states, floods, repeated logs, and
 * directories that are in use, removed or full. */
#include "test_steer_support.h"

#include "run/steer/client.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Orders ------------------------------------------------------------------------ */

static void orders_take_effect_in_their_order(void)
{
    steer_run *run = open_run(false);
    put_order("3", "{\"order\": \"set\", \"name\": \"a\", \"value\": 0.3}");
    put_order("1", "{\"order\": \"set\", \"name\": \"a\", \"value\": 0.1}");
    put_order("2", "{\"order\": \"set\", \"name\": \"b\", \"value\": [1, 2, 0.1]}");
    steer_orders orders = poll_all(run, 7);
    check(orders.changed && orders.state == STEER_RUNNING && !orders.redraw,
          "wrong orders came out");
    check(value_of_a(run) == 0.3, "expected 0.3, got %g", value_of_a(run));
    check(steer_run_value(run, "b")->numbers[2] == 0.1, "b did not come");
    check_answer("1", true, "a is 0.1");
    check_answer("2", true, "b is 1, 2, 0.1");
    orders = poll_all(run, 8);
    check(!orders.changed, "orders were taken twice");
    json_t *answer = read_json("answers/3.json");
    check(!is_root() || json_integer_value(json_object_get(answer, "cycle")) == 7,
          "the answer has another cycle");
    json_decref(answer);
    json_t *table = read_json("parameters.json");
    const json_t *first = json_array_get(json_object_get(table, "parameters"), 0);
    check(!is_root() || json_number_value(json_object_get(first, "value")) == 0.3,
          "parameters.json is old");
    json_decref(table);
    steer_run_destroy(&run);
}

static void wrong_orders_are_answered(void)
{
    static const char *const wrong[][2] = {
        {"", "not JSON"},
        {"halt", "not JSON"},
        {"{\"order\": \"halt\"", "not JSON"},
        {"{\"order\": \"halt\", \"order\": \"stop\"}", "not JSON"},
        {"[1]", "JSON object"},
        {"{\"order\": \"set\", \"name\": \"a\", \"value\": 11}", "0 to 10"},
        {"{\"order\": \"set\", \"name\": \"a\", \"value\": NaN}", "not JSON"},
        {"{\"order\": \"set\", \"name\": \"a\", \"value\": 1e999}", "not JSON"},
        {"{\"order\": \"set\", \"name\": \"a\", \"value\": \"1\"}", "takes a number"},
        {"{\"order\": \"set\", \"name\": \"b\", \"value\": [1, 2]}", "3 numbers"},
        {"{\"order\": \"set\", \"name\": \"c\", \"value\": 3}", "c must be even"},
        {"{\"order\": \"set\", \"name\": \"../a\", \"value\": 3}", "there is no"},
        {"{\"order\": \"step\"}", "send 'halt'"},
        {"{\"order\": \"\\u00e4\"}", "there is no order"}};
    enum { COUNT = sizeof wrong / sizeof wrong[0] };
    steer_run *run = open_run(false);
    for (int n = 0; n < COUNT; n++) {
        char name[16];
        snprintf(name, sizeof name, "%02d", n);
        put_order(name, wrong[n][0]);
    }
    steer_orders orders = poll_all(run, 1);
    check(!orders.changed && orders.state == STEER_RUNNING,
          "a wrong order did something");
    for (int n = 0; n < COUNT; n++) {
        char name[16];
        snprintf(name, sizeof name, "%02d", n);
        check_answer(name, false, wrong[n][1]);
    }
    check(value_of_a(run) == 1.0 && steer_run_value(run, "c")->numbers[0] == 0.0,
          "a refused value was kept");
    check(base_fail_message()[0] == '\0', "a message is left: %s", base_fail_message());
    steer_run_destroy(&run);
}

/* Registering may have failed on one rank, for example because of memory. */
static void a_parameter_that_a_rank_lacks_is_refused(void)
{
    static const steer_parameter d = {
        .name = "d", .type = STEER_REAL, .count = 1, .min = 0.0, .max = 9.0};
    const steer_value one = {.numbers = {1.0}};
    steer_run *run = open_run(false);
    if (is_root()) {
        check(steer_run_register(run, &d, &one, NULL, NULL) == STATUS_OK, "no d");
    }
    put_order("1", "{\"order\": \"set\", \"name\": \"d\", \"value\": 2}");
    put_order("2", "{\"order\": \"set\", \"name\": \"a\", \"value\": 2}");
    poll_all(run, 1);
    const bool alone = parallel_size(MPI_COMM_WORLD) == 1;
    check_answer("1", alone, alone ? "d is 2" : "not registered on every rank");
    check(value_of_a(run) == 2.0, "the order behind it was not taken");
    steer_run_destroy(&run);
}

/* Files that are not orders stay, and do no harm. */
static void strange_files_are_refused_or_left(void)
{
    steer_run *run = open_run(false);
    char *large = malloc((1 << 16) + 2);
    check(large, "no memory");
    memset(large, ' ', (1 << 16) + 1);
    large[(1 << 16) + 1] = '\0';
    put_order("1", large);
    free(large);
    put_file("orders/readme.txt", "x");
    put_file("orders/.hidden.json", "{\"order\": \"stop\"}");
    put_file("orders/a b.json", "{\"order\": \"stop\"}");
    char path[700];
    snprintf(path, sizeof path, "%s/orders/2.json", run_folder());
    check(!is_root() || mkfifo(path, 0600) == 0, "no pipe");
    snprintf(path, sizeof path, "%s/orders/4.json", run_folder());
    check(!is_root() || mkdir(path, 0700) == 0, "no folder");
    put_order("3", "{\"order\": \"set\", \"name\": \"a\", \"value\": 2}");
    /* Until the right order behind them is taken; ctest ends a test that waits in vain.
     */
    for (int n = 0; n < 5 || value_of_a(run) != 2.0; n++) {
        nap();
        check(steer_run_poll(run, 1, 0.5).state == STEER_RUNNING, "somebody stopped it");
    }
    check_answer("1", false, "more than 65536 bytes");
    check_answer("2", false, "cannot be read");
    check(exists("orders/readme.txt") && exists("orders/a b.json"), "files are gone");
    steer_run_destroy(&run);
}

/* Whatever the umask, only the program's user may write into orders/, and no order is
 * taken from a folder into which others may write. */
static void orders_are_guarded(void)
{
    char path[700];
    struct stat about = {0};
    const mode_t mask = umask(0);
    steer_run *run = open_run(false);
    umask(mask);
    snprintf(path, sizeof path, "%s/orders", run_folder());
    check(!is_root() || (stat(path, &about) == 0 && (about.st_mode & 0777) == 0755),
          "orders/ has the mode %o", (unsigned)about.st_mode);
    check(!is_root() || chmod(path, 0775) == 0, "no chmod");
    put_order("1", "{\"order\": \"set\", \"name\": \"a\", \"value\": 0.7}");
    for (int n = 0; n < 3; n++) {
        nap();
        steer_run_poll(run, 1, 0.5);
    }
    check(value_of_a(run) == 1.0, "an order came from a folder that is open to others");
    check(!is_root() || chmod(path, 0755) == 0, "no chmod");
    poll_all(run, 2);
    check(value_of_a(run) == 0.7, "the order was lost");
    steer_run_destroy(&run);
    const steer_options open = {.group_orders = true};
    check(steer_run_create(MPI_COMM_WORLD, run_folder(), "open", &open, &run) ==
              STATUS_OK,
          "%s", base_fail_message());
    check(!is_root() || (stat(path, &about) == 0 && (about.st_mode & 0777) == 0775),
          "the key does not open orders/: %o", (unsigned)about.st_mode);
    steer_run_destroy(&run);
}

/* A program without pictures refuses changes of their config. */
static void changes_need_pictures(void)
{
    steer_run *run = open_run(false);
    put_order("1", "{\"order\": \"change\", \"config\": [\"a=1\"]}");
    put_order("2", "{\"order\": \"change\", \"config\": []}");
    put_order("3", "{\"order\": \"change\", \"config\": [\"\\u0000a\"]}");
    poll_all(run, 1);
    check_answer("1", false, "draws no pictures");
    check_answer("2", false, "needs a 'config'");
    check_answer("3", false, "not JSON");
    steer_run_destroy(&run);
}

static void states_follow_orders(void)
{
    steer_run *run = open_run(false);
    put_order("1", "{\"order\": \"halt\"}");
    check(poll_all(run, 1).state == STEER_HALTED, "it does not halt");
    put_order("2", "{\"order\": \"step\", \"count\": 2}");
    steer_orders orders = poll_all(run, 1);
    check(orders.state == STEER_HALTED && orders.single_step,
          "the first step is missing");
    orders = steer_run_poll(run, 2, 1.0);
    check(orders.state == STEER_HALTED && orders.single_step, "the second is missing");
    orders = steer_run_poll(run, 3, 1.5);
    check(orders.state == STEER_HALTED && !orders.single_step, "there is a third step");
    put_order("3", "{\"order\": \"redraw\"}");
    orders = poll_all(run, 3);
    check(orders.redraw && orders.state == STEER_HALTED, "nothing is drawn");
    json_t *last = read_json("status.json");
    check(!is_root() ||
              strcmp(json_string_value(json_object_get(last, "state")), "halted") == 0,
          "status.json does not say that it is halted");
    json_decref(last);
    put_order("4", "{\"order\": \"resume\"}");
    check(poll_all(run, 3).state == STEER_RUNNING, "it does not go on");
    put_order("5", "{\"order\": \"stop\"}");
    put_order("6", "{\"order\": \"resume\"}");
    check(poll_all(run, 4).state == STEER_STOPPED, "it does not stop");
    check_answer("6", false, "about to end");
    steer_run_destroy(&run);
    last = read_json("status.json");
    check(!is_root() ||
              strcmp(json_string_value(json_object_get(last, "state")), "finished") == 0,
          "status.json does not say that it has finished");
    json_decref(last);
}

/* More orders than one poll takes: all are carried out in order, and each is answered. */
static void a_flood_is_taken_in_parts(void)
{
    enum { ORDERS = 300 };
    steer_run *run = open_run(false);
    for (int n = 0; n < ORDERS; n++) {
        char name[16], text[100];
        snprintf(name, sizeof name, "%04d", n);
        snprintf(text, sizeof text, "{\"order\":\"set\",\"name\":\"a\",\"value\":%g}",
                 0.01 * n);
        put_order(name, text);
    }
    nap();
    steer_run_poll(run, 1, 0.5);
    check(value_of_a(run) == 0.01 * 63, "expected the value of order 63, got %g",
          value_of_a(run));
    poll_all(run, 2);
    check(value_of_a(run) == 0.01 * (ORDERS - 1), "got %.17g", value_of_a(run));
    check_answer("0000", true, "a is 0");
    check_answer("0299", true, "a is 2.99");
    json_t *lines = read_lines("log.jsonl");
    check(!is_root() || json_array_size(lines) == ORDERS + 1, "the log has %zu lines",
          json_array_size(lines));
    json_decref(lines);
    steer_run_destroy(&run);
}

/* Watches a folder below the run directory on rank 0; returns the watch, or -1. */
static int watch(int notices, const char *name, uint32_t events)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", run_folder(), name);
    int number = is_root() ? inotify_add_watch(notices, path, events) : -1;
    check(!is_root() || number >= 0, "%s cannot be watched", path);
    return number;
}

/* The watch that the first notice belongs to; -1 if there is none. */
static int first_notice(int notices)
{
    union {
        struct inotify_event event;
        char bytes[4096];
    } read_in;
    ssize_t got = read(notices, read_in.bytes, sizeof read_in.bytes);
    return got >= (ssize_t)sizeof read_in.event ? read_in.event.wd : -1;
}

/* An order is in the log by the time its answer appears. */
static void an_order_is_logged_before_it_is_answered(void)
{
    steer_run *run = open_run(false);
    poll_all(run, 1);
    int notices = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    int log = watch(notices, "log.jsonl", IN_MODIFY);
    int answers = watch(notices, "answers", IN_MOVED_TO);
    put_order("1", "{\"order\": \"set\", \"name\": \"a\", \"value\": 2}");
    poll_all(run, 2);
    int first = first_notice(notices);
    check(!is_root() || first == log,
          "first comes notice %d, not %d of the log; %d: answer", first, log, answers);
    check_answer("1", true, "a is 2");
    close(notices);
    steer_run_destroy(&run);
}

/* Uses the functions with which clients make, send and answer orders. */
static void clients_are_answered(void)
{
    static const char *const set[] = {"set", "b", "1,-2,3"};
    static const char *const unknown[] = {"set", "bb", "1,-2,3"};
    steer_run *run = open_run(false);
    steer_run_poll(run, 0, 0.0);
    MPI_Barrier(MPI_COMM_WORLD);
    json_t *order = NULL, *answer = NULL;
    if (is_root()) {
        check(steer_order_parse(run_folder(), 3, set, &order) == STATUS_OK, "%s",
              base_fail_message());
        check(steer_order_send(run_folder(), order, 0.0, &answer) == STATUS_OK && !answer,
              "%s", base_fail_message());
        json_decref(order);
        check(steer_order_parse(run_folder(), 3, unknown, &order) == STATUS_USAGE,
              "an unknown name was taken");
        check(strstr(base_fail_message(), "did you mean 'b'"), "%s", base_fail_message());
        base_fail_set_message("");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    check(poll_all(run, 1).changed, "the order did not come");
    check(steer_run_value(run, "b")->numbers[1] == -2.0, "it has another value");
    steer_run_destroy(&run);
    if (is_root()) {
        order = json_pack("{s:s}", "order", "halt");
        check(steer_order_send(run_folder(), order, 0.0, &answer) == STATUS_INPUT,
              "an order to nobody was sent");
        base_fail_set_message("");
        json_decref(order);
    }
}

/* ---- Logs that are repeated -------------------------------------------------------- */

static bool is_same_moment(const trace *x, const trace *y, int n)
{
    return x->at[n].cycle == y->at[n].cycle && x->at[n].a == y->at[n].a &&
           x->at[n].orders.state == y->at[n].orders.state &&
           x->at[n].orders.changed == y->at[n].orders.changed &&
           x->at[n].orders.single_step == y->at[n].orders.single_step &&
           x->at[n].orders.redraw == y->at[n].orders.redraw;
}

/* A run was changed, halted, inspected, stepped and resumed. Its log repeats this at the
 * same cycles, with the same number of polls. */
static void logs_are_repeated(void)
{
    static const char log[] =
        "{\"event\":\"order\",\"accepted\":true,\"cycle\":1,\"batch\":2,"
        "\"order\":{\"order\":\"set\",\"name\":\"a\",\"value\":9}}\n"
        "{\"event\":\"begin\",\"cycle\":0,\"time\":0}\n"
        "{\"event\":\"order\",\"accepted\":true,\"cycle\":2,\"batch\":5,"
        "\"order\":{\"order\":\"set\",\"name\":\"a\",\"value\":0.1}}\n"
        "{\"event\":\"order\",\"accepted\":false,\"cycle\":2,\"batch\":5,"
        "\"order\":{\"order\":\"stop\"}}\n"
        "{\"event\":\"order\",\"accepted\":true,\"cycle\":3,\"batch\":7,"
        "\"order\":{\"order\":\"halt\"}}\n"
        "{\"event\":\"order\",\"accepted\":true,\"cycle\":3,\"batch\":9,"
        "\"order\":{\"order\":\"set\",\"name\":\"a\",\"value\":0.2}}\n"
        "{\"event\":\"order\",\"accepted\":true,\"cycle\":3,\"batch\":9,"
        "\"order\":{\"order\":\"redraw\"}}\n"
        "{\"event\":\"order\",\"accepted\":true,\"cycle\":3,\"batch\":12,"
        "\"order\":{\"order\":\"step\",\"count\":2}}\n"
        "{\"event\":\"order\",\"accepted\":true,\"cycle\":5,\"batch\":20,"
        "\"order\":{\"order\":\"resume\"}}\n"
        "{\"event\":\"ord"; /* of a run that was killed */
    trace first = {0}, second = {0};
    steer_run *run = open_run(false);
    put_file("old.jsonl", log);
    char path[700];
    snprintf(path, sizeof path, "%s/old.jsonl", run_folder());
    check(steer_run_replay(run, path) == STATUS_OK, "%s", base_fail_message());
    run_program(run, 8, 10, &first);
    steer_run_destroy(&run);
    check(first.at[1].a == 1.0 && first.at[2].a == 0.1, "0.1 comes at cycle 2");
    check(first.at[3].orders.state == STEER_HALTED && first.at[3].a == 0.1,
          "it halts at cycle 3");
    check(first.at[4].orders.redraw && first.at[4].a == 0.2, "0.2 comes while it waits");
    check(first.at[5].orders.single_step && first.at[6].orders.single_step &&
              first.at[6].cycle == 4,
          "two steps follow");
    check(first.at[7].orders.state == STEER_RUNNING && first.at[7].cycle == 5,
          "it goes on at cycle 5");
    check(first.count == 10, "there were %d polls", first.count);

    /* The log of the repeated run repeats it once more, from a file in the directory. */
    char *text = NULL;
    json_t *lines = read_lines("log.jsonl");
    size_t used = 0, size = 1 << 16;
    text = calloc(1, size);
    for (size_t n = 0; n < json_array_size(lines); n++) {
        char *line = json_dumps(json_array_get(lines, n), JSON_COMPACT);
        used += (size_t)snprintf(text + used, size - used, "%s\n", line);
        free(line);
    }
    json_decref(lines);
    put_file("replay.jsonl", text);
    free(text);
    run = open_run(false);
    check(!exists("replay.jsonl") && exists("replayed.jsonl"), "the log still waits");
    run_program(run, 8, 10, &second);
    steer_run_destroy(&run);
    check(first.count == second.count, "%d polls were %d", first.count, second.count);
    for (int n = 0; n < first.count; n++) {
        check(is_same_moment(&first, &second, n), "poll %d differs", n);
    }
}

static void broken_logs_are_refused(void)
{
    steer_run *run = open_run(false);
    char path[700];
    snprintf(path, sizeof path, "%s/bad.jsonl", run_folder());
    check(steer_run_replay(run, path) == STATUS_INPUT, "a missing log was taken");
    base_fail_set_message("");
    put_file("bad.jsonl", "{\"event\":\"begin\",\"cycle\":0}\nnonsense\n");
    check(steer_run_replay(run, path) == STATUS_INPUT, "a broken log was taken");
    check(strstr(base_fail_message(), "bad.jsonl:2"), "%s", base_fail_message());
    base_fail_set_message("");
    /* Half a line of a killed run, followed by the lines of its continuation, does no
     * harm. */
    put_file("bad.jsonl", "{\"event\":\"begin\",\"cycle\":0}\n{\"ev\n"
                          "{\"event\":\"begin\",\"cycle\":4}\n");
    check(steer_run_replay(run, path) == STATUS_OK, "%s", base_fail_message());
    steer_run_destroy(&run);
}

/* ---- The directory ----------------------------------------------------------------- */

static void a_living_run_keeps_its_directory(void)
{
    steer_run *run = open_run(false), *other = NULL;
    status s = steer_run_create(MPI_COMM_WORLD, run_folder(), "other",
                                &(steer_options){.goes_on = true}, &other);
    check(s == STATUS_OUTPUT && !other, "two programs have one directory");
    check(strstr(base_fail_message(), "is alive"), "%s", base_fail_message());
    base_fail_set_message("");
    put_order("1", "{\"order\": \"halt\"}");
    check(poll_all(run, 1).state == STEER_HALTED, "the first one was disturbed");
    steer_run_destroy(&run);
}

/* Makes the run in the directory look like one that was killed. */
static void kill_run(void)
{
    put_file("run.json", "{\"host\": \"gone\", \"pid\": 1, \"start\": 1}");
    put_file("status.json", "{\"state\": \"running\", \"updated\": 1, \"frames\": 3, "
                            "\"sequence\": 9}");
}

static void a_dead_run_is_taken_over(void)
{
    steer_run *run = open_run(false);
    steer_run_destroy(&run);
    kill_run();
    put_file("monitors.jsonl", "{\"cycle\": 1}\n{\"cyc");
    put_order("old", "{\"order\": \"stop\"}");
    run = open_run(true);
    check(poll_all(run, 5).state == STEER_RUNNING, "it took an old order");
    check_answer("old", false, "ended before");
    const char *names[] = {"residual"};
    steer_run_add_monitors(run, 5, 2.5, 1, names, (double[]){0.125});
    steer_run_destroy(&run);
    if (is_root()) {
        char path[700], text[256];
        snprintf(path, sizeof path, "%s/monitors.jsonl", run_folder());
        FILE *file = fopen(path, "r");
        size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
        text[length] = '\0';
        check(strstr(text, "{\"cycle\": 1}\n{\"cyc\n{\"cycle\":5,") == text,
              "monitors.jsonl is %s", text);
        if (file) {
            fclose(file);
        }
    }
    json_t *last = read_json("status.json");
    check(!is_root() || (json_integer_value(json_object_get(last, "frames")) == 3 &&
                         json_integer_value(json_object_get(last, "sequence")) > 9),
          "it does not go on counting");
    json_decref(last);
    kill_run();
    run = open_run(false);
    check(exists("earlier/001/monitors.jsonl") && !exists("monitors.jsonl"),
          "what an earlier run left is in the way");
    steer_run_destroy(&run);
}

/* Writing fails for a while, then works again, sooner or later: a program that was slow
 * to write waits for some seconds. */
static void a_removed_directory_comes_back(void)
{
    steer_run *run = open_run(false);
    char moved[700];
    snprintf(moved, sizeof moved, "%s-moved", run_folder());
    poll_all(run, 1);
    MPI_Barrier(MPI_COMM_WORLD);
    check(!is_root() || rename(run_folder(), moved) == 0, "it cannot be moved");
    /* A file has taken the place of the directory: writing fails. */
    FILE *file = is_root() ? fopen(run_folder(), "w") : NULL;
    if (file) {
        fclose(file);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    const char *names[] = {"drag", "lift"};
    for (int n = 0; n < 20; n++) {
        nap();
        steer_run_add_monitors(run, n, n, 2, names, (double[]){n, NAN});
        check(steer_run_poll(run, n, n).state == STEER_RUNNING, "it stopped");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    check(!is_root() || unlink(run_folder()) == 0, "the file cannot be removed");
    for (int n = 0;
         !exists("run.json") || !exists("status.json") || !exists("parameters.json");
         n++) {
        nap();
        steer_run_poll(run, 100 + n % 50, n);
    }
    put_order("1", "{\"order\": \"halt\"}");
    check(poll_all(run, 200).state == STEER_HALTED, "it takes no orders any more");
    json_t *lines = read_lines("monitors.jsonl");
    check(!is_root() || json_array_size(lines) == 20, "of 20 samples %zu are there",
          json_array_size(lines));
    const json_t *values = json_object_get(json_array_get(lines, 19), "values");
    check(!is_root() || (json_number_value(json_object_get(values, "drag")) == 19.0 &&
                         json_is_null(json_object_get(values, "lift"))),
          "the last sample is wrong");
    json_decref(lines);
    steer_run_destroy(&run);
    char command[1600];
    snprintf(command, sizeof command, "rm -rf '%s'", moved);
    check(!is_root() || system(command) == 0, "something is left");
}

static void limit_files(rlim_t bytes)
{
    struct rlimit limit;
    signal(SIGXFSZ, SIG_IGN); /* else the first write beyond it would end the program */
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = bytes > 0 ? bytes : limit.rlim_max;
    setrlimit(RLIMIT_FSIZE, &limit);
}

/* Orders are carried out although no answer can be written. */
static void a_full_disk_stops_nobody(void)
{
    steer_run *run = open_run(false);
    poll_all(run, 1);
    put_order("1", "{\"order\": \"set\", \"name\": \"a\", \"value\": 5}");
    limit_files(1);
    check(poll_all(run, 2).changed && value_of_a(run) == 5.0, "the order was not taken");
    steer_run_add_frame(run, "main", "frames/main_000002.png", 2, 1.0, 0.1);
    limit_files(0);
    put_order("2", "{\"order\": \"redraw\"}");
    check(poll_all(run, 3).redraw, "the next one was not taken");
    check_answer("2", true, "drawn");
    json_t *lines = read_lines("frames.jsonl");
    check(!is_root() || json_array_size(lines) == 1, "the picture is not told of");
    json_decref(lines);
    json_t *last = read_json("status.json");
    check(!is_root() || json_integer_value(json_object_get(last, "frames")) == 1,
          "the picture is not counted");
    json_decref(last);
    steer_run_destroy(&run);
}

/* Polling does not lose a failure that has not been reported yet. */
static void messages_survive_polls(void)
{
    steer_run *run = open_run(false);
    put_order("1", "nonsense");
    base_fail(STATUS_INPUT, "somebody's failure");
    poll_all(run, 1);
    check(strcmp(base_fail_message(), "somebody's failure") == 0, "got '%s'",
          base_fail_message());
    check_answer("1", false, "not JSON");
    base_fail_set_message("");
    steer_run_destroy(&run);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    run_test("orders take effect in their order", orders_take_effect_in_their_order);
    run_test("wrong orders are answered", wrong_orders_are_answered);
    run_test("a parameter that a rank lacks is refused",
             a_parameter_that_a_rank_lacks_is_refused);
    run_test("strange files are refused or left", strange_files_are_refused_or_left);
    run_test("orders are guarded", orders_are_guarded);
    run_test("changes need pictures", changes_need_pictures);
    run_test("states follow orders", states_follow_orders);
    run_test("a flood is taken in parts", a_flood_is_taken_in_parts);
    run_test("an order is logged before it is answered",
             an_order_is_logged_before_it_is_answered);
    run_test("clients are answered", clients_are_answered);
    run_test("logs are repeated", logs_are_repeated);
    run_test("broken logs are refused", broken_logs_are_refused);
    run_test("a living run keeps its directory", a_living_run_keeps_its_directory);
    run_test("a dead run is taken over", a_dead_run_is_taken_over);
    run_test("a removed directory comes back", a_removed_directory_comes_back);
    run_test("a full disk stops nobody", a_full_disk_stops_nobody);
    run_test("messages survive polls", messages_survive_polls);
    int code = finish_tests();
    MPI_Finalize();
    return code;
}
