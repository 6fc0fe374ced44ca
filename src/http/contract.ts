// The body of every error response.
import * as z from "zod/mini";
import { lazy } from "../lazy.ts";
import type { ErrorCode } from "../api-error.ts";
import { STATUS } from "./error-status.ts";

export const ErrorResponse = /* @__PURE__ */ lazy(() =>
  z.object({
    status: z.literal("error"),
    message: z.string(),
    code: z.enum(Object.keys(STATUS) as ErrorCode[]),
    errors: z.optional(
      z
        // The path of a field, the name of a parameter or a header, or an unknown name as the caller has sent it.
        .array(z.object({ field: z.string(), message: z.string() }))
        .check(z.minLength(1)),
    ),
  }),
);
export type ErrorResponse = z.infer<ReturnType<typeof ErrorResponse>>;
