// The entries of the search: sections of the guide, operations, codes, and fields, in this order. The script of the pages
// loads them when the search is used.
import type { Field, ObjectFields } from "./fields.ts";
import { GUIDE_PATH, type Contents, tagPath } from "./page.ts";

interface Entry {
  title: string;
  /** The section or operation that contains it. For an operation, its method and path. */
  within: string;
  url: string;
  /** Other words for the title. */
  names?: string;
  text: string;
}

export function searchIndex({ guide, operations }: Contents): Entry[] {
  const at = (id: string) => `${GUIDE_PATH}#${id}`;
  const sections = guide.map(({ id, title, keywords, text }) => ({
    title,
    within: "",
    url: at(id),
    text,
    ...(keywords && { names: keywords }),
  }));
  const codes = guide.flatMap(({ title, rows }) =>
    rows.map(({ id, code, text }) => ({ title: code, within: title, url: at(id), text })),
  );
  const described = operations.map((operation) => {
    const { id, tag, method, path, summary, description } = operation;
    const page = tagPath(tag);
    const { parameters, body, responses } = operation;
    const fields = [
      ...parameters.map(({ field }) => field),
      ...responses.flatMap(({ headers }) => headers),
      ...[body, ...responses.map((response) => response.body)].flatMap(allFields),
    ];
    return {
      operation: {
        title: summary,
        within: `${method} ${path}`,
        url: `${page}#${id}`,
        text: description,
      },
      fields: fields.map(({ id, name, description }) => ({
        title: name,
        within: summary,
        url: `${page}#${id}`,
        text: description,
      })),
    };
  });
  return [
    ...sections,
    ...described.map(({ operation }) => operation),
    ...codes,
    ...described.flatMap(({ fields }) => fields),
  ];
}

function allFields(objects: ObjectFields[]): Field[] {
  return objects.flatMap(({ fields }) =>
    fields.flatMap((field) => [field, ...allFields(field.objects)]),
  );
}
