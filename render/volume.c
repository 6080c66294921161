#include "render/volume.h"
