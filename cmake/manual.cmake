# Man pages, by help2man from the help of the programs, and completion.

set(KARMAN_MANUAL ${PROJECT_BINARY_DIR}/manual)
set(KARMAN_COMPLETION ${PROJECT_BINARY_DIR}/completion)
if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
  message(STATUS "Man pages and completion: none, programs of ${CMAKE_SYSTEM_NAME} do not run here")
  return()
endif()

set(commands
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${KARMAN_MANUAL} ${KARMAN_COMPLETION}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${KARMAN_MANUAL} ${KARMAN_COMPLETION}
  COMMAND ${CMAKE_COMMAND} -E copy ${PROJECT_SOURCE_DIR}/examples/solver/karman-solver.1 ${KARMAN_MANUAL})
find_program(KARMAN_HELP2MAN help2man)
if(KARMAN_HELP2MAN)
  list(APPEND commands COMMAND ${PROJECT_SOURCE_DIR}/cmake/manual.sh ${KARMAN_MANUAL}
    $<TARGET_FILE:karman-program> $<TARGET_FILE:karman-dataset> ${PROJECT_VERSION})
else()
  message(STATUS "Man pages: that of karman-solver alone, help2man is missing")
endif()
foreach(script "bash karman" "zsh _karman" "fish karman.fish")
  separate_arguments(script)
  list(GET script 0 shell)
  list(GET script 1 file)
  list(APPEND commands COMMAND karman-program completion ${shell} > ${KARMAN_COMPLETION}/${file})
endforeach()
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/manual.stamp ${commands}
  COMMAND ${CMAKE_COMMAND} -E touch ${PROJECT_BINARY_DIR}/manual.stamp
  DEPENDS karman-program karman-dataset ${PROJECT_SOURCE_DIR}/cmake/manual.sh ${PROJECT_SOURCE_DIR}/examples/solver/karman-solver.1
  COMMENT "Man pages and completion" VERBATIM)
add_custom_target(karman-manual ALL DEPENDS ${PROJECT_BINARY_DIR}/manual.stamp)
add_dependencies(karman-installation karman-manual)

foreach(section 1 5)
  install(DIRECTORY ${KARMAN_MANUAL}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section}
    FILES_MATCHING PATTERN "*.${section}")
endforeach()
install(FILES ${KARMAN_COMPLETION}/karman
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${KARMAN_COMPLETION}/_karman DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${KARMAN_COMPLETION}/karman.fish
  DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
