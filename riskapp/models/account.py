"""People who sign in, and the links by which they come."""

import hashlib
from uuid import uuid4

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone

from riskapp.models.project import Project, Role


class Accounts(BaseUserManager["User"]):
    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(email=(username or "").strip().lower())


class User(AbstractBaseUser):
    """Somebody with an account, known by e-mail address."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    email = models.EmailField("e-mail address", unique=True)
    name = models.CharField(max_length=150)
    is_active = models.BooleanField(default=True)
    is_administrator = models.BooleanField(default=False)
    may_create_projects = models.BooleanField(default=False)
    joined_at = models.DateTimeField(default=timezone.now)
    reset_asked_at = models.DateTimeField(null=True, blank=True)
    time_zone = models.CharField(max_length=60, blank=True)

    objects = Accounts()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"

    class Meta:
        constraints = [models.UniqueConstraint(Lower("email"), name="one_account_per_address")]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: object, **kwargs: object) -> None:
        self.email = self.email.strip().lower()
        super().save(*args, **kwargs)  # type: ignore[arg-type]

    @property
    def has_second_factor(self) -> bool:
        from django_otp.plugins.otp_totp.models import TOTPDevice

        return bool(TOTPDevice.objects.filter(user=self, confirmed=True).exists())


class Invitation(models.Model):
    """A one-time link by which somebody gets an account, a place in a project, or both.

    Only the hash of its token is kept, so nobody who reads the database can use it.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    token_hash = models.CharField(max_length=64, unique=True)
    email = models.EmailField(blank=True)
    project = models.ForeignKey(Project, null=True, blank=True, on_delete=models.PROTECT, related_name="invitations")
    role = models.CharField(max_length=10, choices=Role, blank=True)
    administrator = models.BooleanField(default=False)
    may_create_projects = models.BooleanField(default=False)
    invited_by = models.ForeignKey(User, null=True, on_delete=models.PROTECT, related_name="invited")
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True, blank=True)
    accepted_by = models.ForeignKey(User, null=True, on_delete=models.PROTECT, related_name="accepted")
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"invitation {self.id}"

    @staticmethod
    def hashed(token: str) -> str:
        return hashlib.sha256(token.encode()).hexdigest()

    @property
    def is_open(self) -> bool:
        return self.accepted_at is None and self.withdrawn_at is None and self.expires_at > timezone.now()
