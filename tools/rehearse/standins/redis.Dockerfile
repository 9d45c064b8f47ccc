# Stand-in for redis:8-bookworm: the same user id and working directory.
FROM standin/debian:trixie
RUN groupadd -r -g 999 redis && useradd -r -g redis -u 999 redis \
  && apt-get update \
  && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends redis-server \
  && rm -rf /var/lib/apt/lists/* \
  && mkdir /data && chown redis:redis /data
VOLUME /data
WORKDIR /data
EXPOSE 6379
CMD ["redis-server"]
