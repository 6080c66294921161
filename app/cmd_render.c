/* karman render CONFIG or FILE: renders all frames of a config, or a picture of a data
 * file. */
#include "app/example/example.h"
#include "arguments.h"
#include "base/ending/ending.h"
#include "base/parallel/parallel.h"
#include "cmd.h"
#include "frame/complete.h"
#include "frame/entry.h"
#include "frame/recording/recording.h"
#include "frame/render.h"
#include "io/file.h"
#include "run/case/case.h"
#include "run/case/options.h"
#include "run/follow/follow.h"
#ifdef KARMAN_MESSAGES
#include "messages/frame/page.h"
#endif

#include <float.h>
#include <stdlib.h>
#include <string.h>

typedef struct render_arguments {
    app_arguments common;
    const char *files[CASE_MOST_FILES]; /* a config, or data files; NULL: no more */
    case_options picture;
    frame_job_options options;
    const char *html; /* NULL: no page */
    bool quiet, prints;
    int grace;          /* seconds; 0: the default */
    const char *folder; /* to follow; NULL: render the existing data */
    double until;
} render_arguments;

static status set_frames(void *into, const app_option *option, const char *text)
{
    frame_choice *choice = into;
    int used = 0, more = 0;
    (void)option;
    *choice = (frame_choice){true, 0, -1, 1, 0};
    const bool is_range =
        sscanf(text, "%d-%d%n", &choice->first, &choice->last, &used) == 2;
    if (!is_range && sscanf(text, "%d%n", &choice->first, &used) == 1) {
        choice->last = choice->first;
    }
    const bool has_parts =
        text[used] == '/' &&
        sscanf(text + used, "/%d:%d%n", &choice->parts, &choice->part, &more) == 2;
    const bool is_good = used > 0 && text[used + more] == '\0' &&
                         (more > 0) == has_parts && choice->first >= 0 &&
                         choice->last >= choice->first && choice->parts > 0 &&
                         choice->part >= 0 && choice->part < choice->parts;
    return is_good
               ? STATUS_OK
               : base_fail(STATUS_USAGE,
                           "--frames %s: give a frame, such as 7, frames, such as 0-99, "
                           "or a part of them, such as 0-99/8:3 with 0 to 7 for eight "
                           "parts",
                           text);
}

#define AT(member) APP_AT(render_arguments, member)

enum { LONGEST_GRACE = 86400 }; /* a day */

static const app_option rows[] = {
    CASE_OPTIONS(APP_PICTURE){"print-config", 'p', NULL,
                              "Print the config with all found values instead of drawing",
                              APP_FLAG, AT(prints)},
    {"threads", 't', "N",
     "Threads of each rank (default: OMP_NUM_THREADS, else the node's cores divided by "
     "its ranks)",
     APP_WHOLE, AT(options.threads), 1, APP_MOST_THREADS},
    {"resume", 'r', NULL, "Keep complete pictures of the same config", APP_FLAG,
     AT(options.resume)},
    {"frames", 0, "A-B/N:K",
     "Draw only frames A to B, from 0, or of these every N-th from A + K: 0-99/8:3 is "
     "the fourth of eight parts, for arrays of a batch system",
     APP_BY_CALL, AT(options.choice), .take = set_frames},
    {"grace", 0, "SECONDS",
     "After SIGTERM, time for the current frame (default: 120): a job that waits for "
     "ever "
     "ends by the signal then",
     APP_WHOLE, AT(grace), 1, LONGEST_GRACE},
    {"html", 'H', "FILE",
     "Write a page of the last frame: the messages of the ranks in time, and the planned "
     "ones",
     APP_TEXT, AT(html)},
    {"quiet", 'q', NULL, "Show no progress", APP_FLAG, AT(quiet)},
    {"follow", 'f', "FOLDER",
     "Draw data files as they appear in this folder, instead of data.file, until a file "
     "'stop' appears there",
     APP_TEXT, AT(folder)},
    {"until",
     'u',
     "SECONDS",
     "With --follow: end after so long without a new file",
     APP_NUMBER,
     AT(until),
     DBL_MIN,
     1e9,
     {"a number of seconds above 0"}},
    {.keep = APP_ARGUMENT,
     AT(files[0]),
     .words = {NULL, "render needs a config or a data file"}},
    {.keep = APP_ARGUMENT, AT(files[1])},
    {.keep = APP_ARGUMENT, AT(files[2])},
    {.keep = APP_ARGUMENT,
     AT(files[3]),
     .words = {"render takes one config, or at most four data files or folders of files "
               "with a step each"}},
    {0},
};

