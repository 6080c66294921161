/* karman mean FILE -o OUT.h5: means and fluctuations over time. */
#include "app/cmd.h"
#include "app/convert/mean.h"
#include "numbers.h"

typedef struct mean_arguments {
    numbers_arguments numbers;
    bool replaces, stresses;
} mean_arguments;

static const app_option rows[] = {
    NUMBERS_DERIVE,
    NUMBERS_FIELDS("Of these fields, in the file or derived, or of expressions; with "
                   "commas between them. Of all in the file otherwise"),
    {"force", 'f', NULL, "Replace files that exist", APP_FLAG,
     APP_AT(mean_arguments, replaces)},
    {"output", 'o', "OUT.h5", "The new file", APP_TEXT, NUMBERS_AT(output)},
    {"reynolds-stresses", 0, NULL,
     "And of the velocity, with the six means of products of its fluctuations", APP_FLAG,
     APP_AT(mean_arguments, stresses)},
    NUMBERS_SET,
    NUMBERS_STEPS("Over these steps: from A to B, both included, in strides of C, or "
                  "numbers with commas between them. All otherwise"),
    NUMBERS_FILE("mean"),
    {0},
};

const app_line cmd_mean_line = {
    .options = rows,
    .arguments = "CONFIG|FILE",
    .doc = "Writes means over time as an HDF5 file of karman's own layout with one step, "
           "on all ranks of mpiexec. A field has its mean under its own name, and rms_, "
           "min_ and max_ before it: root mean square of the fluctuations, "
           "extremes.\vEach value is read once. An interrupted run leaves OUT.h5.part "
           "and OUT.h5.part.log; the same command goes on there, on any number of "
           "ranks.\nExit status: 0 done, 1 failed at run time, 2 wrong usage or config.",
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
    mean_arguments a = {0};
    status s = app_arguments_read(&cmd_mean_line, argc, argv, &a.numbers.common);
    if (s == STATUS_OK && !a.numbers.output) {
        s = base_fail(STATUS_USAGE, "mean needs the name of a new file: -o mean.h5");
    }
    a.numbers.steps = a.numbers.steps ? a.numbers.steps : "all";
    return numbers_run(comm, &a.numbers, s, mean);
}
