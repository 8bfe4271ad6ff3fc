import Foundation
import Millrace

/// One attempt to send a file to its server.
struct UploadAttempt: Sendable {
  let upload: HTTPUploadRequest
  let file: UploadFile
  let client: HTTPClient
  /// Called with the position in the file up to which it has been sent.
  let sent: @Sendable (Int) -> Void

  func response() async throws(HTTPUploadFailure) -> HTTPResponse {
    let identity = file.opened
    let digest = upload.sendsDigest ? await file.digest() : ""
    guard let digest else { throw file.failure.map(unreadable) ?? .loading(.cancelled) }
    guard let kind = upload.resumes else { return try await load(.create, nil, digest).get() }
    let note = try UploadNote(for: upload, kind, of: identity + digest)
    defer { note.end() }
    guard !note.isOfAnother || kind == .uploadResource else { throw .changed(path: upload.file) }
    var course = UploadCourse(kind, size: file.size, goesOn: note.address != nil)
    // Without a note, a changed file would be added to what the server has of the former one.
    if kind == .contentRanges, note.address == nil, !note.keep(".") {
      throw .noting(path: upload.note, errorNumber: EIO)
    }
    while true {
      let outcome = await load(course.step, note, digest)
      let answer: (status: Int, headers: HTTPHeaders)
      switch outcome {
      case .success(let response): answer = (response.status, response.headers)
      case .failure(.loading(.statusNotAccepted(let status, let headers, _))): answer = (status, headers)
      case .failure(let failure): throw failure
      }
      let next = course.answered(answer.status, answer.headers)
      if ![.step, .notOver].contains(next) { note.keep(nil) }
      guard file.identity == identity else { throw .changed(path: upload.file) }
      switch next {
      case .step, .beginAnew: continue
      case .over where answer.headers.contradicts(digest): throw .damaged(path: upload.file)
      case .over, .notOver: return try outcome.get()
      case .broken(let words): throw .loading(.notHTTP(words))
      }
    }
  }

  private func load(
    _ step: UploadCourse.Step, _ note: UploadNote?, _ digest: String
  ) async -> Result<HTTPResponse, HTTPUploadFailure> {
    let start = if case .send(let start) = step { start } else { step == .ask ? file.size : 0 }
    let request = request(step, from: start, digest)
    let body = HTTPBody.file(file, from: start) { sent(start + $0) }
    do throws(HTTPFailure) {
      var message = try HTTPMessage(
        request, body: request.method == "HEAD" ? .none : body, hasOwnConnection: false)
      if upload.resumes == .uploadResource { message.interim = note.map { $0.interimArrived } }
      if upload.resumes == .uploadResource, step != .create, let address = note?.address {
        // Another server gets no credentials.
        message = try message.redirected(status: 307, to: address)
      }
      return .success(try await client.load(request, message))
    } catch {
      return .failure(file.failure.map(unreadable) ?? .loading(error))
    }
  }

  private func unreadable(_ errorNumber: Int32) -> HTTPUploadFailure {
    .reading(path: upload.file, errorNumber: errorNumber)
  }

  private func request(_ step: UploadCourse.Step, from start: Int, _ digest: String) -> HTTPRequest {
    var request = upload.request
    if step != .create {
      request.known = nil
      for name in request.headers.names where name.hasPrefix("content-") || name.hasPrefix("if-") {
        request.headers[name] = nil
      }
    }
    if !digest.isEmpty { request.headers["repr-digest"] = "sha-256=\(digest)" }
    switch upload.resumes {
    case nil: break
    case .contentRanges:
      let range = start < file.size ? "\(start)-\(file.size - 1)" : "*"
      request.headers["content-range"] = "bytes \(range)/\(file.size)"
    case .uploadResource:
      request.headers["upload-draft-interop-version"] = "8"
      if step == .ask {
        (request.method, request.acceptedStatuses) = ("HEAD", 200...299)
        break
      }
      request.headers["upload-complete"] = "?1"
      request.headers["upload-length"] = "\(file.size)"
      guard step != .create else { break }
      request.method = "PATCH"
      request.headers["upload-offset"] = "\(start)"
      request.headers["content-type"] = "application/partial-upload"
    }
    return request
  }
}

extension HTTPHeaders {
  /// Whether a complete upload has another SHA-256 than `digest`. Other answers contain the digest of their own body.
  fileprivate func contradicts(_ digest: String) -> Bool {
    guard !digest.isEmpty, isUploadComplete, let field = self["repr-digest"] else { return false }
    return field.contains("sha-256=") && !field.contains("sha-256=\(digest)")
  }
}
