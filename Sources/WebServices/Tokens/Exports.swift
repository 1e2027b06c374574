// Whoever imports this module needs the types that its declarations name.

@_exported public import WebServicesCore
@_exported public import WebServicesFiles
