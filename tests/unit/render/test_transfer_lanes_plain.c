/* Plain C. */
#define LANES_PLAIN
#define RUNNER      lane_runner_plain
#define RUNNER_NAME "plain"
#include "test_transfer_lanes_run.h"
