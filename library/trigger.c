#include "state.h"

#include <math.h>

/* Allows for rounding, as times are sums of steps: 0.1 three times is due at 0.3. */
static bool has_come(double time, double due)
{
    return time >= due - 1e-9 * fabs(due);
}

/* Skips the times before the first step. */
static void begin(insitu_trigger *trigger, double time)
{
    const io_trigger *config = trigger->config;
    if (trigger->has_begun) {
        return;
    }
    trigger->has_begun = true;
    while (trigger->next_time < config->ntimes &&
           !has_come(config->times[trigger->next_time], time)) {
        trigger->next_time++;
    }
    if (config->interval > 0.0) {
        trigger->next_interval = ceil(time / config->interval - 1e-9);
    }
}

/* Passes all times up to now. Several times within one long step make one picture. */
static bool pass_times(insitu_trigger *trigger, double time)
{
    const io_trigger *config = trigger->config;
    bool is_due = false;
    while (trigger->next_time < config->ntimes &&
           has_come(time, config->times[trigger->next_time])) {
        trigger->next_time++;
        is_due = true;
    }
    return is_due;
}

static bool pass_intervals(insitu_trigger *trigger, double time)
{
    const double interval = trigger->config->interval;
    if (interval <= 0.0 || !has_come(time, trigger->next_interval * interval)) {
        return false;
    }
    trigger->next_interval = floor(time / interval + 1e-9) + 1.0;
    return true;
}

bool insitu_trigger_is_due(insitu_trigger *trigger, int64_t cycle, double time)
{
    const int64_t every = trigger->config->every;
    begin(trigger, time);
    const bool by_time = pass_times(trigger, time);
    const bool by_interval = pass_intervals(trigger, time);
    return by_time || by_interval || (every > 0 && cycle % every == 0);
}

bool insitu_condition_holds(const io_condition *condition, double value, double shown)
{
    return (!condition->has_above || value > condition->above) &&
           (!condition->has_below || value < condition->below) &&
           (isnan(shown) || !(fabs(value - shown) <= condition->change) ||
            condition->change <= 0.0);
}
