/*
 * How long compositing takes: every algorithm of karman, and IceT where it is installed.
 *
 *     mpiexec -n RANKS bench_composite [--size N,N…] [--case dense|sparse]
 *         [--target pieces,floats,bytes]
 *         [--algorithm [nodes/]NAME[:N,N…][@SEGMENT][+raw]|auto|tuned]… [--tuning FILE]
 *         [--icet NAME|all]… [--only karman|icet] [--image shared|private]
 *         [--operator over|nearest] [--threads N] [--warm-up N] [--repeat N]
 *         [--settle N] [--late RANK:MS] [--json FILE] [--list]
 *
 * Before a run every rank fills its image anew and waits for the others, neither of which
 * is timed; the slowest rank counts. Runs of the candidates alternate, so that a machine
 * that slows down for a while slows all of them down. The first and the last picture of
 * each candidate are compared with the serial blend: the program fails where one is
 * wrong.
 *
 * With --late a rank comes to each frame so many milliseconds after the others, as if it
 * drew longer. Times are then those after it came.
 *
 * compare_composite.py runs it for many cases and makes a table of them.
 */
#include "bench_composite.h"
#include "base/array.h"

#include "base/parallel/parallel.h"
#include "base/parallel/transport.h"
#include "base/system.h"

#include <argp.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CANDIDATES = 256, MOST_NAMES = 64, MOST_SIZES = 16, TARGETS = 3 };

static const char *const target_names[TARGETS] = {[COMPOSITE_PIECES] = "pieces",
                                                  [COMPOSITE_FLOATS] = "floats",
                                                  [COMPOSITE_BYTES] = "bytes"};

/* What to measure. */
typedef struct options {
    int sizes[MOST_SIZES], nsizes;
    bool dense, sparse;
    bool targets[TARGETS];
    const char *algorithms[MOST_NAMES]; /* none: all */
    int nalgorithms;
    const char *strategies[MOST_NAMES]; /* of IceT */
    int nstrategies;
    bool all_strategies;
    const char *only;
    bench_settings settings;
    composite_operator op;
    int warm_up, repeats, settle;
    int late_rank, late_milliseconds;
    const char *json;
    bool list;
} options;

/* The candidates of a run, and the libraries that are open for the present frame. */
typedef struct bench {
    const options *options;
    bench_candidate candidates[MOST_CANDIDATES];
    int count;
    double *milliseconds; /* [MOST_CANDIDATES][repeats] */
    const bench_frame *frame;
    bench_machine machine;
    void *karman, *icet; /* states */
    image *karman_image, *icet_image;
    bool wrong; /* a picture was */
    FILE *json; /* rank 0 */
} bench;

