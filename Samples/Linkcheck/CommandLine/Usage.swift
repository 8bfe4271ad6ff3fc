enum Usage {
  static let text = """
    usage: linkcheck [OPTIONS] [PATH | URL]
           linkcheck --serve [--port N] [--slow-demo MS]

    Checks the links of a website, of a folder of Markdown and HTML files, or of one such file.
    Without a target it serves itself a small demo site and checks that.

    options:
      --offline          leave links to other sites alone
      --json             write the report as JSON
      --jobs N, -j N     look at up to N addresses at once (6)
      --timeout SECONDS  give up on an exchange after this long (10)
      --max-size BYTES   read no more at once than this; of a site, no larger pages (2097152)
      --progress FILE    keep progress in FILE; an interrupted check goes on from there
      --no-progress      keep no progress
      --start-over       ignore progress that was kept
      --max-age HOURS    look again at what was looked at longer ago than this (24)
      --trace FILE       record what happens in FILE, for the command millrace
      --slow-demo MS     let the demo site keep back every answer this long
      --serve            only serve the demo site, and print its URL
      --port N           the port to serve it on (a free one)
      --help, -h         show this
      --version          show the version

    The report goes to standard output, progress to standard error. Progress is kept in the user's folder
    for caches unless --progress names a file, and thrown away once the report has been written.

    exit status:
      0         every link leads somewhere; in the demo: exactly the links seeded as broken were found
      1         some links are broken
      2         the command line, the target, the progress file or the output is at fault
      130, 143  stopped by Ctrl-C or by SIGTERM, progress kept
    """
}
