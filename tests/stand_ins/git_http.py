"""A git server over smart HTTP around the real `git http-backend`; reading is open, pushing takes a token."""

import base64
import os
import subprocess
from pathlib import Path

from stand_ins.loopback import Quiet


def git_handler(root: Path, token: str) -> type[Quiet]:
    """Serves the bare repositories beneath `root`; who pushes must be x-access-token with this token."""
    wanted = base64.b64encode(f"x-access-token:{token}".encode()).decode()

    class Handler(Quiet):
        def serve(self) -> None:
            path, _, query = self.path.partition("?")
            request = self.body()
            scheme, _, given = (self.headers.get("authorization") or "").partition(" ")
            if "git-receive-pack" in self.path and not (scheme.lower() == "basic" and given.strip() == wanted):
                self.answer(401, {"WWW-Authenticate": 'Basic realm="git"'}, b"")
                return
            environment = {
                "PATH": os.environ["PATH"],
                "GIT_PROJECT_ROOT": str(root),
                "GIT_HTTP_EXPORT_ALL": "1",
                "GIT_CONFIG_GLOBAL": os.devnull,
                "REQUEST_METHOD": self.command,
                "PATH_INFO": path,
                "QUERY_STRING": query,
                "CONTENT_TYPE": self.headers.get("content-type", ""),
                "CONTENT_LENGTH": str(len(request)),
                "REMOTE_USER": "bot",
                "REMOTE_ADDR": "127.0.0.1",
                "HTTP_GIT_PROTOCOL": self.headers.get("git-protocol", ""),
                "HTTP_CONTENT_ENCODING": self.headers.get("content-encoding", ""),
            }
            done = subprocess.run(
                ["git", "http-backend"], input=request, env=environment, capture_output=True, check=False
            )
            head, _, content = done.stdout.partition(b"\r\n\r\n")
            fields = dict(line.decode().split(": ", 1) for line in head.split(b"\r\n") if b": " in line)
            status = int(fields.pop("Status", "200 OK").split()[0])
            self.answer(status, fields, content)

        do_GET = do_POST = serve

    return Handler
