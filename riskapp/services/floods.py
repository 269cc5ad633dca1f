"""How much of the same one network address may write into the audit trail, which never forgets anything."""

from axes.helpers import get_cool_off
from django.db.models import Max, Q
from django.utils import timezone

from riskapp.models import AuditEvent

AT_MOST = 20
# A count over the whole trail would take longer every year.
LOOKED_BACK = 2000


def room(address: str, action: str, only: Q | None = None) -> int:
    """How many more such events this network address may add within the time of a lock-out."""
    cool_off = get_cool_off()
    assert cool_off is not None
    newest = AuditEvent.objects.aggregate(number=Max("number"))["number"] or 0
    recent = AuditEvent.objects.filter(number__gt=newest - LOOKED_BACK, at__gt=timezone.now() - cool_off)
    return AT_MOST - recent.filter(only or Q(), address=address, action=action).count()
