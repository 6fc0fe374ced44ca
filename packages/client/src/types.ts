// Types of requests and responses, derived from the types that are generated from the OpenAPI document.
import type { components, paths } from "./openapi.ts";

/** The objects of the API by their names in the reference, such as `Schemas["Order"]`. */
export type Schemas = components["schemas"];

export type Method = "get" | "post";

/** The paths that support the method. */
export type PathOf<M extends Method> = {
  [Path in keyof paths]: paths[Path] extends Record<M, object> ? Path : never;
}[keyof paths];

export type AnyPath = PathOf<"get"> | PathOf<"post">;

/** The parameters of a GET request. */
export type Query<Path extends PathOf<"get">> = paths[Path] extends {
  get: { parameters: { query: infer Parameters } };
}
  ? Parameters
  : paths[Path] extends { get: { parameters: { query?: infer Parameters } } }
    ? [NonNullable<Parameters>] extends [never]
      ? Record<string, never>
      : NonNullable<Parameters>
    : never;

export type Body<Path extends PathOf<"post">> = paths[Path] extends {
  post: { requestBody: { content: { "application/json": infer Content } } };
}
  ? Content
  : never;

/** The body of the 200 response. */
export type Result<M extends Method, Path extends PathOf<M>> =
  paths[Path] extends Record<
    M,
    { responses: { 200: { content: { "application/json": infer Content } } } }
  >
    ? Content
    : never;

/** What a page has, if there may be another one. */
export interface Page {
  next_cursor?: string | null;
  next_after?: number;
  next_before?: number | null;
  next_after_id?: number | null;
  has_more?: boolean;
  current_page?: number;
  total_pages?: number;
}

type NextPage = "next_cursor" | "next_after" | "next_before" | "total_pages";

/** The paths whose responses are pages of a list. */
export type PagedPath = {
  [Path in PathOf<"get">]: keyof Result<"get", Path> & NextPage extends never ? never : Path;
}[PathOf<"get">];

/** An element of the list. */
export type Item<Path extends PagedPath> =
  Result<"get", Path> extends infer Content
    ? Extract<Content[keyof Content], readonly unknown[]>[number]
    : never;

export interface CallOptions {
  /** Ends the call with all its attempts, such as `AbortSignal.timeout(60_000)`. */
  signal?: AbortSignal;
  /** Further headers. */
  headers?: Record<string, string>;
  /** Called with the successful response, whose body is already read. */
  onResponse?: (response: Response) => void;
}

export type QueryAndOptions<Path extends PathOf<"get">> =
  Record<string, never> extends Query<Path>
    ? [query?: Query<Path>, options?: CallOptions]
    : [query: Query<Path>, options?: CallOptions];
