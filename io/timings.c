#include "io/timings.h"
