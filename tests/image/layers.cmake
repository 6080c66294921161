# Pictures of every layer against closed forms.
if(Python3_FOUND)
  add_test(NAME image-true-layers COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/true_layers.py
    $<TARGET_FILE:karman-program> ${CMAKE_CURRENT_BINARY_DIR}/true-layers)
  set_tests_properties(image-true-layers PROPERTIES LABELS image SKIP_RETURN_CODE 77
    TIMEOUT ${KARMAN_TIMEOUT} ENVIRONMENT "${KARMAN_MPI_ENVIRONMENT}")
else()
  karman_skipped_test(image-true-layers "there is no Python 3.9 for it (Debian: python3, python3-h5py)")
endif()

# Bad input of layers, end to end. make_broken: errors.cmake.
foreach(ranks 1 3)
  karman_launcher(launcher ${ranks})
  add_test(NAME image-layers-${ranks}
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/layers.sh $<TARGET_FILE:karman-program>
      $<TARGET_FILE:karman-dataset> $<TARGET_FILE:make_broken>
      ${CMAKE_CURRENT_BINARY_DIR}/layers-${ranks} ${launcher})
  set_tests_properties(image-layers-${ranks} PROPERTIES LABELS image TIMEOUT ${KARMAN_TIMEOUT}
    ENVIRONMENT "${KARMAN_MPI_ENVIRONMENT}")
  karman_test_processors(image-layers-${ranks} ${ranks})
endforeach()
