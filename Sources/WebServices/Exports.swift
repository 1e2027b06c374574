// `import WebServices` gives all modules.

@_exported public import WebServicesFormats
@_exported public import WebServicesObservability
@_exported public import WebServicesResilience
@_exported public import WebServicesStreaming
@_exported public import WebServicesTokens
