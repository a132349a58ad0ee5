#!/usr/bin/env bash
# scripts/testServers.sh <command…>: runs a command with a PostgreSQL and a Redis of its own, and gives its exit status.
#
# The servers listen on free ports of 127.0.0.1, keep their data in a temporary folder, and are stopped however this ends. Servers
# that already run are not touched. What is not installed is installed with apt-get, where this is Debian and the user is root.
# A server that can't be had is no reason to stop: under PINCER_TEST_SERVERS=required its tests then fail, one by one.
set -u

folder=$(mktemp -d "${TMPDIR:-/tmp}/pincer-servers-XXXXXX")
chmod 711 "$folder"
postgres_bin=
postgres_user=()
redis_pid=

stop() {
  trap - EXIT
  if [ -n "$redis_pid" ]; then
    kill "$redis_pid" 2>/dev/null
    wait "$redis_pid" 2>/dev/null
  fi
  if [ -f "$folder/postgres/data/postmaster.pid" ]; then
    "${postgres_user[@]}" "$postgres_bin/pg_ctl" -D "$folder/postgres/data" -m immediate -w stop >/dev/null
  fi
  rm -rf "$folder"
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

install_missing
if [ -z "${PINCER_TEST_POSTGRES_URL:-}" ] && ! start_postgres; then
  say "PostgreSQL did not start."
  tail -n 20 "$folder/postgres.log" 2>/dev/null >&2
fi
if [ -z "${PINCER_TEST_REDIS_URL:-}" ] && ! start_redis; then
  say "Redis did not start."
  tail -n 20 "$folder/redis.log" 2>/dev/null >&2
fi

# In the background, so that a signal to this script is heard while the command runs.
"$@" &
command_pid=$!
trap 'kill -TERM "$command_pid" 2>/dev/null; wait "$command_pid"; exit 143' TERM HUP INT
wait "$command_pid"
exit $?
