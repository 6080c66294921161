# Many ranks compress pictures together; pngcheck then reads these pictures.
add_executable(test_png_ranks test_png_ranks.c)
target_link_libraries(test_png_ranks PRIVATE karman_test_support karman_io karman_options PkgConfig::PNG)
set(png_folder ${CMAKE_CURRENT_BINARY_DIR}/png)
foreach(ranks ${KARMAN_FEW_RANKS})
  karman_mpi_test(mpi-png RANKS ${ranks}
    COMMAND $<TARGET_FILE:test_png_ranks> ${png_folder}/${ranks})
  set_tests_properties(mpi-png-${ranks} PROPERTIES FIXTURES_SETUP png-pictures)
endforeach()
add_test(NAME png-check COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/png_check.sh ${png_folder})
set_tests_properties(png-check PROPERTIES LABELS mpi TIMEOUT ${KARMAN_TIMEOUT} SKIP_RETURN_CODE 77
  FIXTURES_REQUIRED png-pictures)