static void stop(const char *message)
{
    fprintf(stderr, "bench_composite: %s\n", message);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

/* Collective. */
static void stop_on_error(status s)
{
    if (parallel_agree(MPI_COMM_WORLD, s) != STATUS_OK) {
        if (parallel_rank(MPI_COMM_WORLD) == 0) {
            stop(base_fail_message());
        }
        MPI_Barrier(MPI_COMM_WORLD); /* rank 0 ends this */
    }
}

/* ---- Candidates -------------------------------------------------------------------- */

static void add_candidate(bench *b, bench_candidate candidate)
{
    for (int target = 0; target < TARGETS; target++) {
        bool has = candidate.library == &bench_karman || target != COMPOSITE_BYTES;
        if (!has || !b->options->targets[target]) {
            continue;
        }
        if (b->count == MOST_CANDIDATES) {
            stop("there are too many candidates: name fewer algorithms");
        }
        candidate.target = (composite_target)target;
        candidate.milliseconds = b->milliseconds + b->count * b->options->repeats;
        b->candidates[b->count++] = candidate;
    }
}

static void add_algorithm(bench *b, const char *text)
{
    bench_candidate candidate;
    stop_on_error(bench_karman_candidate(text, &candidate));
    add_candidate(b, candidate);
}

static void add_karman(bench *b)
{
    const options *o = b->options;
    const composite_algorithm *algorithm;
    for (int n = 0; n < o->nalgorithms; n++) {
        add_algorithm(b, o->algorithms[n]);
    }
    for (int n = 0; !o->nalgorithms && (algorithm = composite_algorithm_at(n)); n++) {
        add_algorithm(b, algorithm->name);
    }
}

#ifdef BENCH_ICET
static void add_strategy(bench *b, int strategy)
{
    bench_candidate candidate = {.library = &bench_icet, .strategy = strategy};
    snprintf(candidate.name, sizeof candidate.name, "%s", bench_icet_strategy(strategy));
    add_candidate(b, candidate);
}

static int find_strategy(const char *name)
{
    for (int n = 0; bench_icet_strategy(n); n++) {
        if (strcmp(name, bench_icet_strategy(n)) == 0) {
            return n;
        }
    }
    stop("IceT has no such strategy: --list names all that there are");
    return -1;
}

static void add_icet(bench *b)
{
    const options *o = b->options;
    if (o->op != COMPOSITE_OVER) {
        stop("IceT is measured with --operator over only");
    }
    for (int n = 0; o->all_strategies && bench_icet_strategy(n); n++) {
        add_strategy(b, n);
    }
    for (int n = 0; !o->all_strategies && n < o->nstrategies; n++) {
        add_strategy(b, find_strategy(o->strategies[n]));
    }
}
#else
static void add_icet(bench *b)
{
    (void)b;
    stop("this program is built without IceT: configure with -DKARMAN_ICET=DIRECTORY");
}
#endif

/* ---- Libraries --------------------------------------------------------------------- */

static bool has_library(const bench *b, const bench_library *library)
{
    for (int n = 0; n < b->count; n++) {
        if (b->candidates[n].library == library) {
            return true;
        }
    }
    return false;
}

static void open_libraries(bench *b)
{
    const bench_settings *settings = &b->options->settings;
    if (has_library(b, &bench_karman)) {
        stop_on_error(
            bench_karman.open(b->frame, settings, &b->karman, &b->karman_image));
    }
#ifdef BENCH_ICET
    if (has_library(b, &bench_icet)) {
        stop_on_error(bench_icet.open(b->frame, settings, &b->icet, &b->icet_image));
    }
#endif
}

static void close_libraries(bench *b)
{
    if (b->karman) {
        bench_karman.close(b->karman);
    }
#ifdef BENCH_ICET
    if (b->icet) {
        bench_icet.close(b->icet);
    }
#endif
    b->karman = b->icet = NULL;
}

/* ---- Measuring --------------------------------------------------------------------- */

static void wait_for_all(MPI_Comm comm)
{
    MPI_Request request;
    MPI_Ibarrier(comm, &request);
    parallel_wait(&request);
}

/* The time of the slowest rank in milliseconds; *counters are this rank's. */
static double composite_once(bench *b, const bench_candidate *candidate,
                             composite_counters *counters)
{
    bool is_karman = candidate->library == &bench_karman;
    bench_frame_fill(b->frame, is_karman ? b->karman_image : b->icet_image);
    wait_for_all(b->frame->comm);
    double start = base_clock();
    status s = candidate->library->composite(is_karman ? b->karman : b->icet, candidate,
                                             counters);
    double mine = 1e3 * (base_clock() - start) - b->options->late_milliseconds, slowest;
    stop_on_error(s);
    parallel_allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, b->frame->comm);
    return slowest;
}

