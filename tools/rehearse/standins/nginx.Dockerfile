# Stand-in for nginx:1.30-alpine: the same user id, folders and main configuration. Debian has this version in its testing release.
FROM standin/debian:trixie
RUN groupadd -r -g 101 nginx && useradd -r -g nginx -u 101 -d /nonexistent nginx \
  && sed -i s/trixie/forky/ /etc/apt/sources.list \
  && apt-get -o Acquire::Check-Valid-Until=false update \
  && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends nginx-light wget \
  && rm -rf /var/lib/apt/lists/* /etc/nginx/sites-enabled /etc/nginx/conf.d \
  && mkdir -p /etc/nginx/conf.d /var/cache/nginx \
  && chown nginx:nginx /var/cache/nginx \
  && ln -sf /dev/stdout /var/log/nginx/access.log \
  && ln -sf /dev/stderr /var/log/nginx/error.log
COPY nginx.conf /etc/nginx/nginx.conf
EXPOSE 80
STOPSIGNAL SIGQUIT
CMD ["nginx", "-g", "daemon off;"]
