# Terminates TLS, forwards bytes to the server, and exits when its input is closed.
#
# The script first closes the descriptors that it has inherited, because an inherited socket would stay open after a test
# has closed it. An error on one side resets the other, so that the client sees a broken connection.
import asyncio, os, ssl, sys

os.closerange(3, 65536)
directory, certificate, host, port, wants_client, highest = sys.argv[1:]
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.minimum_version = ssl.TLSVersion.TLSv1_2
context.maximum_version = ssl.TLSVersion[highest]
context.load_cert_chain(directory + "/" + certificate)
if wants_client == "1":
    context.verify_mode = ssl.CERT_REQUIRED
    context.load_verify_locations(directory + "/authority.pem")

async def connect():
    if host.startswith("/"):
        return await asyncio.open_unix_connection(host)
    return await asyncio.open_connection(host, int(port))

async def forward(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
        writer.close()
    except Exception:
        writer.transport.abort()

async def serve(reader, writer):
    try:
        server_reader, server_writer = await connect()
    except OSError:
        writer.transport.abort()
        return
    await asyncio.gather(forward(reader, server_writer), forward(server_reader, writer))

def watch_input():
    if not os.read(0, 1024):
        os._exit(0)

async def main():
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda loop, context: None)
    loop.add_reader(0, watch_input)
    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context, backlog=512)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()

asyncio.run(main())
