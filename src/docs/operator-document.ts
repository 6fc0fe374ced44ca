// The OpenAPI 3.1 document of the operator API, from the declarations of the operations. The commands read it too.
import type { AnyList, Operation, Shape } from "../operator/declaration/declare.ts";
import { inputsOf } from "../operator/declaration/input.ts";
import { type FieldInfo, type Fields, KINDS } from "../operator/declaration/kinds.ts";
import { OPERATIONS } from "../operator/operations.ts";
import { PERMISSIONS } from "../operator/roles.ts";

type Schema = Readonly<Record<string, unknown>>;

const TEXT: Schema = { type: "string" };

function inputSchema(field: FieldInfo): Schema {
  const { type, label, hint, preset, options } = field;
  const { json: ofKind = TEXT } = KINDS[type];
  const one: Schema = { ...ofKind, ...(options && { enum: options }) };
  const description = [label, hint, preset && `Without it: ${preset}.`].filter(Boolean).join(". ");
  const schema = field.isMany ? { type: "array", items: one } : one;
  const nullable = field.isNullable ? { ...schema, type: [schema["type"], "null"] } : schema;
  return { ...nullable, description };
}

/** A value of an answer, or null. */
const outputSchema = (field: FieldInfo): Schema => {
  const { json: ofKind = TEXT, output } = KINDS[field.type];
  const { type } = ofKind;
  return {
    ...ofKind,
    ...output,
    ...(typeof type === "string" && { type: [type, "null"] }),
    description: field.label,
  };
};

const objectOf = (fields: Fields, required = Object.keys(fields)): Schema => ({
  type: "object",
  properties: Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, outputSchema(field)]),
  ),
  ...(required.length > 0 && { required }),
});

/** The shape of a content. */
const contentSchema = ({ facts = {}, lists = {} }: Shape = {}): Schema => ({
  type: "object",
  properties: {
    text: { type: "string", description: "What was done, or what is shown, in sentences." },
    warnings: { type: "array", items: { type: "string" } },
    facts: { ...objectOf(facts, []), description: "Values that do not exist are left out." },
    lists: {
      type: "object",
      properties: Object.fromEntries(
        Object.entries(lists).map(([name, { title, columns }]) => [
          name,
          { type: "array", description: title, items: objectOf(columns) },
        ]),
      ),
    },
    actions: {
      type: "array",
      items: { type: "string" },
      description: "The names of operations that make sense now.",
    },
  },
  required: ["warnings", "facts", "lists", "actions"],
});

const viewSchema = (shape: Shape): Schema => {
  const { properties, ...content } = contentSchema(shape);
  const headline = { type: "string", description: "What is shown, such as a person and a gift." };
  return { ...content, properties: { headline, ...(properties as Schema) } };
};

const planSchema = (preview: Shape | undefined): Schema => {
  const content = contentSchema(preview);
  return {
    ...content,
    properties: {
      will: { type: ["string", "null"], description: "Null if nothing would be changed." },
      changes: {
        type: "array",
        description: "The values that are replaced.",
        items: {
          type: "object",
          properties: {
            label: { type: "string" },
            before: { type: ["string", "null"] },
            after: { type: ["string", "null"] },
          },
          required: ["label", "before", "after"],
        },
      },
      digest: { type: "string", description: "Send it to carry out the plan." },
      ...(content["properties"] as Schema),
    },
    required: ["will", "changes", "digest"],
  };
};

const pageSchema = ({ columns }: AnyList): Schema => ({
  type: "object",
  properties: {
    rows: { type: "array", items: objectOf(columns) },
    next: { type: ["string", "null"], description: "The value of `after` for the next page." },
    text: { type: "string", description: "A sentence on all rows, such as their number." },
    warnings: { type: "array", items: { type: "string" } },
  },
  required: ["rows", "next", "text", "warnings"],
});

const parameter = (name: string, schema: Schema, required = false) => {
  const { description, ...rest } = schema;
  return { name, in: "query", required, description, schema: rest };
};

const PAGE = [
  parameter("limit", {
    type: "integer",
    minimum: 1,
    maximum: 1_000,
    default: 100,
    description: "The maximum number of rows.",
  }),
  parameter("after", { type: "string", description: "The `next` of the page before." }),
];

