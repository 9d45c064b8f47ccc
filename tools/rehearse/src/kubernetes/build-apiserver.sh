#!/bin/bash
# Builds kube-apiserver from Debian's source package and unpacks etcd beside it, for machines that cannot download a release of Kubernetes.
#   build-apiserver.sh FOLDER     (5 minutes, 3 GB)
# Needs root, for apt-get.
set -euo pipefail
folder=${1:?usage: build-apiserver.sh FOLDER}
mkdir -p "$folder/apt/lists/partial" "$folder/apt/cache/archives/partial"
cd "$folder"
mirror=$(awk '/^URIs:/{print $2; exit}' /etc/apt/sources.list.d/*.sources)
release=$(. /etc/os-release && echo "$VERSION_CODENAME")
echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $release main" > apt/sources.list
options=(-o "Dir::Etc::sourcelist=$folder/apt/sources.list" -o Dir::Etc::sourceparts=/dev/null
  -o "Dir::State::lists=$folder/apt/lists" -o "Dir::Cache=$folder/apt/cache" -o APT::Sandbox::User=root)
apt-get "${options[@]}" -qq update
apt-get "${options[@]}" -qq source --download-only kubernetes
apt-get -o DPkg::Lock::Timeout=120 install -y -qq --no-install-recommends golang-1.19-go rsync jq dpkg-dev
apt-get download -qq etcd-server
dpkg -x etcd-server_*.deb etcd

export GOPATH=$folder/go GOCACHE=$folder/cache HOME=$folder CGO_ENABLED=0 GO111MODULE=off GOPROXY=off
export PATH=/usr/lib/go-1.19/bin:$PATH
source=$folder/go/src/k8s.io/kubernetes
mkdir -p "$(dirname "$source")"
[ -e "$source" ] || dpkg-source -x kubernetes_*.dsc "$source"
cd "$source"
nice -n 10 make WHAT=cmd/kube-apiserver
mkdir -p "$folder/bin"
cp _output/bin/kube-apiserver "$folder/etcd/usr/bin/etcd" "$folder/bin/"
rm -rf "$folder/cache" "$folder/go" "$folder/etcd" "$folder/apt"
