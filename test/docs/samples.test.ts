import { expect, test, vi } from "vitest";
import { demoClient, startDemoWorker, useDemoData } from "./demo.ts";
import { COMMANDS, requestOf } from "./samples.ts";

const worker = startDemoWorker();
useDemoData();

test("the sample request of each operation succeeds, in the order of the document", async () => {
  // The endpoint of the sample does not exist.
  vi.spyOn(globalThis, "fetch").mockImplementation(() => Promise.resolve(new Response()));
  expect(COMMANDS.length).toBeGreaterThan(30);
  for (const { target, body } of COMMANDS.map(requestOf)) {
    const send =
      body === undefined
        ? worker.get(demoClient(), target)
        : worker.post(demoClient(), target, body);
    const { status, text } = await send;
    expect([target, status], text).toEqual([target, 200]);
  }
});
