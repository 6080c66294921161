#include "doctor.h"

#include "app/version/version.h"
#include "base/launched.h"
#include "base/parallel/parallel.h"
#include "base/words.h"
#include "facts.h"
#include "picture.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

enum { TEXT = 512, SHORT = 48 };

/* ---- Lines ------------------------------------------------------------------------- */

__attribute__((format(printf, 3, 4))) static void
print_line(FILE *stream, const char *what, const char *format, ...)
{
    va_list rest;
    va_start(rest, format);
    fprintf(stream, "  %-13s ", what);
    vfprintf(stream, format, rest);
    fputc('\n', stream);
    va_end(rest);
}

/* "3", or "1 to 4" of ranks that differ. */
static const char *range(const doctor_facts *facts, doctor_fact fact, char text[SHORT])
{
    const double least = facts->least[fact], most = facts->most[fact];
    int used = least < 0.0 ? snprintf(text, SHORT, "unknown")
                           : snprintf(text, SHORT, "%.0f", least);
    if (most > least) {
        snprintf(text + used, (size_t)(SHORT - used), " to %.0f", most);
    }
    return text;
}

/* The least of all ranks. */
static const char *size(const doctor_facts *facts, doctor_fact fact,
                        const char *otherwise, char text[SHORT])
{
    if (facts->least[fact] < 0.0) {
        snprintf(text, SHORT, "%s", otherwise);
        return text;
    }
    return base_words_bytes(facts->least[fact], SHORT, text);
}

static const char *find_processor(char text[TEXT])
{
    struct utsname system;
    FILE *file = fopen("/proc/cpuinfo", "r");
    snprintf(text, TEXT, "%s", uname(&system) == 0 ? system.machine : "unknown");
    for (char line[TEXT]; file && fgets(line, sizeof line, file);) {
        const char *name = strchr(line, ':');
        if (name && strncmp(line, "model name", 10) == 0) {
            snprintf(text, TEXT, "%s", name + 2);
            text[strcspn(text, "\n")] = '\0';
            break;
        }
    }
    if (file) {
        fclose(file);
    }
    return text;
}

static void print_machine(FILE *stream, const doctor_facts *facts)
{
    char text[TEXT], a[SHORT], b[SHORT], c[SHORT];
    struct utsname system = {0};
    uname(&system);
    print_line(stream, "machine", "%s, %s cores a node; %s %s", find_processor(text),
               range(facts, DOCTOR_CORES, a), system.sysname, system.release);
    print_line(stream, "ranks",
               "%d on %d node%s; a rank has %s thread%s, and may use %s cores",
               facts->ranks, facts->nodes, facts->nodes > 1 ? "s" : "",
               range(facts, DOCTOR_THREADS, a),
               facts->most[DOCTOR_THREADS] > 1 ? "s" : "", range(facts, DOCTOR_BOUND, b));
    print_line(stream, "memory", "%s a node, %s free",
               size(facts, DOCTOR_MEMORY, "unknown", a),
               size(facts, DOCTOR_FREE_MEMORY, "unknown", b));
    print_line(stream, "folders", "free: %s in /dev/shm, %s in %s",
               size(facts, DOCTOR_FREE_SHARED, "nothing", a),
               size(facts, DOCTOR_FREE_SCRATCH, "nothing", b), doctor_scratch());
    print_line(stream, "limits", "stacks %s, %s open files",
               size(facts, DOCTOR_STACK, "unlimited", a),
               facts->least[DOCTOR_FILES] < 0.0 ? "any number of"
                                                : range(facts, DOCTOR_FILES, c));
}

/* Variables that change how MPI, OpenMP and HDF5 behave. */
static void print_environment(FILE *stream)
{
    static const char *const names[] = {
        "OMP_NUM_THREADS", "OMP_PROC_BIND", "OMP_WAIT_POLICY",       "UCX_TLS",
        "UCX_NET_DEVICES", "FI_PROVIDER",   "OMPI_MCA_pml",          "OMPI_MCA_btl",
        "I_MPI_FABRICS",   "LD_PRELOAD",    "HDF5_USE_FILE_LOCKING", "SLURM_JOB_ID"};
    char text[TEXT];
    const char *all = getenv("LC_ALL"), *some = getenv("LC_NUMERIC"),
               *lang = getenv("LANG");
    const char *locale = all && *all     ? all
                         : some && *some ? some
                         : lang && *lang ? lang
                                         : "C";
    size_t used = (size_t)snprintf(text, sizeof text, "locale %.60s", locale);
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        const char *value = getenv(names[n]);
        if (value && used < sizeof text) {
            used += (size_t)snprintf(text + used, sizeof text - used, "; %s=%s", names[n],
                                     value);
        }
    }
    print_line(stream, "environment", "%s", text);
}

/* ---- Problems ---------------------------------------------------------------------- */

/* Writes the problem and its remedy; false if there is none. */
typedef bool find_problem(const doctor_facts *facts, char text[TEXT]);

static bool is_alone_in_a_job(const doctor_facts *facts, char text[TEXT])
{
    const char *tasks = getenv("SLURM_NTASKS");
    snprintf(text, TEXT,
             "this is one rank, and the batch job has %s tasks: start karman by the "
             "launcher of its MPI, or by 'srun'",
             tasks ? tasks : "more");
    return facts->ranks == 1 && tasks && strtol(tasks, NULL, 10) > 1;
}

