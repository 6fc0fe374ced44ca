#!/usr/bin/env bash
# Deploys the API to an environment: first to a tenth of its requests, and to all of them after five minutes in which
# GET /health of the new version was well. Otherwise, the previous version serves all requests again.
set -euo pipefail
cd "$(dirname "$0")/.."
environment=$1
wrangler() { npx --no-install wrangler "$@" --env "$environment"; }
minutes=${MINUTES:-5}

# Checks the configuration, prints a bookmark of the database, and applies the migrations.
CLOUDFLARE_ENV=$environment npm run deploy:prepare

output=$(mktemp)
WRANGLER_OUTPUT_FILE_PATH=$output wrangler versions upload --minify --no-x-provision --tag "${GITHUB_SHA:0:12}"
new=$(jq -er 'select(.type == "version-upload").version_id' "$output")
old=$(wrangler deployments status --json | jq -er '.versions | max_by(.percentage).version_id')
wrangler versions deploy "$new@10%" "$old@90%" --yes

url=$(sed -n "/^\[env.$environment.vars\]/,/^$/s/^PUBLIC_URL = \"\(.*\)\"/\1/p" wrangler.toml)
for ((seconds = 0; seconds < minutes * 60; seconds += 30)); do
  sleep 30
  if ! curl -fsS --retry 2 -H "Cloudflare-Workers-Version-Overrides: regalo-$environment=\"$new\"" "$url/health"; then
    wrangler versions deploy "$old@100%" --yes
    exit 1
  fi
done

wrangler versions deploy "$new@100%" --yes
# Cron triggers, routes and consumers of queues are not part of a version.
wrangler triggers deploy
