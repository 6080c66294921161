#include "stage.h"

#include "base/parallel/parallel.h"
#include "base/system.h"

io_stage_time io_stage_read(void)
{
    double now = base_clock();
    return (io_stage_time){now, now, base_cpu_clock(), parallel_waited()};
}

io_stage_time io_stage_lap(io_stage_time *mark)
{
    io_stage_time now = io_stage_read();
    io_stage_time stage = {mark->begin, now.wall - mark->wall, now.cpu - mark->cpu,
                           now.waited - mark->waited};
    *mark = now;
    return stage;
}

void io_stage_extend(io_stage_time *stage, io_stage_time more)
{
    stage->begin = stage->wall > 0.0 ? stage->begin : more.begin;
    stage->wall += more.wall;
    stage->cpu += more.cpu;
    stage->waited += more.waited;
}
