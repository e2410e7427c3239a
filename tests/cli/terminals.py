# SPDX-License-Identifier: MIT
"""Programs on a terminal of their own, and the lines that it shows."""
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios

from programs import wait_for

ESCAPES = re.compile(rb"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|[()][A-Z0-9]|[=>78])")


class OnTerminal:
    """A program on a terminal of its own, of 24 lines."""

    def __init__(self, *words, columns=80, **environment):
        self.control, terminal = pty.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self.before = termios.tcgetattr(terminal)
        self.terminal = terminal
        self.process = subprocess.Popen(words, stdin=terminal, stdout=terminal, stderr=terminal, start_new_session=True,
                                        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
                                        env={**os.environ, "TERM": "xterm", **environment})
        self.raw = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.control)
        os.close(self.terminal)

    def press(self, keys):
        os.write(self.control, keys)

    def read(self):
        """Whether there was something."""
        if not select.select([self.control], [], [], 0.05)[0]:
            return False
        self.raw += os.read(self.control, 65536)
        return True

    def text(self):
        return ESCAPES.sub(b" ", self.raw).decode()

    def wait_for_text(self, pattern):
        def seen():
            self.read()
            return re.search(pattern, self.text())
        return wait_for(seen, f"the terminal has {pattern}: {self.text()}")

    def end(self):
        def ended():
            self.read()
            return self.process.poll() is not None
        wait_for(ended, "the program ends")
        assert termios.tcgetattr(self.terminal) == self.before, "the terminal is as it was"
        return self.process.returncode


def on_terminal(*words, columns=80, codes=(0,), **environment):
    """The octets that a command, which ends with one of these codes, writes to a terminal."""
    with OnTerminal(*words, columns=columns, **environment) as terminal:
        code = terminal.end()
        while terminal.read():
            pass
        assert code in codes, terminal.text()
        return terminal.raw


def cells_shown(raw):
    """The lines of an endless terminal after these octets, as pairs of a letter and its style, the parameters of SGR: carriage returns
    write anew, ESC [K clears the rest of the line."""
    lines, column, style = [[]], 0, ""
    for part in re.findall(r"\x1b\[K|\x1b\[[\d;]*m|\r|\n|[^\r\n\x1b]+|\x1b", raw.decode()):
        if part == "\r":
            column = 0
        elif part == "\n":
            lines.append([])
            column = 0
        elif part == "\x1b[K":
            del lines[-1][column:]
        elif part.startswith("\x1b["):
            style = part[2:-1].removeprefix("0")
        else:
            lines[-1][column:column + len(part)] = [(letter, style) for letter in part]
            column += len(part)
    return lines


def lines_shown(raw):
    return ["".join(letter for letter, _ in line) for line in cells_shown(raw)]
