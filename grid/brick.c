#include "grid/brick.h"
