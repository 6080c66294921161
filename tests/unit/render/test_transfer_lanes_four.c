/* Four lanes, on every machine. */
#define LANES_FOUR
#define RUNNER      lane_runner_four
#define RUNNER_NAME "four"
#include "test_transfer_lanes_run.h"
