# Refuses every certificate but those of clients, and keeps the connection, because its end could overtake the alert.
import socket, ssl, sys
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(sys.argv[1] + "/server.pem")
context.verify_mode = ssl.CERT_REQUIRED
context.load_verify_locations(sys.argv[1] + "/authority.pem")
listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
while True:
    connection = context.wrap_socket(listener.accept()[0], server_side=True, do_handshake_on_connect=False)
    try:
        connection.do_handshake()
    except ssl.SSLError:
        pass
    plain = socket.socket(fileno=connection.detach())
    try:
        while plain.recv(65536):
            pass
    except OSError:
        pass
