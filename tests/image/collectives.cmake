# The command line of karman collectives.
add_test(NAME image-collectives
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/collectives.sh $<TARGET_FILE:karman-program>
    ${CMAKE_CURRENT_BINARY_DIR}/collectives)
set_tests_properties(image-collectives PROPERTIES LABELS image TIMEOUT ${KARMAN_TIMEOUT} SKIP_RETURN_CODE 77)
