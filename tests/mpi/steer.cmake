# Run directories, orders, repeated logs.
add_executable(test_steer test_steer.c test_steer_support.c)
target_link_libraries(test_steer PRIVATE karman_steer karman_parallel karman_base karman_options
  PkgConfig::JANSSON)
karman_mpi_test(mpi-steer RANKS 1 3 COMMAND $<TARGET_FILE:test_steer> TIMEOUT 60)