/* Notes a picture that is wrong, or that lacks pixels. Collective. */
static void check_picture(bench *b, const bench_candidate *candidate)
{
    int64_t side = b->frame->shape.side;
    void *state = candidate->library == &bench_karman ? b->karman : b->icet;
    int64_t mine[2] = {0, 0}, all[2];
    mine[0] = !candidate->library->check(state, candidate, &mine[1]);
    parallel_allreduce(mine, all, 2, MPI_INT64_T, MPI_SUM, b->frame->comm);
    if (all[0] == 0 && all[1] == side * side) {
        return;
    }
    b->wrong = true;
    if (b->frame->rank == 0) {
        fprintf(stderr,
                "bench_composite: %s %s to %s: the picture is wrong (of %lld pixels "
                "%lld are there)\n",
                candidate->library->name, candidate->name,
                target_names[candidate->target], (long long)(side * side),
                (long long)all[1]);
    }
}

static void sum_counters(bench *b, bench_candidate *candidate, composite_counters mine)
{
    int64_t in[4] = {mine.messages_sent, mine.bytes_sent, mine.bytes_shared,
                     mine.pixels_blended};
    int64_t out[4];
    parallel_allreduce(in, out, 4, MPI_INT64_T, MPI_SUM, b->frame->comm);
    candidate->counters = (composite_counters){out[0], out[1], out[2], out[3]};
}

static void measure(bench *b)
{
    int warm_up = b->options->warm_up, repeats = b->options->repeats;
    for (int run = -warm_up; run < repeats; run++) {
        for (int n = 0; n < b->count; n++) {
            bench_candidate *candidate = &b->candidates[n];
            composite_counters counters;
            double milliseconds = 0;
            for (int before = b->options->settle; before >= 0; before--) {
                milliseconds = composite_once(b, candidate, &counters);
            }
            if (run >= 0) {
                candidate->milliseconds[run] = milliseconds;
            }
            if (run == -warm_up || run == repeats - 1) {
                check_picture(b, candidate);
                sum_counters(b, candidate, counters);
            }
        }
    }
}

/* ---- Reporting --------------------------------------------------------------------- */

/* Where the images of a library lie. IceT takes any. */
static const char *image_kind(const bench *b, const bench_library *library)
{
    bool shared = library == &bench_karman && !b->options->settings.private_images;
    return shared ? "shared" : "private";
}

static void print_heading(const bench *b)
{
    const bench_frame *frame = b->frame;
    printf("\n%d x %d %s, %d ranks, %s: %.1f %% of the picture active, %.1f %% of an "
           "image; memcpy %.1f GB/s, latency %.2f us\n",
           frame->shape.side, frame->shape.side, frame->shape.dense ? "dense" : "sparse",
           frame->ranks, frame->shape.op == COMPOSITE_OVER ? "over" : "nearest",
           1e2 * frame->covered, 1e2 * frame->share, b->machine.copy, b->machine.latency);
    if (frame->shape.late_milliseconds > 0) {
        printf("times after rank %d, which is late by %d ms and has %.2f MB of pixels\n",
               frame->shape.late_rank, frame->shape.late_milliseconds,
               1e-6 * COMPOSITE_PIXEL_BYTES *
                   (double)bench_frame_active(frame, frame->shape.late_rank));
    }
    printf("%-7s %-20s %-7s %-7s %10s %10s %8s %10s %10s\n", "library", "algorithm",
           "target", "images", "median ms", "least ms", "messages", "MB sent",
           "MB shared");
}

static void print_candidate(const bench *b, const bench_candidate *c)
{
    int repeats = b->options->repeats;
    double median = c->milliseconds[repeats / 2];
    if (repeats % 2 == 0) {
        median = 0.5 * (median + c->milliseconds[repeats / 2 - 1]);
    }
    printf("%-7s %-20s %-7s %-7s %10.3f %10.3f %8lld %10.3f %10.3f\n", c->library->name,
           c->name, target_names[c->target], image_kind(b, c->library), median,
           c->milliseconds[0], (long long)c->counters.messages_sent,
           1e-6 * (double)c->counters.bytes_sent,
           1e-6 * (double)c->counters.bytes_shared);
}

