# Run directories, orders, repeated logs.
add_executable(test_steer test_steer.c test_steer_support.c)
target_link_libraries(test_steer PRIVATE karman_test_support karman_steer karman_parallel karman_base karman_options
  PkgConfig::JANSSON)
karman_mpi_test(mpi-steer RANKS 1 3 COMMAND $<TARGET_FILE:test_steer>)

add_executable(steer_target steer_target.c)
target_link_libraries(steer_target PRIVATE karman_steer karman_parallel karman_base karman_options)
foreach(ranks 1 3)
  karman_launcher(launcher ${ranks})
  add_test(NAME mpi-steer-command-${ranks}
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/steer.sh $<TARGET_FILE:karman-program>
      $<TARGET_FILE:steer_target> ${CMAKE_CURRENT_BINARY_DIR}/steer-${ranks}
      ${launcher})
  set_tests_properties(mpi-steer-command-${ranks} PROPERTIES LABELS mpi TIMEOUT ${KARMAN_TIMEOUT}
    ENVIRONMENT "${KARMAN_MPI_ENVIRONMENT}")
  karman_test_processors(mpi-steer-command-${ranks} ${ranks})
endforeach()

# The same program when memory runs out.
add_executable(steer_short_of_memory steer_target.c fail_allocation.c)
target_link_libraries(steer_short_of_memory PRIVATE karman_steer karman_parallel karman_base
  karman_options)
target_link_options(steer_short_of_memory PRIVATE
  LINKER:--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=strdup)
add_test(NAME failing-allocations-steer
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/fail_steer.sh $<TARGET_FILE:steer_short_of_memory>
    ${CMAKE_CURRENT_BINARY_DIR}/fail-steer 3 ${KARMAN_MPIEXEC})
set_tests_properties(failing-allocations-steer PROPERTIES LABELS mpi TIMEOUT ${KARMAN_TIMEOUT}
  ENVIRONMENT "${KARMAN_MPI_ENVIRONMENT}")
