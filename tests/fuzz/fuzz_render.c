/*
 * Fuzzes the ray caster: random grids, views and transfer functions, each drawn in many
 * ways that must agree. README.md lists the checks.
 *
 *     fuzz_render --cases 1000 --seed 7
 *     fuzz_render --seed 7 --only 123      # this case once more
 */
#include "fuzz_check.h"
#include "fuzz_shrink.h"

#include <argp.h>
#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

typedef struct options {
    int64_t cases, only; /* only: a case, or -1 for all */
    uint64_t seed;
    double seconds; /* no case begins later */
    int64_t most_failures;
    bool verbose, shrinks, only_linear, overlaps, shaded, layered;
} options;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- The summary ------------------------------------------------------------------- */

#define PRINT_COUNTS(label, counts, size, name)                                          \
    do {                                                                                 \
        printf("  %s:", label);                                                          \
        for (int n_ = 0; n_ < (size); n_++) {                                            \
            printf(" %s %" PRId64, name(n_), (counts)[n_]);                              \
        }                                                                                \
        printf("\n");                                                                    \
    } while (0)

static const char *soundness_name(int soundness)
{
    static const char *const names[FUZZ_SOUNDNESSES] = {"sound", "overlapping", "folded"};
    return names[soundness];
}

static const char *kind_name(int n)
{
    return fuzz_kind_name((fuzz_kind)n);
}

static const char *values_name(int n)
{
    return fuzz_values_name((fuzz_values)n);
}

static const char *profile_name(int n)
{
    return fuzz_profile_name((fuzz_profile)n);
}

static const char *stand_name(int n)
{
    return fuzz_stand_name((fuzz_stand)n);
}

static const char *check_name(int n)
{
    return fuzz_check_name((fuzz_check)n);
}

static void print_grids(const fuzz_tally *t)
{
    PRINT_COUNTS("grids", t->kinds, FUZZ_KINDS, kind_name);
    PRINT_COUNTS("       ", t->soundnesses, FUZZ_SOUNDNESSES, soundness_name);
    printf("          of 1 to 4 blocks %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64
           ", left-handed %" PRId64 ", with cells missing %" PRId64 "\n",
           t->blocks[1], t->blocks[2], t->blocks[3], t->blocks[4], t->left_handed,
           t->blanked);
    PRINT_COUNTS("fields", t->values, FUZZ_VALUES, values_name);
    printf("          in cells %" PRId64 ", with NaN %" PRId64
           ", with fill values %" PRId64 ", near the end of float32 %" PRId64 "\n",
           t->in_cells, t->holed, t->filled, t->extreme);
    PRINT_COUNTS("transfer", t->profiles, FUZZ_PROFILES, profile_name);
    printf("          very opaque %" PRId64 "\n", t->opaque);
    PRINT_COUNTS("styles", t->styles, FUZZ_STYLES, fuzz_style_name);
    printf("          shaded %" PRId64 "\n", t->shaded);
    PRINT_COUNTS("views", t->stands, FUZZ_STANDS, stand_name);
}

static void print_checks(const fuzz_tally *t)
{
    printf("  drawn: %" PRId64 " cells in %" PRId64 " bricks; %" PRId64
           " rays crossed %" PRId64 " cells, %" PRId64
           " of them NaN; nothing to see in %" PRId64 " cases\n",
           t->cells, t->bricks, t->rays, t->crossings, t->nan_cells, t->blank);
    printf("  the same bits: %" PRId64 " by kernels, %" PRId64 " by threads, %" PRId64
           " by bricks beyond the box, %" PRId64 " of windows, %" PRId64
           " in a view that stays (%" PRId64 " cells crossed, %" PRId64
           " in the third picture)\n",
           t->kernels, t->threads, t->stores, t->windows, t->stays, t->stays_first,
           t->stays_later);
    printf("  cuts:");
    for (int parts = 2; parts <= FUZZ_MOST_PARTS; parts++) {
        printf(" %d parts %" PRId64, parts, t->parts[parts]);
    }
    printf("\n        compared %" PRId64 ", nothing known %" PRId64 " cases; %" PRId64
           " pixels, worst %.2g\n",
           t->cut_known, t->cut_unknown, t->cut_pixels, t->cut_worst);
    printf("        beyond 1e-5: %" PRId64 " pixels folded too much\n", t->cut_excess);
    printf("  triangles: %" PRId64 " pixels in %" PRId64 " cases, %" PRId64
           " of them ill-conditioned, worst of the others %.2g; %" PRId64
           " not comparable\n",
           t->sums, t->sums_cases, t->sums_loose, t->sums_worst, t->sums_skipped);
    for (int style = 0; style < FUZZ_STYLES; style++) {
        printf("  reference, %s: %" PRId64 " pixels in %" PRId64
               " cases, worst %.2g of 255, mean of a case at most %.2g; %" PRId64
               " beside edges\n",
               fuzz_style_name(style), t->reference_pixels[style], t->references[style],
               t->reference_worst[style], t->reference_mean[style],
               t->reference_edges[style]);
    }
}

