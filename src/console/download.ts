// Files that the browser saves.

/** `name` contains no personal data. */
export const download = (name: string, type: string, text: string): Response =>
  new Response(text, {
    headers: {
      "Content-Type": `${type}; charset=utf-8`,
      "Content-Disposition": `attachment; filename="${name.replaceAll(/[^\w.-]/g, "-")}"`,
    },
  });