const app_line cmd_render_line = {
    .options = rows,
    .arguments = "CONFIG\nFILE...",
    .doc = "Renders the frames of a config into PNG pictures, on all ranks of mpiexec. "
           "Of a data file it renders the last step, and chooses field, colours, opacity "
           "and view itself. Several data files stand beside each other in one picture, "
           "with one range and one camera.\vA config is YAML; docs/user/config.md "
           "describes its keys, "
           "and docs/user/steering.md how to follow files. 'karman init FILE' writes a "
           "config to start from.\nExit status: 0 done, 1 failed at run time, 2 wrong "
           "usage or config, 3 ended by SIGTERM after a frame: --resume goes on.",
};

static status check(const render_arguments *arguments)
{
    if (arguments->folder && (arguments->picture.field || arguments->prints)) {
        return base_fail(STATUS_USAGE,
                         "--follow cannot be combined with --field or --print-config");
    }
    if (arguments->html && (arguments->folder || arguments->prints)) {
        return base_fail(STATUS_USAGE,
                         "--html cannot be combined with --follow or --print-config");
    }
    if (arguments->options.choice.is_given && (arguments->folder || arguments->prints)) {
        return base_fail(STATUS_USAGE,
                         "--frames cannot be combined with --follow or --print-config");
    }
    return arguments->until > 0.0 && !arguments->folder
               ? base_fail(STATUS_USAGE, "--until needs --follow")
               : STATUS_OK;
}

static status print_config(MPI_Comm comm, const render_arguments *arguments,
                           const char *path)
{
    io_config *config = NULL;
    status s = frame_config_complete(comm, path, &arguments->options, NULL, &config);
    if (s == STATUS_OK && parallel_rank(comm) == 0) {
        io_config_print(config, false, stdout);
    }
    io_config_destroy(&config);
    return s;
}

static status follow(MPI_Comm comm, const render_arguments *arguments)
{
    const follow_request request = {arguments->files[0], arguments->folder,
                                    arguments->until, &arguments->options,
                                    arguments->quiet};
    return follow_program(comm, &request);
}

#ifdef KARMAN_MESSAGES
/* Renders, and writes the page of the last frame on rank 0. */
static status render_page(MPI_Comm comm, const render_arguments *arguments,
                          const char *path)
{
    frame_job_options options = arguments->options;
    frame_recording recording = {0};
    const bool writes = parallel_rank(comm) == 0;
    options.recording = &recording;
    status s = parallel_agree(comm, writes ? io_file_try(arguments->html, arguments->html)
                                           : STATUS_OK);
    s = s == STATUS_OK ? frame_render(comm, path, &options, arguments->quiet) : s;
    if (s == STATUS_OK) {
        s = parallel_agree(comm, writes ? traffic_write_page(arguments->html, path,
                                                             recording.timings,
                                                             recording.picture)
                                        : STATUS_OK);
    }
    frame_recording_clear(&recording);
    return s;
}
#else
static status render_page(MPI_Comm comm, const render_arguments *arguments,
                          const char *path)
{
    (void)comm;
    (void)path;
    return base_fail(STATUS_USAGE,
                     "--html %s needs the laboratory of messages, which this karman was "
                     "built without: build it with -DKARMAN_MESSAGES=ON",
                     arguments->html);
}
#endif

