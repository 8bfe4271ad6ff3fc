import Millrace
import MillraceHTTP
import Testing

/// A file that is kept up to date.
@Suite struct MirrorExamples {
  // UsingHTTP, a file that is kept up to date
  struct Mirror: Equatable, Sendable {
    var downloads: Set<HTTPDownloadRequest> = []
    var known: HTTPValidator?
    var checks = 0
    var isGone = false
    var problem: String?
  }

  enum MirrorAction: Sendable {
    case checkDue
    case download(HTTPDownloadEvent)
  }

  static func reduce(_ state: inout Mirror, _ action: MirrorAction) {
    switch action {
    // UsingHTTP, a file that is kept up to date
    case .checkDue:
      state.checks += 1
      let page = HTTPRequest("https://example.org/map", known: state.known, attempt: state.checks)
      state.downloads = [HTTPDownloadRequest(page, to: "/home/me/map", resumes: true)]
    case .download(.progressed): break
    case .download(.finished(let response, received: _, of: let download)):
      state.downloads.remove(download)
      if !response.isNotModified { state.known = response.validator }
    case .download(.failed(.loading(.statusNotAccepted(status: 404, headers: _, excerpt: _)), of: _)):
      (state.downloads, state.isGone) = ([], true)
    case .download(.failed(let failure, of: let download)):
      state.downloads.remove(download)
      state.problem = "\(failure)"
    }
  }

  @Test("the next check tells the server the version that is there")
  func checks() throws {
    var state = Mirror()
    Self.reduce(&state, .checkDue)
    let first = try #require(state.downloads.first)
    #expect(first.request.known == nil)
    let found = HTTPResponse(headers: ["etag": "\"v1\""])
    Self.reduce(&state, .download(.finished(found, received: 3, of: first)))
    #expect(state.downloads.isEmpty)
    Self.reduce(&state, .checkDue)
    let second = try #require(state.downloads.first)
    #expect(second.request.known == HTTPValidator(entityTag: "\"v1\""))
    Self.reduce(&state, .download(.finished(HTTPResponse(status: 304), received: 0, of: second)))
    #expect(state.known == HTTPValidator(entityTag: "\"v1\""))
    Self.reduce(&state, .checkDue)
    let gone = HTTPDownloadFailure.loading(.statusNotAccepted(status: 404, headers: [:], excerpt: ""))
    Self.reduce(&state, .download(.failed(gone, of: second)))
    #expect(state.isGone)
  }
}
