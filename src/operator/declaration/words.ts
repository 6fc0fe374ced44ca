// The words for values that the API and the database have as identifiers. JSON and CSV keep the identifiers.

const WORDS: Readonly<Record<string, string>> = {
  "api-giftlink": "gift links",
  "api-purchase": "direct delivery",
  open: "to ship",
};

/** Such as `gift links` for `api-giftlink`. Other texts stay as they are. */
export const wordsOf = (text: string): string => WORDS[text] ?? text;
