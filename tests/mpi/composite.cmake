# The executor: pictures on any number of ranks against the serial blend.
add_executable(test_composite
  test_composite.c test_composite_walk.c test_composite_faults.c test_composite_requests.c
  test_composite_numbers.c test_composite_stage.c test_composite_images.c test_composite_odd.c)
target_link_libraries(test_composite
  PRIVATE karman_executor karman_composite karman_parallel karman_base karman_options m)
foreach(part pictures walks faults numbers)
  karman_mpi_test(mpi-composite-${part} RANKS ${KARMAN_TEST_RANKS}
    COMMAND $<TARGET_FILE:test_composite> ${part} TIMEOUT 240)
endforeach()
karman_mpi_test(mpi-composite-requests RANKS 1 2 4 7
  COMMAND $<TARGET_FILE:test_composite> requests)
