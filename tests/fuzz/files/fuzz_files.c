/*
 * Files that lie: each format is written with damage and read. Each file must give values
 * or one sentence. Run it under ASan and UBSan for more.
 *
 *     fuzz_files [--format NAME] [--cases N] [--seed S] [--only N] [--bytes]
 *
 * Cases run in a child process. If it dies, its last lines are printed, and the next
 * child goes on behind the case. With --bytes, bytes of HDF5 files are damaged, too;
 * deaths inside of the HDF5 library are then counted on their own.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "base/log.h"
#include "formats.h"
#include "io/load/load.h"
#include "tests/mpi/test_ensight_support.h"
#include "tests/mpi/test_io_support.h"
#include "tests/support/random.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Of AddressSanitizer: a small file must not take much memory. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "max_allocation_size_mb=300:handle_abort=1:detect_leaks=0:"
           "malloc_context_size=3:max_malloc_fill_size=0:quarantine_size_mb=16";
}

bool fuzz_with_bytes = false;

/* ---- Reading ----------------------------------------------------------------------- */

/* Reads a box of an array of a block at a step. A block of a damaged file may be large.
 */
static status read_box(io_source *source, int step, int block, int array, uint64_t *state)
{
    enum { MOST = 8 };
    double values[MOST * MOST * MOST];
    const bool is_cells =
        array >= 0 && io_source_fields(source)[array].location == GRID_CELL;
    io_box box;
    for (int axis = 0; axis < 3; axis++) {
        const int64_t n = io_source_blocks(source)[block].n[axis] - is_cells;
        box.n[axis] = n < MOST ? n : MOST;
        box.lo[axis] = (int64_t)(random_bits(state) % (uint64_t)(n - box.n[axis] + 1));
    }
    if (array >= 0 && !io_source_has_field(source, step, array)) {
        return STATUS_OK;
    }
    return array >= 0 && random_below(state, 2)
               ? io_source_read_doubles(source, step, block, array, &box, values)
               : io_source_read(source, step, block, array, &box, values);
}

static status read_all(io_source *source, uint64_t *state)
{
    status s = STATUS_OK;
    const int steps = io_source_step_count(source);
    const int step = steps > 0 ? random_below(state, steps) : 0;
    s = steps > 0 ? io_source_choose_grid(source, step) : s;
    for (int b = 0; b < io_source_block_count(source) && b < 4 && s == STATUS_OK; b++) {
        const int last = io_source_step_count(source) > 0 ? io_source_field_count(source)
                                                          : IO_ARRAY_IBLANK;
        for (int array = IO_ARRAY_X; array < last && array < 8 && s == STATUS_OK;
             array++) {
            if (array != IO_ARRAY_IBLANK || io_source_blocks(source)[b].has_iblank) {
                s = read_box(source, step, b, array, state);
            }
        }
    }
    return s;
}

/* Makes the layout of a small grid. */
static status make_layout(io_source *source)
{
    double vertices = 0.0;
    for (int b = 0; b < io_source_block_count(source); b++) {
        const int64_t *n = io_source_blocks(source)[b].n;
        vertices += (double)n[0] * (double)n[1] * (double)n[2];
    }
    grid_layout *layout = NULL;
    status s =
        vertices < 5000 ? io_load_layout(MPI_COMM_SELF, source, &layout) : STATUS_OK;
    grid_layout_destroy(&layout);
    return s;
}

status fuzz_read(const io_data_config *config, uint64_t *state)
{
    io_source *source = NULL;
    status s = io_source_open(MPI_COMM_SELF, config, &source);
    if (s == STATUS_OK) {
        s = read_all(source, state);
    }
    if (s == STATUS_OK) {
        s = make_layout(source);
    }
    io_source_close(&source);
    return s;
}

