// Requests that are refused: their error, and that they change nothing.
import { expect } from "vitest";
import {
  createClient,
  simpleProduct,
  type TestClient,
  type TestProduct,
  variableProduct,
} from "./fixtures.ts";
import { ErrorBody } from "./shapes.ts";
import { databaseState } from "./state.ts";
import type { Answer, TestWorker } from "./worker.ts";

export const PLACEMENTS = ["/api/order", "/api/gift-link"] as const;

/** The error in an answer. Checks the headers and fields that all errors have in common. */
export function errorOf(answer: Answer) {
  expect(answer.headers.get("Content-Type")).toBe("application/json");
  expect(answer.headers.get("Cache-Control")).toBe("private, no-store");
  expect(answer.headers.get("X-Request-Id")).toMatch(/^[0-9a-f-]{36}$/);
  const body = ErrorBody.parse(answer.json);
  expect("errors" in body).toBe(body.code === "validation_error");
  return { http: answer.status, ...body };
}

export interface TestShop {
  /** A physical product that is available in AU and NZ; 3 are in stock. */
  product: TestProduct;
  variable: TestProduct;
  client: TestClient;
}

export async function createShop(): Promise<TestShop> {
  const product = simpleProduct({ locations: ["AU", "NZ"] }, { quantity: 3 });
  const variable = variableProduct();
  const client = await createClient({ products: [product, variable] });
  return { product, variable, client };
}

/** Posts a body that must be refused, and returns the error. The refusal must not change the database. */
export async function refusalOf(
  worker: TestWorker,
  client: TestClient,
  path: string,
  body: unknown,
) {
  const before = await databaseState();
  const error = errorOf(await worker.post(client, path, body));
  expect(await databaseState()).toEqual(before);
  return error;
}
