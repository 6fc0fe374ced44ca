#!/usr/bin/env bash
# Deploys the API to an environment: first to a tenth of its requests, and to all of them after GET /health of the new
# version has answered 200 for five minutes. If a step fails, the previous version serves all requests again. If the
# process is killed, both versions keep their shares, and the next deployment begins with the larger one.
set -euo pipefail
cd "$(dirname "$0")/.."
environment=${1:?sandbox or production}
wrangler() { npx --no-install wrangler "$@" --env "$environment"; }

# Checks the configuration, prints a bookmark of the database, and applies the migrations.
CLOUDFLARE_ENV=$environment npm run deploy:prepare

output=$(mktemp)
WRANGLER_OUTPUT_FILE_PATH=$output wrangler versions upload --minify --no-x-provision --tag "$(git rev-parse --short=12 HEAD)"
new=$(jq -er 'select(.type == "version-upload").version_id' "$output")
old=$(wrangler deployments status --json | jq -er '.versions | max_by(.percentage).version_id')
url=$(sed -n "/^\[env.$environment.vars\]/,/^$/s/^PUBLIC_URL = \"\(.*\)\"/\1/p" wrangler.toml)

trap 'wrangler versions deploy "$old@100%" --yes' EXIT
wrangler versions deploy "$new@10%" "$old@90%" --yes
for _ in {1..10}; do
  sleep 30
  # Without the version in the response, an ignored header would be a check of the previous version.
  curl -fsS --max-time 10 --retry 2 -H "Cloudflare-Workers-Version-Overrides: regalo-$environment=\"$new\"" "$url/health" |
    tee /dev/stderr | jq -e --arg new "$new" '.version == $new'
done
wrangler versions deploy "$new@100%" --yes
trap - EXIT

# Cron triggers, routes and consumers of queues are not part of a version.
wrangler triggers deploy
