// Reads the file of `restore prepare`.
import * as z from "zod/mini";
import { ApiError, validationError } from "../../core/api-error.ts";
import { lazy } from "../../core/lazy.ts";
import { validate } from "../../core/validation/validate.ts";
import { MAX_ORDER_ID } from "../../core/values/ids.ts";
import type { InputFile } from "../declaration/kinds.ts";
import type { RestoreState } from "./queries.ts";

const integer = (max = Number.MAX_SAFE_INTEGER) => z.int().check(z.minimum(0), z.maximum(max));
/** A number after which others can be given out. The ids of products may come from files. */
const last = () => integer(1e15);
const text = (max: number) => z.string().check(z.maxLength(max));
const bit = () => z.union([z.literal(0), z.literal(1)]);

const restricted = { id: z.union([text(200), last()]), clientId: text(200) };

const State = lazy(() =>
  z.object({
    ids: z.object({
      orders: z.optional(integer(MAX_ORDER_ID)),
      products: z.optional(z.nullable(last())),
      variations: z.optional(z.nullable(last())),
      credentials: z.optional(last()),
      webhooks: z.optional(last()),
      auditEntries: z.optional(last()),
    }),
    catalogues: z.array(z.object({ id: integer(), version: last() })),
    events: z.array(z.object({ clientId: text(200), sequence: last() })),
    restrictions: z.array(
      z.discriminatedUnion("kind", [
        z.object({
          ...restricted,
          kind: z.literal("client"),
          status: z.literal("suspended"),
          origin: integer(),
          detail: z.null(),
        }),
        z.object({
          ...restricted,
          kind: z.literal("credential"),
          status: z.literal("revoked"),
          origin: text(200),
          detail: integer(),
        }),
        z
          .object({
            ...restricted,
            kind: z.literal("webhook"),
            status: z.enum(["disabled", "deleted"]),
            origin: integer(),
            detail: z.nullable(text(50)),
          })
          .check(z.refine((webhook) => webhook.status !== "disabled" || webhook.detail !== null)),
      ]),
    ),
    complaints: z.array(z.object({ digest: text(64), createdAtMs: integer() })),
    gifts: z.array(
      z.object({
        id: integer(),
        nonce: z.nullable(text(200)),
        placedAtMs: integer(),
        linkGeneration: integer(999),
        emailsStopped: z.nullable(z.enum(["unsubscribed", "bounced", "complained", "stopped"])),
        isErased: bit(),
        hasShipment: bit(),
      }),
    ),
  }),
);

/** Errors: `validation_error` that names the place of the first fault. */
export function preparedState({ bytes }: InputFile, environment: string): RestoreState {
  const File = z.object({
    facts: z.object({ environment: z.literal(environment), state: State() }),
  });
  try {
    const content: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return validate(File, content).facts.state as RestoreState;
  } catch (error) {
    const [fault] = (error instanceof ApiError && error.fields) || [];
    const place = fault ? `: ${fault.field} ${fault.message}` : "";
    const message = `must be a complete file of restore prepare for ${environment}${place}`;
    throw validationError([{ field: "file", message }]);
  }
}
