import Foundation

extension HTTPMessage {
  /// Makes the first message of a request's exchange.
  ///
  /// - Throws: the part of the request that cannot be sent.
  init(_ request: HTTPRequest, body: HTTPBody, hasOwnConnection: Bool) throws(HTTPFailure) {
    do throws(HTTPAddress.Problem) { address = try HTTPAddress(request.url) } catch {
      throw .badURL(Redaction.address(request.url, hiding: request.headers.secretNames))
    }
    guard request.method.isToken else { throw .badField(request.method) }
    for (name, value) in request.headers.lines {
      guard name.isToken, value.isFieldValue, name != "transfer-encoding" else { throw .badField(name) }
      // With a wrong length, the server would take the rest of the body for another request.
      if name == "content-length", Int(value) != body.size { throw .badField(name) }
    }
    method = request.method
    headers = request.headers
    headers["content-length"] = nil
    if let authorization = address.authorization, headers["authorization"] == nil {
      headers["authorization"] = authorization
    }
    if let known = request.known {
      if let tag = known.entityTag, headers["if-none-match"] == nil { headers["if-none-match"] = tag }
      if let date = known.lastModified, headers["if-modified-since"] == nil {
        headers["if-modified-since"] = date
      }
      for name in ["if-none-match", "if-modified-since"] where headers[name]?.isFieldValue == false {
        throw .badField(name)
      }
    }
    self.body = body
    self.hasOwnConnection = hasOwnConnection
  }

  /// Returns the message that follows a redirect with `status` to `location`.
  func redirected(status: Int, to location: String) throws(HTTPFailure) -> HTTPMessage {
    var next = self
    do throws(HTTPAddress.Problem) { next.address = try address.resolving(location) } catch {
      throw .badURL(Redaction.address(location, hiding: headers.secretNames))
    }
    let becomesGet =
      (status == 303 && !["GET", "HEAD"].contains(method))
      || ([301, 302].contains(status) && method == "POST")
    if becomesGet {
      next.method = "GET"
      next.body = .none
      for name in ["content-encoding", "content-language", "content-location", "content-type"] {
        next.headers[name] = nil
      }
    }
    if next.address.origin != address.origin {
      for name in HTTPHeaders.commonSecretNames.union(headers.secretNames).union(["host"]) {
        next.headers[name] = nil
      }
    }
    if next.headers["authorization"] == nil, let authorization = next.address.authorization {
      next.headers["authorization"] = authorization
    }
    return next
  }
}

extension String {
  /// Whether this can be a method or the name of a header field.
  var isToken: Bool {
    !isEmpty
      && utf8.allSatisfy { byte in
        (65...90).contains(byte) || (97...122).contains(byte) || (48...57).contains(byte)
          || "!#$%&'*+-.^_`|~".utf8.contains(byte)
      }
  }

  /// Whether this can be the value of a header field according to the Fetch standard: a line break would begin another
  /// field, and a zero would end it. Other control characters are allowed, such as those in an event's identifier.
  var isFieldValue: Bool { utf8.allSatisfy { $0 != 0 && $0 != 10 && $0 != 13 } }
}
