#include "composite/check.h"
