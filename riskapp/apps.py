from django.apps import AppConfig


class RiskappConfig(AppConfig):
    name = "riskapp"

    def ready(self) -> None:
        from riskapp import celery  # noqa: F401  (or tasks would go to Celery's default broker)
