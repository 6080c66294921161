# The command line of karman tune, and pictures by random tuning files.
karman_launcher(launcher 3)
add_test(NAME image-tune
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/tune.sh $<TARGET_FILE:karman-program>
    $<TARGET_FILE:same_pictures> ${dataset_folder}/karman.h5 ${CMAKE_CURRENT_BINARY_DIR}/tune
    ${launcher})
set_tests_properties(image-tune PROPERTIES LABELS image TIMEOUT ${KARMAN_TIMEOUT}
  FIXTURES_REQUIRED dataset-karman ENVIRONMENT "${KARMAN_MPI_ENVIRONMENT}")
karman_test_processors(image-tune 3)
