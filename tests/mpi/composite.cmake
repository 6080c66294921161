# The executor: pictures on any number of ranks against the serial blend.
add_executable(test_composite
  test_composite.c test_composite_walk.c test_composite_faults.c test_composite_requests.c
  test_composite_numbers.c test_composite_direct.c test_composite_events.c test_composite_stage.c test_composite_images.c test_composite_odd.c
  test_composite_nodes.c test_composite_late.c test_composite_rules.c)
target_link_libraries(test_composite
  PRIVATE karman_test_support karman_executor karman_composite karman_parallel karman_base karman_options OpenMP::OpenMP_C m)
# More ranks than processors are dear: 5 or 8 will do.
set(ranks_to_5 1 2 3 5)
set(ranks_to_8 1 2 3 8)
set(ranks_of_faults 1 2 3 7)
if(KARMAN_LONG_TESTS)
  set(ranks_to_5 ${KARMAN_TEST_RANKS})
  set(ranks_to_8 ${KARMAN_TEST_RANKS})
  set(ranks_of_faults 1 2 3 4 7 8)
endif()
foreach(part pictures walks nodes)
  karman_mpi_test(mpi-composite-${part} RANKS ${ranks_to_8} COMMAND $<TARGET_FILE:test_composite> ${part})
endforeach()
foreach(part numbers direct late rules)
  karman_mpi_test(mpi-composite-${part} RANKS ${ranks_to_5} COMMAND $<TARGET_FILE:test_composite> ${part})
endforeach()
# With 7 ranks, binary swap has three leftover ranks; with 3 or 5 it has one.
karman_mpi_test(mpi-composite-faults RANKS ${ranks_of_faults} COMMAND $<TARGET_FILE:test_composite> faults)
karman_mpi_test(mpi-composite-events RANKS 1 2 4 7
  COMMAND $<TARGET_FILE:test_composite> events)
karman_mpi_test(mpi-composite-requests RANKS 1 3 5
  COMMAND $<TARGET_FILE:test_composite> requests)
# On real nodes: namespaces with several ranks each, which send to each other over TCP.
add_test(NAME mpi-namespaces
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/namespaces.sh $<TARGET_FILE:karman-program>
    $<TARGET_FILE:test_composite> $<TARGET_FILE:same_pictures>
    ${PROJECT_BINARY_DIR}/tests/image/datasets/karman.h5 ${CMAKE_CURRENT_BINARY_DIR}/namespaces
    $<TARGET_FILE:karman_yield> ${KARMAN_MPIEXEC})
set_tests_properties(mpi-namespaces PROPERTIES LABELS mpi TIMEOUT ${KARMAN_TIMEOUT}
  SKIP_RETURN_CODE 77 FIXTURES_REQUIRED dataset-karman ENVIRONMENT "${KARMAN_MPI_ENVIRONMENT}")
karman_test_processors(mpi-namespaces 5)
