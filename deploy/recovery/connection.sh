# Sourced by the scripts beside it: how to reach the database of DATABASE_URL by MySQL's or MariaDB's own programs.
# MYSQL_TOOLS names a folder of them; else those of the PATH are taken, MariaDB's first.
: "${DATABASE_URL:?must be set, with a user who may do what is asked: an administrator, where it goes to a point in time}"
umask 077
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
private=$(mktemp -d)
trap 'rm -rf "$private"' EXIT

say() { printf '%s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

kind() { if [[ $1 == *MariaDB* ]]; then printf MariaDB; else printf MySQL; fi; }

# The first of these programs that is here; once the server is known, the first that is its own: MariaDB's read no dump and no binary
# log of MySQL's as MySQL's do, nor the other way round.
server=
tool() {
  local name path
  for name in "$@"; do
    path=$(PATH=${MYSQL_TOOLS:-$PATH} command -v "$name") || continue
    if [[ -z $server || $(kind "$("$path" --help)") == "$server" ]]; then printf '%s' "$path"; return; fi
  done
  fail "None of $* is here${server:+ that is of $server, as the server is}: install the client of your MySQL or MariaDB, or name its folder in MYSQL_TOOLS."
}
client=$(tool mariadb mysql)

# No password stands in the list of processes. The words of a URL may be percent-encoded.
database=$(node -e '
  const { hostname, port, username, password, pathname, searchParams } = new URL(process.env.DATABASE_URL);
  const quoted = (text) => `"${decodeURIComponent(text).replace(/["\\]/g, "\\$&")}"`;
  const lines = ["[client]", "protocol=tcp", `host=${hostname}`, `port=${port || 3306}`, `user=${quoted(username)}`, `password=${quoted(password)}`];
  require("fs").writeFileSync(process.argv[1], lines.join("\n") + "\n");
  console.log(decodeURIComponent(pathname.slice(1)));
' "$private/client.cnf")
options=(--defaults-extra-file="$private/client.cnf")

# Runs statements; prints the rows alone.
ask() { "$client" "${options[@]}" --skip-column-names --batch -e "$1"; }
# On a line of its own: one that fails within another is not looked at.
version=$(ask 'SELECT VERSION()')
server=$(kind "$version")
client=$(tool mariadb mysql)
dump=$(tool mariadb-dump mysqldump)
