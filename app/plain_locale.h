/* Numbers with a point, whatever the program around us writes: configs and JSON have no
 * commas in numbers. */
#ifndef APP_PLAIN_LOCALE_H
#define APP_PLAIN_LOCALE_H

#include <locale.h>

typedef struct app_plain_locale {
    locale_t plain, before;
} app_plain_locale;

/* For the calling thread, until app_plain_locale_end. Local. */
app_plain_locale app_plain_locale_begin(void);
void app_plain_locale_end(app_plain_locale *locale);

#endif
