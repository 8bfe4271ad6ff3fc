import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(WASILibc)
import WASILibc
#endif

/// The system's libpq, loaded when it is first needed.
struct PostgresLibrary: @unchecked Sendable {  // functions of a library that is never unloaded
  typealias Connection = OpaquePointer
  typealias Answer = OpaquePointer

  let connect: @convention(c) (UnsafePointer<CChar>) -> Connection?
  let status: @convention(c) (Connection) -> Int32
  let finish: @convention(c) (Connection) -> Void
  let message: @convention(c) (Connection) -> UnsafePointer<CChar>
  let execute:
    @convention(c) (
      Connection, UnsafePointer<CChar>, Int32, UnsafePointer<UInt32>?, UnsafePointer<UnsafePointer<CChar>?>?,
      UnsafePointer<Int32>?, UnsafePointer<Int32>?, Int32
    ) -> Answer?
  let resultStatus: @convention(c) (Answer) -> Int32
  let rowCount: @convention(c) (Answer) -> Int32
  let columnCount: @convention(c) (Answer) -> Int32
  let value: @convention(c) (Answer, Int32, Int32) -> UnsafePointer<CChar>
  let clear: @convention(c) (Answer) -> Void

  static let shared = Result { try PostgresLibrary() }

  private init() throws {
    let names = ["libpq.so.5", "libpq.5.dylib"]
    guard let library = names.lazy.compactMap({ dlopen($0, RTLD_NOW) }).first else {
      throw EngineFailure(description: "there is no libpq on this machine")
    }
    func symbol<Function>(_ name: String, as type: Function.Type) throws -> Function {
      guard let address = dlsym(library, name) else {
        throw EngineFailure(description: "libpq has no \(name)")
      }
      return unsafeBitCast(address, to: type)  // as libpq-fe.h declares it
    }
    connect = try symbol("PQconnectdb", as: type(of: connect))
    status = try symbol("PQstatus", as: type(of: status))
    finish = try symbol("PQfinish", as: type(of: finish))
    message = try symbol("PQerrorMessage", as: type(of: message))
    execute = try symbol("PQexecParams", as: type(of: execute))
    resultStatus = try symbol("PQresultStatus", as: type(of: resultStatus))
    rowCount = try symbol("PQntuples", as: type(of: rowCount))
    columnCount = try symbol("PQnfields", as: type(of: columnCount))
    value = try symbol("PQgetvalue", as: type(of: value))
    clear = try symbol("PQclear", as: type(of: clear))
  }
}

/// An open connection to PostgreSQL. Its calls block the thread.
final class PostgresLink {
  private let library: PostgresLibrary
  private let connection: PostgresLibrary.Connection

  init(_ address: String) throws {
    library = try PostgresLibrary.shared.get()
    guard let connection = library.connect(address) else {
      throw EngineFailure(description: "no memory for a connection")
    }
    self.connection = connection
    guard library.status(connection) == 0 else { throw failure() }
  }

  deinit { library.finish(connection) }

  /// Executes one statement in its own transaction, and returns its rows.
  func execute(_ statement: String, _ parameters: [String]) throws -> [[String]] {
    let texts = parameters.map { strdup($0) }
    defer { for text in texts { free(text) } }
    let pointers = texts.map { UnsafePointer<CChar>($0) }  // of memory that is freed when this returns
    let answer = library.execute(connection, statement, Int32(texts.count), nil, pointers, nil, nil, 0)
    guard let answer else { throw failure() }
    defer { library.clear(answer) }
    let status = library.resultStatus(answer)
    guard status == 1 || status == 2 else { throw failure() }  // PGRES_COMMAND_OK, PGRES_TUPLES_OK
    return (0..<library.rowCount(answer)).map { row in
      (0..<library.columnCount(answer)).map { String(cString: library.value(answer, row, $0)) }
    }
  }

  private func failure() -> EngineFailure {
    EngineFailure(description: String(cString: library.message(connection)))
  }
}
