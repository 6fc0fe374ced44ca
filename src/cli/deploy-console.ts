// `npm run deploy:console -- sandbox`: deploys the console of an environment whose API is deployed.
import { Argument } from "@commander-js/extra-typings";
import { Refusal } from "../operator/refusal.ts";
import { TypedCommand } from "./command.ts";
import { checkConsole } from "./console-configuration.ts";
import { removeDeployConfig, wranglerFor, writeDeployConfig } from "./deploy-config.ts";
import { DEPLOYED_ENVIRONMENTS, findResources, notDeployed } from "./deployed-environment.ts";
import { describeError } from "./errors.ts";
import { CONSOLE_CONFIG } from "./paths.ts";

try {
  const [environment] = new TypedCommand("deploy:console")
    .addArgument(new Argument("<environment>").choices(DEPLOYED_ENVIRONMENTS))
    .parse().processedArgs;
  const faults = await checkConsole(environment, "no placeholders");
  if (faults.length > 0) throw new Refusal(faults.join("\n"));
  const { databaseName, databaseId, namespaceTitle, namespaceId } = await findResources(
    environment,
    CONSOLE_CONFIG,
  );
  if (!databaseId) throw notDeployed(environment, `database ${databaseName}`);
  if (!namespaceId) throw notDeployed(environment, `KV namespace ${namespaceTitle}`);
  writeDeployConfig(CONSOLE_CONFIG, environment, { databaseId, namespaceId });
  wranglerFor(environment, `deploy:console -- ${environment}`)(["deploy", "--minify"]);
} catch (error) {
  const { exitCode, message } = describeError(error);
  console.error(`error: ${message}`);
  process.exitCode = exitCode;
} finally {
  removeDeployConfig();
}
