// The client's events, as the feed shows them.
import { expect } from "vitest";
import type { TestClient } from "./fixtures.ts";
import { EventList } from "./shapes.ts";
import { startWorker } from "./worker.ts";

export async function eventsOf(client: TestClient) {
  const { status, text, json } = await startWorker().get(client, "/api/events?limit=500");
  expect(status, text).toBe(200);
  return EventList.parse(json).events;
}

export const typesOf = async (client: TestClient) =>
  (await eventsOf(client)).map(({ type }) => type);
