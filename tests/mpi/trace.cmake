# Particles: the same lines for any number of ranks, and known answers.
add_library(karman_test_trace STATIC test_trace_pair.c)
target_link_libraries(karman_test_trace PUBLIC karman_test_io karman_test_flow karman_datasets
  karman_trace PRIVATE karman_options)
foreach(name trace trace_grids trace_street)
  add_executable(test_${name} test_${name}.c)
  target_link_libraries(test_${name} PRIVATE karman_test_trace)
endforeach()
foreach(name trace trace_grids)
  karman_mpi_test(mpi-${name} RANKS ${KARMAN_FEW_RANKS} COMMAND $<TARGET_FILE:test_${name}>)
endforeach()
karman_mpi_test(mpi-trace_street RANKS 1 5 COMMAND $<TARGET_FILE:test_trace_street>)