static status render(MPI_Comm comm, const render_arguments *arguments, const char *path)
{
    frame_entry entry;
    base_ending_catch(arguments->grace > 0 ? arguments->grace : BASE_ENDING_GRACE);
    frame_entry_begin(&entry);
    status s = arguments->prints   ? print_config(comm, arguments, path)
               : arguments->folder ? follow(comm, arguments)
               : arguments->html
                   ? render_page(comm, arguments, path)
                   : frame_render(comm, path, &arguments->options, arguments->quiet);
    frame_entry_end(&entry);
    return s;
}

static int count_files(const render_arguments *arguments)
{
    int count = 1;
    while (count < CASE_MOST_FILES && arguments->files[count]) {
        count++;
    }
    return count;
}

/* Several files are data files. Collective. */
static status check_files(MPI_Comm comm, const render_arguments *arguments)
{
    const int count = count_files(arguments);
    for (int n = 0; n < count && count > 1; n++) {
        if (!case_is_data(comm, arguments->files[n])) {
            return base_fail(STATUS_USAGE,
                             "%s holds no data: several files beside each other are data "
                             "files, and a config names others in 'pictures'",
                             arguments->files[n]);
        }
    }
    return STATUS_OK;
}

/* Renders data files with a config made for them. */
static status render_data(MPI_Comm comm, render_arguments *arguments)
{
    char *text = NULL;
    if (arguments->folder) {
        return base_fail(STATUS_USAGE,
                         "--follow needs a config: 'karman init %s' writes one",
                         arguments->files[0]);
    }
    status s = case_make_beside(comm, count_files(arguments), arguments->files,
                                case_options_frames(&arguments->picture), &text);
    arguments->options.text = text;
    arguments->options.shows_config = true;
    s = s == STATUS_OK ? render(comm, arguments, case_place(arguments->files[0])) : s;
    case_drop_place(arguments->files[0]);
    free(text);
    return s;
}

/* Renders a config, and says what options stand for. */
static status render_config(MPI_Comm comm, render_arguments *arguments)
{
    if (parallel_rank(comm) == 0 && !arguments->quiet && !arguments->prints) {
        case_options_print(&arguments->picture, stdout);
    }
    return render(comm, arguments, arguments->files[0]);
}

/* Says how to get the data of a sample that has none yet. */
static void explain_sample(const char *config)
{
    const char *held = base_fail_message();
    char advice[256], message[2048];
    if (strstr(held, "data.file") && strstr(held, "No such file") &&
        example_advise(config, sizeof advice, advice)) {
        snprintf(message, sizeof message, "%s; %s", held, advice);
        base_fail_set_message(message);
    }
}

static status run(MPI_Comm comm, render_arguments *arguments)
{
    const bool is_data = case_is_data(comm, arguments->files[0]);
    case_options *picture = &arguments->picture;
    status s = check_files(comm, arguments);
    if (s != STATUS_OK) {
        return s;
    }
    s = parallel_agree(
        comm, case_options_finish(picture, is_data ? NULL : arguments->files[0]));
    arguments->options.field = picture->field;
    arguments->options.noverrides = picture->count;
    arguments->options.overrides = (const char *const *)picture->overrides;
    if (s == STATUS_OK) {
        s = is_data ? render_data(comm, arguments) : render_config(comm, arguments);
    }
    if (s == STATUS_INPUT && !is_data) {
        explain_sample(arguments->files[0]);
    }
    return case_options_blame(picture, s);
}

status cmd_render(MPI_Comm comm, int argc, char **argv)
{
    render_arguments arguments = {0};
    status s = app_arguments_read(&cmd_render_line, argc, argv, &arguments.common);
    s = s == STATUS_OK ? check(&arguments) : s;
    s = s == STATUS_OK ? run(comm, &arguments) : s;
    case_options_clear(&arguments.picture);
    return s;
}
