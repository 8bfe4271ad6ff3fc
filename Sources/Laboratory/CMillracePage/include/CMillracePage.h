#ifndef MILLRACE_PAGE_H
#define MILLRACE_PAGE_H

// The files of the page of `millrace view`, kept in the program, so that the program is one file to copy. Compiled as
// C, since an array of 120,000 numbers takes the Swift compiler 16 seconds. Each text ends with a zero.

const char *millrace_page_html(void);
const char *millrace_page_css(void);
/// The scripts, in their order.
const char *millrace_page_js(void);

#endif
