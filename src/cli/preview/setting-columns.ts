// The settings of a client as columns of a row.
import { type Settings, SETTINGS } from "../../operator/clients/settings.ts";

type Column<Value> = Value extends boolean ? 0 | 1 : Value;

/** The columns of all settings. Null for those that the client does not have. */
export const settingColumns = (settings: Partial<Settings>) =>
  Object.fromEntries(
    Object.values(SETTINGS).map(({ column }) => {
      const value = settings[column] ?? null;
      return [column, typeof value === "boolean" ? Number(value) : value];
    }),
  ) as { [Name in keyof Settings]: Column<Settings[Name]> };
