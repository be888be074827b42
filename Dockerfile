FROM rust:1.95-bookworm AS build
WORKDIR /build
COPY . .
RUN cargo build --release --locked --package naval-battle

FROM debian:bookworm-slim
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates curl \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --no-create-home naval-battle
COPY --from=build /build/target/release/naval-battle /usr/local/bin/naval-battle
USER naval-battle
EXPOSE 8080
ENTRYPOINT ["/usr/local/bin/naval-battle"]
