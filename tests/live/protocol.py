#!/usr/bin/env python3
"""karman live as a server: permissions and replies.

    protocol.py KARMAN FOLDER [LAUNCHER]

LAUNCHER: the command that starts MPI programs.
"""
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import time

import serving
from serving import Run, Served, expect, wait_for

JSON = {"Content-Type": "application/json"}
GETS = ["/api/state", "/api/parameters", "/api/lines?of=frames&since=0", "/api/picture?at=0"]
OUTSIDE = "nobody may read this"


def orders(*list_of_words):
    return json.dumps({"orders": list(list_of_words)})


def raw(served, data, seconds=60):
    """The reply to bytes that no library would send."""
    received = b""
    with socket.create_connection(("127.0.0.1", served.port), timeout=seconds) as link:
        try:
            link.sendall(data)
            link.shutdown(socket.SHUT_WR)
            while piece := link.recv(65536):
                received += piece
        except OSError:
            pass
    return received


# ---- Permissions --------------------------------------------------------------------------------


def check_tokens(served):
    wrong = "0" * 31 + ("1" if served.token[-1] == "0" else "0")
    for path in GETS + ["/", "/page.js", "/no/such/thing", "/../../etc/passwd"]:
        for token in (None, "", wrong, served.token[:-1], served.token + "0", served.token.upper() + "x"):
            headers = {} if token is None else {"X-Karman-Token": token}
            code = served.code(path, headers=headers, token=False)
            expect(code == 401, f"{path} with the token {token} is refused, not {code}")
    for path in ("/", "/page.js"):
        code = served.code(f"{path}?token={wrong}", token=False)
        expect(code == 401, f"{path} with a wrong token in its address is refused, not {code}")
    code = served.code(f"/api/state?token={served.token}", token=False)
    expect(code == 401, f"the token in an address opens no data, but {code}")
    code, _, _ = served.ask("/api/orders", "POST", orders(["stop"]), JSON, token=False)
    expect(code == 401, f"an order without a token is refused, not {code}")
    for path in GETS:
        expect(served.code(path) == 200, f"{path} with the token is answered")


def check_cookie(served):
    """The cookie opens the page and nothing else."""
    code, headers, page = served.ask(f"/?token={served.token}", token=False)
    cookie = headers.get("Set-Cookie", "")
    expect(code == 200 and b"<title>" in page, "the printed address opens the page")
    expect(served.token not in cookie and served.token.encode() not in page,
           "neither the cookie nor the page tells the token")
    expect("HttpOnly" in cookie and "SameSite=Strict" in cookie, f"the cookie is strict: {cookie}")
    given = {"Cookie": cookie.partition(";")[0]}
    expect(served.code("/", headers=given, token=False) == 200, "the cookie opens the page")
    expect(served.code("/page.js", headers=given, token=False) == 200, "and its parts")
    for path in GETS:
        code = served.code(path, headers=given, token=False)
        expect(code == 401, f"the cookie does not open {path}, but {code}")
    code, _, _ = served.ask("/api/orders", "POST", orders(["stop"]), {**JSON, **given}, token=False)
    expect(code == 401, f"the cookie gives no orders, but {code}")


def check_hosts(served):
    for host in ("evil.example", f"evil.example:{served.port}", "127.0.0.1.evil.example", "localhost.evil",
                 "127.0.0.1:80:80", "127.0.0.1:x", "localhost:", "10.0.0.1", "0.0.0.0"):
        code = served.code("/api/state", headers={"Host": host})
        expect(code == 403, f"the host {host} is refused, not {code}")
    for host in (f"localhost:{served.port}", "127.0.0.1:9000", "[::1]:8080"):
        code = served.code("/api/state", headers={"Host": host})
        expect(code == 200, f"the host {host} is one of a tunnel, but {code}")


