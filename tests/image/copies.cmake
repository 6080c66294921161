# One passage with copies gives the pictures of the whole ring.
foreach(ranks 1 3 8)
  karman_launcher(launcher ${ranks})
  add_test(NAME image-copies-${ranks}
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/copies.sh $<TARGET_FILE:karman-program>
      $<TARGET_FILE:karman-dataset> $<TARGET_FILE:same_pictures>
      ${CMAKE_CURRENT_BINARY_DIR}/copies-${ranks} ${launcher})
  set_tests_properties(image-copies-${ranks} PROPERTIES LABELS image TIMEOUT ${KARMAN_TIMEOUT}
    ENVIRONMENT "${KARMAN_MPI_ENVIRONMENT}")
  karman_test_processors(image-copies-${ranks} ${ranks})
endforeach()
