#include "io/float_image.h"