def check_origins(served):
    own = f"http://127.0.0.1:{served.port}"
    for origin in ("http://evil.example", "null", f"https://127.0.0.1:{served.port}",
                   f"http://127.0.0.1:{served.port + 1}", own + "/", own + ".evil.example", ""):
        headers = {**JSON, "Origin": origin}
        code, _, _ = served.ask("/api/orders", "POST", orders(["redraw"]), headers)
        expect(code == 403, f"orders of the page '{origin}' are refused, not {code}")
    code, _, _ = served.ask("/api/orders", "POST", orders(["redraw"]), {**JSON, "Origin": own})
    expect(code == 200, f"orders of the own page are taken, but {code}")
    code, headers, _ = served.ask("/api/state", "OPTIONS", headers={"Origin": "http://evil.example"}, token=False)
    expect(code == 403 and not any("access-control" in h.lower() for h in headers),
           "no other page is given access")


def sockets(process):
    """The network sockets of a process: protocol, local address, state."""
    own = set()
    for link in pathlib.Path(f"/proc/{process}/fd").iterdir():
        try:
            own.add(os.readlink(link).removeprefix("socket:[").removesuffix("]"))
        except OSError:
            pass  # closed meanwhile
    found = []
    for name in ("tcp", "tcp6", "udp", "udp6", "raw", "raw6"):
        table = pathlib.Path("/proc/net", name)
        rows = [line.split() for line in table.read_text().splitlines()[1:]] if table.exists() else []
        found += [(name, row[1], row[3]) for row in rows if row[9] in own]
    return found


def check_listening(served):
    """One socket listens, on 127.0.0.1 alone. There is no other one, for example of MPI."""
    found = sockets(served.program.pid)
    listening = ("tcp", f"0100007F:{served.port:04X}", "0A")
    expect(listening in found, f"127.0.0.1:{served.port} is listened to: {found}")
    others = [s for s in found if s != listening and not s[1].endswith(listening[1])]
    expect(not others, f"nothing else is listened to, not {others}")


def check_headers(served):
    for path in GETS + [f"/?token={served.token}", "/no/such/thing"]:
        _, headers, _ = served.ask(path)
        policy = headers.get("Content-Security-Policy", "")
        expect("default-src 'self'" in policy and "unsafe" not in policy, f"{path} has a policy: {policy}")
        wanted = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
                  "Cache-Control": "no-store", "X-Frame-Options": "DENY"}
        for name, value in wanted.items():
            expect(headers.get(name) == value, f"{path} has {name}: {value}")


# ---- Requests -----------------------------------------------------------------------------------


def check_methods(served):
    for method in ("PUT", "DELETE", "PATCH", "POST", "BREW", "TRACE"):
        code = served.code("/api/state", method=method, headers=JSON)
        expect(code == 405, f"{method} of the state is refused, not {code}")
    expect(served.code("/api/orders") == 405, "orders cannot be read")
    code, headers, body = served.ask("/api/state", "HEAD")
    expect(code == 200 and not body and int(headers["Content-Length"]) > 0, "HEAD has no body")


def check_paths(served, folder):
    """The server serves no path that leaves the run directory, and none inside it."""
    for path in ("/../secret.png", "/..%2fsecret.png", "/%2e%2e/secret.png", "/frames/../../secret.png",
                 "/frames/front_000000.png", "/run.json", "/orders", "//etc/passwd", "/etc/passwd",
                 "/api/picture/../../../etc/passwd", "/page.js%00.png", "/./page.js", "/api/picture%2f",
                 "/api/lines/../../etc/passwd"):
        code, _, body = served.ask(path)
        expect(code in (400, 401, 404) and OUTSIDE.encode() not in body, f"{path} is nothing, but {code}")
    for query in ("of=../secret&since=0", "of=run&since=0", "of=frames.jsonl&since=0", "of=frames",
                  "of=frames&since=-1", "of=frames&since=x", "of=frames&since=99999999999999999999",
                  "of=frames&since=1e3", "since=0", "of=%2e%2e%2fsecret&since=0"):
        code = served.code("/api/lines?" + query)
        expect(code == 400, f"lines of {query} are refused, not {code}")
    code = served.code("/api/lines?of=frames&since=999999999")
    expect(code == 409, f"lines beyond the end are refused, not {code}")


