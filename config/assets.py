"""How the site's own files are served."""

from __future__ import annotations

from whitenoise.storage import CompressedManifestStaticFilesStorage


class Assets(CompressedManifestStaticFilesStorage):
    """Files with a hash in their name, so that browsers keep them for ever; scripts import one another by that name."""

    support_js_module_import_aggregation = True