/* The position of rank 0, which gets the picture. */
static int find_root(const bench_frame *frame)
{
    int root = 0;
    while (frame->order[root] != 0) {
        root++;
    }
    return root;
}

static void write_candidate(const bench *b, const bench_candidate *c)
{
    const bench_frame *frame = b->frame;
    fprintf(b->json,
            "{\"library\": \"%s\", \"name\": \"%s\", \"target\": \"%s\", \"size\": %d, "
            "\"case\": \"%s\", \"ranks\": %d, \"root\": %d, "
            "\"operator\": \"%s\", \"image\": \"%s\", "
            "\"threads\": %d, \"covered\": %.4f, \"share\": %.4f, \"messages\": %lld, "
            "\"bytes_sent\": %lld, \"bytes_shared\": %lld, \"peak_memory\": %lld, "
            "\"copy\": %.3f, \"latency\": %.3f, "
            "\"milliseconds\": [",
            c->library->name, c->name, target_names[c->target], frame->shape.side,
            frame->shape.dense ? "dense" : "sparse", frame->ranks, find_root(frame),
            frame->shape.op == COMPOSITE_OVER ? "over" : "nearest",
            image_kind(b, c->library), b->options->settings.threads, frame->covered,
            frame->share, (long long)c->counters.messages_sent,
            (long long)c->counters.bytes_sent, (long long)c->counters.bytes_shared,
            (long long)base_peak_memory(), b->machine.copy, b->machine.latency);
    for (int n = 0; n < b->options->repeats; n++) {
        fprintf(b->json, "%s%.4f", n ? ", " : "", c->milliseconds[n]);
    }
    fprintf(b->json, "]}\n");
}

static void report(bench *b)
{
    if (b->frame->rank != 0) {
        return;
    }
    print_heading(b);
    for (int n = 0; n < b->count; n++) {
        bench_candidate *candidate = &b->candidates[n];
        if (b->json) {
            write_candidate(b, candidate);
        }
        qsort(candidate->milliseconds, (size_t)b->options->repeats,
              sizeof *candidate->milliseconds, base_array_compare_doubles);
        print_candidate(b, candidate);
    }
    fflush(stdout);
}

static void run_case(bench *b, int side, bool dense)
{
    bench_shape shape = {.side = side,
                         .dense = dense,
                         .op = b->options->op,
                         .late_rank = b->options->late_rank,
                         .late_milliseconds = b->options->late_milliseconds};
    bench_frame *frame = NULL;
    stop_on_error(bench_frame_create(MPI_COMM_WORLD, shape, &frame));
    b->frame = frame;
    b->machine = bench_probe(frame);
    open_libraries(b);
    measure(b);
    report(b);
    close_libraries(b);
    bench_frame_destroy(&frame);
}

static void run_cases(bench *b)
{
    const options *o = b->options;
    for (int s = 0; s < o->nsizes; s++) {
        if (o->dense) {
            run_case(b, o->sizes[s], true);
        }
        if (o->sparse) {
            run_case(b, o->sizes[s], false);
        }
    }
}

/* ---- The command line -------------------------------------------------------------- */

static int parse_count(struct argp_state *state, const char *what, const char *text,
                       int least, int most)
{
    char *end;
    long value = strtol(text, &end, 10);
    if (end == text || *end || value < least || value > most) {
        argp_error(state, "%s is %s: it must be a number from %d to %d", what, text,
                   least, most);
    }
    return (int)value;
}

/* Index of text among the names, which end with NULL. */
static int parse_name(struct argp_state *state, const char *what, const char *text,
                      const char *const *names)
{
    for (int n = 0; names[n]; n++) {
        if (strcmp(text, names[n]) == 0) {
            return n;
        }
    }
    argp_error(state, "%s %s: --help says what is possible", what, text);
    return 0;
}

