"""Shared by the tests of karman live: the program, a run for it to show, and requests."""
import http.client
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
failures = 0


def expect(good, what):
    global failures
    if not good:
        failures += 1
        print("FAILED: expected that", what, flush=True)
    return good


def wait_for(look, seconds=300, pause=0.05):
    """Calls `look` until it returns something true, or the time is over; returns its last value."""
    end = time.monotonic() + seconds
    while not (found := look()) and time.monotonic() < end:
        time.sleep(pause)
    return found


class Served:
    """karman live on a folder, or another command that serves a page."""

    def __init__(self, karman, folder, *options, command="live", launch=()):
        # Tests let MPI use shared memory alone. Here it may open any socket that it opens by
        # default.
        environment = {name: os.environ[name] for name in os.environ if not name.startswith("UCX_")}
        self.program = subprocess.Popen([*launch, karman, command, str(folder), *options], text=True, env=environment,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.address = self.program.stdout.readline().strip()
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/\?token=([0-9a-f]{32})", self.address)
        if not found:
            self.program.kill()
            sys.exit(f"karman live prints no address, but '{self.address}' and "
                     f"'{self.program.communicate()[1]}'")
        self.port, self.token = int(found[1]), found[2]

    def ask(self, path, method="GET", body=None, headers=None, token=True):
        """Code, headers and bytes of the reply to one request."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        given = {"X-Karman-Token": self.token} if token else {}
        try:
            connection.request(method, path, body, {**given, **(headers or {})})
            reply = connection.getresponse()
            return reply.status, reply.headers, reply.read()
        finally:
            connection.close()

    def code(self, path, **options):
        return self.ask(path, **options)[0]

    def json(self, path):
        return json.loads(self.ask(path)[2])

    def order(self, *words):
        code, _, body = self.ask("/api/orders", "POST", json.dumps({"orders": [list(words)]}),
                                 {"Content-Type": "application/json"})
        return code, json.loads(body)

    def lines(self, name, since=0):
        query = urllib.parse.urlencode({"of": name, "since": since})
        code, headers, body = self.ask("/api/lines?" + query)
        return code, body, int(headers.get("Karman-Next", -1))

    def close(self, number=signal.SIGTERM):
        """Ends it by one signal: a second signal may come after the program has removed its
        handlers. Returns its exit code and the rest of its output.
        """
        self.program.send_signal(number)
        try:
            rest = self.program.communicate(timeout=300)
        finally:
            self.program.kill()
        return self.program.returncode, *rest


class Run:
    """A run without a solver (fake_run.py)."""

    def __init__(self, folder, *options):
        self.folder = folder
        self.program = subprocess.Popen([sys.executable, HERE / "fake_run.py", folder, *options])
        if not wait_for(self.has_begun):
            sys.exit("the fake run does not begin")

    def has_begun(self):
        try:
            about = json.loads((self.folder / "run.json").read_text())
        except OSError:
            return False
        return about["pid"] == self.program.pid and (self.folder / "frames.jsonl").exists()

    def status(self):
        return json.loads((self.folder / "status.json").read_text())

    def write_status(self, document):
        """Replaces the status of a stopped run by renaming a complete file, as a run does."""
        hidden = self.folder / ".status.json.test"
        hidden.write_text(json.dumps(document))
        hidden.rename(self.folder / "status.json")

    def answer(self, served, *words):
        """The run's answer to an order. The server waits 3 seconds for it, this function without
        that limit.
        """
        before = set(self.answers())
        code, answer = served.order(*words)
        if code != 200 or answer["answer"]:
            return code, answer
        new = wait_for(lambda: [a for a in self.answers() if a not in before])
        return code, {"answer": json.loads(new[-1].read_text()) if new else {}}

    def answers(self):
        return sorted((self.folder / "answers").glob("*.json"))

    def close(self):
        self.program.terminate()
        self.program.wait(300)
