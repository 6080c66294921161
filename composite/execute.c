#include "composite/execute.h"