/* Whether the message of a failure is one sentence. */
static bool is_sentence(const char *message)
{
    bool is = strlen(message) > 10;
    for (const char *c = message; *c != '\0'; c++) {
        is = is && (unsigned char)*c >= ' ' && (unsigned char)*c != 0x7f;
    }
    return is;
}

/* ---- Cases ------------------------------------------------------------------------- */

/* What parent and child know together. */
typedef struct progress {
    uint64_t next, nread, nbad;
} progress;

typedef struct request {
    const fuzz_format *format;
    uint64_t seed, cases;
    bool is_verbose;
} request;

static void run_case(const request *r, uint64_t number, progress *p)
{
    uint64_t state = random_start(r->seed, number);
    const clock_t begin = clock();
    status s = r->format->run(&state);
    const double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    if (seconds > 1.0) {
        printf("%s: case %llu of seed %llu took %.1f s\n", r->format->name,
               (unsigned long long)number, (unsigned long long)r->seed, seconds);
    }
    if (r->is_verbose) {
        printf("status %d: %s\n", (int)s, base_fail_message());
    }
    if (s != STATUS_OK && (s != STATUS_INPUT || !is_sentence(base_fail_message()))) {
        printf("FAILED: %s: case %llu of seed %llu: status %d, '%s'\n", r->format->name,
               (unsigned long long)number, (unsigned long long)r->seed, (int)s,
               base_fail_message());
        p->nbad++;
    }
    p->nread += s == STATUS_OK;
    base_fail_set_message("");
}

/* A case may not take long, by the processor's clock and, much longer, by that of the
 * wall: the abort shows where it is. */
static void give_up(int signal_number)
{
    (void)signal_number;
    abort();
}

static void limit_time(int seconds)
{
    const struct itimerval limit = {.it_value = {.tv_sec = seconds}};
    setitimer(ITIMER_PROF, &limit, NULL);
    alarm((unsigned)(30 * seconds));
}

static void remove_files(void)
{
    static const char *const names[] = {"fuzz.xyz", "fuzz.q",   "fuzz.h5",   "fuzz.xml",
                                        "fuzz.vts", "fuzz.plt", "fuzz.file", "hints"};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        unlink(test_path(names[n]));
    }
    ensight_remove();
}

/* Small buffers for MPI-IO: else each opening takes and clears 16 MiB. */
static void shrink_buffers(void)
{
    static char path[640];
    char here[512];
    snprintf(path, sizeof path, "%s/%s", getcwd(here, sizeof here), test_path("hints"));
    FILE *file = fopen(path, "w");
    if (file) {
        fputs("cb_buffer_size 65536\nind_rd_buffer_size 65536\n", file);
        fclose(file);
        setenv("ROMIO_HINTS", path, 1);
    }
}

/* The child: its messages go into `log`. */
static void run_child(const request *r, const char *log, progress *p)
{
    enum { SECONDS = 20, MOST = 20000 };
    int provided;
    const int descriptor = open(log, O_CREAT | O_TRUNC | O_WRONLY, 0666);
    dup2(descriptor, STDERR_FILENO);
    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
    base_log_configure(false);
    signal(SIGALRM, give_up);
    signal(SIGPROF, give_up);
    test_folder_create("fuzz_files");
    shrink_buffers();
    const uint64_t end = p->next + MOST < r->cases ? p->next + MOST : r->cases;
    while (p->next < end) {
        limit_time(SECONDS);
        run_case(r, p->next, p);
        p->next++;
    }
    limit_time(0);
    remove_files();
    test_folder_remove();
    fflush(stdout);
    MPI_Finalize();
    _exit(0);
}

