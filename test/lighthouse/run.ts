// Runs Lighthouse with its mobile profile: a slow phone and network, simulated.
import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { chromiumPath } from "../browser/chromium.ts";

const LIGHTHOUSE = path.join(import.meta.dirname, "node_modules/.bin/lighthouse");

// Chromium's sandbox does not work in containers. Other hosts than the server's do not resolve, so Chromium's background
// requests are not sent.
const CHROMIUM_FLAGS =
  "--headless=new --no-sandbox --host-resolver-rules='MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'";

const CATEGORIES = ["performance", "accessibility", "best-practices"] as const;
type Category = (typeof CATEGORIES)[number];

interface Report {
  runtimeError?: { message: string };
  categories: Record<
    Category,
    { score: number | null; auditRefs: { id: string; weight: number }[] }
  >;
  audits: Record<string, { title: string; score: number | null; numericValue?: number }>;
}

export interface LighthouseRun {
  /** From 0 to 100. */
  scores: Record<Category, number>;
  /** The titles of the audits that lower the score of accessibility or best practices. */
  failedAudits: string[];
  largestPaintMs: number;
  layoutShift: number;
  bytes: number;
}

/** The start of the navigation is missing in some traces of Chromium. Lighthouse then says that it should run again. */
const NO_TRACE = "NO_NAVSTART";
const MAX_ATTEMPTS = 3;

export async function runLighthouse(url: string): Promise<LighthouseRun> {
  const { runtimeError, categories, audits } = await reportOf(url);
  if (runtimeError) throw new Error(`${url}: ${runtimeError.message}`);

  const valueOf = (audit: string) => audits[audit]?.numericValue ?? NaN;
  const scoreOf = (category: Category) => Math.round(100 * (categories[category].score ?? NaN));
  return {
    scores: {
      performance: scoreOf("performance"),
      accessibility: scoreOf("accessibility"),
      "best-practices": scoreOf("best-practices"),
    },
    failedAudits: [categories.accessibility, categories["best-practices"]]
      .flatMap(({ auditRefs }) => auditRefs)
      .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
      .map(({ id }) => audits[id]?.title ?? id),
    largestPaintMs: valueOf("largest-contentful-paint"),
    layoutShift: valueOf("cumulative-layout-shift"),
    bytes: valueOf("total-byte-weight"),
  };
}

async function reportOf(url: string, attempt = 1): Promise<Report> {
  const running = promisify(execFile)(
    process.execPath,
    [
      ...[LIGHTHOUSE, url, "--quiet", "--output=json", "--output-path=stdout"],
      ...["--no-enable-error-reporting", `--only-categories=${CATEGORIES.join(",")}`],
      ...["--disable-full-page-screenshot", `--chrome-flags=${CHROMIUM_FLAGS}`],
    ],
    { env: { ...process.env, CHROME_PATH: chromiumPath() }, maxBuffer: 64 * 1024 * 1024 },
  );
  try {
    return JSON.parse((await running).stdout) as Report;
  } catch (error) {
    if (attempt === MAX_ATTEMPTS || !String(error).includes(NO_TRACE)) throw error;
    return reportOf(url, attempt + 1);
  }
}
