// The Worker that replaces the service during a restore.
import { expect, test } from "vitest";
import maintenance from "../src/maintenance.ts";

test("answers every request with a 503 and a time to try again", async () => {
  for (const path of ["/api/order", "/redeem/1001-abc", "/"]) {
    const response = maintenance.fetch(new Request(`https://regalo.example${path}`));
    expect([response.status, response.headers.get("Retry-After")]).toEqual([503, "120"]);
    const text = await response.text();
    expect(text).toContain("under maintenance");
    if (path.startsWith("/api/")) {
      expect(JSON.parse(text)).toMatchObject({ status: "error", code: "service_unavailable" });
    }
  }
});
