#include "test_steer_support.h"

#include "base/log.h"
#include "support/file.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int failures;
static char folder[512];
static const char *test_name;

void check(bool holds, const char *format, ...)
{
    if (holds) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "FAILED on rank %d: %s: ", parallel_rank(MPI_COMM_WORLD), test_name);
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
    failures++;
}

bool is_root(void)
{
    return parallel_rank(MPI_COMM_WORLD) == 0;
}

const char *run_folder(void)
{
    return folder;
}

void run_test(const char *name, void (*test)(void))
{
    char base[256] = "";
    test_name = name;
    if (is_root()) {
        test_temporary_create(base, sizeof base);
    }
    MPI_Bcast(base, sizeof base, MPI_CHAR, 0, MPI_COMM_WORLD);
    snprintf(folder, sizeof folder, "%s/run", base);
    base_fail_set_message("");
    base_log_configure(false);
    test();
    MPI_Barrier(MPI_COMM_WORLD);
    if (is_root()) {
        test_tree_remove(base);
        printf("%s: %s\n", failures ? "failures so far" : "ok", name);
        fflush(stdout);
    }
}

int finish_tests(void)
{
    int all = 0;
    MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return all > 0;
}

/* ---- Programs ---------------------------------------------------------------------- */

static status refuse_odd(void *context, const char *name, const steer_value *value)
{
    (void)context;
    return (int64_t)value->numbers[0] % 2 != 0
               ? base_fail(STATUS_USAGE, "%s must be even", name)
               : STATUS_OK;
}

steer_run *open_run(bool goes_on)
{
    static const steer_parameter a = {"a", STEER_REAL, 1,   0,   10,
                                      0,   NULL,       "s", "A", false};
    static const steer_parameter b = {"b", STEER_REAL, 3,    -1e9, 1e9,
                                      0,   NULL,       NULL, "B",  false};
    static const steer_parameter c = {"c", STEER_INT, 1,    0,   100,
                                      0,   NULL,      NULL, "C", false};
    const steer_value one = {{1.0}, ""}, zero = {{0.0}, ""};
    steer_run *run = NULL;
    status s = steer_run_create(MPI_COMM_WORLD, folder, "test",
                                &(steer_options){.goes_on = goes_on}, &run);
    check(s == STATUS_OK, "%s", base_fail_message());
    if (s != STATUS_OK) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    s = steer_run_register(run, &a, &one, NULL, NULL);
    s = s == STATUS_OK ? steer_run_register(run, &b, &zero, NULL, NULL) : s;
    s = s == STATUS_OK ? steer_run_register(run, &c, &zero, refuse_odd, NULL) : s;
    check(s == STATUS_OK, "%s", base_fail_message());
    return run;
}

double value_of_a(const steer_run *run)
{
    return steer_run_value(run, "a")->numbers[0];
}

void nap(void)
{
    nanosleep(&(struct timespec){0, 25 * 1000 * 1000}, NULL);
}

static bool orders_wait(void)
{
    int waits = 0;
    char path[600];
    snprintf(path, sizeof path, "%s/orders", folder);
    DIR *listing = is_root() ? opendir(path) : NULL;
    for (struct dirent *entry; listing && (entry = readdir(listing));) {
        const char *end = strrchr(entry->d_name, '.');
        waits |= entry->d_name[0] != '.' && strcmp(end ? end : "", ".json") == 0;
    }
    if (listing) {
        closedir(listing);
    }
    MPI_Bcast(&waits, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return waits;
}

static void add_orders(steer_orders *all, const steer_orders *more)
{
    all->state = more->state;
    all->changed |= more->changed;
    all->single_step |= more->single_step;
    all->redraw |= more->redraw;
}

steer_orders poll_all(steer_run *run, int64_t cycle)
{
    steer_orders all = {.state = STEER_RUNNING};
    for (bool waits = true; waits;) { /* without a time limit: ctest ends a hang */
        nap();
        steer_orders more = steer_run_poll(run, cycle, 0.5 * (double)cycle);
        add_orders(&all, &more);
        waits = orders_wait();
    }
    return all;
}

void run_program(steer_run *run, int64_t cycles, int patience, trace *told)
{
    for (int64_t cycle = 0; cycle < cycles; cycle++) {
        for (int n = 0; n < patience && told->count < MAX_TRACE; n++) {
            steer_orders orders = steer_run_poll(run, cycle, 0.5 * (double)cycle);
            told->at[told->count].orders = orders;
            told->at[told->count].cycle = cycle;
            told->at[told->count++].a = value_of_a(run);
            if (orders.state != STEER_HALTED || orders.single_step) {
                break;
            }
        }
    }
}

/* ---- Files ------------------------------------------------------------------------- */

void put_file(const char *name, const char *text)
{
    char path[700];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (is_root()) {
        test_file_put(path, text);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

void put_order(const char *name, const char *text)
{
    char file[128];
    snprintf(file, sizeof file, "orders/%s.json", name);
    put_file(file, text);
}

json_t *read_json(const char *name)
{
    char path[700];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return is_root() ? json_load_file(path, 0, NULL) : NULL;
}

json_t *read_lines(const char *name)
{
    char path[700];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = is_root() ? fopen(path, "r") : NULL;
    json_t *lines = is_root() ? json_array() : NULL;
    json_t *line;
    while (file && (line = json_loadf(file, JSON_DISABLE_EOF_CHECK, NULL))) {
        json_array_append_new(lines, line);
    }
    if (file) {
        fclose(file);
    }
    return lines;
}

bool exists(const char *name)
{
    char path[700];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    int there = is_root() && access(path, F_OK) == 0;
    MPI_Bcast(&there, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return there;
}

void check_answer(const char *name, bool accepted, const char *message)
{
    char file[128];
    snprintf(file, sizeof file, "answers/%s.json", name);
    json_t *answer = read_json(file);
    if (is_root()) {
        const char *said = json_string_value(json_object_get(answer, "message"));
        check(answer, "order %s has no answer", name);
        check(json_is_true(json_object_get(answer, "accepted")) == accepted,
              "order %s: expected %s, got: %s", name, accepted ? "yes" : "no",
              said ? said : "nothing");
        check(said && strstr(said, message), "order %s: expected '%s' in '%s'", name,
              message, said ? said : "nothing");
    }
    json_decref(answer);
}
