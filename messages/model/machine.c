#include "machine.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

simulate_machine simulate_machine_usual(void)
{
    return (simulate_machine){
        .name = "links of 1 Gbit/s",
        .between = {.latency = 26e-6, .overhead = 4e-6, .beta = 1 / 117e6},
        .within = {.latency = 1e-6},
        .ports = 1,
        .receive_ports = 1,
        .duplex = 1,
        .overlaps = true,
        .gamma = 1e-9};
}

double simulate_link_time(const simulate_link *link, double bytes)
{
    const int n = link->npoints;
    if (n == 0) {
        return link->overhead + link->beta * bytes;
    }
    const simulate_point *p = link->points;
    if (n == 1 || bytes >= p[n - 1].bytes) {
        return p[n - 1].seconds + link->beta * (bytes - p[n - 1].bytes);
    }
    int i = 1;
    while (bytes > p[i].bytes) {
        i++;
    }
    const double part = (bytes - p[i - 1].bytes) / (p[i].bytes - p[i - 1].bytes);
    return p[i - 1].seconds + part * (p[i].seconds - p[i - 1].seconds);
}

int simulate_points_find_stalled(int count, const simulate_point *points)
{
    const double is_long = 65536, much = 1.2;
    double least = INFINITY, most = 0;
    int slowest = -1;
    for (int i = 0; i < count; i++) {
        if (points[i].bytes >= is_long) {
            const double byte = points[i].seconds / points[i].bytes;
            least = fmin(least, byte);
            slowest = byte > most ? i : slowest;
            most = fmax(most, byte);
        }
    }
    return most > much * least ? slowest : -1;
}

/* ---- Values by name ---------------------------------------------------------------- */

#define VALUE(key, kind, member, meaning)                                                \
    {                                                                                    \
        key, kind, offsetof(simulate_machine, member), meaning                           \
    }

static const simulate_value values[] = {
    VALUE("alpha", SIMULATE_SECONDS, between.latency, "latency of a message"),
    VALUE("overhead", SIMULATE_SECONDS, between.overhead,
          "time of a port for each message, beside its bytes"),
    VALUE("beta", SIMULATE_SECONDS, between.beta, "time of a port for a byte"),
    VALUE("ports", SIMULATE_COUNT, ports, "of a node, to send"),
    VALUE("receive_ports", SIMULATE_COUNT, receive_ports,
          "of a node, to receive; 0: any number at once"),
    VALUE("half_duplex", SIMULATE_FLAG, half_duplex,
          "ports send and receive, one at a time"),
    VALUE("duplex", SIMULATE_FACTOR, duplex,
          "a byte takes so many times as long while a node sends and receives"),
    VALUE("mixed", SIMULATE_FLAG, is_mixed,
          "messages of all rounds share ports; else earlier rounds go first"),
    VALUE("burst", SIMULATE_SECONDS, burst,
          "work of a port that an idle one saves up, as a token bucket; if mixed"),
    VALUE("fifo", SIMULATE_FLAG, is_fifo, "messages pass a port one after another"),
    VALUE("overlap", SIMULATE_FLAG, overlaps, "a rank blends while messages come"),
    VALUE("agree", SIMULATE_SECONDS, agree,
          "a step of an agreement, of which n ranks take log2 n"),
    VALUE("gamma", SIMULATE_SECONDS, gamma, "time to blend a pixel"),
    VALUE("delta", SIMULATE_SECONDS, delta,
          "time of a core for a byte of a message, at each end"),
    VALUE("cores", SIMULATE_COUNT, cores, "of a node; 0: one for each rank"),
    VALUE("one_host", SIMULATE_FLAG, one_host, "all nodes share the cores of one"),
    VALUE("near_alpha", SIMULATE_SECONDS, within.latency,
          "latency between ranks of a node"),
    VALUE("near_beta", SIMULATE_SECONDS, within.beta,
          "time of a core to read a byte of another rank of its node"),
};

