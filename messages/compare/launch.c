#include "launch.h"

#include "base/system.h"
#include "partition.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* ---- Interruption ------------------------------------------------------------------ */

static volatile sig_atomic_t interrupted;
static volatile sig_atomic_t running; /* process id of the child, or 0 */

/* Passes the signal on to the child, and notes it. A handler may do no more. */
static void interrupt_child(int number)
{
    interrupted = number;
    if (running) {
        kill((pid_t)running, number);
    }
}

static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = interrupt_child};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
}

/* ---- The command line -------------------------------------------------------------- */

status compare_launcher_create(const char *command, compare_launcher *launcher)
{
    launcher->is_given = command != NULL;
    command = command ? command : KARMAN_MPIEXEC;
    if (strlen(command) >= sizeof launcher->text) {
        return base_fail(STATUS_USAGE, "--launcher: the command is too long");
    }
    strcpy(launcher->text, command);
    strcpy(launcher->shown, command);
    launcher->count = 0;
    char *rest = launcher->text, *word;
    while ((word = strtok_r(rest, " \t", &rest)) != NULL) {
        if (launcher->count == COMPARE_MOST_WORDS) {
            return base_fail(STATUS_USAGE, "--launcher: give %d words at most",
                             (int)COMPARE_MOST_WORDS);
        }
        launcher->words[launcher->count++] = word;
    }
    if (launcher->count == 0) {
        return base_fail(STATUS_USAGE, "--launcher is empty: give the command that "
                                       "starts MPI programs, like mpiexec");
    }
    ssize_t length =
        readlink("/proc/self/exe", launcher->program, sizeof launcher->program - 1);
    if (length <= 0) {
        return base_fail(STATUS_INTERNAL,
                         "the path of this program cannot be determined");
    }
    launcher->program[length] = '\0';
    return STATUS_OK;
}

/* A growing list of arguments, all malloc'ed. */
typedef struct word_list {
    int count, most;
    char **words;
    bool failed;
} word_list;

static void add_word(word_list *list, const char *before, const char *word)
{
    size_t size = strlen(before) + strlen(word) + 1;
    char *copy = list->count < list->most ? malloc(size) : NULL;
    if (!copy) {
        list->failed = true;
        return;
    }
    snprintf(copy, size, "%s%s", before, word);
    list->words[list->count++] = copy;
}

static void add_number(word_list *list, const char *before, int64_t number)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRId64, number);
    add_word(list, before, text);
}

/* --set KEY='TEXT', quoted as in YAML. */
static void add_setting(word_list *list, const char *key, const char *text)
{
    size_t size = strlen(key) + 2 * strlen(text) + 4;
    char *setting = malloc(size);
    if (!setting) {
        list->failed = true;
        return;
    }
    char *out = setting + sprintf(setting, "%s='", key);
    for (; *text; text++) {
        *out++ = *text;
        if (*text == '\'') {
            *out++ = '\'';
        }
    }
    strcpy(out, "'");
    add_word(list, "--set=", setting);
    free(setting);
}

static void add_probe(word_list *list, const compare_plan *plan,
                      const compare_child *child)
{
    add_number(list, "--set=image.width=", child->width);
    add_number(list, "--set=image.height=", child->height);
    add_number(list, "--set=data.steps=", plan->first_step);
}

static void add_view(word_list *list, const compare_plan *plan,
                     const compare_child *child)
{
    double factor = plan->projections[child->which.projection].factor;
    if (factor != 1.0) {
        char setting[64];
        compare_view_setting(&plan->view, factor, setting);
        add_word(list, "--set=", setting);
    }
}

static void add_settings(word_list *list, const compare_plan *plan,
                         const compare_child *child)
{
    for (int n = 0; n < plan->noverrides; n++) {
        add_word(list, "--set=", plan->overrides[n]);
    }
    if (plan->takes_one_sample) {
        add_word(list, "--set=", "image.samples=1");
    }
    const compare_partition *partition = compare_partition_find(child->which.partition);
    add_word(list,
             "--set=partition=", partition ? partition->setting : child->which.partition);
    /* The parameters of the config's own algorithm do not fit other algorithms. */
    add_word(list, "--set=composite={}", "");
    add_word(list, "--set=composite.algorithm=", child->which.algorithm);
    add_word(list, "--set=output={}", "");
    add_setting(list, "output.frames", child->frames);
    add_setting(list, "output.timings", child->timings);
    if (child->has_tiles) {
        add_word(list, "--set=output.tile_costs=true", "");
    }
    if (plan->warms_caches) {
        add_word(list, "--set=output.warm_caches=true", "");
    }
    add_view(list, plan, child);
    if (child->width > 0) {
        add_probe(list, plan, child);
    }
}

static void free_words(word_list *list)
{
    for (int n = 0; n < list->count; n++) {
        free(list->words[n]);
    }
    free(list->words);
}

static status make_words(const compare_plan *plan, const compare_launcher *launcher,
                         const compare_child *child, word_list *list)
{
    *list = (word_list){.most = launcher->count + plan->noverrides + 24};
    list->words = calloc((size_t)list->most + 1, sizeof *list->words);
    list->failed = !list->words;
    for (int n = 0; n < launcher->count; n++) {
        add_word(list, "", launcher->words[n]);
    }
    add_word(list, "", "-n");
    add_number(list, "", child->which.ranks);
    add_word(list, "", launcher->program);
    add_word(list, "", "render");
    add_word(list, "", plan->config);
    add_word(list, "", "--quiet");
    add_number(list, "--threads=", plan->threads);
    add_settings(list, plan, child);
    if (list->failed) {
        free_words(list);
        return base_fail_memory(4096, "a command line");
    }
    return STATUS_OK;
}

