// Whoever imports this module needs the types that its declarations name.

@_exported public import WebServicesHTTP
@_exported public import WebServicesJSON
@_exported public import WebServicesTransport
