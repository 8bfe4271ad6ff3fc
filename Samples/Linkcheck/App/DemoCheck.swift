import DemoSite

/// Compares the findings on the demo site with its seeded broken links.
struct DemoCheck: Equatable {
  /// Links that were seeded and not found.
  var missed: [DemoSite.BrokenLink]
  /// Links that were found and not seeded.
  var unexpected: [DemoSite.BrokenLink]
  private var seededCount: Int

  init(_ report: Report, seeded: Set<DemoSite.BrokenLink>, origin: String, isOffline: Bool) {
    let expected = seeded.filter { !(isOffline && $0.isRemote) }
    var rest = expected
    unexpected = []
    for problem in report.broken {
      let page = problem.page.hasPrefix(origin) ? String(problem.page.dropFirst(origin.count)) : problem.page
      if let link = rest.first(where: { $0.page == page && $0.link == problem.link }) {
        rest.remove(link)
      } else {
        unexpected.append(DemoSite.BrokenLink(page: page, link: problem.link))
      }
    }
    missed = rest.sorted()
    seededCount = expected.count
  }

  var isPassed: Bool { missed.isEmpty && unexpected.isEmpty }

  /// One line for people.
  var summary: String {
    if isPassed { return "demo: found exactly the \(seededCount) links that were seeded as broken" }
    let lists = [("missed", missed), ("unexpected", unexpected)].filter { !$0.1.isEmpty }
    return "demo: not what was seeded; "
      + lists.map { "\($0.0): " + $0.1.map { "\($0.link) on \($0.page)" }.joined(separator: ", ") }
      .joined(separator: "; ")
  }
}
