# Stand-in for postgres:15-bookworm: the same user id, folders, variables and first start.
FROM standin/debian:bookworm
RUN groupadd -r -g 999 postgres && useradd -r -g postgres -u 999 -d /var/lib/postgresql postgres \
  && apt-get update \
  && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends postgresql-15 \
  && rm -rf /var/lib/apt/lists/* /var/lib/postgresql/15/main
ENV LANG=C.UTF-8 PATH=/usr/lib/postgresql/15/bin:$PATH PGDATA=/var/lib/postgresql/data
RUN mkdir -p /docker-entrypoint-initdb.d $PGDATA \
  && chown -R postgres:postgres /var/lib/postgresql /var/run/postgresql \
  && chmod 700 $PGDATA
COPY postgres-entrypoint.sh /usr/local/bin/docker-entrypoint.sh
VOLUME /var/lib/postgresql/data
EXPOSE 5432
STOPSIGNAL SIGINT
ENTRYPOINT ["docker-entrypoint.sh"]
CMD ["postgres"]
