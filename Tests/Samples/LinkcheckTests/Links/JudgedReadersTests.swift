import Foundation
import Testing

@testable import LinkcheckReaders

/// Readers that nobody here wrote, on pages that nobody here wrote: `.ci/run judges`.
@Suite("What other readers find")
struct JudgedReadersTests {
  private struct Judged: Decodable {
    var links: [String]
    var bare: [String]
    var headings: [String]
  }

  private static let pages = ProcessInfo.processInfo.environment["MILLRACE_JUDGED_MARKDOWN"]
  private static let tags = ProcessInfo.processInfo.environment["MILLRACE_JUDGED_HTML"]
  private static let slugs = ProcessInfo.processInfo.environment["MILLRACE_JUDGED_SLUGS"]

  @Test("links and anchors are those of markdown-it-py", .enabled(if: pages != nil, "no pages were judged"))
  func markdown() throws {
    let file = URL(fileURLWithPath: try #require(Self.pages))
    let pages = try JSONDecoder().decode([String: Judged].self, from: Data(contentsOf: file))
    var links = 0
    var anchors = 0
    var bareDifferences = 0
    for (path, judged) in pages.sorted(by: { $0.key < $1.key }) {
      var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
      if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
      let document = Markup.markdown.document(of: bytes)
      let found = Set(document.links.map(\.text))
      links += judged.links.count
      let isMail = { (link: String) in link.lowercased().hasPrefix("mailto:") }
      for link in judged.links where !isMail(link) { #expect(found.contains(link), "\(path): \(link)") }
      // Bare URLs are GitHub's here and linkify-it's there, which end otherwise.
      let surplus = found.subtracting(judged.links).subtracting(judged.bare)
      for link in surplus { #expect(link.hasPrefix("http"), "\(path): \(link) too many") }
      bareDifferences += surplus.count
      var slugs = HeadingSlugs()
      for heading in judged.headings {
        let anchor = slugs.anchor(of: heading)
        anchors += 1
        // A name in braces is one of its own here.
        if !heading.contains("{#") {
          #expect(document.anchors.contains(anchor), "\(path): #\(anchor.encoded)")
        }
      }
    }
    print(
      "\(pages.count) pages, \(links) links, \(anchors) anchors, \(bareDifferences) bare URLs with another end"
    )
  }

  private struct JudgedTags: Decodable {
    var text: String
    var links: [String]
    var anchors: [String]
  }

  @Test("tags are those of html5lib", .enabled(if: tags != nil, "no tags were judged"))
  func html() throws {
    let file = URL(fileURLWithPath: try #require(Self.tags))
    let cases = try JSONDecoder().decode([JudgedTags].self, from: Data(contentsOf: file))
    for judged in cases {
      let document = Markup.html.document(of: judged.text)
      let isSame =
        document.links.map(\.text) == judged.links
        && document.anchors == Set(judged.anchors.map { Fragment($0) })
      #expect(isSame, "\(judged.text.debugDescription): \(document)")
    }
    print("\(cases.count) texts with tags")
  }

  private struct Slug: Decodable {
    var name: String
    var input: String
    var expected: String
  }

  @Test("anchors are those of github-slugger", .enabled(if: slugs != nil, "there are no fixtures"))
  func slugger() throws {
    let file = URL(fileURLWithPath: try #require(Self.slugs))
    var slugs = HeadingSlugs()
    var same = 0
    let fixtures = try JSONDecoder().decode([Slug].self, from: Data(contentsOf: file))
    for fixture in fixtures {
      let anchor = slugs.anchor(of: fixture.input)
      let expected = Fragment(fixture.expected)
      same += anchor == expected ? 1 : 0
      // What later versions of Unicode have given a meaning is not told apart from what never gets one.
      let difference = Self.scalars(anchor).symmetricDifference(Self.scalars(expected))
      #expect(
        difference.allSatisfy { ($0.properties.age?.major ?? 99) > 13 }, "\(fixture.name): \(difference)")
    }
    print("\(same) of \(fixtures.count) anchors are the same")
  }

  private static func scalars(_ anchor: Fragment) -> Set<Unicode.Scalar> {
    Set(String(decoding: PercentEncoding.decoded(anchor.encoded), as: UTF8.self).unicodeScalars)
  }
}
