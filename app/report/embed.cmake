# Writes OUTPUT, a C file with the texts page.html, page.css and page.js of FOLDER:
#   cmake -DFOLDER=… -DOUTPUT=… -P embed.cmake
set(text "/* Made by embed.cmake. */\n#include \"app/report/page.h\"\n")
foreach(part html css js)
  file(READ ${FOLDER}/page.${part} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n"
    bytes "${bytes}")
  string(APPEND text "const unsigned char report_page_${part}[] = {${bytes}0x00};\n")
endforeach()
file(WRITE ${OUTPUT} "${text}")
