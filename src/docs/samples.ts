// The sample requests of an operation in several languages, as programs that can be run. They use the environment
// variables that the guide sets.

export interface SampleRequest {
  method: string;
  /** The path with the query. */
  target: string;
  body: unknown;
}

/** The samples in OpenAPI's `x-codeSamples`. `headers` are the names of the credentials. */
export function codeSamples(request: SampleRequest, headers: string[]) {
  return [
    { lang: "Shell", label: "curl", source: curl(request, headers) },
    { lang: "TypeScript", label: "TypeScript", source: typescript(request, headers) },
    { lang: "Python", label: "Python", source: python(request, headers) },
  ];
}

const variable = (header: string) => header.replace("-", "_");

const json = (body: unknown, indentation: string) =>
  JSON.stringify(body, null, 2).replaceAll("\n", `\n${indentation}`);

function curl({ target, body }: SampleRequest, headers: string[]): string {
  const lines = [
    `curl "$REGALO_URL${target}"`,
    ...headers.map((name) => `-H "${name}: $${variable(name)}"`),
    ...(body === undefined
      ? []
      : ['-H "Content-Type: application/json"', `-d '${json(body, "  ")}'`]),
  ];
  return lines.join(" \\\n  ");
}

function typescript({ method, target, body }: SampleRequest, headers: string[]): string {
  const sent = [
    ...headers.map((name) => `    "${name}": process.env.${variable(name)}!,`),
    ...(body === undefined ? [] : ['    "Content-Type": "application/json",']),
  ];
  return [
    `const response = await fetch(\`\${process.env.REGALO_URL}${target}\`, {`,
    ...(body === undefined ? [] : [`  method: "${method}",`]),
    "  headers: {",
    ...sent,
    "  },",
    ...(body === undefined ? [] : [`  body: JSON.stringify(${json(body, "  ")}),`]),
    "});",
    "if (!response.ok) throw new Error(await response.text());",
    "console.log(await response.json());",
  ].join("\n");
}

/** `urlopen` raises HTTPError for an error response. A request with a body is a POST. */
function python({ target, body }: SampleRequest, headers: string[]): string {
  const sent = [
    ...headers.map((name) => `        "${name}": os.environ["${variable(name)}"],`),
    ...(body === undefined ? [] : ['        "Content-Type": "application/json",']),
  ];
  return [
    "import json, os, urllib.request",
    "",
    "request = urllib.request.Request(",
    `    os.environ["REGALO_URL"] + "${target}",`,
    "    headers={",
    ...sent,
    "    },",
    ...(body === undefined ? [] : [`    data=json.dumps(${pythonLiteral(body)}).encode(),`]),
    ")",
    "with urllib.request.urlopen(request, timeout=30) as response:",
    "    print(json.load(response))",
  ].join("\n");
}

const PYTHON_NAMES: Record<string, string> = { true: "True", false: "False", null: "None" };

function pythonLiteral(body: unknown): string {
  return json(body, "    ").replaceAll(
    /("(?:[^"\\]|\\.)*")|\b(true|false|null)\b/g,
    (text: string, quoted?: string) => quoted ?? PYTHON_NAMES[text] ?? text,
  );
}
