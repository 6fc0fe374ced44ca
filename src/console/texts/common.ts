// Texts that several pages have.
export const COMMON = {
  name: "Regalo console",
  skip: "Skip to the content",
  environments: { local: "Local", sandbox: "Sandbox", production: "Production" },
  search: {
    label: "Search",
    hint: "Number, reference, gift link, e-mail address or name",
    submit: "Search",
  },
  menu: "Menu",
  signedIn: "Signed in as",
  previousPage: "Previous page",
  nextPage: "Next page",
  zone: "Times are in",
  optional: "(optional)",
  filters: "Filter",
  filter: "Show",
  all: "All",
  yes: "yes",
  no: "no",
  none: "–",
  actions: "What you can do",
  more: "More actions",
  rowActions: "Actions",
  select: "Select",
  selectAll: "Select all",
  selectedAtMost: "The first 500 of this filter, also on other pages",
  sum: "Sum",
  empty: "None.",
  csv: "Download as CSV",
  excel: "Download for Excel",
} as const;

/** Texts of confirmed changes. */
export const CHANGE_TEXTS = {
  review: "Continue",
  thisWill: "This will",
  values: "What changes",
  nothing: "Nothing would be changed.",
  questions: "Answer these questions about the file first. Nothing is changed yet.",
  choose: "Choose…",
  final: "This cannot be undone.",
  refusedTitle: "Not possible",
  changedText: "This is no longer what you saw. Check it again.",
  repeatedTitle: "Already done",
  repeatedText:
    "This form was sent before. It has changed these objects, of which at most 50 are shown. If some were not changed, fill in the form again.",
  unansweredTitle: "No answer",
  unansweredText:
    "The database did not answer, so the change may have been made. You can send the form again: it is carried out at most once.",
  again: "Send again",
  back: "Back",
  otherFile: "Upload a corrected file, or change the options",
  keptFile: "The uploaded file is kept for an hour, unless you choose another one.",
} as const;

export const ERRORS = {
  forbidden:
    "Your account has no role for this page. Ask an administrator of Cloudflare Access to add you to a group.",
  notAllowed: {
    title: "Not allowed",
    text: (roles: string) =>
      `This needs the role ${roles}. Ask an administrator of Cloudflare Access, or somebody who has it.`,
  },
  notFound: { title: "Not found", text: "There is no such page or object. Use the search." },
  expiredForm: {
    title: "The form has expired",
    text: "Nothing was changed. Open the page again, and send the form from there.",
  },
  otherOrigin: "Nothing was changed: the request is from a page of another site.",
  unavailable: {
    title: "Try again",
    text: "The database or Cloudflare Access does not answer. Try again in a moment.",
  },
  failed: {
    title: "Something went wrong",
    text: "The error was logged with the number of this request. The audit log shows whether a change was made.",
  },
  tooLarge: {
    title: "Too large",
    text: "The file is too large.",
  },
  withoutQuery: "Open the page without these values",
  invalid: "Correct the fields that are marked.",
} as const;
