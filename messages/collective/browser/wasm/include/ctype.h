/* For the page's build: code that reads text is left out by the linker. */
#pragma once

int isdigit(int c);
