"""Every setting, read from the environment. docs/reference/settings.md says what each one means."""

import tempfile
from hashlib import sha256
from pathlib import Path

import dj_database_url
from csp.constants import NONE, SELF

from riskapp import environment as env

VERSION = "0.1.0"
BASE_DIR = Path(__file__).resolve().parent.parent
VAR = Path(env.text("RISKAPP_VAR", str(BASE_DIR / "var"))).resolve()
FILES = VAR / "files"
LOGS = VAR / "log"

SECRET_KEY = env.secret("RISKAPP_SECRET_KEY", VAR / "keys" / "secret")
AUDIT_KEY = env.secret("RISKAPP_AUDIT_KEY", VAR / "keys" / "audit")
AUDIT_HEAD = Path(env.text("RISKAPP_AUDIT_HEAD", str(VAR / "audit" / "head.json")))

DEBUG = False
HTTPS = env.flag("RISKAPP_HTTPS")
ORIGIN = env.text("RISKAPP_ORIGIN").rstrip("/")
PROXIES = env.number("RISKAPP_PROXIES", 0)
ALLOWED_HOSTS = env.words("RISKAPP_HOSTS", "127.0.0.1,localhost,[::1]")
CSRF_TRUSTED_ORIGINS = [ORIGIN] if ORIGIN else []

# Work

MAX_UPLOAD_BYTES = env.number("RISKAPP_MAX_UPLOAD_BYTES", 5_000_000_000, least=1)
MAX_UNPACKED_BYTES = env.number("RISKAPP_MAX_UNPACKED_BYTES", 8 << 30, least=1)
QUOTA_BYTES = env.number("RISKAPP_QUOTA_BYTES", 100_000_000_000, least=1)
QUOTA_FILES = env.number("RISKAPP_QUOTA_FILES", 1_000, least=1)
FREE_BYTES = env.number("RISKAPP_FREE_BYTES", 500_000_000)
# Of the threads of each web process (gunicorn.conf.py), so that pages always find one.
UPLOADS_AT_ONCE = env.number("RISKAPP_WEB_THREADS", 24, least=2) // 2
WORKERS = env.number("RISKAPP_WORKERS", 3, least=1)
HEARTBEAT_SECONDS = env.number("RISKAPP_HEARTBEAT_SECONDS", 2, least=1)
LOST_AFTER_SECONDS = env.number("RISKAPP_LOST_AFTER_SECONDS", 20, least=2)
SWEEP_SECONDS = env.number("RISKAPP_SWEEP_SECONDS", 60, least=1)
QUEUE_HOURS = env.number("RISKAPP_QUEUE_HOURS", 24, least=1)
RUN_HOURS = env.number("RISKAPP_RUN_HOURS", 6, least=1)
API_PER_MINUTE = env.number("RISKAPP_API_PER_MINUTE", 300, least=1)

# The house

INSTALLED_APPS = [
    "riskapp",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "axes",
    "csp",
    "django_htmx",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "django_otp.plugins.otp_static",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "riskapp.web.middleware.never_stored",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "riskapp.web.api.troubles.in_one_shape",
    "riskapp.web.middleware.in_their_zone",
    "riskapp.web.middleware.acting",
    "riskapp.web.middleware.troubles",
    "axes.middleware.AxesMiddleware",
]
ROOT_URLCONF = "riskapp.urls"
WSGI_APPLICATION = "riskapp.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "riskapp.web.context.about",
            ],
            "builtins": [
                "riskapp.web.templatetags.columns",
                "riskapp.web.templatetags.faults",
                "riskapp.web.templatetags.profile",
                "riskapp.web.templatetags.runs",
                "riskapp.web.templatetags.trail",
                "riskapp.web.templatetags.words",
            ],
            "libraries": {
                "steps": "riskapp.web.templatetags.steps",
                "rules": "riskapp.web.templatetags.rules",
                "attackers": "riskapp.web.templatetags.attackers",
            },
            "loaders": [
                (
                    "django.template.loaders.cached.Loader",
                    ["django.template.loaders.filesystem.Loader", "django.template.loaders.app_directories.Loader"],
                )
            ],
        },
    }
]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# What we remember, and who carries messages

DATABASES = {
    "default": dj_database_url.parse(
        env.text("DATABASE_URL", f"sqlite:///{VAR / 'riskapp.sqlite3'}"), conn_max_age=60, conn_health_checks=True
    )
}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # Several processes write: readers must not block, writers queue from the start of their transaction, and a
    # committed decision is on the disk.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 30,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
    }
    # Tests too have several writers, which a database in memory cannot have.
    DATABASES["default"]["TEST"] = {"NAME": str(VAR / "test.sqlite3")}
else:
    DATABASES["default"].setdefault("OPTIONS", {}).setdefault("connect_timeout", 5)


