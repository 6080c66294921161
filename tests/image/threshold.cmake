# Thresholds cut like planes.
foreach(ranks 1 3)
  karman_launcher(launcher ${ranks})
  add_test(NAME image-threshold-${ranks}
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/threshold.sh $<TARGET_FILE:karman-program>
      $<TARGET_FILE:karman-dataset> $<TARGET_FILE:same_pictures>
      ${CMAKE_CURRENT_BINARY_DIR}/threshold-${ranks} ${launcher})
  set_tests_properties(image-threshold-${ranks} PROPERTIES LABELS image TIMEOUT ${KARMAN_TIMEOUT}
    ENVIRONMENT "${KARMAN_MPI_ENVIRONMENT}")
  karman_test_processors(image-threshold-${ranks} ${ranks})
endforeach()
