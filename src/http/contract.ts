// The body of every error answer. The Worker imports its type only.
import * as z from "zod";
import type { ErrorCode } from "../api-error.ts";
import { STATUS } from "./error-status.ts";

/** A field's path: names joined by dots, with the index of an array's element in brackets. */
const fieldPath = z.string().regex(/^[a-z]\w*(\[\d+\])?(\.[a-z]\w*(\[\d+\])?)*$/);

export const FieldError = z.object({ field: fieldPath, message: z.string() });

export const ErrorAnswer = z.object({
  status: z.literal("error"),
  message: z.string(),
  code: z.enum(Object.keys(STATUS) as ErrorCode[]),
  errors: z.array(FieldError).min(1).optional(),
});
export type ErrorAnswer = z.infer<typeof ErrorAnswer>;