static void print_summary(const options *o, const fuzz_tally *tally, int64_t done,
                          const int64_t failures[FUZZ_CHECKS], double seconds)
{
    int64_t all = 0;
    for (int n = 0; n < FUZZ_CHECKS; n++) {
        all += failures[n];
    }
    print_grids(tally);
    print_checks(tally);
    if (all > 0) {
        PRINT_COUNTS("failures", failures, FUZZ_CHECKS, check_name);
    }
    printf("%" PRId64 " cases of seed %" PRIu64 " in %.1f s: %" PRId64 " failures\n",
           done, o->seed, seconds, all);
}

/* ---- Cases ------------------------------------------------------------------------- */

static void report(const options *o, const fuzz_case *c, fuzz_failure *failure)
{
    printf("case %" PRId64 " of seed %" PRIu64 ": %s: %s\n", c->number, c->seed,
           fuzz_check_name(failure->check), failure->text);
    fuzz_case_print(stdout, c);
    if (o->shrinks) {
        fuzz_case smaller = *c;
        fuzz_case_shrink(&smaller, failure);
        printf(" made smaller: %s\n", failure->text);
        fuzz_case_print(stdout, &smaller);
    }
    printf(" again: fuzz_render --seed %" PRIu64 " --only %" PRId64 "%s%s%s\n", c->seed,
           c->number, o->overlaps ? " --overlaps" : "", o->only_linear ? " --linear" : "",
           o->shaded    ? " --shaded"
           : o->layered ? " --layered"
                        : "");
    fflush(stdout);
}

/* Runs one case; returns whether all is well. */
static bool run_case(const options *o, int64_t number, fuzz_tally *tally,
                     int64_t failures[FUZZ_CHECKS])
{
    fuzz_case c;
    fuzz_failure failure;
    fuzz_case_draw(o->seed, number, &c);
    if (o->overlaps) {
        fuzz_case_overlap(&c);
    }
    if (o->shaded) {
        fuzz_case_shade(&c);
    }
    if (o->layered) {
        fuzz_case_layer(&c);
    }
    c.trilinear = c.trilinear && !o->only_linear;
    c.quadratic = c.quadratic && !o->only_linear;
    if (o->verbose) {
        printf("case %" PRId64 "\n", number);
        fuzz_case_print(stdout, &c);
        fflush(stdout);
    }
    if (fuzz_check_case(&c, tally, &failure)) {
        return true;
    }
    failures[failure.check]++;
    report(o, &c, &failure);
    return false;
}

/* ---- The command line -------------------------------------------------------------- */

static int64_t parse_count(struct argp_state *state, const char *what, const char *text)
{
    char *end;
    long long value = strtoll(text, &end, 10);
    if (end == text || *end || value < 0) {
        argp_error(state, "--%s %s: it must be a whole number, 0 or more", what, text);
    }
    return value;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    options *o = state->input;
    switch (key) {
    case 'n':
        o->cases = parse_count(state, "cases", text);
        return 0;
    case 's':
        o->seed = (uint64_t)parse_count(state, "seed", text);
        return 0;
    case 't':
        o->seconds = (double)parse_count(state, "time", text);
        return 0;
    case 'o':
        o->only = parse_count(state, "only", text);
        return 0;
    case 'f':
        o->most_failures = parse_count(state, "failures", text);
        return 0;
    case 'v':
        o->verbose = true;
        return 0;
    case 'l':
        o->only_linear = true;
        return 0;
    case 'b':
        o->overlaps = true;
        return 0;
    case 'd':
        o->shaded = true;
        return 0;
    case 'y':
        o->layered = true;
        return 0;
    case 'k':
        o->shrinks = false;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static options parse_options(int argc, char **argv)
{
    static const struct argp_option list[] = {
        {"cases", 'n', "N", 0, "cases to run (1000)", 0},
        {"seed", 's', "S", 0, "which cases (1)", 0},
        {"time", 't', "SECONDS", 0, "begin no case later than this", 0},
        {"only", 'o', "CASE", 0, "run this case alone", 0},
        {"failures", 'f', "N", 0, "stop after so many failures (20)", 0},
        {"verbose", 'v', NULL, 0, "say what each case is before it runs", 0},
        {"linear", 'l', NULL, 0, "draw in the linear style only", 0},
        {"overlaps", 'b', NULL, 0, "make blocks overlap in every case", 0},
        {"shaded", 'd', NULL, 0, "light every case", 0},
        {"layered", 'y', NULL, 0, "put layers at the same place into every case", 0},
        {"keep", 'k', NULL, 0, "do not make failing cases smaller", 0},
        {0}};
    static const struct argp parser = {
        .options = list, .parser = parse_option, .doc = "Fuzzes the ray caster."};
    options o = {.cases = 1000,
                 .only = -1,
                 .seed = 1,
                 .seconds = 1e9,
                 .most_failures = 20,
                 .shrinks = true};
    argp_parse(&parser, argc, argv, 0, NULL, &o);
    return o;
}

int main(int argc, char **argv)
{
    options o = parse_options(argc, argv);
    static fuzz_tally tally;
    int64_t failures[FUZZ_CHECKS] = {0}, failed = 0, done = 0;
    int64_t first = o.only >= 0 ? o.only : 0, last = o.only >= 0 ? o.only + 1 : o.cases;
    double start = now();
    printf("seed %" PRIu64 "\n", o.seed);
    for (int64_t n = first; n < last && failed < o.most_failures; n++) {
        if (now() - start > o.seconds) {
            break;
        }
        failed += !run_case(&o, n, &tally, failures);
        done++;
    }
    print_summary(&o, &tally, done, failures, now() - start);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
