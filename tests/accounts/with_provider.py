"""The addresses of the site as they are when a provider is configured."""

from accounts.urls import social_patterns
from config.urls import handler400, handler403, handler404, handler429, handler500, urlpatterns as given

__all__ = ["handler400", "handler403", "handler404", "handler429", "handler500", "urlpatterns"]

urlpatterns = [*given, *social_patterns]
