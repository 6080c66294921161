/* Sixteen lanes: compiled with -mavx512f and its kin. */
#define RUNNER      lane_runner_avx512
#define RUNNER_NAME "avx512"
#include "test_transfer_lanes_run.h"
