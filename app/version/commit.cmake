# cmake -DSOURCE=… -DTEMPLATE=… -DOUTPUT=… -P commit.cmake: writes the commit of the source into a C file.
# Every build runs it. The file is touched only where the commit is another one.
set(commit unknown)
find_program(GIT git)
if(GIT AND EXISTS ${SOURCE}/.git)
  execute_process(COMMAND ${GIT} -C ${SOURCE} describe --always --abbrev=12 --exclude=* --dirty
    OUTPUT_VARIABLE described OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(NOT failed)
    string(REPLACE "-dirty" ", changed" commit ${described})
  endif()
endif()
configure_file(${TEMPLATE} ${OUTPUT} @ONLY)
