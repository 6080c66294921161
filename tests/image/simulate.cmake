# The command line of karman simulate.
karman_launcher(launcher 2)
add_test(NAME image-simulate
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/simulate.sh $<TARGET_FILE:karman-program>
    ${CMAKE_CURRENT_BINARY_DIR}/simulate ${launcher})
set_tests_properties(image-simulate PROPERTIES LABELS image TIMEOUT ${KARMAN_TIMEOUT}
  ENVIRONMENT "${KARMAN_MPI_ENVIRONMENT}")
karman_test_processors(image-simulate 2)
