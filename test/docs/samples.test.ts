import { expect, test, vi } from "vitest";
import { demoClient, startDemoWorker, useDemoData } from "./demo.ts";
import { COMMANDS, requestOf } from "./samples.ts";

const worker = startDemoWorker();
useDemoData();

test("the sample request of each operation succeeds, in the order of the document", async () => {
  // The endpoint of the sample does not exist.
  vi.spyOn(globalThis, "fetch").mockImplementation(() => Promise.resolve(new Response()));
  expect(COMMANDS.length).toBeGreaterThan(30);
  let testClient: unknown;
  for (const { target, body } of COMMANDS.map(requestOf)) {
    // The id of a test client is generated.
    const removes = target === "/api/sandbox/client/remove";
    const send =
      body === undefined
        ? worker.get(demoClient(), target)
        : worker.post(demoClient(), target, removes ? { client_id: testClient } : body);
    const { status, text, json } = await send;
    if (target === "/api/sandbox/client") testClient = json.client_id;
    expect([target, status], text).toEqual([target, 200]);
  }
});
