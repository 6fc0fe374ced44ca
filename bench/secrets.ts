// Imported for its effect: the secrets of the servers that a benchmark starts. Wrangler passes them to the servers.
process.env["GIFT_LINK_SECRET"] = "a secret of the benchmarks, long enough to be a key";
process.env["WEBHOOK_SECRET"] = "a webhook secret of the benchmarks, long enough to be a key";
