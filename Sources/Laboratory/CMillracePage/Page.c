#include "CMillracePage.h"

// `#embed` is of C23, which clang knows in every language mode.
#pragma clang diagnostic ignored "-Wc23-extensions"

const char *millrace_page_html(void) {
  static const char text[] = {
#embed "Page/page.html" suffix(, 0)
  };
  return text;
}

const char *millrace_page_css(void) {
  static const char text[] = {
#embed "Page/page.css" suffix(, 0)
  };
  return text;
}

const char *millrace_page_js(void) {
  static const char text[] = {
#embed "Page/values.js"
      ,
#embed "Page/spelled.js"
      ,
#embed "Page/recording.js"
      ,
#embed "Page/time.js"
      ,
#embed "Page/drawing.js"
      ,
#embed "Page/lanes.js"
      ,
#embed "Page/list.js"
      ,
#embed "Page/tree.js"
      ,
#embed "Page/details.js"
      ,
#embed "Page/page.js" suffix(, 0)
  };
  return text;
}
