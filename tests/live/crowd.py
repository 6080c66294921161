#!/usr/bin/env python3
"""karman live among clients that trickle, wait and flood: others are served, and requests end.

    crowd.py KARMAN FOLDER
"""
import http.client
import pathlib
import select
import shutil
import signal
import socket
import sys
import threading
import time

import serving
from serving import Run, Served, expect

LONG = 600  # seconds; nothing that these tests wait for takes so long
TRIES = 20


def connect(served, data=b""):
    link = socket.create_connection(("127.0.0.1", served.port), timeout=LONG)
    link.sendall(data)
    return link


def head(served, request, *headers):
    lines = [f"{request} HTTP/1.1", f"Host: 127.0.0.1:{served.port}", f"X-Karman-Token: {served.token}", *headers]
    return ("\r\n".join(lines) + "\r\n").encode()


# ---- Incomplete requests ------------------------------------------------------------------------


def trickle(link, data):
    """Sends a byte each 50 ms until the server closes; returns the reply."""
    received = b""
    end = time.monotonic() + LONG
    for n in range(sys.maxsize):
        if time.monotonic() > end:
            return None
        try:
            link.sendall(data[n % len(data):][:1])
            if select.select([link], [], [], 0.05)[0]:
                piece = link.recv(65536)
                received += piece
                if not piece:
                    return received
        except OSError:
            return received


def check_deadline(karman, folder):
    """The server cuts off a request that trickles, at any point, but not a slow reply."""
    served = Served(karman, folder, "--timeout", "1")
    post = head(served, "POST /api/orders", "Content-Type: application/json")
    cases = {"a first line": (b"", b"G"), "a head": (head(served, "GET /api/state") + b"X: ", b"a"),
             "many headers": (head(served, "GET /api/state"), b"X-N: a\r\n"),
             "a body": (post + b"Content-Length: 60000\r\n\r\n", b" "),
             "a body in pieces": (post + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
             "empty lines": (b"", b"\r\n"),
             "a second request": (head(served, "GET /api/state") + b"\r\n", b"G")}
    links = {case: connect(served, begin) for case, (begin, _) in cases.items()}
    came = {}
    threads = [threading.Thread(target=lambda c=case: came.update({c: trickle(links[c], cases[c][1])}))
               for case in cases]
    for thread in threads:
        thread.start()
    idle = connect(served)
    expect(idle.recv(1) == b"", "a client that sends nothing is cut off")
    for thread in threads:
        thread.join()
    for case, received in came.items():
        wanted = case == "a second request"
        expect(received is not None and (b"HTTP/1.1 200" in received) == wanted,
               f"a client that trickles {case} is cut off: {received and received[:60]}")
    check_slow_answer(served, folder)
    served.close()


def check_slow_answer(served, folder):
    """An order without an answer takes longer than a request may take, and still gets its reply."""
    run = Run(folder, "--seconds", "3000")
    run.program.send_signal(signal.SIGSTOP)
    code, answer = served.order("redraw")
    run.program.send_signal(signal.SIGCONT)
    run.close()
    expect(code == 200 and answer == {"answer": None}, f"the order has its reply: {code} {answer}")


# ---- Crowds -------------------------------------------------------------------------------------


class Crowd:
    """Clients without the token: each sends a byte of its head now and then, and connects again
    when it is cut off.
    """

    def __init__(self, served, count):
        self.served, self.ends = served, threading.Event()
        self.links = [None] * count
        self.visit()
        self.thread = threading.Thread(target=self.stay)
        self.thread.start()

    def visit(self):
        for n, link in enumerate(self.links):
            try:
                if link and select.select([link], [], [], 0)[0] and not link.recv(65536):
                    raise ConnectionError
                if not link:
                    link = socket.create_connection(("127.0.0.1", self.served.port), timeout=1)
                link.send(b"G")
            except OSError:
                if link:
                    link.close()
                link = None
            self.links[n] = link

    def stay(self):
        while not self.ends.wait(0.2):
            self.visit()

    def close(self):
        self.ends.set()
        self.thread.join()
        for link in self.links:
            if link:
                link.close()


def ask(served):
    """The number of tries that a request takes; more than TRIES if none is answered."""
    for number in range(1, TRIES + 1):
        try:
            connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=30)
            connection.request("GET", "/api/state", headers={"X-Karman-Token": served.token})
            if connection.getresponse().status == 200:
                return number
        except (OSError, http.client.HTTPException):
            pass
        finally:
            connection.close()
    return TRIES + 1


def check_crowd(karman, folder):
    """Hundreds of trickling clients do not keep out a client with the token, and none of its
    connections is lost.
    """
    served = Served(karman, folder, "--timeout", str(LONG))
    kept = http.client.HTTPConnection("127.0.0.1", served.port, timeout=LONG)
    kept.request("GET", "/api/state", headers={"X-Karman-Token": served.token})
    expect(kept.getresponse().read(), "a page asks first")
    crowd = Crowd(served, 400)
    tries = []
    try:
        while len(tries) < 20 and (not tries or tries[-1] <= TRIES):
            tries.append(ask(served))
        expect(max(tries) <= TRIES, f"a request among them is answered: tries {tries}")
        if max(tries) <= TRIES:
            kept.sock.sendall(head(served, "GET /api/state") + b"\r\n")
            expect(kept.sock.recv(12) == b"HTTP/1.1 200", "the page's connection is still there")
    finally:
        crowd.close()
        kept.close()
    expect(ask(served) <= TRIES, "afterwards all is as before")
    served.close()


def check_refused(karman, folder):
    """No client keeps a connection by asking again and again without the token."""
    served = Served(karman, folder, "--timeout", str(LONG))
    for token, host, code in (("", "localhost", b"401"), (served.token, "evil.example", b"403")):
        link = connect(served, f"GET /api/state HTTP/1.1\r\nHost: {host}\r\nX-Karman-Token: {token}\r\n\r\n".encode())
        received = b""
        while piece := link.recv(65536):
            received += piece
        expect(received[9:12] == code and b"close" in received, f"{code} ends a connection: {received[:40]}")
    served.close()


def check_many(karman, folder):
    """Slow clients, and many requests one after the other, disturb no other client."""
    served = Served(karman, folder)
    slow = [connect(served, b"GET /api/state HTTP/1.1\r\nHost: loc"[:n]) for n in range(60)]
    expect(served.code("/api/state") == 200, "somebody else is answered beside 60 slow clients")
    for link in slow:
        link.close()
    expect(all(served.code("/api/state") == 200 for _ in range(200)), "200 requests are answered")
    code, out, err = served.close()
    expect(code == 0 and out == "" and "error" not in err, f"the server ends well: {code} {out} {err}")


def main():
    karman, folder = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    check_deadline(karman, folder)
    check_crowd(karman, folder)
    check_refused(karman, folder)
    check_many(karman, folder)
    print(serving.failures, "failures")
    return serving.failures > 0


if __name__ == "__main__":
    sys.exit(main())
