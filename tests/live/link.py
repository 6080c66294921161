"""Ways to a server, for tests: a forwarded port, as of ssh, and a proxy that serves it below a path. Both may be
slow: a rate and a delay there and back.
"""
import http.client
import socket
import threading
import time


class Tunnel:
    """A port whose connections go on to another one. rate: bytes a second, of all connections together; delay:
    seconds there and back. Nothing is dropped.
    """

    def __init__(self, target, rate=None, delay=0.0):
        self.target, self.rate, self.delay = target, rate, delay
        self.locks = threading.Lock(), threading.Lock()  # of the two ways
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                near, _ = self.socket.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(near,), daemon=True).start()

    def serve(self, near):
        far = socket.create_connection(("127.0.0.1", self.target))
        for end in (near, far):
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        there = threading.Thread(target=self.carry, args=(near, far, 0), daemon=True)
        there.start()
        self.carry(far, near, 1)
        there.join()
        near.close()
        far.close()

    def carry(self, source, sink, way):
        """Bytes of one way, in their order; each waits for the link, then for its time of flight."""
        parts, ready = [], threading.Condition()

        def deliver():
            while True:
                with ready:
                    ready.wait_for(lambda: parts)
                    due, part = parts.pop(0)
                time.sleep(max(0.0, due - time.monotonic()))
                try:
                    if not part:
                        sink.shutdown(socket.SHUT_WR)
                        return
                    sink.sendall(part)
                except OSError:
                    return
        sender = threading.Thread(target=deliver, daemon=True)
        sender.start()
        part = b"x"
        while part:
            try:
                part = self.take(source, way)
            except OSError:
                part = b""
            with ready:
                parts.append((time.monotonic() + self.delay / 2, part))
                ready.notify()
        sender.join()

    def take(self, source, way):
        part = source.recv(16384)
        if self.rate:
            with self.locks[way]:
                time.sleep(len(part) / self.rate)
        return part

    def ask(self, path, method="GET", body=None, headers=None):
        """Code, headers and bytes of the reply to a request through the tunnel."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        try:
            connection.request(method, path, body, headers or {})
            reply = connection.getresponse()
            return reply.status, reply.headers, reply.read()
        finally:
            connection.close()

    def close(self):
        self.socket.close()


class Proxy(Tunnel):
    """A proxy that takes a path off the address of each request, and keeps the rest, as Jupyter's does."""

    def __init__(self, target, prefix, **options):
        self.prefix = prefix.encode()
        super().__init__(target, **options)

    def take(self, source, way):
        part = super().take(source, way)
        if way == 0 and part.split(b" ", 1)[0] in (b"GET", b"POST"):
            method, path, rest = part.split(b" ", 2)
            part = method + b" " + (path[len(self.prefix):] if path.startswith(self.prefix + b"/") else b"/outside") + b" " + rest
        return part