const simulate_value *simulate_machine_value(int n)
{
    return n >= 0 && n < (int)(sizeof values / sizeof values[0]) ? &values[n] : NULL;
}

static const simulate_value *find_value(const char *key, size_t length)
{
    const simulate_value *value;
    for (int n = 0; (value = simulate_machine_value(n)); n++) {
        if (strlen(value->key) == length && memcmp(value->key, key, length) == 0) {
            return value;
        }
    }
    return NULL;
}

/* ---- Machines by name -------------------------------------------------------------- */

/* docs/user/simulate.md has the sources. */
static const struct {
    const char *name, *values;
} machines[] = {{"gigabit", "alpha=26us,overhead=4us,rate=117MB"},
                {"infiniband", "alpha=700ns,overhead=200ns,rate=12GB"},
                {"shared", "alpha=200ns,overhead=100ns,rate=17GB,near_alpha=200ns"}};

enum { MACHINES = sizeof machines / sizeof machines[0] };

/* The values of the machine with the name [at, end); NULL: there is none. */
static const char *find_named(const char *at, const char *end)
{
    const size_t length = (size_t)(end - at);
    for (int n = 0; n < MACHINES; n++) {
        if (strlen(machines[n].name) == length &&
            memcmp(machines[n].name, at, length) == 0) {
            return machines[n].values;
        }
    }
    return NULL;
}

bool simulate_machine_is_named(const char *text)
{
    return find_named(text, text + strcspn(text, ",")) != NULL;
}

/* ---- Text -------------------------------------------------------------------------- */

typedef struct unit {
    const char *name;
    double factor;
} unit;

static const unit times[] = {{"s", 1},     {"ms", 1e-3},  {"us", 1e-6},
                             {"ns", 1e-9}, {"ps", 1e-12}, {"", 1}};
static const unit factors[] = {{"", 1}};
static const unit rates[] = {{"B", 1}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"", 1}};

enum { TIMES = sizeof times / sizeof times[0], RATES = sizeof rates / sizeof rates[0] };

/* A number >= 0 with one of the units, up to `end`. */
static bool read_quantity(const char *text, const char *end, const unit *units, int count,
                          double *out)
{
    char *after;
    const double number = strtod(text, &after);
    const bool is_plain = isdigit((unsigned char)*text) || *text == '.';
    const size_t length = after < end ? (size_t)(end - after) : 0;
    for (int i = 0; i < count && is_plain && after <= end && isfinite(number); i++) {
        if (strlen(units[i].name) == length &&
            memcmp(units[i].name, after, length) == 0) {
            *out = number * units[i].factor;
            return true;
        }
    }
    return false;
}

/* A whole number up to `end`. */
static bool read_count(const char *text, const char *end, int *out)
{
    char *after;
    const long number = strtol(text, &after, 10);
    *out = (int)number;
    return isdigit((unsigned char)*text) && after == end && number <= 1 << 20;
}

static bool set_value(const simulate_value *value, const char *text, const char *end,
                      simulate_machine *machine)
{
    void *at = (char *)machine + value->offset;
    int count;
    switch (value->kind) {
    case SIMULATE_SECONDS:
        return read_quantity(text, end, times, TIMES, at);
    case SIMULATE_FACTOR:
        return read_quantity(text, end, factors, 1, at);
    case SIMULATE_COUNT:
        return read_count(text, end, at);
    default:
        if (!read_count(text, end, &count) || count > 1) {
            return false;
        }
        *(bool *)at = count == 1;
        return true;
    }
}

static status fail_text(const char *text, const char *at, const char *end)
{
    char keys[512] = "";
    size_t used = 0;
    const simulate_value *value;
    for (int n = 0; (value = simulate_machine_value(n)); n++) {
        used += (size_t)snprintf(keys + used, sizeof keys - used, "%s%s",
                                 n > 0 ? ", " : "", value->key);
    }
    return base_fail(
        STATUS_USAGE,
        "'%.*s' of the machine '%.200s' is not understood: give a file, gigabit, "
        "infiniband, shared, or pairs like alpha=20us,beta=8.5ns,ports=2; the keys are "
        "%s, rate (as in 117MB), and flags are 0 or 1",
        (int)(end - at < 60 ? end - at : 60), at, text, keys);
}

