// Parses the input of an operation: of a form, of a query, or of JSON.
import * as z from "zod/mini";
import { exactlyOne } from "../../core/validation/fields.ts";
import { validate } from "../../core/validation/validate.ts";
import { own } from "../../core/values/own.ts";
import { withoutInvisible } from "../../core/values/plain-text.ts";
import type { User } from "../roles.ts";
import type { Operation } from "./declare.ts";
import { type Fields, type Kind, KINDS, type KindType, reason } from "./kinds.ts";

const REASON = reason();

/** The inputs of an operation. A change that cannot be undone also has the reason. */
export const inputsOf = (operation: Operation): Fields =>
  operation.type === "change" && operation.isFinal
    ? { ...operation.input, reason: REASON }
    : operation.input;

const ofVendors = new WeakMap<Operation, Operation>();

/** Vendors have no inputs of these kinds: they see only their own gifts and products, and catalogues may be a client's. */
const NOT_OF_VENDORS: readonly KindType[] = ["client", "vendor", "catalogue"];

/** An operation that the user may do, with the inputs that the user has. */
export function operationFor<O extends Operation>({ vendor }: User, operation: O): O {
  if (vendor === undefined) return operation;
  const known = ofVendors.get(operation) as O | undefined;
  if (known) return known;
  const fields = Object.entries<Kind | undefined>({ ...operation.input, ...operation.forVendors });
  const given = fields.filter(([, field]) => field && !NOT_OF_VENDORS.includes(field.type));
  const own = { ...operation, input: Object.fromEntries(given) };
  ofVendors.set(operation, own);
  return own;
}

const schemas = new WeakMap<Operation, z.ZodMiniObject>();

function schemaOfInput(operation: Operation): z.ZodMiniObject {
  const known = schemas.get(operation);
  if (known) return known;
  const fields = Object.entries(inputsOf(operation));
  const schema = z.strictObject(
    Object.fromEntries(fields.map(([name, field]) => [name, schemaOf(field)])),
  );
  schemas.set(operation, schema);
  return schema;
}

/** With `partial`, required inputs may be missing. Errors: `validation_error` with the names of the inputs. */
export function parseInput(
  operation: Operation,
  given: Readonly<Record<string, unknown>>,
  partial?: "partial",
): Record<string, unknown> {
  const fields = inputsOf(operation);
  const schema = schemaOfInput(operation);
  const values = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, normalised(value, own(fields, name))]),
  );
  return validate(partial ? z.partial(schema) : schema, values);
}

function schemaOf(field: Kind): z.ZodMiniType {
  const schema = field.schema();
  if (field.isNullable) return z.optional(z.nullable(schema));
  return field.isOptional ? z.optional(schema) : schema;
}

/**
 * A text is trimmed, and a line has no characters that cannot be seen. An empty text is no value, and several values are
 * separated by line breaks or commas.
 */
function normalised(value: unknown, field: Kind | undefined): unknown {
  const isLong = field && KINDS[field.type].control === "textarea";
  const plain = isLong ? (text: string) => text.trim() : withoutInvisible;
  const given = typeof value === "string" ? plain(value) : value;
  if (given === undefined) return undefined;
  if (given === "" || given === null) {
    if (field?.isNullable) return null;
    // No object must not mean all objects, as leaving out the input may.
    return field?.isMany ? [] : undefined;
  }
  const all: unknown[] = [given].flat();
  if (field?.isNullable && all.length === 1 && all[0] === "none") return null;
  if (!field?.isMany) return given;
  return all.flatMap((each) =>
    typeof each === "string"
      ? each
          .split(KINDS[field.type].isWholeLine ? "\n" : /[\n,]/)
          .map(plain)
          .filter((part) => part !== "")
      : [each],
  );
}

/** Requires that exactly one of the inputs `names` is given. Errors: `validation_error`. */
export function requireOne(input: object, ...names: readonly string[]): void {
  validate(z.looseObject({}).check(exactlyOne(...names)), input);
}
