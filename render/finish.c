#include "render/finish.h"
