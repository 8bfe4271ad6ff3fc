/// A small website with every problem that a link checker meets. It knows which of its links are broken.
public struct DemoSite: Sendable {
  /// A link of the site that is broken on purpose.
  public struct BrokenLink: Sendable, Hashable, Comparable {
    /// The path of the page that has the link.
    public var page: String
    /// The link as it is written on the page.
    public var link: String
    /// Whether the link leads away from the site.
    public var isRemote = false

    /// Describes a link.
    public init(page: String, link: String, isRemote: Bool = false) {
      self.page = page
      self.link = link
      self.isRemote = isRemote
    }

    /// Orders by page, then by link.
    public static func < (left: BrokenLink, right: BrokenLink) -> Bool {
      (left.page, left.link) < (right.page, right.link)
    }
  }

  /// The answer for each path. Every other path is answered with status 404.
  public private(set) var responses: [String: DemoResponse] = [:]
  /// The links that a checker must report.
  public private(set) var brokenLinks: Set<BrokenLink> = []

  /// Makes the site.
  ///
  /// - Parameter neighbour: the origin of another site to which this one links, such as `http://localhost:8080`. The
  ///   paths linked to there begin with `/neighbour/` and are among ``responses``.
  public init(neighbour: String) {
    addFrontPages(neighbour: neighbour)
    addGuide()
    addBlog()
    addTroubles()
  }

  private mutating func addFrontPages(neighbour: String) {
    page(
      "/", "Millrace demo",
      """
      <p><a href="guide/">Guide</a>, <a href="/blog/">blog</a>, <a href="about">about</a>,
      <a href="/downloads">downloads</a>, <a href="/search?q=mill&amp;page=2">search</a>.
      <p><a href="/start">A redirect that works</a> and <a href="/slow">a page that takes its time</a>.
      <p><a href="/flaky">A page that answers at the second try</a>.
      <p><a href="/caf%C3%A9">A name with an accent</a>, <a href="mailto:someone@example.org">mail</a>.
      <!-- <a href="/commented-out">not a link</a> -->
      <script>document.write('<a href="/written-by-script">not a link</a>')</script>
      """, broken: ["/missing"])
    page(
      "/about", "About",
      """
      <p id="people"><a href="#people">Here</a>, <a href="#top">top</a>.
      <p><a href="\(neighbour)/neighbour/">A neighbour</a>.
      """, broken: ["/loop/a"])
    broken("/about", "\(neighbour)/neighbour/closed", isRemote: true)
    responses["/neighbour/"] = html("Neighbour", #"<a href="/neighbour/never-followed">more</a>"#)
    page(
      "/downloads", "Downloads",
      #"<p><a href="/huge">Everything on one page</a>, <a href="/files/notes.txt">notes</a>."#)
    responses["/files/notes.txt"] = .content(type: "text/plain", body: "Plain text, no links: /nowhere\n")
    page("/search", "Search", #"<p><a href="?q=mill&amp;page=3">next</a>"#)
    page("/caf%C3%A9", "Café", "<h2 id='menu'>Menu</h2><a href='#menu'>menu</a>")
    responses["/style.css"] = .content(type: "text/css", body: "body { max-width: 40em }\n")
  }

  private mutating func addGuide() {
    page(
      "/guide/", "Guide",
      #"<ol><li><a href="install">Install</a><li><a href="usage">Use</a><li><a href="./faq">Ask</a></ol>"#)
    page(
      "/guide/install", "Install",
      """
      <h2 id="from-source">From source</h2><h2 id="from-package">From a package</h2>
      <p><a href="../guide/usage#options">Options</a>
      """)
    page(
      "/guide/usage", "Use",
      """
      <h2 id="options">Options</h2>
      <p><a href="install#from-source">From source</a> <img src="/img/wheel.svg" alt="a wheel">
      """, broken: ["install#from-sauce", "/cut"])
    page(
      "/guide/faq", "Questions", "<a name=old-style></a><p><a href='/guide/faq#old-style'>Old anchors</a>",
      broken: ["/img/missing.png"])
    responses["/img/wheel.svg"] = .content(
      type: "image/svg+xml", body: #"<svg xmlns="http://www.w3.org/2000/svg"><circle r="9"/></svg>"#)
  }

  private mutating func addBlog() {
    let posts = 1...18
    page(
      "/blog/", "Blog", posts.map { #"<p><a href="/blog/\#($0)">Post \#($0)</a>"# }.joined(separator: "\n"))
    let seeds = [3: "/gone", 5: "/old/nowhere", 7: "/error", 11: "/blog/2#comment-9"]
    for post in posts {
      page(
        "/blog/\(post)", "Post \(post)",
        """
        <p id="comment-1"><a href="/blog/\(post % 18 + 1)#comment-1">Next</a>, <a href="/blog/">all</a>.
        """, broken: seeds[post].map { [$0] } ?? [])
    }
  }

  private mutating func addTroubles() {
    responses["/start"] = .redirect(status: 301, to: "/start/here")
    responses["/start/here"] = .redirect(status: 302, to: "/guide/")
    responses["/loop/a"] = .redirect(status: 302, to: "/loop/b")
    responses["/loop/b"] = .redirect(status: 302, to: "/loop/a")
    responses["/old/nowhere"] = .redirect(status: 308, to: "/new/nowhere")
    responses["/gone"] = .error(status: 410)
    responses["/error"] = .error(status: 500)
    responses["/slow"] = .slow(milliseconds: 400, body: Self.document("Slow", #"<a href="/">home</a>"#))
    responses["/flaky"] = .flaky(failures: 1, body: Self.document("Flaky", #"<a href="/">home</a>"#))
    responses["/cut"] = .cut(announced: 5000, body: Self.document("Cut", #"<a href="/never-seen">x"#))
    responses["/huge"] = .large(bytes: 3 << 20)
  }

  private mutating func page(_ path: String, _ title: String, _ body: String, broken: [String] = []) {
    responses[path] = html(title, body)
    for link in broken { self.broken(path, link) }
  }

  private mutating func broken(_ path: String, _ link: String, isRemote: Bool = false) {
    guard case .content(let type, let body)? = responses[path] else { return }
    responses[path] = .content(type: type, body: body + "<p><a href=\"\(link)\">A broken link</a>\n")
    brokenLinks.insert(BrokenLink(page: path, link: link, isRemote: isRemote))
  }

  private func html(_ title: String, _ body: String) -> DemoResponse {
    .content(type: "text/html; charset=utf-8", body: Self.document(title, body))
  }

  private static func document(_ title: String, _ body: String) -> String {
    """
    <!doctype html>
    <html lang="en"><head><title>\(title)</title><link rel="stylesheet" href="/style.css"></head><body>
    <h1>\(title)</h1>
    \(body)

    """
  }
}
