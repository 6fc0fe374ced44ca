// Reads the file of `restore prepare`.
import * as z from "zod/mini";
import { ApiError, validationError } from "../../core/api-error.ts";
import { lazy } from "../../core/lazy.ts";
import { validate } from "../../core/validation/validate.ts";
import { EMAILS_STOPPED } from "../../core/values/email-kinds.ts";
import { MAX_ORDER_ID } from "../../core/values/ids.ts";
import type { InputFile } from "../declaration/kinds.ts";
import type { RestoreState } from "./queries.ts";

const integer = (max = Number.MAX_SAFE_INTEGER) => z.int().check(z.minimum(0), z.maximum(max));
/** The last number that was given out. The limit leaves room for the next ones, because files may set ids of products. */
const last = () => integer(1e15);
const text = (max = 200) => z.string().check(z.maxLength(max));
const bit = () => z.union([z.literal(0), z.literal(1)]);
const list = <Shape extends z.core.$ZodLooseShape>(shape: Shape) => z.array(z.object(shape));

const restriction = (kind: string, status: string, origin: z.ZodMiniType, detail: z.ZodMiniType) =>
  z.object({
    kind: z.literal(kind),
    id: z.union([text(), last()]),
    clientId: text(),
    status: z.literal(status),
    origin,
    detail,
  });

const State = lazy(() =>
  z.object({
    ids: z.catchall(z.object({ orders: integer(MAX_ORDER_ID) }), z.nullable(last())),
    catalogues: list({ id: integer(), version: last() }),
    events: list({ clientId: text(), sequence: last() }),
    restrictions: z.array(
      z.union([
        restriction("client", "suspended", integer(), z.null()),
        restriction("credential", "revoked", text(), integer()),
        restriction("webhook", "disabled", integer(), text(50)),
        restriction("webhook", "deleted", integer(), z.nullable(text(50))),
      ]),
    ),
    complaints: list({ digest: text(64), createdAtMs: integer() }),
    codes: list({
      id: last(),
      productId: last(),
      variationId: last(),
      keyId: text(8),
      fingerprint: text(64),
      createdAtMs: integer(),
    }),
    gifts: list({
      id: integer(),
      nonce: z.nullable(text()),
      placedAtMs: integer(),
      linkGeneration: integer(999),
      emailsStopped: z.nullable(z.enum(EMAILS_STOPPED)),
      isErased: bit(),
      hasShipment: bit(),
    }),
  }),
);

/** Errors: `validation_error` that names the place of the first fault. */
export function preparedState({ bytes }: InputFile, environment: string): RestoreState {
  const facts = z.object({ environment: z.literal(environment), state: State() });
  try {
    const content: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return validate(z.object({ facts }), content).facts.state as unknown as RestoreState;
  } catch (error) {
    const [fault] = (error instanceof ApiError && error.fields) || [];
    const place = fault ? `: ${fault.field} ${fault.message}` : "";
    const message = `must be a complete file of restore prepare for ${environment}${place}`;
    throw validationError([{ field: "file", message }]);
  }
}
