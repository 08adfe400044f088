# The bot in a container; docs/hosting.md shows how it is built and run, alone or by compose.yaml.

# The requirements, and everything compiled once: the image has no use for pip's caches or a compiler.
FROM python:3.13-slim-trixie AS build
WORKDIR /app
COPY requirements.txt constraints.txt ./
RUN python -m venv /app/.venv && /app/.venv/bin/pip install --no-cache-dir --disable-pip-version-check -r requirements.txt \
    && /app/.venv/bin/pip uninstall --yes --quiet pip
COPY bot.py pyproject.toml LICENSE ./
COPY cogs cogs
COPY engine engine
COPY host host
COPY operations operations
COPY renderers renderers
COPY store store
COPY tournaments tournaments
# Readable to the bot's user, too, where a strict umask was in force when the repository was cloned.
RUN python -m compileall -q --invalidation-mode unchecked-hash bot.py cogs engine host operations renderers store tournaments \
    && chmod -R a+rX /app

FROM python:3.13-slim-trixie
# A number, so that a platform can see that it is not root without reading the user list of the image.
RUN useradd --uid 10001 --no-create-home --home-dir /data --shell /usr/sbin/nologin castellan \
    && install --directory --owner=castellan /data
COPY --from=build /app /app
# The database is begun in the working directory, so /data is the volume to keep. The path of Python lets
# `python -m operations` be run from there, too.
ENV PATH=/app/.venv/bin:$PATH \
    PYTHONPATH=/app \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    CASTELLAN_METRICS_PORT=9464
USER 10001
WORKDIR /data
VOLUME /data
# The bot answers within the container alone; /live fails only when its event loop hangs, never because Discord is away.
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s --retries=3 \
    CMD ["python", "-c", "import http.client, os, sys; server = http.client.HTTPConnection('127.0.0.1', int(os.environ['CASTELLAN_METRICS_PORT']), timeout=5); server.request('GET', '/live'); sys.exit(server.getresponse().status != 200)"]
# Python itself is process 1, so that the bot gets the SIGTERM of `docker stop`.
CMD ["python", "/app/bot.py"]
