// Imported for its effect: the secrets of the servers that a benchmark starts. Wrangler passes them to the servers.
process.env["GIFT_LINK_SECRET"] = process.env["WEBHOOK_SECRET"] =
  "a secret of the benchmarks, long enough to be a key";
