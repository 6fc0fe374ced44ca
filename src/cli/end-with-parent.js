// Loaded into the wrangler of `npm start`: ends it together with its parent, also if that crashes or is killed.
import process from "node:process";

process.on("disconnect", () => process.kill(process.pid, "SIGTERM"));
// Otherwise the listener would keep the process running.
process.channel?.unref();
