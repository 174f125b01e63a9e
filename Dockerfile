# docker build -t pipeline-run .
# docker run --rm -v "$PWD:/work" pipeline-run home-screen.json

FROM swift:6.3-bookworm AS build
RUN apt-get update -qq \
    && apt-get install -y -qq --no-install-recommends libcurl4-openssl-dev pkg-config \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
RUN scripts/install /install

FROM debian:bookworm-slim
RUN apt-get update -qq \
    && apt-get install -y -qq --no-install-recommends ca-certificates libcurl4 \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /install/bin/pipeline-run /usr/local/bin/pipeline-run
# Without rights, unless somebody asks for others with --user.
USER nobody
WORKDIR /work
ENTRYPOINT ["pipeline-run"]
CMD ["--help"]
