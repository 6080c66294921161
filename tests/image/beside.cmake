# Two data sets: their difference on one grid, and pictures side by side.
foreach(ranks 1 3 8)
  if(NOT Python3_FOUND)
    karman_skipped_test(image-beside-${ranks} "there is no Python 3.9 for it (Debian: python3, python3-h5py)")
    continue()
  endif()
  karman_launcher(launcher ${ranks})
  add_test(NAME image-beside-${ranks}
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/beside.sh $<TARGET_FILE:karman-program>
      $<TARGET_FILE:same_pictures> ${CMAKE_CURRENT_SOURCE_DIR}/beside_data.py
      $<TARGET_FILE:karman-dataset> ${Python3_EXECUTABLE}
      ${CMAKE_CURRENT_BINARY_DIR}/beside-${ranks} ${launcher})
  set_tests_properties(image-beside-${ranks} PROPERTIES LABELS image TIMEOUT ${KARMAN_TIMEOUT}
    SKIP_RETURN_CODE 77 ENVIRONMENT "${KARMAN_MPI_ENVIRONMENT};PYTHONDONTWRITEBYTECODE=1")
  karman_test_processors(image-beside-${ranks} ${ranks})
endforeach()
