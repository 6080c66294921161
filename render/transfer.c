#include "render/transfer.h"
