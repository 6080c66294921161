#include "problem.h"

#include "messages/model/machine.h"
#include "messages/schedule/options.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAMES = 512 };

/* ---- Names ------------------------------------------------------------------------- */

/* Appends ", name". */
static void append_name(char *names, const char *name)
{
    const size_t used = strlen(names);
    snprintf(names + used, MOST_NAMES - used, "%s%s", used > 0 ? ", " : "", name);
}

static status fail_operation(const char *name)
{
    char names[MOST_NAMES] = "";
    for (int n = 0; collective_operation_at(n); n++) {
        append_name(names, collective_operation_at(n)->name);
    }
    return base_fail(STATUS_USAGE, "there is no collective '%.64s': give one of %s", name,
                     names);
}

static status fail_algorithm(const collective_operation *operation, const char *name)
{
    char names[MOST_NAMES] = "";
    const collective_algorithm *algorithm;
    for (int n = 0; (algorithm = collective_algorithm_at(n)); n++) {
        if (algorithm->operation == operation) {
            append_name(names, algorithm->name);
        }
    }
    return base_fail(STATUS_USAGE, "%s has no algorithm '%.64s': give one of %s",
                     operation->name, name, names);
}

status collectives_find(const char *operation, const char *algorithm,
                        collectives_problem *problem)
{
    problem->operation = collective_operation_find(operation);
    if (!problem->operation) {
        return fail_operation(operation);
    }
    problem->algorithm =
        algorithm ? collective_algorithm_find(problem->operation, algorithm) : NULL;
    return algorithm && !problem->algorithm
               ? fail_algorithm(problem->operation, algorithm)
               : STATUS_OK;
}

/* ---- Times ------------------------------------------------------------------------- */

/* Reads up to `end` as the time of a machine. */
static bool read_seconds(const char *text, size_t length, double *seconds)
{
    char pair[80];
    simulate_machine machine = simulate_machine_usual();
    snprintf(pair, sizeof pair, "alpha=%.*s", (int)(length < 64 ? length : 64), text);
    const bool is_one = length > 0 && length < 64 && !memchr(text, ',', length) &&
                        simulate_machine_parse(pair, &machine) == STATUS_OK;
    base_fail_set_message("");
    *seconds = machine.between.latency;
    return is_one && *seconds <= 1e5;
}

status collectives_read_seconds(const char *option, const char *text, double *seconds)
{
    return read_seconds(text, strlen(text), seconds)
               ? STATUS_OK
               : base_fail(
                     STATUS_USAGE,
                     "--%s %.64s: give a time such as 20us, 8.5ns or 1e-6 (seconds)",
                     option, text);
}

static status fail_late(const char *text, int size)
{
    return base_fail(STATUS_USAGE,
                     "--late %.64s: give ranks from 0 to %d with times, like 3:20us or "
                     "0:1ms,7:0.5 (seconds)",
                     text, size - 1);
}

status collectives_read_late(const char *text, collectives_problem *problem)
{
    const int size = problem->problem.size;
    for (const char *at = text;;) {
        char *end;
        const long rank = strtol(at, &end, 10);
        const size_t length = *end == ':' ? strcspn(end + 1, ",") : 0;
        double seconds;
        if (end == at || rank < 0 || rank >= size ||
            !read_seconds(end + 1, length, &seconds)) {
            return fail_late(text, size);
        }
        problem->late[rank] = seconds;
        at = end + 1 + length;
        if (*at == '\0') {
            return STATUS_OK;
        }
        at++;
    }
}

/* ---- Nodes ------------------------------------------------------------------------- */

status collectives_read_nodes(const char *text, int64_t *ranks,
                              collectives_problem *problem)
{
    const status s = messages_options_nodes(text, ranks, &problem->nodes);
    if (s != STATUS_OK) {
        return s;
    }
    if (*ranks > COLLECTIVE_MOST_RANKS) {
        return base_fail(STATUS_USAGE,
                         "--nodes %.64s are %" PRId64 " ranks: give at most %d", text,
                         *ranks, COLLECTIVE_MOST_RANKS);
    }
    problem->machine.nodes = &problem->nodes;
    return STATUS_OK;
}

/* ---- Root and segments --------------------------------------------------------------
 */

static bool has_segments(const collectives_problem *problem)
{
    const collective_algorithm *algorithm;
    for (int n = 0; (algorithm = collectives_at(problem, n)); n++) {
        if (algorithm->has_segments) {
            return true;
        }
    }
    return false;
}

static status check_segment(int64_t segment, const collectives_problem *problem)
{
    const int64_t count = problem->problem.count;
    if (!has_segments(problem)) {
        return base_fail(STATUS_USAGE, "--segment: %s%s%s has no segments: leave it out",
                         problem->operation->name, problem->algorithm ? " " : "",
                         problem->algorithm ? problem->algorithm->name : "");
    }
    if (count > segment * COLLECTIVE_MOST_SEGMENTS) {
        return base_fail(STATUS_USAGE,
                         "--segment %" PRId64 " cuts %" PRId64
                         " elements into more than %d segments: give at least %" PRId64,
                         segment, count, COLLECTIVE_MOST_SEGMENTS,
                         (count + COLLECTIVE_MOST_SEGMENTS - 1) /
                             COLLECTIVE_MOST_SEGMENTS);
    }
    return STATUS_OK;
}

status collectives_set(int64_t root, int64_t segment, collectives_problem *problem)
{
    const int size = problem->problem.size;
    if (root >= size) {
        return base_fail(STATUS_USAGE,
                         "--root %" PRId64 ": %d ranks have the numbers 0 to %d", root,
                         size, size - 1);
    }
    if (root >= 0 && problem->operation && !problem->operation->has_root) {
        return base_fail(STATUS_USAGE, "--root: %s has no root: leave it out",
                         problem->operation->name);
    }
    problem->problem.root = root >= 0 ? (int)root : 0;
    problem->problem.segment = segment >= 0 ? segment : 0;
    return segment >= 0 ? check_segment(segment, problem) : STATUS_OK;
}

const collective_algorithm *collectives_at(const collectives_problem *problem, int n)
{
    const collective_algorithm *algorithm;
    for (int i = 0; (algorithm = collective_algorithm_at(i)); i++) {
        const bool is_asked =
            (!problem->operation || problem->operation == algorithm->operation) &&
            (!problem->algorithm || problem->algorithm == algorithm);
        if (is_asked && n-- == 0) {
            return algorithm;
        }
    }
    return NULL;
}

collective_problem collectives_problem_of(const collectives_problem *problem,
                                          const collective_algorithm *algorithm)
{
    collective_problem own = problem->problem;
    own.root = algorithm->operation->has_root ? own.root : 0;
    own.segment = algorithm->has_segments ? own.segment : 0;
    return own;
}
