/* For the page's build: library.c writes texts and whole numbers. */
#pragma once

#include <stdarg.h>
#include <stddef.h>

int snprintf(char *text, size_t size, const char *format, ...);
int vsnprintf(char *text, size_t size, const char *format, va_list values);
