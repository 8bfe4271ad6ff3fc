import Foundation
import Testing

@testable import LinkcheckReaders
@testable import linkcheck

@Suite("The characters of a page")
struct PageTextTests {
  private func text(_ bytes: [UInt8], charset: String? = nil, _ markup: Markup = .html) -> String {
    String(decoding: PageText.utf8(of: Data(bytes), charset: charset, markup: markup), as: UTF8.self)
  }

  private func ascii(_ text: String, _ rest: UInt8...) -> [UInt8] { Array(text.utf8) + rest }

  @Test("a mark at the beginning counts before all else, and is no part of the text")
  func marks() {
    #expect(text([0xEF, 0xBB, 0xBF, 0xC3, 0xA9], charset: "latin1") == "é")
    #expect(text([0xFE, 0xFF, 0x00, 0xE9, 0x20, 0xAC], charset: "utf-8") == "é€")
    #expect(text([0xFF, 0xFE, 0xE9, 0x00, 0xAC, 0x20], .markdown) == "é€")
  }

  @Test("without a mark the encoding is that of the server, of the page, or of the bytes, in this order")
  func order() {
    let declared = "<meta charset=windows-1252>"
    #expect(text(ascii(declared, 0xE9)) == declared + "é")
    #expect(text(ascii(declared, 0xC3, 0xA9), charset: "UTF-8") == declared + "é")
    #expect(text(ascii(declared, 0xC3, 0xA9), charset: "no-such") == declared + "Ã©")
    #expect(text([0xC3, 0xA9]) == "é")
    #expect(text([0xE9, 0x80]) == "é€")
    #expect(text([0xE9], charset: "utf-8") == "\u{FFFD}")
  }

  @Test(
    "a page says it in one of several ways",
    arguments: [
      ("<meta http-equiv=Content-Type content='text/html; charset=ISO-8859-1'>", Markup.html),
      ("<META CHARSET = \"Latin1\">", .html), ("<?xml version='1.0' encoding='iso-8859-1'?>", .xhtml),
      ("@charset \"iso-8859-1\";", .css),
    ])
  func declarations(text declaration: String, markup: Markup) {
    // These bytes are UTF-8 as well, so that a declaration that is not seen gives another text.
    #expect(text(ascii(declaration, 0xC3, 0xA9), markup) == declaration + "Ã©")
  }

  @Test("a page that can be read as ASCII so far is not in UTF-16, whatever it says")
  func falseDeclaration() {
    #expect(text(ascii("<meta charset=utf-16>", 0xC3, 0xA9)) == "<meta charset=utf-16>é")
  }

  @Test("encodings other than UTF-8 are known")
  func others() {
    #expect(text([0xEF, 0xF0, 0xE8], charset: "windows-1251") == "при")
    #expect(text([0xB1], charset: "ISO-8859-2") == "ą")
    #expect(text([0x00, 0xE9], charset: "utf-16be") == "é")
    #expect(text([0xE9, 0x00, 0x41], charset: "utf-16le") == "é")
  }

  @Test("the charset is found in a header")
  func header() {
    #expect(PageText.charset(ofContentType: "text/html; charset=utf-8") == "utf-8")
    #expect(PageText.charset(ofContentType: "text/html;x=y; Charset=\"Latin1\"") == "Latin1")
    #expect(PageText.charset(ofContentType: "text/html; charsets=x") == nil)
    #expect(PageText.charset(ofContentType: "text/html") == nil)
  }
}

@Suite("Encodings that cannot be read")
struct UnreadableEncodingTests {
  @Test(
    "a page in an unreadable encoding is recognized, unless all of it is ASCII",
    arguments: ["GBK", "koi8-r", "euc-kr", "big5"])
  func names(label: String) {
    let page = Data("<p>".utf8) + [0xB4, 0xC1]
    #expect(PageText.nameIfUnreadable(of: page, charset: label, markup: .html) == label.lowercased())
    #expect(PageText.nameIfUnreadable(of: Data("<p>".utf8), charset: label, markup: .html) == nil)
    #expect(PageText.nameIfUnreadable(of: page, charset: "no-such", markup: .html) == nil)
    #expect(PageText.nameIfUnreadable(of: page, charset: "shift_jis", markup: .html) == nil)
  }

  #if os(Linux)
  @Test("what Foundation does not know here is one")
  func foundation() { #expect(TextEncoding(label: "EUC-JP") == .unreadable("euc-jp")) }
  #endif
}
