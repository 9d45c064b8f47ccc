#!/bin/sh
# Deploys the release of an overlay: the migration first, then the services, each of which is replaced pod by pod.
#   deploy/kubernetes/release.sh production
# Roll back with the same command on the previous revision of the overlay: releases share the schema with the one before.
set -eu
overlay=${1:?usage: release.sh OVERLAY}
folder=$(dirname "$0")/overlays/$overlay
namespace=heliograph

kubectl --namespace "$namespace" delete job migration --ignore-not-found --wait
kubectl apply --kustomize "$folder/migration"
until kubectl --namespace "$namespace" wait --for=condition=complete --timeout=5s job/migration 2>/dev/null; do
  failed=$(kubectl --namespace "$namespace" get job migration --output 'jsonpath={.status.conditions[?(@.type=="Failed")].reason}')
  if [ -n "$failed" ]; then
    kubectl --namespace "$namespace" logs job/migration --tail=50 >&2
    echo "The migration failed: $failed. The running release is unchanged." >&2
    exit 1
  fi
done

kubectl apply --kustomize "$folder"
for deployment in $(kubectl --namespace "$namespace" get deployments --selector app.kubernetes.io/part-of=heliograph --output name); do
  kubectl --namespace "$namespace" rollout status "$deployment" --timeout=10m
done