static bool is_many_alone(const doctor_facts *facts, char text[TEXT])
{
    snprintf(text, TEXT,
             "a launcher started %d processes, and this program's MPI sees %d: use the "
             "launcher of the same MPI, as above",
             base_launched_size(), facts->ranks);
    return base_launched_size() > facts->ranks;
}

static bool has_few_cores(const doctor_facts *facts, char text[TEXT])
{
    snprintf(
        text, TEXT,
        "up to %.0f ranks of a node share %.0f of its %.0f cores: let the launcher bind "
        "ranks to cores of their own, or to none (MPICH: -bind-to none; Open MPI: "
        "--bind-to none; Slurm: --cpu-bind=none)",
        facts->most[DOCTOR_NEIGHBOURS], facts->least[DOCTOR_NODE_CORES],
        facts->most[DOCTOR_CORES]);
    return facts->least[DOCTOR_NODE_CORES] > 0.0 &&
           facts->least[DOCTOR_NODE_CORES] < facts->most[DOCTOR_NEIGHBOURS] &&
           facts->least[DOCTOR_NODE_CORES] < facts->least[DOCTOR_CORES];
}

static bool has_many_threads(const doctor_facts *facts, char text[TEXT])
{
    snprintf(text, TEXT,
             "a rank may use %.0f cores, and has up to %.0f threads: bind ranks to more "
             "cores, "
             "or set OMP_NUM_THREADS",
             facts->least[DOCTOR_BOUND], facts->most[DOCTOR_THREADS]);
    return facts->least[DOCTOR_BOUND] > 0.0 &&
           facts->most[DOCTOR_THREADS] > facts->least[DOCTOR_BOUND];
}

static bool is_crowded(const doctor_facts *facts, char text[TEXT])
{
    snprintf(
        text, TEXT,
        "%.0f ranks of a node share its %.0f cores: they draw the same pictures, but "
        "more slowly than one rank a core",
        facts->most[DOCTOR_NEIGHBOURS], facts->least[DOCTOR_CORES]);
    return facts->most[DOCTOR_NEIGHBOURS] > facts->least[DOCTOR_CORES];
}

static bool has_little_memory(const doctor_facts *facts, char text[TEXT])
{
    const double least = 128.0 * 1048576.0 * facts->most[DOCTOR_NEIGHBOURS];
    char free[SHORT];
    snprintf(
        text, TEXT,
        "%s of memory is free on a node of %.0f ranks: ask the batch system for more, or "
        "for fewer ranks a node",
        size(facts, DOCTOR_FREE_MEMORY, "", free), facts->most[DOCTOR_NEIGHBOURS]);
    return facts->least[DOCTOR_FREE_MEMORY] >= 0.0 &&
           facts->least[DOCTOR_FREE_MEMORY] < least;
}

static bool has_little_space(const doctor_facts *facts, char text[TEXT])
{
    snprintf(text, TEXT, "%s is full or missing: name another folder by TMPDIR",
             doctor_scratch());
    return facts->least[DOCTOR_FREE_SCRATCH] < 16.0 * 1048576.0;
}

static const struct {
    find_problem *find;
    bool is_note; /* it works all the same */
} problems[] = {{is_alone_in_a_job, false}, {is_many_alone, false},
                {has_few_cores, false},     {has_many_threads, false},
                {is_crowded, true},         {has_little_memory, false},
                {has_little_space, false}};

static int print_problems(FILE *stream, const doctor_facts *facts)
{
    int count = 0;
    char text[TEXT];
    for (size_t n = 0; n < sizeof problems / sizeof problems[0]; n++) {
        if (problems[n].find(facts, text)) {
            print_line(stream, problems[n].is_note ? "note" : "problem", "%s", text);
            count += !problems[n].is_note;
        }
    }
    return count;
}

/* ---- All --------------------------------------------------------------------------- */

/* Prints what became of the picture; 1 if that is a problem. */
static int print_picture(FILE *stream, status s, int difference, double seconds)
{
    if (s != STATUS_OK) {
        print_line(stream, "problem", "%s", base_fail_message());
    } else if (difference > 1) {
        print_line(
            stream, "problem",
            "the picture of all ranks differs from that of one, by %d of 255: please "
            "report it with these lines",
            difference);
    } else {
        print_line(stream, "picture",
                   "%d x %d pixels of all ranks in %.2f s; one rank draws the same",
                   DOCTOR_WIDTH, DOCTOR_HEIGHT, seconds);
    }
    return s != STATUS_OK || difference > 1;
}

status doctor_examine(MPI_Comm comm, FILE *stream)
{
    const bool prints = parallel_rank(comm) == 0;
    doctor_facts facts;
    doctor_facts_find(comm, &facts);
    if (prints) {
        about_version_print_short(stream);
        print_machine(stream, &facts);
        print_environment(stream);
        fflush(stream);
    }
    int difference = 0, count = 0;
    double seconds = 0.0;
    const status drawn =
        doctor_picture_draw(comm, doctor_scratch(), &difference, &seconds);
    if (prints) {
        count = print_picture(stream, drawn, difference, seconds);
        count += print_problems(stream, &facts);
        if (count == 0) {
            print_line(stream, "result", "no problems found");
        }
    }
    const status s = count == 0 ? STATUS_OK
                                : base_fail(STATUS_INPUT, "%d problem%s found", count,
                                            count > 1 ? "s" : "");
    return parallel_agree(comm, s);
}
