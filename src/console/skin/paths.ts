// The paths of the pages of operations.
import type { Operation } from "../../operator/declaration/declare.ts";
import { inputsOf, operationFor } from "../../operator/declaration/input.ts";
import {
  type FieldInfo,
  type JsonValue,
  KINDS,
  type KindType,
} from "../../operator/declaration/kinds.ts";
import { textOf } from "../../operator/declaration/show.ts";
import { OPERATIONS } from "../../operator/operations.ts";
import { mayDo, type User } from "../../operator/roles.ts";

/** `gift extend` → `/gift/extend` */
export const pagePath = ({ name }: Pick<Operation, "name">) => `/${name.replaceAll(" ", "/")}`;

const BY_NAME = new Map(OPERATIONS.map((operation) => [operation.name, operation]));

/** The operation with this name, as the user has it, if the user may do it. */
export const operationsOf = (name: string, user: User): Operation[] => {
  const operation = BY_NAME.get(name);
  return operation && mayDo(user, operation) ? [operationFor(user, operation)] : [];
};

const selectsObject = ({ isArgument, type }: FieldInfo) =>
  isArgument && KINDS[type].control !== "file";

/** The names of the inputs that select objects. */
export const argumentsOf = (operation: Operation): string[] =>
  Object.entries(inputsOf(operation))
    .filter(([, field]) => selectsObject(field) && !field.isMany)
    .map(([name]) => name);

/** Those of the values that select objects of the operation, and the month. */
export const selectedBy = (
  operation: Operation,
  values: Readonly<Record<string, JsonValue>>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(operation.input).flatMap(([name, field]) => {
      const { type } = field;
      // An argument with a name of its own takes the object of its kind.
      const value = values[name] ?? (type in operation.input ? null : values[type]) ?? null;
      const isKept = selectsObject(field) || KINDS[type].inFileName === "month";
      return isKept && value !== null ? [[name, textOf(type, value)]] : [];
    }),
  );

/** The page of an operation, with those of the values that select its objects. */
export function hrefOf(operation: Operation, values: Readonly<Record<string, JsonValue>>): string {
  const query = new URLSearchParams(selectedBy(operation, values));
  return pagePath(operation) + (query.size > 0 ? `?${query.toString()}` : "");
}

/** The page above that of an operation: the view of what it changes, one of its objects, or the list that offers it. */
export function parentOf(
  operation: Operation,
  values: Readonly<Record<string, JsonValue>>,
  user: User,
): { name: string; href: string } | undefined {
  const { name, type } = operation;
  const [word = ""] = name.split(" ");
  const isGiven = (key: string) => /^[^\n]+$/.test(textOf("text", values[key] ?? null));
  const [view] = operationsOf(`${word} show`, user);
  const needed = view ? requiredBy(view) : [];
  if (view && view !== operation && needed.length > 0 && needed.every(isGiven)) {
    const texts = needed.map((key) => textOf("text", values[key] ?? null)).join(", ");
    const isObject = needed.includes(word);
    return { name: isObject ? texts : `${view.title}: ${texts}`, href: hrefOf(view, values) };
  }
  const { facts = {} } = type === "view" ? operation.shape : {};
  const objects = [
    ...Object.entries(facts).filter(([key]) => type === "view" && key === operation.within),
    ...Object.entries(operation.input).filter(([, { isArgument }]) => isArgument),
  ];
  for (const [key, field] of objects) {
    const value = values[key] ?? null;
    const href = isGiven(key) ? viewHref(field.type, value, user) : undefined;
    if (href && href.split("?")[0] !== pagePath(operation)) {
      return { name: textOf(field.type, value), href };
    }
  }
  const offering = OPERATIONS.filter(
    (each) =>
      each.type === "list" &&
      type !== "list" &&
      [each.actions, each.rowActions].flat().includes(name),
  );
  const [list] = [
    ...offering.filter((each) => mayDo(user, each)),
    ...operationsOf(`${word} list`, user),
  ];
  return list && list !== operation ? { name: list.title, href: pagePath(list) } : undefined;
}

const requiredBy = ({ input }: Operation) =>
  Object.keys(input).filter((name) => !input[name]?.isOptional);

/** The page that shows an object. Undefined if objects of this kind have no page for the user. */
export function viewHref(type: KindType, value: JsonValue, user: User): string | undefined {
  const [view] = operationsOf(KINDS[type].view ?? `${type} show`, user);
  return view && hrefOf(view, { [type]: value });
}
