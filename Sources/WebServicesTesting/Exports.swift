// `import WebServicesTesting` gives the doubles too.

@_exported public import WebServicesDoubles