def check_pictures(served, folder):
    """The server serves only files that frames.jsonl names and that lie below frames/ without links."""
    code, headers, body = served.ask("/api/picture?at=0")
    picture = json.loads((folder / "frames.jsonl").read_text().splitlines()[0])["file"]
    expect(code == 200 and headers["Content-Type"] == "image/png"
           and body == (folder / picture).read_bytes(), "the first picture comes as it is")
    png = b"\x89PNG\r\n\x1a\n" + OUTSIDE.encode()
    outside = folder.parent / "outside"
    shutil.rmtree(outside, ignore_errors=True)
    (outside / "deep").mkdir(parents=True)
    (outside / "secret.png").write_bytes(png)
    (folder / "secret.png").write_bytes(png)
    (folder / "frames" / "text.png").write_text(OUTSIDE)
    (folder / "frames" / "link.png").symlink_to(outside / "secret.png")
    (folder / "frames" / "away").symlink_to(outside)
    (folder / "frames" / "inner.png").symlink_to(folder / picture)
    os.mkfifo(folder / "frames" / "pipe.png")
    names = ["frames/link.png", "frames/inner.png", "frames/away/secret.png", "frames/../secret.png",
             "secret.png", "../outside/secret.png", str(outside / "secret.png"), "frames/text.png",
             "frames/pipe.png", "frames", "frames/", "frames//" + pathlib.Path(picture).name,
             "frames/./" + pathlib.Path(picture).name, "frames/none.png", "", "/dev/zero",
             "frames/" + "a" * 2000, 7, None, ["frames/link.png"]]
    for name in names:
        at = (folder / "frames.jsonl").stat().st_size
        with open(folder / "frames.jsonl", "a", encoding="utf-8") as file:
            file.write(json.dumps({"name": "bad", "file": name, "cycle": 1, "time": 0, "seconds": 0}) + "\n")
        code, _, body = served.ask(f"/api/picture?at={at}")
        expect(code == 404 and OUTSIDE.encode() not in body, f"the picture {str(name)[:50]} is refused, not {code}")
    at = (folder / "frames.jsonl").stat().st_size
    with open(folder / "frames.jsonl", "a", encoding="utf-8") as file:
        file.write("  " + json.dumps({"name": "front", "file": picture}) + "\n")
    expect([served.code(f"/api/picture?at={at + n}") for n in range(3)] == [200, 404, 404],
           "a picture is found where its line begins, and not within it")
    for at in ("1", "5", "999999999", "-1", "x", "", "0x0", "1.0"):
        code = served.code(f"/api/picture?at={at}")
        expect(code == 404, f"no line begins at byte {at}, but {code}")


def check_links(served, folder):
    """The server ignores documents and lines that are links, and puts no orders into folders that
    are links.
    """
    outside = folder.parent / "outside"
    (outside / "lines").write_text(json.dumps({"secret": OUTSIDE}) + "\n")
    for name in ("run.json", "status.json", "parameters.json", "frames.jsonl", "log.jsonl"):
        kept = folder / (name + ".kept")
        existed = (folder / name).exists()
        if existed:
            (folder / name).rename(kept)
        (folder / name).symlink_to(outside / "lines")
        answers = [served.ask(path)[2] for path in GETS + ["/api/lines?of=log&since=0"]]
        expect(not any(OUTSIDE.encode() in a for a in answers), f"a link instead of {name} is not followed")
        (folder / name).unlink()
        if existed:
            kept.rename(folder / name)
    (folder / "orders").rename(folder / "kept")
    (folder / "orders").symlink_to(outside / "deep")
    code, answer = served.order("redraw")
    expect(code == 409 and not list((outside / "deep").iterdir()),
           f"orders are not written through a link: {code} {answer}")
    (folder / "orders").unlink()
    (folder / "kept").rename(folder / "orders")


# ---- Lines that grow ----------------------------------------------------------------------------


