# The production image; docs/how-to/production.md says how to run it.

FROM python:3.11.13-slim-bookworm AS build
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
RUN python -m venv /opt/venv
COPY requirements.txt ./
RUN /opt/venv/bin/python -m pip install -r requirements.txt

WORKDIR /srv/riskapp
COPY manage.py gunicorn.conf.py ./
COPY templates templates
COPY static static
COPY docs docs
COPY GLOSSARY.md ./
COPY riskapp riskapp
# These keys are thrown away with this step: the image holds none, and the product does not start in it without its own.
RUN RISKAPP_VAR=/var/lib/riskapp \
    RISKAPP_SECRET_KEY="$(head -c 48 /dev/urandom | base64)" RISKAPP_AUDIT_KEY="$(head -c 48 /dev/urandom | base64)" \
    /opt/venv/bin/python manage.py collectstatic --no-input \
 && /opt/venv/bin/python -m compileall -q riskapp \
 && mkdir /var/lib/riskapp/compiled && NUMBA_CACHE_DIR=/var/lib/riskapp/compiled /opt/venv/bin/python -m riskapp.core.warm

FROM python:3.11.13-slim-bookworm
RUN groupadd --gid 10001 riskapp \
 && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin riskapp \
 && install -d -o 10001 -g 10001 -m 0700 /var/lib/riskapp/files /var/lib/riskapp/audit
COPY --from=build /opt/venv /opt/venv
COPY --from=build /srv/riskapp /srv/riskapp
COPY --from=build /var/lib/riskapp/static /var/lib/riskapp/static
# Where another processor needs other code than was compiled here, it is written beside it.
COPY --from=build --chown=10001:10001 /var/lib/riskapp/compiled /var/lib/riskapp/compiled

WORKDIR /srv/riskapp
ENV PATH=/opt/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    RISKAPP_VAR=/var/lib/riskapp \
    NUMBA_CACHE_DIR=/var/lib/riskapp/compiled \
    RISKAPP_BIND=0.0.0.0:8000
USER 10001:10001
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=10s --start-period=30s --retries=4 CMD ["python", "-m", "riskapp.serving.probe", "/readyz"]
CMD ["python", "-m", "gunicorn", "-c", "gunicorn.conf.py", "riskapp.wsgi"]
