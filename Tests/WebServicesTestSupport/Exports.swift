// A file of tests imports this module and, as `@testable`, the modules that it tests.

@_exported public import Foundation
@_exported public import Testing
@_exported public import WebServices
@_exported public import WebServicesTesting

#if canImport(FoundationNetworking)
  @_exported public import FoundationNetworking
#endif