def redis_socket() -> Path:
    """Where the embedded Redis listens; a socket's path may have at most about a hundred characters."""
    near = VAR / "redis" / "redis.sock"
    if len(str(near)) <= 100:
        return near
    return Path(tempfile.gettempdir()) / f"riskapp-{sha256(str(VAR).encode()).hexdigest()[:12]}" / "redis.sock"


REDIS_SOCKET = redis_socket()
REDIS_URL = env.text("REDIS_URL", f"redis+socket://{REDIS_SOCKET}?virtual_host=0")
REDIS_EMBEDDED = REDIS_URL.startswith("redis+socket://")
CELERY_BROKER_URL = REDIS_URL
# What may be forgotten at any moment: how often programs have asked in this minute.
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL.replace("redis+socket://", "unix://").replace("?virtual_host=", "?db="),
        "OPTIONS": {"socket_connect_timeout": 1, "socket_timeout": 1},
    }
}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# A click does not wait for a broker that is away: the run stands in the database and is sent later.
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "socket_timeout": 5,
    "socket_connect_timeout": 5,
    "max_retries": 1,
    "interval_start": 0,
    "interval_step": 0,
    "interval_max": 0,
}
CELERY_TASK_SERIALIZER = "json"
CELERY_RESULT_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_DEFAULT_QUEUE = "runs"
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BEAT_SCHEDULER = "riskapp.celery:Caretaker"

# People

AUTH_USER_MODEL = "riskapp.User"
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "django.contrib.auth.backends.ModelBackend"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "sign-in"
LOGIN_REDIRECT_URL = "projects"
LOGOUT_REDIRECT_URL = "sign-in"
PASSWORD_RESET_TIMEOUT = 3 * 24 * 3600
INVITATION_DAYS = env.number("RISKAPP_INVITATION_DAYS", 7, least=1)
AXES_FAILURE_LIMIT = env.number("RISKAPP_LOCKOUT_FAILURES", 5, least=1)
AXES_COOLOFF_TIME = env.number("RISKAPP_LOCKOUT_MINUTES", 15, least=1) / 60
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_USERNAME_FORM_FIELD = "username"
AXES_RESET_ON_SUCCESS = True
AXES_CLIENT_IP_CALLABLE = "riskapp.web.middleware.address"
AXES_LOCKOUT_CALLABLE = "riskapp.web.views.accounts.locked_out"
AXES_VERBOSE = False
# An attempt while locked out does not prolong the lock-out: the time told on the page stays true.
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
# Who signed in is in the audit trail; and no form field but these may reach axes' own table.
AXES_DISABLE_ACCESS_LOG = True
AXES_SENSITIVE_PARAMETERS = ["username", "ip_address", "password", "again", "new", "code", "csrfmiddlewaretoken"]
OTP_TOTP_ISSUER = "riskapp"
SESSION_COOKIE_AGE = env.number("RISKAPP_SESSION_HOURS", 12, least=1) * 3600

# Mail: none unless a host is named; links can always be copied by an administrator instead.

EMAIL_HOST = env.text("RISKAPP_SMTP_HOST")
EMAIL_PORT = env.number("RISKAPP_SMTP_PORT", 587, least=1)
EMAIL_HOST_USER = env.text("RISKAPP_SMTP_USER")
EMAIL_HOST_PASSWORD = env.text("RISKAPP_SMTP_PASSWORD")
EMAIL_USE_TLS = env.flag("RISKAPP_SMTP_TLS", True)
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = env.text("RISKAPP_MAIL_FROM", "riskapp@localhost")
MAIL_WORKS = bool(EMAIL_HOST)

# What the browser may do

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "riskapp.web.views.errors.form_expired"
if HTTPS:
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
    SESSION_COOKIE_NAME = "__Host-session"
    CSRF_COOKIE_NAME = "__Host-csrf"
    SECURE_SSL_REDIRECT = True
    SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
    SECURE_HSTS_SECONDS = 365 * 24 * 3600
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    SECURE_HSTS_PRELOAD = True
    if PROXIES:
        SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

STATIC_URL = "static/"
STATIC_ROOT = VAR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
    "riskapp.web.assets.PlotlyFinder",
]
STORAGES = {"staticfiles": {"BACKEND": "riskapp.web.assets.HashedStorage"}}

LANGUAGE_CODE = "en-gb"
TIME_ZONE = env.text("RISKAPP_TIME_ZONE", "UTC")
USE_TZ = True
USE_THOUSAND_SEPARATOR = False

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"()": "riskapp.logs.OneLine"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {
        "riskapp": {"level": "INFO"},
        "celery": {"level": "WARNING"},
        "axes": {"level": "ERROR"},
        "django.request": {"level": "CRITICAL"},
        "django.security": {"level": "CRITICAL"},  # these name addresses, which can hold one-time tokens
    },
}