def check_lines(served, folder):
    """Whole lines only, from any byte on; broken lines do no harm."""
    path = folder / "log.jsonl"
    path.write_text('{"a": 1}\n{"b": 2}\n{"half')
    code, body, following = served.lines("log")
    expect((code, body, following) == (200, b'{"a": 1}\n{"b": 2}\n', 18), f"half a line waits: {code} {body}")
    code, body, following = served.lines("log", following)
    expect((code, body, following) == (200, b"", 18), f"and is not there yet: {code} {body} {following}")
    with open(path, "a", encoding="utf-8") as file:
        file.write('": 3}\n')
    code, body, following = served.lines("log", 18)
    expect((body, following) == (b'{"half": 3}\n', 30), f"then it is: {body} {following}")
    path.write_bytes(b"\xff\xfe\0{{{\n" + b"x" * (1 << 21) + b"\n{}\n")
    since, seen = 0, b""
    for _ in range(10):
        code, body, following = served.lines("log", since)
        seen += body
        if following == since:
            break
        since = following
    expect(following == path.stat().st_size and seen.endswith(b"{}\n"), f"a line without end is passed: {following}")
    path.unlink()
    expect(served.lines("log") == (200, b"", 0), "a file that is not there is empty")


def check_state(served, folder):
    state = served.json("/api/state")
    expect(state["status"]["state"] == "running" and state["alive"] is True, "the state is that of the run")
    expect(state["files"]["frames"]["size"] > 0 and state["port"] == served.port, "and has sizes")
    kept = (folder / "parameters.json").read_text()
    for text in ("", "{", "[]", "null", "\0", "{\"parameters\": [" + "[" * 5000):
        (folder / "parameters.json").write_text(text)
        code = served.code("/api/parameters")
        expect(code == 200, f"broken parameters do no harm: {code}")
        code, _ = served.order("set", "solver.cfl", "0.5")
        expect(code in (409, 422), f"an order among broken parameters is refused: {code}")
    (folder / "parameters.json").write_text(kept)


# ---- Orders -------------------------------------------------------------------------------------


def ask_both(served, run, body):
    """The code and the answer to the last of several orders, and the values of the run after them."""
    code, _, answer = served.ask("/api/orders", "POST", body, JSON)
    answer = json.loads(answer)
    if code == 200 and not answer["answer"]:
        answer["answer"] = run.answer(served, "redraw")[1]["answer"]  # orders are taken one after the other
    return code, answer, {p["name"]: p["value"] for p in served.json("/api/parameters")["parameters"]}


def check_orders(served, run):
    code, answer = run.answer(served, "set", "solver.cfl", "0.7")
    expect(code == 200 and answer["answer"]["accepted"], f"a good order is accepted: {answer}")
    value = {p["name"]: p["value"] for p in served.json("/api/parameters")["parameters"]}["solver.cfl"]
    expect(value == 0.7, f"and takes effect: {value}")
    for words, why in ((["set", "solver.cfl", "7"], "0.9"), (["set", "solver.clf", "0.5"], "solver.cfl"),
                       (["set", "solver.cfl"], "VALUE"), (["halte"], "halt"), (["step", "-1"], "step"),
                       (["set", "camera.position", "1,2"], "3"), (["set", "camera.position", "1,2,nan"], "")):
        code, answer = served.order(*words)
        expect(code == 422 and why in answer["error"], f"{words} is refused with a reason: {code} {answer}")
    code, answer = run.answer(served, "set", "solver.stages", "4")
    expect(code == 200 and answer["answer"]["accepted"] is False, f"what the program refuses comes back: {answer}")
    code, answer, values = ask_both(served, run, orders(["set", "camera.position", "1,1,1"],
                                                        ["set", "camera.look_at", "0.5,0,0"]))
    expect(code == 200 and answer["answer"]["accepted"], f"two orders at once: {answer}")
    expect(values["camera.position"] == [1, 1, 1] and values["camera.look_at"] == [0.5, 0, 0],
           f"both take effect: {values}")
    code, answer, values = ask_both(served, run, orders(["set", "camera.fov", "40"], ["set", "camera.fov", "400"]))
    expect(code == 422 and values["camera.fov"] == 30, f"one wrong order stops all: {code} {values['camera.fov']}")


