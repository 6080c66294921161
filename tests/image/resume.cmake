# Series of steps: --resume, jobs that are killed, ranges of each step.
add_test(NAME dataset-karman-steps COMMAND karman-dataset karman --steps 6 --size 41,21,6
  --output ${dataset_folder}/karman-steps.h5)
set_tests_properties(dataset-karman-steps PROPERTIES LABELS image TIMEOUT ${KARMAN_TIMEOUT}
  FIXTURES_SETUP dataset-karman-steps ENVIRONMENT "${KARMAN_MPI_ENVIRONMENT}")
foreach(ranks 1 3)
  karman_launcher(launcher ${ranks})
  add_test(NAME image-resume-${ranks}
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/resume.sh $<TARGET_FILE:karman-program>
      ${dataset_folder}/karman-steps.h5 ${CMAKE_CURRENT_BINARY_DIR}/resume-${ranks}
      ${launcher})
  set_tests_properties(image-resume-${ranks} PROPERTIES LABELS image TIMEOUT ${KARMAN_TIMEOUT}
    FIXTURES_REQUIRED dataset-karman-steps ENVIRONMENT "${KARMAN_MPI_ENVIRONMENT}")
  karman_test_processors(image-resume-${ranks} ${ranks})
endforeach()

foreach(ranks 1 3)
  karman_launcher(launcher ${ranks})
  add_test(NAME image-step-range-${ranks}
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/step_range.sh $<TARGET_FILE:karman-program>
      $<TARGET_FILE:same_pictures> ${dataset_folder}/karman-steps.h5
      ${CMAKE_CURRENT_BINARY_DIR}/step-range-${ranks} ${launcher})
  set_tests_properties(image-step-range-${ranks} PROPERTIES LABELS image TIMEOUT ${KARMAN_TIMEOUT}
    FIXTURES_REQUIRED dataset-karman-steps ENVIRONMENT "${KARMAN_MPI_ENVIRONMENT}")
  karman_test_processors(image-step-range-${ranks} ${ranks})
endforeach()

# Twenty steps with a still view: so many that their ways are kept.
add_test(NAME dataset-karman-twenty COMMAND karman-dataset karman --steps 20 --size 41,21,6
  --output ${dataset_folder}/karman-twenty.h5)
set_tests_properties(dataset-karman-twenty PROPERTIES LABELS image TIMEOUT ${KARMAN_TIMEOUT}
  FIXTURES_SETUP dataset-karman-twenty ENVIRONMENT "${KARMAN_MPI_ENVIRONMENT}")
foreach(ranks 1 3)
  karman_launcher(launcher ${ranks})
  add_test(NAME image-kept-ways-${ranks}
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/ray_cache.sh $<TARGET_FILE:karman-program>
      $<TARGET_FILE:same_pictures> ${dataset_folder}/karman-twenty.h5
      ${CMAKE_CURRENT_BINARY_DIR}/kept-ways-${ranks} ${launcher})
  set_tests_properties(image-kept-ways-${ranks} PROPERTIES LABELS image TIMEOUT ${KARMAN_TIMEOUT}
    FIXTURES_REQUIRED dataset-karman-twenty ENVIRONMENT "${KARMAN_MPI_ENVIRONMENT}")
  karman_test_processors(image-kept-ways-${ranks} ${ranks})
endforeach()
