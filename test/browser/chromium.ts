// The installed Chromium. Tests get it from windows.ts.
import { existsSync } from "node:fs";
import { type Browser, type BrowserServer, chromium, type LaunchOptions } from "playwright-core";

const USUAL_PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/snap/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

/** The path of the Chromium at CHROMIUM_PATH or in one of the usual places. Throws if there is none. */
export function chromiumPath(): string {
  const named = process.env["CHROMIUM_PATH"];
  const found = (named ? [named] : USUAL_PLACES).find((place) => existsSync(place));
  if (found === undefined) {
    throw new Error(
      `${named ? `There is no ${named}.` : "This machine has no Chromium in a usual place."} ` +
        "Install one (Debian: apt-get install chromium-headless-shell; macOS: brew install --cask chromium), " +
        "or name another in the environment variable CHROMIUM_PATH.",
    );
  }
  return found;
}

/** Debian's package of this name. It has no windows of a desktop, whose drawing takes two thirds of a page's time. */
const HEADLESS_SHELL = "/usr/bin/chromium-headless-shell";

const headlessPath = () =>
  !process.env["CHROMIUM_PATH"] && existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : chromiumPath();

const OPTIONS = {
  // Chromium's sandbox does not work in containers. The tests open only pages that they serve themselves.
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"],
};

/** Starts the installed Chromium. */
export const launchChromium = (options: LaunchOptions): Promise<Browser> =>
  chromium.launch({ ...OPTIONS, ...options, executablePath: headlessPath() });

/** Starts a Chromium for all test files, in this environment. */
export const serveChromium = (env: NodeJS.ProcessEnv): Promise<BrowserServer> =>
  chromium.launchServer({
    ...OPTIONS,
    env: { ...process.env, ...env },
    executablePath: headlessPath(),
  });