def check_bodies(served):
    for body in ("", "{", "[]", "null", "7", '"halt"', "{}", '{"orders": {}}', '{"orders": []}',
                 '{"orders": ["halt"], "orders": []}', '{"orders": [["a\\u0000b"]]}', "\xff\xfe",
                 orders(*[["redraw"]] * 9), "[" * 10000):
        code, _, _ = served.ask("/api/orders", "POST", body.encode("latin-1"), JSON)
        expect(code == 400, f"the body {body[:40]!r} is refused, not {code}")
    for body in (orders("halt"), orders([]), orders([7]), orders(["set", None, "1"]), orders([["halt"]]),
                 orders(["set"] * 5), orders(["set", "solver.cfl", "1" * 5000])):
        code, _, _ = served.ask("/api/orders", "POST", body, JSON)
        expect(code == 422, f"the orders {body[:40]} are refused, not {code}")
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonx"):
        code, _, _ = served.ask("/api/orders", "POST", orders(["halt"]), {"Content-Type": kind})
        expect(code == 415, f"a body of the type {kind} is refused, not {code}")


def check_sizes(served):
    head = (f"POST /api/orders HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\nX-Karman-Token: {served.token}\r\n"
            "Content-Type: application/json\r\n")
    for length in ("65537", "99999999999", "18446744073709551616", "-1", "x"):
        answer = raw(served, f"{head}Content-Length: {length}\r\n\r\n".encode())
        code = answer[9:12]
        expect(code in (b"413", b"400"), f"a body of {length} bytes is refused, not {answer[:40]}")
    good = orders(["redraw"]).encode()
    first = b"%x\r\n%s\r\n" % (len(good), good)
    chunked = head.encode() + b"Transfer-Encoding: chunked\r\n\r\n" + first
    answer = raw(served, chunked + b"0\r\n\r\n")
    expect(answer.startswith(b"HTTP/1.1 200"), f"a body may come in pieces: {answer[:40]}")
    piece = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
    answer = raw(served, chunked + piece * 20 + b"0\r\n\r\n")
    expect(not answer.startswith(b"HTTP/1.1 200"), f"a body without end is refused: {answer[:40]}")
    for answer in (raw(served, b"GET /" + b"a" * 100000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n"),
                   raw(served, b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 100000 + b"\r\n\r\n"),
                   raw(served, b"GET / HTTP/1.1\r\n\r\n"), raw(served, b"\0\1\2\3\r\n\r\n"), raw(served, b"GET\r\n\r\n"),
                   raw(served, os.urandom(5000) + b"\r\n\r\n"), raw(served, b"GET / HTTP/9.9\r\nHost: localhost\r\n\r\n")):
        expect(not answer.startswith(b"HTTP/1.1 200"), f"what is no request is refused: {answer[:40]}")
    expect(served.code("/api/state") == 200, "the server goes on after all that")


def check_doubles(served):
    """The server refuses requests that two readers may understand differently."""
    host, token = f"Host: 127.0.0.1:{served.port}\r\n", f"X-Karman-Token: {served.token}\r\n"
    get = "GET /api/state HTTP/1.1\r\n"
    body = orders(["redraw"])
    post = f"POST /api/orders HTTP/1.1\r\n{host}{token}Content-Type: application/json\r\n"
    length, pieces = f"Content-Length: {len(body)}\r\n", f"{len(body):x}\r\n{body}\r\n0\r\n\r\n"
    chunked = "Transfer-Encoding: chunked\r\n"
    for good in (f"{get}{host}{token}\r\n", f"{post}{length}\r\n{body}", f"{post}{chunked}\r\n{pieces}"):
        answer = raw(served, good.encode())
        expect(answer.startswith(b"HTTP/1.1 200"), f"this is one request: {good} {answer[:40]}")
    for bad in (f"{get}{host}{host}{token}\r\n", f"{get}{host}Host: evil.example\r\n{token}\r\n",
                f"{get}Host: evil.example\r\n{host}{token}\r\n", f"{get}{host}hOST: evil.example\r\n{token}\r\n",
                f"{get}{host}Host : evil.example\r\n{token}\r\n", f"{get}{host} evil.example\r\n{token}\r\n",
                f"{get}{host}{token}{token}\r\n", f"{get}{host}{token}" + 2 * f"Origin: http://{host[6:]}" + "\r\n",
                f"{post}{length}{length}\r\n{body}", f"{post}{length}Content-Length: 5\r\n\r\n{body}",
                f"{post}Content-Length: {len(body)}, {len(body)}\r\n\r\n{body}",
                f"{post}Content-Length: +{len(body)}\r\n\r\n{body}", f"{post}{length}{chunked}\r\n{pieces}",
                f"{post}{chunked}{chunked}\r\n{pieces}", f"{post}{chunked}Transfer-Encoding: identity\r\n\r\n{pieces}",
                f"{post}Transfer-Encoding: identity\r\n\r\n{body}", f"{post}Transfer-Encoding: x\r\n\r\n{body}",
                f"{post}Content-Type: text/plain\r\n{length}\r\n{body}"):
        answer = raw(served, bad.encode())
        expect(answer.startswith(b"HTTP/1.1 400") and b"HTTP/1.1 200" not in answer,
               f"this is refused: {bad!r} {answer[:40]}")


# ---- The program --------------------------------------------------------------------------------


def call(karman, *arguments):
    done = subprocess.run([karman, "live", *arguments], capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout, done.stderr


def check_usage(karman, served, folder):
    (folder.parent / "file").write_text("")
    for code, why, arguments in ((2, "needs a run directory", []), (1, "no run directory", ["/no/such"]),
                                 (1, "no run directory", [str(folder.parent / "file")]),
                                 (2, "one run directory", [str(folder), "b"]), (2, "0 to 65535", [".", "--port", "65536"]),
                                 (2, "0 to 65535", [".", "--port", "x"]), (2, "--prot", [".", "--prot"]),
                                 (1, f"port {served.port}", [str(folder), "--port", str(served.port)])):
        got, out, err = call(karman, *arguments)
        expect(got == code and why in err and err.count("karman: error") == 1 and not out,
               f"{arguments} ends with {code} and '{why}': {got} {out} {err}")
    got, out, _ = call(karman, "--help")
    expect(got == 0 and "RUN_DIR" in out and "ssh -L" in out, "there is a help text")


def check_ranks(karman, launcher, folder):
    done = subprocess.run([launcher, "-n", "3", karman, "live", str(folder)], capture_output=True, text=True,
                          timeout=300)
    expect(done.returncode == 2 and done.stderr.count("call it without mpiexec") == 1 and "token" not in done.stdout,
           f"several ranks are refused, once: {done.returncode} {done.stdout} {done.stderr}")


def check_empty(karman, folder):
    """A directory in which no program has started yet."""
    folder.mkdir(exist_ok=True)
    served = Served(karman, folder)
    state = served.json("/api/state")
    expect(state["status"] is None and state["alive"] is None, "nothing runs there")
    expect(served.json("/api/parameters") == {"parameters": []}, "nothing can be set there")
    expect(served.lines("frames") == (200, b"", 0), "there are no frames")
    expect(served.order("halt")[0] == 409, "nothing takes orders there")
    code, out, err = served.close(signal.SIGINT)
    expect(code == 0 and out == "" and "error" not in err, f"it ends by SIGINT: {code} {out} {err}")


def main():
    karman, folder = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    run = Run(folder / "run", "--seconds", "3000", "--period", "0.5")
    served = Served(karman, run.folder)
    try:
        check_listening(served)
        check_tokens(served)
        check_cookie(served)
        check_hosts(served)
        check_origins(served)
        check_headers(served)
        check_methods(served)
        check_paths(served, run.folder)
        check_orders(served, run)
        check_bodies(served)
        check_sizes(served)
        check_pictures(served, run.folder)
        check_links(served, run.folder)
        check_state(served, run.folder)
        check_doubles(served)
        check_usage(karman, served, run.folder)
        check_empty(karman, folder / "empty")
        if len(sys.argv) > 3:
            check_ranks(karman, sys.argv[3], run.folder)
        run.close()
        check_lines(served, run.folder)
        code, answer = served.order("halt")
        expect(code == 409, f"a run that has gone takes no orders: {code} {answer}")
        expect(served.json("/api/state")["alive"] is False, "and is not alive")
    finally:
        run.close()
        code, out, err = served.close()
    expect(code == 0 and out == "" and "error" not in err, f"it ends by SIGTERM: {code} {out} {err}")
    print(serving.failures, "failures")
    return serving.failures > 0


if __name__ == "__main__":
    sys.exit(main())
