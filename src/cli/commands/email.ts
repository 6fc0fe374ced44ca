// `email …`: previews of e-mails.
import type { Command } from "../command.ts";
import { previewCommand } from "./email-preview.ts";

export function emailCommands(program: Command): void {
  previewCommand(program.command("email").description("preview the e-mails to recipients"));
}
