# Particles: the same lines for any number of ranks, and known answers.
foreach(name trace trace_street)
  add_executable(test_${name} test_${name}.c)
  target_link_libraries(test_${name} PRIVATE karman_test_io karman_test_flow karman_datasets
    karman_trace)
  karman_mpi_test(mpi-${name} RANKS ${KARMAN_TEST_RANKS} TIMEOUT 240
    COMMAND $<TARGET_FILE:test_${name}>)
endforeach()
