// The body of every error response.
import * as z from "zod/mini";
import { lazy } from "../lazy.ts";
import type { ErrorCode } from "../api-error.ts";
import { STATUS } from "./error-status.ts";

/** A field's path: names joined by dots, with the index of an array's element in brackets. Or the name of a header. */
const FIELD_PATH = /^([a-z]\w*(\[\d+\])?(\.[a-z]\w*(\[\d+\])?)*|[A-Z][A-Za-z]*(-[A-Z][A-Za-z]*)*)$/;

export const ErrorResponse = /* @__PURE__ */ lazy(() =>
  z.object({
    status: z.literal("error"),
    message: z.string(),
    code: z.enum(Object.keys(STATUS) as ErrorCode[]),
    errors: z.optional(
      z
        .array(z.object({ field: z.string().check(z.regex(FIELD_PATH)), message: z.string() }))
        .check(z.minLength(1)),
    ),
  }),
);
export type ErrorResponse = z.infer<ReturnType<typeof ErrorResponse>>;
