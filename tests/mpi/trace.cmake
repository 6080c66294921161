# Particles: the same lines for any number of ranks, and known answers.
add_library(karman_test_trace STATIC test_trace_pair.c)
target_link_libraries(karman_test_trace PUBLIC karman_test_io karman_test_flow karman_datasets
  karman_trace PRIVATE karman_options)
foreach(name trace trace_grids trace_street)
  add_executable(test_${name} test_${name}.c)
  target_link_libraries(test_${name} PRIVATE karman_test_trace)
  karman_mpi_test(mpi-${name} RANKS ${KARMAN_TEST_RANKS} TIMEOUT 240
    COMMAND $<TARGET_FILE:test_${name}>)
endforeach()