/* Sets the value of "key=number", from `at` to `end`. */
static bool set_pair(const char *at, const char *end, simulate_machine *machine)
{
    const char *equals = memchr(at, '=', (size_t)(end - at));
    if (!equals) {
        return false;
    }
    double rate;
    if (equals - at == 4 && memcmp(at, "rate", 4) == 0) {
        const bool is_rate =
            read_quantity(equals + 1, end, rates, RATES, &rate) && rate > 0;
        machine->between.beta = is_rate ? 1 / rate : 0;
        return is_rate;
    }
    const simulate_value *value = find_value(at, (size_t)(equals - at));
    return value && set_value(value, equals + 1, end, machine);
}

/* Sets all values of a text. Returns the first that is wrong; NULL: none is. */
static const char *set_values(const char *text, simulate_machine *machine)
{
    for (const char *at = text;;) {
        const char *end = at + strcspn(at, ",");
        const char *named = find_named(at, end);
        if (named ? set_values(named, machine) != NULL : !set_pair(at, end, machine)) {
            return at;
        }
        if (*end == '\0') {
            return NULL;
        }
        at = end + 1;
    }
}

void simulate_machine_find_overhead(simulate_machine *machine, double usual)
{
    simulate_link *link = &machine->between;
    link->overhead =
        link->overhead < INFINITY ? link->overhead : fmin(usual, 0.5 * link->latency);
}

status simulate_machine_parse(const char *text, simulate_machine *machine)
{
    simulate_machine changed = *machine;
    changed.between.npoints = 0;
    changed.between.overhead = INFINITY;
    snprintf(changed.name, sizeof changed.name, "%s", text);
    const char *wrong = set_values(text, &changed);
    if (wrong) {
        return fail_text(text, wrong, wrong + strcspn(wrong, ","));
    }
    simulate_machine_find_overhead(&changed, machine->between.overhead);
    const status s = simulate_machine_check(&changed, text);
    if (s == STATUS_OK) {
        *machine = changed;
    }
    return s;
}

/* ---- Checks ------------------------------------------------------------------------ */

static bool is_time(double seconds)
{
    return isfinite(seconds) && seconds >= 0 && seconds <= 1e6;
}

static bool is_link(const simulate_link *link)
{
    bool good = is_time(link->latency) && is_time(link->overhead) &&
                is_time(link->beta) && link->npoints >= 0 &&
                link->npoints <= SIMULATE_MOST_POINTS;
    for (int i = 0; i < link->npoints && good; i++) {
        const simulate_point *p = &link->points[i];
        good = is_time(p->seconds) && isfinite(p->bytes) &&
               (i == 0 ? p->bytes == 0
                       : p->bytes > p[-1].bytes && p->seconds >= p[-1].seconds);
    }
    return good;
}

status simulate_machine_check(const simulate_machine *machine, const char *source)
{
    if (machine->ports < 1) {
        return base_fail(
            STATUS_USAGE,
            "the machine %.200s has no port to send by: give ports=1 or more", source);
    }
    if (!is_link(&machine->between) || !is_link(&machine->within) ||
        !is_time(machine->gamma) || !is_time(machine->delta) ||
        !is_time(machine->duplex) || !is_time(machine->agree) ||
        !is_time(machine->burst) || machine->receive_ports < 0 || machine->cores < 0) {
        return base_fail(STATUS_USAGE,
                         "the machine %.200s has an impossible value: times are 0 to 1e6 "
                         "s, and points of a link ascend from 0 bytes",
                         source);
    }
    return STATUS_OK;
}
