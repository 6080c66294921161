# The executor: pictures on any number of ranks against the serial blend.
add_executable(test_composite test_composite.c test_composite_faults.c test_composite_images.c)
target_link_libraries(test_composite
  PRIVATE karman_executor karman_composite karman_parallel karman_base karman_options m)
karman_mpi_test(mpi-composite RANKS ${KARMAN_TEST_RANKS} COMMAND $<TARGET_FILE:test_composite>
  TIMEOUT 120)
