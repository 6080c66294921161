#include "grid/recipe.h"
