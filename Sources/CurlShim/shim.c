// The libcurl calls that Swift can't make itself.
