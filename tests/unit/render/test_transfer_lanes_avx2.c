/* Eight lanes: compiled with -mavx2. */
#define RUNNER      lane_runner_avx2
#define RUNNER_NAME "avx2"
#include "test_transfer_lanes_run.h"
