# The command line of karman collectives.
add_test(NAME image-collectives
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/collectives.sh $<TARGET_FILE:karman-program>
    ${CMAKE_CURRENT_BINARY_DIR}/collectives)
set_tests_properties(image-collectives PROPERTIES LABELS image TIMEOUT ${KARMAN_TIMEOUT} SKIP_RETURN_CODE 77)

# The same on real ranks.
foreach(ranks 1 3 5)
  karman_launcher(launcher ${ranks})
  add_test(NAME image-collectives-run-${ranks}
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/collectives_run.sh $<TARGET_FILE:karman-program>
      ${CMAKE_CURRENT_BINARY_DIR}/collectives-run-${ranks} ${ranks} ${launcher})
  set_tests_properties(image-collectives-run-${ranks} PROPERTIES LABELS image TIMEOUT ${KARMAN_TIMEOUT}
    ENVIRONMENT "${KARMAN_MPI_ENVIRONMENT}")
  karman_test_processors(image-collectives-run-${ranks} ${ranks})
endforeach()

# Its page, in a browser; and the program without the collectives for browsers.
set(page_folder ${PROJECT_SOURCE_DIR}/messages/page)
add_executable(karman_without_core ${page_folder}/page.c $<TARGET_OBJECTS:room.app>)
target_include_directories(karman_without_core PRIVATE ${page_folder})
set_target_properties(karman_without_core PROPERTIES LINKER_LANGUAGE C)
target_link_libraries(karman_without_core PRIVATE ${KARMAN_PROGRAM})
if(Python3_FOUND)
  add_test(NAME image-collectives-page
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/collectives_page.py $<TARGET_FILE:karman-program>
      $<TARGET_FILE:karman_without_core> ${PROJECT_SOURCE_DIR}/configs/benchmark.yaml
      ${dataset_folder}/karman-steps.h5 ${CMAKE_CURRENT_BINARY_DIR}/collectives-page)
  set_tests_properties(image-collectives-page PROPERTIES LABELS image COST 45 TIMEOUT ${KARMAN_TIMEOUT} SKIP_RETURN_CODE 77
    FIXTURES_REQUIRED dataset-karman-steps ENVIRONMENT "${KARMAN_MPI_ENVIRONMENT}")
  add_test(NAME image-frame-page
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/frame_page.py $<TARGET_FILE:karman-program>
      ${dataset_folder}/karman-steps.h5 ${CMAKE_CURRENT_BINARY_DIR}/frame-page ${KARMAN_MPIEXEC})
  set_tests_properties(image-frame-page PROPERTIES LABELS image TIMEOUT ${KARMAN_TIMEOUT} SKIP_RETURN_CODE 77
    FIXTURES_REQUIRED dataset-karman-steps ENVIRONMENT "${KARMAN_MPI_ENVIRONMENT}")
else()
  karman_skipped_test(image-frame-page
    "there is no Python 3.9 for the test of the page of karman render (Debian: python3)")
  karman_skipped_test(image-collectives-page
    "there is no Python 3.9 for the tests of the page of karman collectives (Debian: python3)")
endif()

# The program without the laboratory draws the same picture, and has no commands of it.
set(app ${PROJECT_SOURCE_DIR}/app)
add_executable(karman_without_messages ${app}/main.c ${app}/cmd_completion.c ${app}/cmd_render.c
  "$<FILTER:$<TARGET_OBJECTS:room.app>,EXCLUDE,/main[.]c|/cmd_(completion|render|collectives|compare|schedule|simulate|tune)[.]c>")
target_include_directories(karman_without_messages PRIVATE ${app})
set_target_properties(karman_without_messages PROPERTIES LINKER_LANGUAGE C)
list(REMOVE_ITEM KARMAN_PROGRAM karman_messages)
target_link_libraries(karman_without_messages PRIVATE ${KARMAN_PROGRAM})
add_test(NAME image-without-messages
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/without_messages.sh $<TARGET_FILE:karman-program>
    $<TARGET_FILE:karman_without_messages> ${dataset_folder}/karman-steps.h5 ${CMAKE_CURRENT_BINARY_DIR}/without-messages)
set_tests_properties(image-without-messages PROPERTIES LABELS image TIMEOUT ${KARMAN_TIMEOUT}
  FIXTURES_REQUIRED dataset-karman-steps ENVIRONMENT "${KARMAN_MPI_ENVIRONMENT}")
