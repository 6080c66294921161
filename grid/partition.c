#include "grid/partition.h"
