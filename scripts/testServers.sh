#!/usr/bin/env bash
# scripts/testServers.sh <command…>: runs a command with a PostgreSQL, a Redis and a Docker daemon of its own, and gives its exit
# status.
#
# The servers listen on free ports of 127.0.0.1, Docker on a socket; they keep their data in a temporary folder, and are stopped
# however this ends. Servers that already run are not touched: one that the caller names (PINCER_TEST_POSTGRES_URL,
# PINCER_TEST_REDIS_URL, PINCER_TEST_DOCKER_IMAGE for an image of the daemon that `docker` reaches) is used as it is. What is not
# installed is installed with apt-get, where this is Debian and the user is root.
# A server that can't be had is no reason to stop: under PINCER_TEST_SERVERS=required its tests then fail, one by one.
set -u

# The image that containers are made of is cached in the checkout. Another way of making it needs another number.
image_version=1
image_folder=$(cd "$(dirname "$0")/.." && pwd)/.vscode-test
image_file=$image_folder/docker-image-$image_version.tar
image_part=$image_file.$$.part

folder=$(mktemp -d "${TMPDIR:-/tmp}/pincer-servers-XXXXXX")
chmod 711 "$folder"
postgres_bin=
postgres_user=()
redis_pid=
docker_pid=
image_pid=

stop() {
  trap - EXIT
  # Once is enough: a second Ctrl+C must not leave half of it.
  trap '' HUP INT TERM
  stop_docker
  if [ -n "$redis_pid" ]; then
    kill "$redis_pid" 2>/dev/null
    wait "$redis_pid" 2>/dev/null
  fi
  if [ -f "$folder/postgres/data/postmaster.pid" ]; then
    "${postgres_user[@]}" "$postgres_bin/pg_ctl" -D "$folder/postgres/data" -m immediate -w stop >/dev/null
  fi
  # Never into something that is mounted there: it may be a folder of somebody else.
  rm -rf --one-file-system "$folder"
}
trap stop EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

say() { echo "Test servers: $*" >&2; }