/* Prints the trace of a child that died. Returns whether it died inside of HDF5. */
static bool print_trace(const char *log)
{
    char line[1024];
    bool in_library = false;
    int shown = 0;
    FILE *file = fopen(log, "r");
    while (file && fgets(line, sizeof line, file)) {
        const bool is_frame = strstr(line, "    #") == line;
        in_library |= is_frame && shown < 8 && strstr(line, "libhdf5") != NULL;
        if (shown < 14 &&
            (shown > 0 || strstr(line, "ERROR") || strstr(line, "runtime error"))) {
            printf("    %s", line);
            shown++;
        }
        if (is_frame && strstr(line, "/io/")) {
            break; /* the first frame of ours */
        }
    }
    if (file) {
        fclose(file);
    }
    return in_library;
}

/* Runs all cases of a format. Returns whether none failed. */
static bool run_format(const request *r, progress *p)
{
    char log[64];
    uint64_t died = 0, in_library = 0;
    snprintf(log, sizeof log, "fuzz-%s-%ld.log", r->format->name, (long)getpid());
    while (p->next < r->cases) {
        int result = 0;
        fflush(stdout);
        const pid_t child = fork();
        if (child == 0) {
            run_child(r, log, p);
        }
        waitpid(child, &result, 0);
        if (!WIFEXITED(result) || WEXITSTATUS(result) != 0) {
            printf("%s: case %llu of seed %llu ended the process (%d)\n", r->format->name,
                   (unsigned long long)p->next, (unsigned long long)r->seed, result);
            const bool is_library = print_trace(log) && fuzz_with_bytes;
            in_library += is_library;
            died += !is_library;
            p->next++;
        }
    }
    unlink(log);
    printf(
        "%s: %llu files: %llu were read, %llu refused, %llu failed; %llu deaths inside "
        "of HDF5\n",
        r->format->name, (unsigned long long)r->cases, (unsigned long long)p->nread,
        (unsigned long long)(r->cases - p->nread - p->nbad - died - in_library),
        (unsigned long long)(p->nbad + died), (unsigned long long)in_library);
    const bool is_fair =
        r->is_verbose || r->cases < 100 ||
        (p->nread > r->cases / 20 && p->nread < r->cases - r->cases / 20);
    if (!is_fair) {
        printf("FAILED: %s: cases are too tame or too wild\n", r->format->name);
    }
    return p->nbad + died == 0 && is_fair;
}

/* ---- The program ------------------------------------------------------------------- */

static const char *option(int argc, char **argv, const char *name, const char *otherwise)
{
    for (int n = 1; n + 1 < argc; n++) {
        otherwise = strcmp(argv[n], name) == 0 ? argv[n + 1] : otherwise;
    }
    return otherwise;
}

int main(int argc, char **argv)
{
    static const fuzz_format *const formats[] = {
        &fuzz_plot3d,  &fuzz_cgns, &fuzz_adf, &fuzz_own,     &fuzz_hdf5,   &fuzz_netcdf,
        &fuzz_ensight, &fuzz_xml,  &fuzz_plt, &fuzz_classic, &fuzz_legacy, &fuzz_tecplot};
    const char *format = option(argc, argv, "--format", "all");
    const char *only = option(argc, argv, "--only", NULL);
    progress *p =
        mmap(NULL, sizeof *p, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    bool is_good = p != MAP_FAILED;
    for (int n = 1; n < argc; n++) {
        fuzz_with_bytes |= strcmp(argv[n], "--bytes") == 0;
    }
    for (size_t f = 0; f < sizeof formats / sizeof formats[0] && p != MAP_FAILED; f++) {
        if (strcmp(format, "all") != 0 && strcmp(format, formats[f]->name) != 0) {
            continue;
        }
        request r = {.format = formats[f],
                     .seed = strtoull(option(argc, argv, "--seed", "1"), NULL, 10),
                     .cases = strtoull(option(argc, argv, "--cases", "1000"), NULL, 10),
                     .is_verbose = only != NULL};
        *p = (progress){.next = only ? strtoull(only, NULL, 10) : 0};
        r.cases = only ? p->next + 1 : r.cases;
        is_good = run_format(&r, p) && is_good;
    }
    return is_good ? EXIT_SUCCESS : EXIT_FAILURE;
}
