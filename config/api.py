"""Settings of the API: how Django REST framework behaves, and how the site's schema is made."""

from typing import Any

REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "games.api.tokens.TokenAuthentication",
        "games.api.tokens.BrowserAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": [],
    "DEFAULT_RENDERER_CLASSES": ["games.api.reading.Json"],
    "DEFAULT_PARSER_CLASSES": ["games.api.reading.PlainJson"],
    "DEFAULT_METADATA_CLASS": None,  # OPTIONS is answered like any other method that there is not
    "DEFAULT_SCHEMA_CLASS": "games.api.schema.Schema",
    "EXCEPTION_HANDLER": "games.api.problems.of",
    "URL_FORMAT_OVERRIDE": None,
}

SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "Na tahu",
    "DESCRIPTION": "Everything that the pages of the site do, for programs.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1/",
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "ENABLE_DJANGO_DEPLOY_CHECK": False,
    "POSTPROCESSING_HOOKS": ["games.api.schema.with_problems"],
}
