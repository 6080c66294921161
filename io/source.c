#include "io/source.h"
