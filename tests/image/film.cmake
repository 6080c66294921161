# Films: frames that are no steps.
foreach(ranks 1 3)
  karman_launcher(launcher ${ranks})
  add_test(NAME image-film-${ranks}
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/film.sh $<TARGET_FILE:karman-program>
      $<TARGET_FILE:same_pictures> ${dataset_folder}/karman-steps.h5
      ${CMAKE_CURRENT_BINARY_DIR}/film-${ranks} ${launcher})
  set_tests_properties(image-film-${ranks} PROPERTIES LABELS image TIMEOUT ${KARMAN_TIMEOUT}
    FIXTURES_REQUIRED dataset-karman-steps ENVIRONMENT "${KARMAN_MPI_ENVIRONMENT}")
  karman_test_processors(image-film-${ranks} ${ranks})
endforeach()

# Several pictures of a step.
foreach(ranks 1 3)
  karman_launcher(launcher ${ranks})
  add_test(NAME image-pictures-${ranks}
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/pictures.sh $<TARGET_FILE:karman-program>
      $<TARGET_FILE:same_pictures> ${dataset_folder}/karman-steps.h5
      ${CMAKE_CURRENT_BINARY_DIR}/pictures-${ranks} ${launcher})
  set_tests_properties(image-pictures-${ranks} PROPERTIES LABELS image TIMEOUT ${KARMAN_TIMEOUT}
    FIXTURES_REQUIRED dataset-karman-steps ENVIRONMENT "${KARMAN_MPI_ENVIRONMENT}")
  karman_test_processors(image-pictures-${ranks} ${ranks})
endforeach()
