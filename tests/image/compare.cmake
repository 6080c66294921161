# karman compare: a tiny comparison, bad input, and continuing after an interruption; then its pages
# in a browser, if there is one.
set(compare_folder ${CMAKE_CURRENT_BINARY_DIR}/compare)
add_test(NAME image-compare
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/compare.sh $<TARGET_FILE:karman-program>
    ${dataset_folder}/karman-steps.h5 ${compare_folder} ${KARMAN_MPIEXEC})
set_tests_properties(image-compare PROPERTIES LABELS image TIMEOUT ${KARMAN_TIMEOUT}
  FIXTURES_REQUIRED dataset-karman-steps FIXTURES_SETUP comparison
  ENVIRONMENT "${KARMAN_MPI_ENVIRONMENT}")

if(Python3_FOUND)
  foreach(comparison out views bare)
    add_test(NAME image-compare-page-${comparison}
      COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/compare_page.py
        ${compare_folder}/${comparison})
    set_tests_properties(image-compare-page-${comparison} PROPERTIES LABELS image
      TIMEOUT ${KARMAN_TIMEOUT} SKIP_RETURN_CODE 77 FIXTURES_REQUIRED comparison)
  endforeach()
  foreach(comparison out views)
    add_test(NAME image-compare-trace-${comparison}
      COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/trace.py
        ${compare_folder}/${comparison} 1)
    set_tests_properties(image-compare-trace-${comparison} PROPERTIES LABELS image
      TIMEOUT ${KARMAN_TIMEOUT} FIXTURES_REQUIRED comparison)
  endforeach()
  # The events of its runs: on several ranks, and on artificial nodes of MPICH.
  foreach(case 1:1: 3:1: 3:2:MPIR_CVAR_NUM_CLIQUES=2 3:3:MPIR_CVAR_NOLOCAL=1)
    string(REPLACE ":" ";" case "${case}")
    list(GET case 0 ranks)
    list(GET case 1 nodes)
    list(GET case 2 environment)
    set(test image-compare-events-${ranks}-nodes-${nodes})
    karman_launcher(launcher ${ranks})
    add_test(NAME ${test}
      COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/events.py
        $<TARGET_FILE:karman-program> ${dataset_folder}/karman-steps.h5
        ${CMAKE_CURRENT_BINARY_DIR}/events-${ranks}-${nodes} ${ranks} ${nodes} ${launcher})
    set_tests_properties(${test} PROPERTIES LABELS image
      TIMEOUT ${KARMAN_TIMEOUT} SKIP_RETURN_CODE 77 FIXTURES_REQUIRED dataset-karman-steps
      ENVIRONMENT "${KARMAN_MPI_ENVIRONMENT};${environment}")
    karman_test_processors(${test} ${ranks})
  endforeach()
  # And about tiles.
  foreach(ranks 1 3)
    karman_launcher(launcher ${ranks})
    add_test(NAME image-compare-tiles-${ranks}
      COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/tile_costs.py
        $<TARGET_FILE:karman-program> ${dataset_folder}/karman-steps.h5
        ${CMAKE_CURRENT_BINARY_DIR}/tiles-${ranks} ${launcher})
    set_tests_properties(image-compare-tiles-${ranks} PROPERTIES LABELS image
      TIMEOUT ${KARMAN_TIMEOUT} FIXTURES_REQUIRED dataset-karman-steps
      ENVIRONMENT "${KARMAN_MPI_ENVIRONMENT}")
    karman_test_processors(image-compare-tiles-${ranks} ${ranks})
  endforeach()
else()
  karman_skipped_test(image-compare-page
    "there is no Python 3.9 for the tests of the page of karman compare (Debian: python3)")
endif()