/* ---- The child --------------------------------------------------------------------- */

/* Copies the environment without the variables of an MPI launcher, which Open MPI sets in
 * a process without a launcher, too: the children's launcher sets its own. The pointers
 * point into environ; free the array. */
static char **make_environment(void)
{
    static const char *const prefixes[] = {"PMI_",
                                           "PMIX_",
                                           "HYD",
                                           "MPI_LOCAL",
                                           "MPIR_",
                                           "OMPI_COMM",
                                           "OMPI_APP_",
                                           "OMPI_FILE",
                                           "OMPI_FIRST",
                                           "OMPI_NUM_APP",
                                           "OMPI_UNIVERSE",
                                           "OMPI_MCA_ess",
                                           "ORTE_",
                                           "PRTE_",
                                           "OMPI_MCA_orte_",
                                           "OMPI_MCA_pmix",
                                           "OMPI_MCA_initial_wdir",
                                           "OMPI_MCA_mpi_oversubscribe",
                                           "OMPI_MCA_shmem_RUNTIME"};
    size_t count = 0;
    while (environ[count]) {
        count++;
    }
    char **kept = calloc(count + 1, sizeof *kept);
    for (size_t n = 0, k = 0; kept && n < count; n++) {
        bool drops = false;
        for (size_t p = 0; p < sizeof prefixes / sizeof prefixes[0]; p++) {
            drops = drops || strncmp(environ[n], prefixes[p], strlen(prefixes[p])) == 0;
        }
        if (!drops) {
            kept[k++] = environ[n];
        }
    }
    return kept;
}

static int spawn(char **words, const char *log, pid_t *process)
{
    char **environment = make_environment();
    posix_spawn_file_actions_t actions;
    if (!environment || posix_spawn_file_actions_init(&actions) != 0) {
        free(environment);
        return ENOMEM;
    }
    int error = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null",
                                                 O_RDONLY, 0);
    error = error ? error
                  : posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log,
                                                     O_WRONLY | O_CREAT | O_TRUNC, 0644);
    error =
        error ? error
              : posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    error = error ? error
                  : posix_spawnp(process, words[0], &actions, NULL, words, environment);
    posix_spawn_file_actions_destroy(&actions);
    free(environment);
    return error;
}

/* Starts the child bound to the plan's cores: it inherits this thread's binding, and so
 * do its children. */
static status spawn_bound(const compare_plan *plan, const compare_launcher *launcher,
                          char **words, const char *log, pid_t *process)
{
    compare_cores before = {0};
    status s = plan->cores.count ? compare_cores_get(&before) : STATUS_OK;
    s = s == STATUS_OK ? compare_cores_bind(&plan->cores) : s;
    if (s != STATUS_OK) {
        return s;
    }
    int error = spawn(words, log, process);
    s = compare_cores_bind(&before);
    return error ? base_fail(STATUS_USAGE,
                             "the launcher '%s' cannot be started: %s: give another one "
                             "with --launcher or KARMAN_LAUNCHER",
                             launcher->words[0], strerror(error))
                 : s;
}

static int wait_for(pid_t process)
{
    int code = 0;
    running = (sig_atomic_t)process;
    if (interrupted) {
        kill(process, (int)interrupted); /* the signal came before the process id was
                                            known */
    }
    while (waitpid(process, &code, 0) < 0 && errno == EINTR) {
    }
    running = 0;
    return code;
}

/* Finds karman's own message in a log, else its last line. Changes `text`. */
static const char *find_reason(char *text)
{
    static const char mark[] = "karman: error: ";
    const char *last = "it printed nothing";
    char *rest = text, *line;
    while ((line = strtok_r(rest, "\n", &rest)) != NULL) {
        char *own = strstr(line, mark);
        if (own) {
            return own + strlen(mark);
        }
        last = strpbrk(line, "abcdefghijklmnopqrstuvwxyz") ? line : last;
    }
    return last;
}

/* Fails with the message of the child. */
static status fail_child(const compare_child *child, int code)
{
    char text[8192] = "";
    FILE *log = fopen(child->log, "r");
    if (log) {
        text[fread(text, 1, sizeof text - 1, log)] = '\0';
        fclose(log);
    }
    char how[64];
    if (WIFSIGNALED(code)) {
        snprintf(how, sizeof how, "signal %d", WTERMSIG(code));
    } else {
        snprintf(how, sizeof how, "exit code %d", WEXITSTATUS(code));
    }
    return base_fail(STATUS_INPUT, "%s (%s; %s)", find_reason(text), how, child->log);
}

status compare_launch(const compare_plan *plan, const compare_launcher *launcher,
                      const compare_child *child, double *seconds)
{
    word_list list;
    status s = make_words(plan, launcher, child, &list);
    if (s != STATUS_OK) {
        return s;
    }
    catch_signals();
    double begin = base_clock();
    pid_t process;
    s = spawn_bound(plan, launcher, list.words, child->log, &process);
    free_words(&list);
    if (s != STATUS_OK) {
        return s;
    }
    int code = wait_for(process);
    *seconds = base_clock() - begin;
    if (interrupted) {
        return base_fail(STATUS_INTERNAL, "interrupted: the same command continues with "
                                          "the runs that are missing");
    }
    return code == 0 ? STATUS_OK : fail_child(child, code);
}
