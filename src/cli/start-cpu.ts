// The CPU time of the start of a Worker, compared with that of an empty Hono Worker, which does not depend on the machine.
import { readFileSync } from "node:fs";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";

const STARTS = 60;

/** Starts the Worker of the URL's path in a new isolate, without its bindings. */
const HOST = `export default { async fetch({ url }, env) {
  const { pathname } = new URL(url);
  const main = 'import "./worker.js"; export default { fetch: () => new Response() }';
  const modules = { "main.js": main, "worker.js": env[pathname.split("/")[1]] };
  const { compatibilityDate } = env;
  const compatibilityFlags = ["global_fetch_strictly_public"];
  return env.LOADER.get(pathname, () => ({ compatibilityDate, compatibilityFlags, mainModule: "main.js", modules }))
    .getEntrypoint().fetch(url);
} }`;

/** How many times the CPU time of the empty Worker the start takes. The system counts it in steps of 10 ms: hence the sums. */
export async function startCpuRatio(empty: string, worker: string, compatibilityDate: string) {
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: HOST,
      compatibilityDate,
      workerLoaders: { LOADER: {} },
      bindings: { empty, worker, compatibilityDate },
    }),
  );
  await miniflare.ready;
  const own = `/proc/${String(process.pid)}/task/${String(process.pid)}/children`;
  const pid = readFileSync(own, "utf8")
    .trim()
    .split(" ")
    .find((each) => readFileSync(`/proc/${each}/cmdline`, "utf8").includes("workerd"));
  const ticks = () => {
    const fields = readFileSync(`/proc/${String(pid)}/stat`, "utf8")
      .split(") ")[1]
      ?.split(" ");
    return Number(fields?.[11]) + Number(fields?.[12]);
  };
  const spent = { empty: 0, worker: 0 };
  for (let start = 0; start < STARTS; start++)
    for (const name of ["empty", "worker"] as const) {
      const before = ticks();
      const response = await miniflare.dispatchFetch(`http://host/${name}/${String(start)}`);
      if (!response.ok) throw new Error(`The Worker does not start: ${await response.text()}`);
      spent[name] += ticks() - before;
    }
  await miniflare.dispose();
  return spent.worker / spent.empty;
}
