#include "io/png.h"
