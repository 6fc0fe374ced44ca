// What every component of a page may need: who looks at it, and where.
import { createContext, useContext } from "hono/jsx";
import type { OperatorBindings } from "../../operator/declaration/declare.ts";
import type { User } from "../../operator/roles.ts";

/** What a change has done, and the links to what is likely done next. */
export interface Done {
  text: string;
  links: { href: string; text: string }[];
}

export interface View {
  user: User;
  environment: OperatorBindings["ENVIRONMENT"];
  publicUrl: string;
  /** The IANA name of the viewer's time zone. */
  timeZone: string;
  nowMs: number;
  path: string;
  /** The token of the search form. */
  searchToken: string;
  /** Of the change that has led to this page. */
  done?: Done | undefined;
}

const ViewContext = createContext<View | null>(null);

export const ViewProvider = ViewContext.Provider;

export function useView(): View {
  const view = useContext(ViewContext);
  if (!view) throw new Error("a component of a page is outside of it");
  return view;
}
