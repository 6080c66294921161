#include "io/xdmf.h"