find_postgres() {
  local program
  program=$(command -v postgres) || program=$(ls -d /usr/lib/postgresql/*/bin/postgres 2>/dev/null | sort -V | tail -n 1)
  [ -n "$program" ] || return 1
  postgres_bin=$(dirname "$(readlink -f "$program")")
  [ -x "$postgres_bin/initdb" ] && [ -x "$postgres_bin/pg_ctl" ]
}

# Installing must start no server: RUNLEVEL=1 tells Debian's scripts so.
install_missing() {
  local packages=()
  find_postgres || packages+=(postgresql)
  command -v redis-server >/dev/null || packages+=(redis-server)
  if [ "$docker_ready" = no ]; then
    command -v dockerd >/dev/null || packages+=(docker.io)
    [ -f "$image_file" ] || command -v mmdebstrap >/dev/null || packages+=(mmdebstrap)
  fi
  [ "${#packages[@]}" -gt 0 ] || return 0
  if ! command -v apt-get >/dev/null || [ "$(id -u)" -ne 0 ]; then
    say "${packages[*]} not found, and only root on Debian can install it here."
    return 1
  fi
  say "installing ${packages[*]} …"
  export DEBIAN_FRONTEND=noninteractive RUNLEVEL=1
  if ! { apt-get update && apt-get install --yes --no-install-recommends "${packages[@]}"; } >"$folder/apt.log" 2>&1; then
    tail -n 20 "$folder/apt.log" >&2
    return 1
  fi
}

free_port() {
  node -e 'const s = require("node:net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })'
}

# PostgreSQL refuses to run as root.
start_postgres() {
  find_postgres || return 1
  local home=$folder/postgres port password=pg-test-only
  mkdir "$home"
  if [ "$(id -u)" -eq 0 ]; then
    id postgres >/dev/null 2>&1 || return 1
    chown postgres "$home"
    postgres_user=(runuser -u postgres --)
  fi
  (
    cd "$home" || exit 1
    printf '%s\n' "$password" >"$home/password"
    chmod 644 "$home/password"
    "${postgres_user[@]}" "$postgres_bin/initdb" -D "$home/data" -U pincer --pwfile="$home/password" \
      --auth=scram-sha-256 --encoding=UTF8 --locale=C --no-sync >"$folder/postgres.log" 2>&1
  ) || return 1
  for _ in 1 2 3; do
    port=$(free_port)
    if (cd "$home" && "${postgres_user[@]}" "$postgres_bin/pg_ctl" -D "$home/data" -w -t 60 -l "$home/server.log" \
      -o "-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off" start) >>"$folder/postgres.log" 2>&1; then
      export PINCER_TEST_POSTGRES_URL="postgres://pincer:$password@127.0.0.1:$port/postgres"
      return 0
    fi
  done
  cat "$home/server.log" >>"$folder/postgres.log"
  return 1
}

start_redis() {
  command -v redis-server >/dev/null || return 1
  local port password=redis-test-only
  mkdir "$folder/redis"
  for _ in 1 2 3; do
    port=$(free_port)
    printf 'port %s\nbind 127.0.0.1\nrequirepass %s\nsave ""\nappendonly no\ndir %s\n' "$port" "$password" "$folder/redis" |
      redis-server - >>"$folder/redis.log" 2>&1 &
    redis_pid=$!
    for _ in $(seq 100); do
      if REDISCLI_AUTH=$password redis-cli -h 127.0.0.1 -p "$port" ping 2>/dev/null | grep -q PONG; then
        export PINCER_TEST_REDIS_URL="redis://:$password@127.0.0.1:$port/0"
        return 0
      fi
      kill -0 "$redis_pid" 2>/dev/null || break
      sleep 0.1
    done
  done
  return 1
}

has_own_docker() {
  [ -n "${PINCER_TEST_DOCKER_IMAGE:-}" ] && docker image inspect "$PINCER_TEST_DOCKER_IMAGE" >/dev/null 2>&1
}

# No registry is asked: the image is made of Debian's packages, once for a checkout. It gets its name when it is whole.
make_image() {
  [ ! -f "$image_file" ] || return 0
  command -v mmdebstrap >/dev/null || return 1
  say "making the image for containers …"
  mkdir -p "$image_folder" "$folder/image"
  # It leads a group, so that what it started (apt, dpkg) can be ended with it.
  TMPDIR=$folder/image exec setsid mmdebstrap --quiet --variant=essential --format=tar \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
    --dpkgopt='path-exclude=/usr/share/man/*' bookworm "$image_part" >"$folder/image.log" 2>&1
}

# The slow ones: both go on while the other servers start.
begin_docker() {
  command -v dockerd >/dev/null || return 0
  if [ "$(id -u)" -ne 0 ]; then
    say "only root can start a Docker daemon; PINCER_TEST_DOCKER_IMAGE may name an image of one that runs."
    return 0
  fi
  mkdir "$folder/docker"
  # No network of its own: containers of these tests have none, and the machine's firewall is none of our business.
  dockerd --iptables=false --ip6tables=false --bridge=none \
    --data-root "$folder/docker/data" --exec-root "$folder/docker/exec" \
    -H "unix://$folder/docker/socket" -p "$folder/docker/pid" >"$folder/docker.log" 2>&1 &
  docker_pid=$!
  make_image &
  image_pid=$!
}

finish_docker() {
  [ -n "$docker_pid" ] || return 1
  wait "$image_pid" || return 1
  image_pid=
  if [ -f "$image_part" ]; then mv "$image_part" "$image_file"; fi
  for _ in $(seq 300); do
    if ask_docker version >/dev/null 2>&1; then
      ask_docker import "$image_file" pincer-test:$image_version >>"$folder/docker.log" 2>&1 || return 1
      export DOCKER_HOST=unix://$folder/docker/socket PINCER_TEST_DOCKER_IMAGE=pincer-test:$image_version
      unset DOCKER_CONTEXT
      return 0
    fi
    kill -0 "$docker_pid" 2>/dev/null || return 1
    sleep 0.1
  done
  return 1
}

ask_docker() { docker -H "unix://$folder/docker/socket" "$@"; }

# end_gently <process> <process or -group> <tenths of a second>: asks it to end, gives it time to clean up, then kills it.
end_gently() {
  kill -TERM -- "$2" 2>/dev/null
  for _ in $(seq "$3"); do
    kill -0 "$1" 2>/dev/null || break
    sleep 0.1
  done
  kill -KILL -- "$2" 2>/dev/null
  wait "$1" 2>/dev/null
}

# What a daemon leaves when it is killed: containers, their keepers, mounts.
stop_docker() {
  local pid
  # The whole group that makes the image; it undoes its mounts.
  if [ -n "$image_pid" ]; then end_gently "$image_pid" "-$image_pid" 50; fi
  rm -f "$image_part"
  [ -n "$docker_pid" ] || return 0
  ask_docker ps --all --quiet 2>/dev/null | while read -r pid; do ask_docker rm --force "$pid"; done >/dev/null 2>&1
  end_gently "$docker_pid" "$docker_pid" 200
  # Whatever still names our folder in its command line was started by that daemon.
  for pid in $(grep -lsF "$folder/docker/" /proc/[0-9]*/cmdline | cut -d / -f 3); do kill -KILL "$pid" 2>/dev/null; done
  unmount_all
}

# The deepest first.
unmount_all() {
  local mount
  cut -d ' ' -f 2 /proc/mounts | grep -F "$folder/" | sort -r | while read -r mount; do umount --lazy "$mount"; done
}

docker_ready=no
if has_own_docker; then docker_ready=yes; fi
install_missing
[ "$docker_ready" = yes ] || begin_docker
if [ -z "${PINCER_TEST_POSTGRES_URL:-}" ] && ! start_postgres; then
  say "PostgreSQL did not start."
  tail -n 20 "$folder/postgres.log" 2>/dev/null >&2
fi
if [ -z "${PINCER_TEST_REDIS_URL:-}" ] && ! start_redis; then
  say "Redis did not start."
  tail -n 20 "$folder/redis.log" 2>/dev/null >&2
fi
if [ "$docker_ready" = no ] && ! finish_docker; then
  say "Docker did not start."
  tail -n 20 "$folder/image.log" "$folder/docker.log" 2>/dev/null >&2
fi

# In the background, so that a signal to this script is heard while the command runs.
"$@" &
command_pid=$!
trap 'kill -TERM "$command_pid" 2>/dev/null; wait "$command_pid"; exit 143' TERM HUP INT
wait "$command_pid"
exit $?
