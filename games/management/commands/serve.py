"""``manage.py serve``: the site in one process, with Celery's worker and schedule in threads of it."""

from __future__ import annotations

import os
import signal
from typing import Any

import uvicorn
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from tools import door


class Command(BaseCommand):
    """Serves until it is interrupted."""

    help = "Serves the site: pages, and Celery's worker and schedule as threads."
    requires_system_checks = ()  # ./play test runs the checks; a start should be quick

    def add_arguments(self, parser: CommandParser) -> None:
        """``--port``, ``--host`` and ``--no-worker``."""
        parser.add_argument("--port", type=int, default=8000, help="port to listen at (default 8000)")
        parser.add_argument("--host", default="localhost", help="host to listen at (default localhost)")
        parser.add_argument(
            "--no-worker", action="store_true", help="leave the tasks to Celery processes started elsewhere"
        )

    def handle(self, *args: Any, port: int, host: str, no_worker: bool, **options: Any) -> None:
        """Runs the server. Raises CommandError, in one line, if it cannot start."""
        if not settings.SECRET_KEY_LASTS:
            raise CommandError(f"No secret key in {settings.SECRET_KEY_FILE}: ./play setup makes one.")
        # From here on SIGTERM ends like Ctrl-C, whenever it comes.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        alone = not no_worker or not settings.REDIS_URL
        try:
            lock = door.lock(settings.VAR) if alone else None
            try:
                self.serve(host, port, with_worker=not no_worker)
            finally:
                if lock is not None:
                    lock.close()
        except door.Closed as error:
            raise CommandError(str(error)) from None
        except KeyboardInterrupt:
            pass
        self.stdout.write("\nStopped.")

    def serve(self, host: str, port: int, *, with_worker: bool) -> None:
        """Listens and answers until interrupted. Raises door.Closed and KeyboardInterrupt."""
        sockets = door.listen(host, port)
        port = sockets[0].getsockname()[1]
        names = ["localhost"] if host in door.LOCAL else door.addresses(host)
        if settings.EMBEDDED:
            if not any(os.environ.get(name) for name in ("SITE_URL", "SITE_URL_FILE")):
                settings.SITE_URL = f"http://localhost:{port}"  # for links in mails
            settings.ALLOWED_HOSTS.extend(f"[{name}]" if ":" in name else name for name in names)
        if with_worker:
            os.environ["NA_TAHU_EMBEDDED_WORKER"] = "1"
        config = uvicorn.Config(
            "config.asgi:application",
            lifespan="on",
            log_config=None,
            access_log=False,
            ws_per_message_deflate=False,
            ws_max_size=4096,  # pages send nothing; whoever does is cut off
            timeout_graceful_shutdown=3,
            timeout_keep_alive=75,  # longer than people read, so that a click seldom meets a connection just closed
            server_header=False,
            proxy_headers=False,  # settings.TRUSTED_PROXIES says what is believed
        )
        for name in names:
            self.stdout.write(f"Na tahu: http://{f'[{name}]' if ':' in name else name}:{port}/")
        self.stdout.write("Ctrl-C stops it.")
        uvicorn.Server(config).run(sockets=sockets)
