// A collection for Postman, in its format 2.1. The credentials and the server's URL are variables of the collection.
import { jsonText, type OpenApi } from "./openapi.ts";
import type { Operation } from "./operation.ts";
import { GUIDE_PATH } from "./page.ts";

const SCHEMA = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";

/** `CLIENT-ID` is the variable `clientId`. */
const variableOf = (header: string) =>
  header.toLowerCase().replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());

export function postmanCollection(document: OpenApi, operations: Operation[]): object {
  const { info, servers, tags } = document;
  const credentials = Object.keys(document.components.securitySchemes);
  return {
    info: { name: info.title, description: info.summary, schema: SCHEMA },
    variable: [
      { key: "baseUrl", value: servers[0]?.url },
      ...credentials.map((name) => ({ key: variableOf(name), value: "" })),
    ],
    item: tags.map(({ name, description }) => ({
      ...{ name, description },
      item: operations
        .filter(({ tag, samples }) => tag === name && samples.length > 0)
        .map((operation) => requestItem(operation, credentials, `${servers[0]?.url}${GUIDE_PATH}`)),
    })),
  };
}

function requestItem(operation: Operation, credentials: string[], guide: string): object {
  const { method, path, summary, parameters, requests } = operation;
  const description = operation.description.replaceAll("](#", `](${guide}#`);
  const query = parameters.filter((parameter) => parameter.in === "query").map(parameterOf);
  const header = parameters.filter((parameter) => parameter.in === "header").map(parameterOf);
  const sent = query.filter(({ disabled }) => !disabled);
  const search = sent.map(({ key, value }) => `${key}=${value}`).join("&");
  const [body] = requests;
  return {
    name: summary,
    request: {
      ...{ method, description },
      header: [
        ...credentials.map((key) => ({ key, value: `{{${variableOf(key)}}}` })),
        ...(body ? [{ key: "Content-Type", value: "application/json" }] : []),
        ...header,
      ],
      url: {
        raw: `{{baseUrl}}${path}${search && `?${search}`}`,
        ...{ host: ["{{baseUrl}}"], path: path.split("/").slice(1) },
        ...(query.length > 0 && { query }),
      },
      ...(body && {
        body: { mode: "raw", raw: jsonText(body[1]), options: { raw: { language: "json" } } },
      }),
    },
    response: [],
  };
}

function parameterOf({ name, example, isSent, field }: Operation["parameters"][number]) {
  return { key: name, value: String(example), description: field.description, disabled: !isSent };
}
