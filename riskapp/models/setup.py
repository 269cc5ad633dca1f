"""The set-up of an assessment: what the officer says about the dataset, the attackers and the harm.

Every part carries a version. Who saves says which version they saw, so that of two people who change the same thing
the second is told instead of overwriting the first.
"""

from typing import Any

from django.conf import settings
from django.db import models
from django.utils import timezone

from riskapp.models.ordered import OrderedJSONField
from riskapp.models.project import Project
from riskapp.models.upload import Upload


class Versioned(models.Model):
    """A row that several people may change, with who was the last to do so."""

    version = models.IntegerField(default=0)
    changed_at = models.DateTimeField(default=timezone.now)
    changed_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        abstract = True


class ReleaseKind(models.TextChoices):
    PUBLIC = "public", "Public"
    CONTRACT = "contract", "Under contract"
    SAFE = "safe", "In a safe setting"


# Where an organisation starts from; it edits them as it learns.
STARTING_LIMITS: dict[str, dict[str, Any]] = {
    ReleaseKind.PUBLIC: {"largest_chance": 0.09, "smallest_group": 11, "inference": 0.5},
    ReleaseKind.CONTRACT: {"largest_chance": 0.2, "smallest_group": 5, "inference": 0.7},
    ReleaseKind.SAFE: {"largest_chance": 0.33, "smallest_group": 3, "inference": 0.9},
}


class ReleaseClass(Versioned):
    """The limits that the organisation has set for one kind of release; without a row, those to start from."""

    kind = models.CharField(max_length=10, choices=ReleaseKind, primary_key=True)
    limits: Any = OrderedJSONField()

    def __str__(self) -> str:
        return str(self.get_kind_display())


class ColumnRole(models.TextChoices):
    IDENTIFIER = "identifier", "Identifier, never released"
    GENERALISED = "generalised", "Released with a hierarchy"
    KEPT = "kept", "Released unchanged"
    DROPPED = "dropped", "Dropped"


class Setup(models.Model):
    """The set-up of a project; each JSON part has the keys of its section in an assessment file."""

    project = models.OneToOneField(Project, on_delete=models.CASCADE, primary_key=True, related_name="setup")
    dataset = models.ForeignKey(Upload, null=True, on_delete=models.PROTECT, related_name="+")
    leave_out = models.ForeignKey(Upload, null=True, on_delete=models.PROTECT, related_name="+")
    release_class = models.CharField(max_length=10, choices=ReleaseKind, blank=True)
    limits: Any = OrderedJSONField(null=True)
    risk_weight = models.CharField(max_length=500, blank=True)
    sensitivity: Any = OrderedJSONField(default=dict)
    risk: Any = OrderedJSONField(default=dict)
    utility: Any = OrderedJSONField(default=dict)
    search: Any = OrderedJSONField(default=dict)
    linkage: Any = OrderedJSONField(null=True)
    harm_seen = models.BooleanField(default=False)
    version = models.IntegerField(default=0)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(release_class__in=["", *ReleaseKind.values]), name="a_known_release_class"
            )
        ]

    def __str__(self) -> str:
        return f"set-up of {self.project_id}"


def _one() -> int:
    return 1


class Attribute(Versioned):
    """What is to happen with one column of the dataset.

    `hierarchy` is described as in an assessment file, or by its rows from leaf to top; None means value → *.
    """

    setup = models.ForeignKey(Setup, on_delete=models.CASCADE, related_name="attributes")
    position = models.IntegerField()
    column = models.CharField(max_length=500)
    role = models.CharField(max_length=12, choices=ColumnRole)
    knowable = models.BooleanField(default=False)
    hurts = models.BooleanField(default=False)
    hierarchy: Any = OrderedJSONField(null=True)
    weight: Any = models.JSONField(default=_one)
    weights: Any = OrderedJSONField(default=dict)
    fall = models.CharField(max_length=10, blank=True)
    personal: Any = OrderedJSONField(null=True)
    order: Any = models.JSONField(null=True)
    keep_reason = models.CharField(max_length=300, blank=True)
    suggestion: Any = OrderedJSONField(default=dict)
    confirmed = models.BooleanField(default=False)

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["setup", "column"], name="one_attribute_per_column"),
            models.CheckConstraint(condition=models.Q(role__in=ColumnRole.values), name="a_known_column_role"),
        ]

    def __str__(self) -> str:
        return self.column

    @property
    def released(self) -> bool:
        return self.role in {ColumnRole.GENERALISED, ColumnRole.KEPT}

    @property
    def people(self) -> int:
        """How many people there are if this column tells them apart; a row that does not say is a person of its own."""
        return int(self.suggestion.get("distinct", 0) + self.suggestion.get("missing", 0))

    @property
    def project_id(self) -> Any:
        return self.setup_id


class AttackerKind(models.TextChoices):
    ITSELF = "self", "Knows who is in the file"
    REGISTER = "register", "Holds a register"
    COUNTS = "counts", "Holds a table of counts"


class Attacker(Versioned):
    """Somebody who could try to find people in the release, and what they hold."""

    setup = models.ForeignKey(Setup, on_delete=models.CASCADE, related_name="attackers")
    position = models.IntegerField()
    name = models.CharField(max_length=60)
    kind = models.CharField(max_length=10, choices=AttackerKind)
    upload = models.ForeignKey(Upload, null=True, on_delete=models.PROTECT, related_name="+")
    knows: Any = models.JSONField(default=list)
    match: Any = OrderedJSONField(default=dict)
    identity = models.CharField(max_length=500, blank=True)
    count = models.CharField(max_length=500, blank=True)
    prior = models.FloatField(default=1.0)
    fuzzy: Any = OrderedJSONField(default=dict)
    source = models.CharField(max_length=300, blank=True)
    licence = models.CharField(max_length=300, blank=True)
    as_of = models.DateField(null=True)
    delete_after = models.DateField(null=True)

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["setup", "name"], name="one_attacker_of_a_name"),
            models.CheckConstraint(condition=models.Q(kind__in=AttackerKind.values), name="a_known_attacker_kind"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def project_id(self) -> Any:
        return self.setup_id
