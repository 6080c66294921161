# --follow: checkpoints are drawn as they appear.
add_executable(split_steps split_steps.c)
target_link_libraries(split_steps PRIVATE karman_options PkgConfig::HDF5 MPI::MPI_C)
foreach(ranks 1 3)
  karman_launcher(launcher ${ranks})
  add_test(NAME image-follow-${ranks}
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/follow.sh $<TARGET_FILE:karman-program>
      $<TARGET_FILE:split_steps> ${dataset_folder}/karman-steps.h5
      ${CMAKE_CURRENT_BINARY_DIR}/follow-${ranks} ${launcher})
  set_tests_properties(image-follow-${ranks} PROPERTIES LABELS image TIMEOUT ${KARMAN_TIMEOUT}
    FIXTURES_REQUIRED dataset-karman-steps ENVIRONMENT "${KARMAN_MPI_ENVIRONMENT}")
  karman_test_processors(image-follow-${ranks} ${ranks})
endforeach()
