# Bad input, end to end.
add_executable(make_broken make_broken.c)
target_link_libraries(make_broken PRIVATE karman_options PkgConfig::HDF5 MPI::MPI_C)
foreach(ranks 1 3)
  karman_launcher(launcher ${ranks})
  add_test(NAME image-errors-${ranks}
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/errors.sh $<TARGET_FILE:karman-program>
      $<TARGET_FILE:make_broken> ${CMAKE_CURRENT_BINARY_DIR}/errors-${ranks}
      ${launcher})
  set_tests_properties(image-errors-${ranks} PROPERTIES LABELS image TIMEOUT ${KARMAN_TIMEOUT}
    ENVIRONMENT "${KARMAN_MPI_ENVIRONMENT}")
  karman_test_processors(image-errors-${ranks} ${ranks})
endforeach()

# Mistakes of users and their messages, a table.
if(Python3_FOUND)
  add_test(NAME image-mistakes
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/mistakes.py $<TARGET_FILE:karman-program>
      $<TARGET_FILE:karman-dataset> $<TARGET_FILE:make_broken> ${CMAKE_CURRENT_SOURCE_DIR}/mistakes.txt
      ${CMAKE_CURRENT_BINARY_DIR}/mistakes)
  set_tests_properties(image-mistakes PROPERTIES LABELS image TIMEOUT ${KARMAN_TIMEOUT}
    ENVIRONMENT "${KARMAN_MPI_ENVIRONMENT}")
  if(KARMAN_HAS_CAIRO)
    add_test(NAME image-framing
      COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/framing.py $<TARGET_FILE:karman-program>
        $<TARGET_FILE:karman-dataset> ${CMAKE_CURRENT_BINARY_DIR}/framing)
    set_tests_properties(image-framing PROPERTIES LABELS image TIMEOUT ${KARMAN_TIMEOUT}
      ENVIRONMENT "${KARMAN_MPI_ENVIRONMENT}")
  endif()
else()
  karman_skipped_test(image-mistakes "there is no Python 3.9 for the test of messages (Debian: python3)")
endif()
