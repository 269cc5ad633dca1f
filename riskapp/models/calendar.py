"""Days as the house counts them, in the server's zone: what ends on a day ends for all at once, wherever they are."""

from datetime import date, datetime

from django.utils import timezone


def day_of(moment: datetime) -> date:
    return timezone.localdate(moment, timezone.get_default_timezone())


def today() -> date:
    return day_of(timezone.now())
