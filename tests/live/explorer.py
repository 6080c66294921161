"""The page of karman view in Chromium, as its tests use it."""
import base64
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "image"))
from compare_page import ELEMENT, Browser  # noqa: E402,F401
from serving import expect, wait_for  # noqa: E402

# Files that the page gives to save, by name, instead of saving them.
CATCH = """if (!window.saved) {
  const make = URL.createObjectURL.bind(URL);
  const blobs = new Map();
  URL.createObjectURL = blob => { const address = make(blob); blobs.set(address, blob); return address; };
  HTMLAnchorElement.prototype.click = function () {
    const file = new FileReader();
    file.onload = () => { window.saved[this.download] = file.result.split(",")[1]; };
    file.readAsDataURL(blobs.get(this.href));
  };
}
window.saved = {};"""


class Page:
    """The page, as a user sees it."""

    def __init__(self, browser, view, shots):
        self.browser, self.view, self.shots = browser, view, shots

    def run(self, script, *arguments):
        return self.browser.run(script, *arguments)

    def open(self, address=None):
        self.browser.call("POST", "/url", {"url": address or self.view.address})

    def element(self, selector):
        return self.browser.call("POST", "/element", {"using": "css selector", "value": selector})

    def click(self, selector):
        self.run("document.querySelector(arguments[0]).scrollIntoView({block: 'center'})", selector)
        self.browser.call("POST", f"/element/{self.element(selector)[ELEMENT]}/click", {})

    def type(self, selector, text):
        field, control, end, enter = self.element(selector)[ELEMENT], "\ue009", "\ue000", "\ue007"
        self.browser.call("POST", f"/element/{field}/value", {"text": control + "a" + end + text + enter})

    def send(self, selector, text):
        self.browser.call("POST", f"/element/{self.element(selector)[ELEMENT]}/value", {"text": text})

    def keys(self, text):
        self.send("#stage", text)

    def pointer(self, *actions):
        self.run("window.scrollTo(0, 0)")
        stage = self.element("#stage")
        steps = [{"type": "pointerMove", "duration": 20, "x": a[0], "y": a[1], "origin": stage} if isinstance(a, tuple)
                 else {"type": a, "button": 0} for a in actions]
        self.browser.call("POST", "/actions", {"actions": [
            {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": steps}]})

    def data(self, name):
        return self.run("return document.getElementById('picture').dataset[arguments[0]]", name)

    def count(self):
        return int(self.data("count") or 0)

    def wait(self, good):
        """Waits until a condition of the session `s` and the pictures `p` of the page is so; returns the last value."""
        return wait_for(lambda: self.browser.call("POST", "/execute/async", {"args": [], "script": """
            const done = arguments[0], drawn = p => p.drawn === p.session.state && !p.busy && !p.wanted;
            Promise.all([import("./explore.js"), import("./session.js")]).then(async ([e, of]) => {
              const s = e.session, p = e.pictures;
              return %s;
            }).then(done, () => done(false))""" % good}))

    def ready(self):
        """Waits for the whole picture of the state, which is one for good."""
        good = self.wait("""s.isSettled && drawn(p) && p.last === "whole" &&
            document.getElementById("badge").textContent === "ready" && document.getElementById("pending").hidden""")
        return expect(good, "the page shows a whole picture: " + str(good or self.wait("""[s.isSettled, s.waiting,
            drawn(p), p.busy, p.wanted, p.last, document.getElementById("badge").textContent]""")))

    def after(self, act):
        """Does something, and waits for the whole picture that follows."""
        expect(self.wait("s.isSettled && drawn(p) && Boolean(window.before = p.number)"), "nothing is under way")
        act()
        expect(self.wait("p.number !== window.before"), "a picture follows")
        self.ready()

    def state(self):
        """What the address bar holds, when it holds the state."""
        return self.wait("""s.isSettled && await of.fromAddress().then(a => JSON.stringify(a) === JSON.stringify(s.state) && a)""")

    def camera(self):
        return self.state()["config"]["camera"]

    def hit(self):
        """A place in the picture with data under it, from the middle of the picture, in pixels."""
        state = self.state()
        wide, high = self.run("const b = document.getElementById('stage').getBoundingClientRect(); return [b.width, b.height]")
        places = sorted(((x / 12, y / 12) for x in range(1, 12) for y in range(1, 12)), key=lambda p: (p[0] - 0.5) ** 2 + (p[1] - 0.5) ** 2)
        for x, y in places:
            if self.view.answer(do="probe", at=[x, y], **state)[1].get("x"):
                return round((x - 0.5) * wide), round((y - 0.5) * high)
        return expect(False, "there is something in the picture") or (0, 0)

    def shot(self, name):
        if self.shots:
            self.shots.mkdir(parents=True, exist_ok=True)
            (self.shots / (name + ".png")).write_bytes(base64.b64decode(self.browser.call("GET", "/screenshot")))


# ---- Parts of the page --------------------------------------------------------------------------


def choose(page, selector, value):
    page.run("""const m = document.querySelector(arguments[0]); m.value = arguments[1];
        m.dispatchEvent(new Event("change"))""", selector, value)


def click(page, x, y):
    page.pointer((x, y), "pointerDown", "pointerUp")


def drag(page, selector, x, y):
    """Drags an element by some pixels."""
    page.run("document.querySelector(arguments[0]).scrollIntoView({block: 'center'})", selector)
    element, held = page.element(selector), {"pointerType": "mouse"}
    moves = [{"type": "pointerMove", "duration": 20, "x": x * n // 4, "y": y * n // 4, "origin": element} for n in range(5)]
    steps = [moves[0], {"type": "pointerDown", "button": 0}, *moves[1:], {"type": "pointerUp", "button": 0}]
    page.browser.call("POST", "/actions", {"actions": [{"type": "pointer", "id": "mouse", "parameters": held, "actions": steps}]})


def layers(page):
    return [next(k for k in layer if k != "shown") for layer in page.state()["config"]["layers"]]


def saved(page, button, name):
    page.run(CATCH)
    page.click(button)
    text = wait_for(lambda: page.run("return window.saved[arguments[0]]", name))
    return base64.b64decode(text or "")
