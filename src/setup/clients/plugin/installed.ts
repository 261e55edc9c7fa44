import { attempt } from "../../../core/storage/fs-errors.ts";
import { inspectPath } from "../../../core/storage/inspect.ts";
import { readSmall } from "../../../core/storage/read.ts";
import { isEntry } from "../entry.ts";
import { parseJson } from "../jsonc.ts";
import type { Machine } from "../machine.ts";
import type { Client } from "../table.ts";
import { parseToml } from "../toml.ts";
import { NAMED } from "./clients.ts";

/** The file by which a client has the plugin switched on, absolute; undefined if it has not, or keeps that elsewhere. */
export function pluginFile({ plugin, format }: Client, machine: Machine): string | undefined {
  const on = plugin?.on?.(machine);
  if (on === undefined) return undefined;
  const { file, listed } = on;
  if (listed === undefined) return inspectPath(file).kind === "file" ? file : undefined;
  const text = readSmall(file) ?? "";
  const settings = attempt(() => (format === "toml" ? parseToml(text) : parseJson(text, false)));
  const plugins = settings?.[listed];
  const value = isEntry(plugins) ? plugins[NAMED] : undefined;
  const isOn = isEntry(value) ? value["enabled"] !== false : value === true;
  return isOn ? file : undefined;
}