static void parse_sizes(struct argp_state *state, char *text)
{
    options *o = state->input;
    char *rest = text;
    for (char *word; (word = strtok_r(rest, ",", &rest));) {
        if (o->nsizes == MOST_SIZES) {
            argp_error(state, "--size: give at most %d", MOST_SIZES);
        }
        o->sizes[o->nsizes++] = parse_count(state, "--size", word, 1, 32768);
    }
}

static void parse_targets(struct argp_state *state, char *text)
{
    static const char *const names[] = {"pieces", "floats", "bytes", NULL};
    options *o = state->input;
    char *rest = text;
    for (char *word; (word = strtok_r(rest, ",", &rest));) {
        o->targets[parse_name(state, "--target", word, names)] = true;
    }
}

static void add_name(struct argp_state *state, const char **names, int *count,
                     const char *text)
{
    if (*count == MOST_NAMES) {
        argp_error(state, "give at most %d names", MOST_NAMES);
    }
    names[(*count)++] = text;
}

/* "3:100": rank 3 is late by 100 ms. */
static void parse_late(struct argp_state *state, const char *text)
{
    options *o = state->input;
    int read = 0;
    if (sscanf(text, "%d:%d%n", &o->late_rank, &o->late_milliseconds, &read) != 2 ||
        text[read] || o->late_rank < 0 || o->late_milliseconds < 1 ||
        o->late_milliseconds > 60000) {
        argp_error(state, "--late is %s: it must be RANK:MS, such as 3:100", text);
    }
}

