# Runs shell lines in a terminal, answers questions, prints what the terminal shows, and exits with the shell's code.
import os
import pty
import re
import sys

lines, answer = sys.argv[1:]
QUESTION = re.compile(rb"(\[y/N\]|\(Y/n\)|\(y/N\))[^\n]*$")

pid, terminal = pty.fork()
if pid == 0:
    os.execvp("bash", ["bash", "-euo", "pipefail", "-c", lines])

unanswered = b""
while True:
    try:
        output = os.read(terminal, 65536)
    except OSError:
        break
    if not output:
        break
    sys.stdout.buffer.write(output)
    unanswered += output
    if QUESTION.search(unanswered):
        unanswered = b""
        os.write(terminal, answer.encode() + b"\r")
sys.stdout.flush()
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
