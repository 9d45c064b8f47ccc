# Stand-in for rabbitmq:4.3: the same user id, folders and variables. Debian has this version in its testing release.
FROM standin/debian:trixie
RUN groupadd -r -g 999 rabbitmq && useradd -r -g rabbitmq -u 999 -d /var/lib/rabbitmq rabbitmq \
  && sed -i s/trixie/forky/ /etc/apt/sources.list \
  && apt-get -o Acquire::Check-Valid-Until=false update \
  && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends rabbitmq-server \
  && rm -rf /var/lib/apt/lists/* /var/lib/rabbitmq/* /var/lib/rabbitmq/.erlang.cookie
ENV RABBITMQ_LOGS=- RABBITMQ_DATA_DIR=/var/lib/rabbitmq HOME=/var/lib/rabbitmq LANG=C.UTF-8 \
  PATH=/usr/lib/rabbitmq/bin:$PATH
RUN rabbitmq-plugins enable --offline rabbitmq_prometheus \
  && mkdir -p /etc/rabbitmq/conf.d /var/log/rabbitmq \
  && chown -R rabbitmq:rabbitmq /etc/rabbitmq /var/lib/rabbitmq /var/log/rabbitmq \
  && chmod 777 /etc/rabbitmq /etc/rabbitmq/conf.d
COPY rabbitmq-entrypoint.sh /usr/local/bin/docker-entrypoint.sh
VOLUME /var/lib/rabbitmq
EXPOSE 5672 15692
ENTRYPOINT ["docker-entrypoint.sh"]
CMD ["rabbitmq-server"]
