# Data files without a config, and configs that leave values open.
foreach(ranks 1 2 3)
  karman_launcher(launcher ${ranks})
  add_test(NAME image-auto-${ranks}
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/auto.sh $<TARGET_FILE:karman-program>
      $<TARGET_FILE:karman-dataset> $<TARGET_FILE:same_pictures> $<TARGET_FILE:make_broken>
      ${CMAKE_CURRENT_BINARY_DIR}/auto-${ranks} ${launcher})
  set_tests_properties(image-auto-${ranks} PROPERTIES LABELS image TIMEOUT ${KARMAN_TIMEOUT}
    ENVIRONMENT "${KARMAN_MPI_ENVIRONMENT}")
  karman_test_processors(image-auto-${ranks} ${ranks})
endforeach()
