"""Every write of the site, by journey. Pages, tasks and commands only translate."""
