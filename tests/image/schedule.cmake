# The command line of karman schedule.
foreach(ranks 1 3)
  karman_launcher(launcher ${ranks})
  add_test(NAME image-schedule-${ranks}
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/schedule.sh $<TARGET_FILE:karman-program>
      ${CMAKE_CURRENT_BINARY_DIR}/schedule-${ranks} ${launcher})
  set_tests_properties(image-schedule-${ranks} PROPERTIES LABELS image TIMEOUT ${KARMAN_TIMEOUT}
    SKIP_RETURN_CODE 77
    ENVIRONMENT "${KARMAN_MPI_ENVIRONMENT}")
  karman_test_processors(image-schedule-${ranks} ${ranks})
endforeach()
