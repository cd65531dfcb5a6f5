# syntax=docker/dockerfile:1
# Caramba with its page, for `caramba serve`: on a file of its own, or as deploy/compose.yaml has it.
#
#   docker build -t caramba .
#   docker run -d -p 127.0.0.1:8000:8000 -v caramba:/var/lib/caramba caramba
#
# Every version is that of web/package-lock.json and tools/versions.txt.

# The Python that all our tests run on.
ARG PYTHON=3.11

FROM node:24-slim AS page
WORKDIR /build/web
COPY web/package.json web/package-lock.json ./
# As locked, but unlike `ci` content with a lock file that names the packages of one system only.
RUN --mount=type=cache,target=/root/.npm npm install --no-save --omit=dev --no-audit --no-fund
COPY web/ ./
# Into /build/src/caramba/page.
RUN npm run build

FROM python:${PYTHON}-slim AS package
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore
WORKDIR /build
COPY tools/versions.txt tools/
RUN --mount=type=cache,target=/root/.cache/pip \
    pip install --constraint tools/versions.txt hatchling \
    && python -m venv /opt/caramba
COPY pyproject.toml README.md LICENSE ./
COPY src/ src/
COPY --from=page /build/src/caramba/page/ src/caramba/page/
RUN pip wheel --no-deps --no-build-isolation --wheel-dir dist .
# Compiled rules know their source by its time, of which an image keeps whole seconds only; and with
# one time for all versions, what is compiled stays good as long as the rules do.
RUN --mount=type=cache,target=/root/.cache/pip \
    wheel=$(echo dist/caramba-*.whl) \
    && /opt/caramba/bin/pip install --no-compile --constraint tools/versions.txt "${wheel}[scale]" \
    && find /opt/caramba/lib -name '*.py' -exec touch --date=@1000000000 {} + \
    && /opt/caramba/bin/python -m compileall -q /opt/caramba/lib

FROM python:${PYTHON}-slim
RUN useradd --system --uid 10001 --user-group --home-dir /var/lib/caramba --create-home caramba \
    && install --directory --owner caramba --group caramba --mode 0700 /var/lib/caramba \
    && install --directory --owner caramba --group caramba /var/cache/caramba
COPY --from=package /opt/caramba /opt/caramba
# Whatever the processor: an image may be built on one machine and run on another.
ENV PATH=/opt/caramba/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    NUMBA_CPU_NAME=generic \
    CARAMBA_CACHE_DIR=/var/cache/caramba \
    CARAMBA_SERVE_HOST=0.0.0.0 \
    CARAMBA_SERVE_DATABASE=sqlite:////var/lib/caramba/tables.db
USER caramba
WORKDIR /var/lib/caramba
# So that bots which look ahead are ready from the first second on.
RUN caramba compile
VOLUME /var/lib/caramba
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=5s --start-period=120s --retries=3 CMD ["python", "-c", "import http.client as http; asking = http.HTTPConnection('127.0.0.1', 8000, timeout=4); asking.request('GET', '/readyz'); raise SystemExit(asking.getresponse().status != 200)"]
ENTRYPOINT ["caramba"]
CMD ["serve"]
