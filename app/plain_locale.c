#include "app/plain_locale.h"

app_plain_locale app_plain_locale_begin(void)
{
    app_plain_locale locale;
    locale_t copy = duplocale(uselocale((locale_t)0));
    locale.plain = copy ? newlocale(LC_NUMERIC_MASK, "C", copy) : copy;
    locale.before = uselocale(locale.plain);
    if (copy && !locale.plain) {
        freelocale(copy);
    }
    return locale;
}

void app_plain_locale_end(app_plain_locale *locale)
{
    uselocale(locale->before);
    if (locale->plain) {
        freelocale(locale->plain);
    }
}
