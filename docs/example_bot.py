"""A bot that plays all games of the site: it accepts every invitation and chooses among the legal steps at random.

NA_TAHU_URL=https://play.example.org NA_TAHU_TOKEN=nt_... python3 example_bot.py
"""

import http.client
import json
import os
import random
import time
import urllib.request
import uuid

API = os.environ.get("NA_TAHU_URL", "http://localhost:8000").rstrip("/") + "/api/v1"
TOKEN = os.environ["NA_TAHU_TOKEN"]


def call(method, path, body=None):
    """The answer of the API; a refusal raises HTTPError."""
    headers = {"Authorization": f"Bearer {TOKEN}", "Accept": "application/json", "Content-Type": "application/json"}
    if path.endswith("/moves"):
        headers["Idempotency-Key"] = str(uuid.uuid4())
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(API + path, data, headers, method=method)) as answer:
        return json.load(answer)


def move(slug):
    """Makes a whole move: one step after the other, as long as the preview says that more is to be chosen."""
    seen, steps = call("GET", f"/matches/{slug}/observation"), []
    legal, version = seen["legal"], seen["version"]
    while legal:
        steps.append(random.choice(legal))
        legal = call("POST", f"/matches/{slug}/preview", {"version": version, "steps": steps})["legal"]
    call("POST", f"/matches/{slug}/moves", {"version": version, "steps": steps})


def work():
    """Accepts what there is to accept and moves where it is our turn, until nothing is left to do."""
    for asked in call("GET", "/me/invitations")["items"]:
        call("POST", f"/invitations/{asked['id']}/accept", {})
    while turns := call("GET", "/me/matches")["my_turns"]:
        for match in turns:
            move(match["id"])


while True:
    try:
        events = urllib.request.Request(f"{API}/events", headers={"Authorization": f"Bearer {TOKEN}"})
        with urllib.request.urlopen(events, timeout=60) as stream:
            for line in stream:
                if line.startswith(b"data:"):
                    work()
    except (OSError, http.client.HTTPException) as fault:  # also what the API refuses: look again a little later
        print(fault)
        time.sleep(5)
