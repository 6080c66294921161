/* karman mean FILE -o OUT.h5: means and fluctuations over time. */
#include "app/cmd.h"
#include "app/convert/mean.h"
#include "numbers.h"

enum { OPTION_FORCE = 'f', OPTION_STRESSES = 256 };

static const struct argp_option option_table[] = {
    {"derive", NUMBERS_DERIVE, "NAME=EXPRESSION", 0,
     "Define a field: speed=mag(velocity); may be given again", 0},
    {"fields", NUMBERS_FIELDS, "NAMES", 0,
     "Of these fields, in the file or derived, or of expressions; with commas between "
     "them. Of all in the file otherwise",
     0},
    {"force", OPTION_FORCE, NULL, 0, "Replace files that exist", 0},
    {"output", NUMBERS_OUTPUT, "OUT.h5", 0, "The new file", 0},
    {"reynolds-stresses", OPTION_STRESSES, NULL, 0,
     "And of the velocity, with the six means of products of its fluctuations", 0},
    {"set", NUMBERS_SET, "KEY=VALUE", 0,
     "Use another value than the config's: data.gamma=1.3", 0},
    {"steps", NUMBERS_STEPS, "A:B[:C]", 0,
     "Over these steps: from A to B, both included, in strides of C, or numbers with "
     "commas between them. All otherwise",
     0},
    {0},
};

typedef struct mean_arguments {
    numbers_arguments numbers;
    bool replaces, stresses;
} mean_arguments;

static const app_place places[] = {
    {OPTION_FORCE, APP_KEEP_FLAG, .offset = offsetof(mean_arguments, replaces)},
    {OPTION_STRESSES, APP_KEEP_FLAG, .offset = offsetof(mean_arguments, stresses)},
    NUMBERS_PLACES("mean"),
    {0},
};

const struct argp cmd_mean_argp = {
    .options = option_table,
    .parser = app_arguments_keep,
    .args_doc = "CONFIG|FILE",
    .doc = "Writes means over time as an HDF5 file of karman's own layout with one step, "
           "on all ranks of mpiexec. A field has its mean under its own name, and rms_, "
           "min_ and max_ before it: root mean square of the fluctuations, extremes."
           "\vEach value is read once. An interrupted run leaves OUT.h5.part and "
           "OUT.h5.part.log; the same command goes on there, on any number of ranks.\n"
           "Exit status: 0 done, 1 failed at run time, 2 wrong usage or config.",
};

/* numbers_work */
static status mean(MPI_Comm comm, void *arguments, io_config *config)
{
    mean_arguments *a = arguments;
    const app_mean_request request = {.config = config,
                                      .fields = a->numbers.fields,
                                      .stresses = a->stresses,
                                      .output = a->numbers.output,
                                      .replaces = a->replaces};
    return app_mean(comm, &request);
}

status cmd_mean(MPI_Comm comm, int argc, char **argv)
{
    mean_arguments a = {.numbers.common.places = places};
    status s = app_arguments_read(&cmd_mean_argp, argc, argv, &a.numbers.common);
    if (s == STATUS_OK && !a.numbers.output) {
        s = base_fail(STATUS_USAGE, "mean needs the name of a new file: -o mean.h5");
    }
    a.numbers.steps = a.numbers.steps ? a.numbers.steps : "all";
    return numbers_run(comm, &a.numbers, s, mean);
}