/* The options that choose between two things. */
static error_t parse_choice(int key, char *text, struct argp_state *state)
{
    static const char *const images[] = {"shared", "private", NULL};
    static const char *const operators[] = {"over", "nearest", NULL};
    static const char *const cases[] = {"dense", "sparse", NULL};
    static const char *const libraries[] = {"karman", "icet", NULL};
    options *o = state->input;
    switch (key) {
    case 'c':
        *(parse_name(state, "--case", text, cases) ? &o->sparse : &o->dense) = true;
        return 0;
    case 'o':
        o->only = libraries[parse_name(state, "--only", text, libraries)];
        return 0;
    case 'm':
        o->settings.private_images = parse_name(state, "--image", text, images) == 1;
        return 0;
    case 'b':
        o->op = parse_name(state, "--operator", text, operators) ? COMPOSITE_NEAREST
                                                                 : COMPOSITE_OVER;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    options *o = state->input;
    switch (key) {
    case 's':
        parse_sizes(state, text);
        return 0;
    case 't':
        parse_targets(state, text);
        return 0;
    case 'a':
        add_name(state, o->algorithms, &o->nalgorithms, text);
        return 0;
    case 'u':
        o->settings.tuning = text;
        return 0;
    case 'i':
        o->all_strategies = o->all_strategies || strcmp(text, "all") == 0;
        add_name(state, o->strategies, &o->nstrategies, text);
        return 0;
    case 'j':
        o->settings.threads = parse_count(state, "--threads", text, 1, 1024);
        return 0;
    case 'w':
        o->warm_up = parse_count(state, "--warm-up", text, 0, 1000);
        return 0;
    case 'n':
        o->repeats = parse_count(state, "--repeat", text, 1, 10000);
        return 0;
    case 'e':
        o->settle = parse_count(state, "--settle", text, 0, 1000);
        return 0;
    case 'f':
        o->json = text;
        return 0;
    case 'd':
        parse_late(state, text);
        return 0;
    case 'l':
        o->list = true;
        return 0;
    default:
        return parse_choice(key, text, state);
    }
}

/* What was not asked for is all measured, IceT excepted. */
static void complete_options(options *o)
{
    if (o->nsizes == 0) {
        o->sizes[o->nsizes++] = 1024;
    }
    if (!o->dense && !o->sparse) {
        o->dense = o->sparse = true;
    }
    if (!o->targets[0] && !o->targets[1] && !o->targets[2]) {
        o->targets[0] = o->targets[1] = o->targets[2] = true;
    }
    if (o->only && strcmp(o->only, "icet") == 0 && o->nstrategies == 0) {
        o->all_strategies = true;
    }
}

static void parse_command_line(int argc, char **argv, options *o)
{
    static const struct argp_option list[] = {
        {"size", 's', "N,N...", 0, "pixels along a side of the picture (1024)", 0},
        {"case", 'c', "NAME", 0, "dense or sparse", 0},
        {"target", 't', "NAME,...", 0,
         "where the picture goes: pieces (it stays where it is), floats or bytes (to "
         "rank 0)",
         0},
        {"algorithm", 'a', "NAME[:N,N...][@SEGMENT][+raw]", 0,
         "an algorithm of karman, with its parameters; may be repeated", 0},
        {"tuning", 'u', "FILE", 0, "the tuning file of the algorithm 'tuned'", 0},
        {"icet", 'i', "NAME", 0, "a strategy of IceT, or all; may be repeated", 0},
        {"only", 'o', "NAME", 0, "candidates of karman or icet only", 0},
        {"image", 'm', "NAME", 0,
         "karman's images: shared (ranks of a node read each other's) or private", 0},
        {"operator", 'b', "NAME", 0, "over or nearest", 0},
        {"threads", 'j', "N", 0, "threads of a rank of karman (1)", 0},
        {"warm-up", 'w', "N", 0, "runs before those that count (2)", 0},
        {"repeat", 'n', "N", 0, "runs that count (10)", 0},
        {"settle", 'e', "N", 0,
         "runs of a candidate before each that counts, as frames of a job follow each "
         "other (0)",
         0},
        {"late", 'd', "RANK:MS", 0, "a rank that is late, and by how many milliseconds",
         0},
        {"json", 'f', "FILE", 0, "append a line for every candidate and case", 0},
        {"list", 'l', NULL, 0, "print all algorithms and strategies, and end", 0},
        {0}};
    static const struct argp parser = {
        .options = list, .parser = parse_option, .doc = "Measures compositing."};
    argp_parse(&parser, argc, argv, 0, NULL, o);
    complete_options(o);
}

static void print_list(void)
{
    const composite_algorithm *algorithm;
    for (int n = 0; (algorithm = composite_algorithm_at(n)); n++) {
        printf("karman %s\n", algorithm->name);
    }
#ifdef BENCH_ICET
    for (int n = 0; bench_icet_strategy(n); n++) {
        printf("icet %s\n", bench_icet_strategy(n));
    }
#endif
}

static void prepare(bench *b)
{
    const options *o = b->options;
    b->milliseconds = malloc(sizeof(double) * MOST_CANDIDATES * (size_t)o->repeats);
    if (!b->milliseconds) {
        stop("out of memory");
    }
    if (!o->only || strcmp(o->only, "karman") == 0) {
        add_karman(b);
    }
    if ((o->nstrategies > 0 || o->all_strategies) &&
        (!o->only || strcmp(o->only, "icet") == 0)) {
        add_icet(b);
    }
    if (b->count == 0) {
        stop("there is nothing to measure: IceT has no target 'bytes'");
    }
    if (o->json && parallel_rank(MPI_COMM_WORLD) == 0) {
        b->json = fopen(o->json, "a");
        if (!b->json) {
            stop("the file of --json cannot be written");
        }
    }
}

int main(int argc, char **argv)
{
    options o = {.warm_up = 2, .repeats = 10, .settings = {.threads = 1}};
    parse_command_line(argc, argv, &o);
    if (o.list) {
        print_list();
        return EXIT_SUCCESS;
    }
    int provided;
    parallel_set_transport(PARALLEL_RDMA_CARDS); /* as karman does */
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    static bench b;
    b.options = &o;
    prepare(&b);
    run_cases(&b);
    if (b.json && fclose(b.json) != 0) {
        stop("the file of --json cannot be written");
    }
    free(b.milliseconds);
    MPI_Finalize();
    return b.wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
