#include "io/load.h"
