"""What anybody may do, and how often."""

import environ

# Who guesses is stopped, who shares an address with others is not. Failed logins are counted for the name, which a
# stranger could use to keep somebody out: the way in by a code stays open then. One mailbox gets three codes of a kind
# an hour at most. LIMITS_TIMES raises what is counted by address, where many people share one.
LIMITS_TIMES: int = environ.FileAwareEnv().int("LIMITS_TIMES", default=1)
ACCOUNT_RATE_LIMITS = {
    "signup": f"{20 * LIMITS_TIMES}/h/ip",
    "login": f"{60 * LIMITS_TIMES}/h/ip",
    "login_failed": f"10/h/key,{20 * LIMITS_TIMES}/h/ip",
    "request_login_code": f"{20 * LIMITS_TIMES}/h/ip,3/h/key",
    "confirm_email": "3/h/key",
    "reset_password": f"{20 * LIMITS_TIMES}/h/ip,3/h/key",
    "reset_password_from_key": f"{20 * LIMITS_TIMES}/h/ip",
    "reauthenticate": "10/h/user",
    "change_password": "10/h/user",
    "manage_email": "10/h/user",
}

# Floods: how often in how many seconds; a guest is counted by address, the others by user.
LIMITS: dict[str, tuple[int, int]] = {
    "guest": (30 * LIMITS_TIMES, 3600),
    "match": (60, 3600),
    "move": (60, 60),
    "invite": (20, 24 * 3600),
    "link": (30, 3600),
    "listed": (20, 24 * 3600),
    "holiday": (20, 24 * 3600),
    "ask": (60, 3600),
    "propose": (6, 3600),
    "sit": (60, 3600),
    "address": (5, 24 * 3600),
    "device": (30, 24 * 3600),
    "push_test": (10, 3600),
    "webhook": (30, 24 * 3600),
    "webhook_test": (20, 3600),
    "bot": (20, 24 * 3600),
    "export": (20, 3600),
    "record": (300, 3600),
    "archive": (5, 3600),
    "import": (30, 3600),
    "play_on": (30, 24 * 3600),
    "favourite": (300, 3600),
    "follow": (120, 3600),
    "api": (600, 60),
}
# So many rated matches of the same two people begin within a day: with a second account one could else win at will.
RATED_TOGETHER = 5
# At how many matches with other people anybody may sit at once: a guest; a new account; so many more for each that was
# played to its end; and never more than the most.
MATCHES_AT_ONCE: dict[str, int] = {"guest": 5, "bot": 20, "first": 20, "more": 5, "most": 100}