const RUN = [
  parameter("digest", { type: "string", description: "The digest of the plan, to carry it out." }),
  parameter("request_id", {
    type: "string",
    format: "uuid",
    description: "An id of your choice. The change is carried out at most once for each id.",
  }),
];

const json = (schema: Schema) => ({ "application/json": { schema } });

const requestBody = (fields: Fields) => {
  const entries = Object.entries(fields);
  const required = entries.filter(([, field]) => !field.isOptional).map(([name]) => name);
  const schema = {
    type: "object",
    properties: Object.fromEntries(entries.map(([name, field]) => [name, inputSchema(field)])),
    ...(required.length > 0 && { required }),
  };
  const hasFile = entries.some(([, { type }]) => KINDS[type].control === "file");
  return {
    required: required.length > 0,
    content: hasFile ? { "multipart/form-data": { schema } } : json(schema),
  };
};

function toOpenApi(operation: Operation): [path: string, methods: object] {
  const { name, title, description, permission, type } = operation;
  const fields = inputsOf(operation);
  const path = `/operations/${name.replaceAll(" ", "/")}`;
  const [group = ""] = name.split(" ");
  const isQuery = type !== "change" && !operation.isPersonal;
  const answer =
    type === "list"
      ? pageSchema(operation)
      : type === "view"
        ? viewSchema(operation.shape)
        : { anyOf: [planSchema(operation.preview), contentSchema(operation.result)] };
  const content = {
    ...json(answer),
    ...(type === "list" && {
      "text/csv": { schema: {} },
      "application/vnd.ms-excel": { schema: {} },
    }),
  };
  const method = {
    operationId: name.replaceAll(/ (\w)/g, (_, letter: string) => letter.toUpperCase()),
    tags: [group],
    summary: title,
    description: [
      description,
      `Roles: ${[...PERMISSIONS[permission], ...(operation.forVendors ? ["vendor"] : [])].join(", ")}.`,
      type === "change" && operation.isFinal && "It cannot be undone.",
    ]
      .filter(Boolean)
      .join(" "),
    parameters: [
      ...(isQuery
        ? Object.entries(fields).map(([key, field]) =>
            parameter(key, inputSchema(field), !field.isOptional),
          )
        : []),
      ...(type === "list" ? PAGE : type === "change" ? RUN : []),
    ],
    ...(!isQuery && { requestBody: requestBody(fields) }),
    responses: {
      "200": {
        description: type === "change" ? "The plan, or what was done." : title,
        content,
      },
      "4XX": { $ref: "#/components/responses/Error" },
      "5XX": { $ref: "#/components/responses/Error" },
    },
    // JSON leaves out the functions of the declaration.
    "x-operation": { ...operation, input: fields },
  };
  return [path, { [isQuery ? "get" : "post"]: method }];
}

/** `server` is the address of a console. */
export const operatorDocument = (server: string) => ({
  openapi: "3.1.0",
  info: {
    title: "Regalo for operators",
    version: "1.0.0",
    summary: "What operators can see and do.",
    description: "See docs/operator-api.md.",
    license: { name: "Proprietary", identifier: "LicenseRef-Proprietary" },
  },
  servers: [{ url: server }],
  security: [{ serviceToken: [], serviceTokenSecret: [] }, { person: [] }],
  paths: Object.fromEntries(OPERATIONS.map(toOpenApi)),
  components: {
    securitySchemes: {
      serviceToken: { type: "apiKey", in: "header", name: "CF-Access-Client-Id" },
      serviceTokenSecret: { type: "apiKey", in: "header", name: "CF-Access-Client-Secret" },
      person: { type: "apiKey", in: "header", name: "cf-access-token" },
    },
    responses: {
      Error: {
        description: "Nothing was changed, unless the message says so.",
        content: json({
          type: "object",
          properties: {
            status: { type: "string", enum: ["error"] },
            message: { type: "string", description: "Names the input and the rule." },
            code: { type: "string" },
            errors: {
              type: "array",
              items: {
                type: "object",
                properties: { field: { type: "string" }, message: { type: "string" } },
                required: ["field", "message"],
              },
            },
          },
          required: ["status", "message", "code"],
        }),
      },
    },
  },
});
