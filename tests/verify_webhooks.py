#!/usr/bin/env python3
"""A receiver of webhooks that trusts only the official library of the Standard Webhooks specification.

Reads one line of JSON, {"secrets": ["whsec_…"], "expect": N}, and prints "listening PORT", then a line of JSON for
each request: {"verified_by": [indexes of secrets], "id": …, "type": …, "sequence": …, "path": …}. It answers 204 to
what at least one secret verifies and 401 to the rest, and ends after N verified requests. Why something was refused
goes to stderr. The library compares webhook-timestamp with the real clock and allows five minutes.
"""

import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from standardwebhooks import Webhook, WebhookVerificationError


class Receiver(ThreadingHTTPServer):
    # A sender may connect many times at once.
    request_queue_size = 128

    def __init__(self, secrets, expect):
        super().__init__(("127.0.0.1", 0), Handler)
        self.webhooks = [Webhook(secret) for secret in secrets]
        self.missing = expect
        self.lock = threading.Lock()
        self.done = threading.Event()

    def verified_by(self, body, headers):
        found = []
        for index, webhook in enumerate(self.webhooks):
            try:
                webhook.verify(body, headers)
                found.append(index)
            # The library says ValueError of a signature header, or a body, that it cannot take apart.
            except (WebhookVerificationError, ValueError) as cause:
                print(f"secret {index}: {type(cause).__name__}: {cause}", file=sys.stderr, flush=True)
        return found

    def report(self, line):
        with self.lock:
            print(json.dumps(line), flush=True)

    def count(self):
        with self.lock:
            self.missing -= 1
            if self.missing <= 0:
                self.done.set()


class Handler(BaseHTTPRequestHandler):
    # Keeps connections, as most receivers do.
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        headers = dict(self.headers.items())
        verified_by = self.server.verified_by(body, headers)
        try:
            content = json.loads(body)
        except ValueError:
            content = None
        if not isinstance(content, dict):
            content = {}
        self.server.report({
            "verified_by": verified_by,
            "id": self.headers.get("webhook-id"),
            "type": content.get("type"),
            "sequence": content.get("sequence"),
            "path": self.path,
        })
        self.send_response(204 if verified_by else 401)
        if not verified_by:
            self.send_header("content-length", "0")
        self.end_headers()
        # Only now: the process ends after the last one, and its sender must have its answer.
        if verified_by:
            self.server.count()

    def log_message(self, *arguments):
        """Nothing: every request has its line already."""


def main():
    settings = json.loads(sys.stdin.readline())
    receiver = Receiver(settings["secrets"], settings["expect"])
    threading.Thread(target=receiver.serve_forever, daemon=True).start()
    print(f"listening {receiver.server_port}", flush=True)
    receiver.done.wait()
    # Connections that are kept have a thread each, which an orderly end would wait for.
    with receiver.lock:
        os._exit(0)


main()
