"""The site for programs: what the pages do, at /api/v1/."""
