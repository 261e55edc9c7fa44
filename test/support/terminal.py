"""Runs a command on a pseudo-terminal: terminal.py COLUMNS PROMPT ANSWER COMMAND... ; types ANSWER when PROMPT appears."""
import fcntl, os, pty, struct, subprocess, sys, termios

columns, prompt, answer, *command = sys.argv[1:]
ours, theirs = pty.openpty()
fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, int(columns), 0, 0))
child = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True)
os.close(theirs)
seen = b""
while True:
    try:
        part = os.read(ours, 65536)
    except OSError:
        break
    if not part:
        break
    seen += part
    if prompt and prompt.encode() in seen:
        os.write(ours, answer.encode())
        prompt = ""
sys.stdout.buffer.write(seen)
sys.exit(child.wait())
