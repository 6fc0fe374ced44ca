// A message above the content, to which the browser scrolls.
import type { Child } from "hono/jsx";
import { LANDING_ID } from "../../pages/page-link.tsx";

export interface NoticeTexts {
  title: Child;
  text?: Child;
}

export function Notice({ title, text, children }: NoticeTexts & { children?: Child }) {
  return (
    <div id={LANDING_ID} class="notice" role="alert" tabindex={-1} autofocus>
      <h2>{title}</h2>
      {text && <p>{text}</p>}
      {children}
    </div>
  );
}
