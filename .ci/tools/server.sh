# What the checks have in common that play on a server of this build. It is sourced: they then have a folder `scratch`, and
# leave nothing behind.

say() { printf -- '-- %s (%s s)\n' "$1" "$SECONDS"; }
die() { echo "$1" >&2; exit 1; }

scratch=$(mktemp -d "/var/tmp/naval-battle-$(basename "$0")-XXXXXX")
server=
clean_up() {
    if [ -n "$server" ] && kill "$server" 2>/dev/null; then wait "$server" || true; fi
    rm -rf "$scratch"
}
trap clean_up EXIT

# Some systems come with an older Node.
need_node() {
    local is_new='const [major, minor] = process.versions.node.split("."); process.exit(major > 20 || (major == 20 && minor >= 3) ? 0 : 1)'
    node --eval "$is_new" && return
    npm install --silent --no-save --prefix "$scratch/node" node@20
    PATH="$scratch/node/node_modules/.bin:$PATH"
}

# Fails where a lock file names a registry: each who runs this has their own.
no_registry() {
    if grep --quiet '"resolved"' "$1"; then die "the lock file $1 names a registry; see .npmrc"; fi
}

# Sets `CHROMIUM` to a browser, which is installed where there is none.
need_chromium() {
    find_chromium() { command -v chromium || command -v google-chrome || true; }
    CHROMIUM=${CHROMIUM:-$(find_chromium)}
    if [ -z "$CHROMIUM" ]; then
        apt-get update --quiet=2
        apt-get install --yes --quiet=2 chromium >/dev/null
        CHROMIUM=$(find_chromium)
    fi
}

# Sets `HEADLESS_SHELL` to Chromium without what draws its own windows, which takes a fifth less time, or to `CHROMIUM` where it
# is not to be had.
need_headless_shell() {
    local name=chromium-headless-shell
    command -v $name >/dev/null || { apt-get update --quiet=2 && apt-get install --yes --quiet=2 $name >/dev/null; } ||
        say "without $name, by $CHROMIUM alone"
    HEADLESS_SHELL=$(command -v $name || echo "$CHROMIUM")
}

# Builds the server and the clients' examples, unless `.ci/run` has (cargo would wait for whatever it builds meanwhile), and
# sets `program` to the server.
build_server() {
    [ -n "${IS_BUILT:-}" ] || cargo build --quiet --locked --bin naval-battle --examples
    program=$(realpath "${CARGO_TARGET_DIR:-target}")/debug/naval-battle
}

# Makes `$scratch/data`, for the data of a server.
make_data_folder() {
    mkdir "$scratch/data"
    # As root, Postgres runs as a user who has to be able to enter the folder.
    [ "$(id -u)" != 0 ] || chmod 755 "$scratch"
    [ "$(id -u)" != 0 ] || ! id postgres >/dev/null 2>&1 || chown postgres "$scratch/data"
}

# Starts the server that was built, and sets `address` to where it is.
start_server() {
    make_data_folder
    : >"$scratch/welcome"
    env --unset DATABASE_URL NAVAL_BATTLE_DATA_DIR="$scratch/data" NAVAL_BATTLE_BIND=127.0.0.1:0 NAVAL_BATTLE_LIMITS=off \
        RUST_LOG=warn "$program" >"$scratch/welcome" 2>"$scratch/log" &
    server=$!
    for _ in $(seq 600); do
        address=$(grep --only-matching --max-count 1 'http://127.0.0.1:[0-9]*' "$scratch/welcome" | head -n 1 || true)
        [ -z "$address" ] || return 0
        kill -0 "$server" 2>/dev/null || { cat "$scratch/log" >&2; die "the server has ended"; }
        sleep 0.1
    done
    die "the server does not begin"
}
