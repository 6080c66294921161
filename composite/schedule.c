#include "composite/schedule.h"
