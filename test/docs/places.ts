// The places of all operations in the reference, to which links lead.
import openapi from "../../public/openapi.json";
import type { OpenApi } from "../../src/docs/openapi.ts";

export const DOCUMENT = openapi as unknown as OpenApi;

export const PLACES = Object.entries({ ...DOCUMENT.paths, ...DOCUMENT.webhooks }).flatMap(
  ([path, methods]) =>
    Object.values(methods).map(({ operationId, summary, tags: [tag = ""] }) => {
      const within = path in DOCUMENT.paths ? "" : "webhook/";
      return { summary, place: `tag/${tag.toLowerCase()}/${within}${operationId}`, operationId };
    }),
);
