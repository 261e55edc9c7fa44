import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const SYSTEM = process.platform === "win32" ? "win" : process.platform;

/** The npm package that is Node.js for this machine. */
export function nodePackage(version: string): string {
  return `node-${SYSTEM}-${process.arch}@${version}`;
}

/** Installs such a package; returns its program, or undefined if npm does not get it. */
export function installNode(name: string, folder: string): string | undefined {
  mkdirSync(folder);
  const options = ["--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--force", "--prefix", folder];
  const { status } = spawnSync("npm", ["install", ...options, name], { shell: process.platform === "win32" });
  const [found] = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
    /[\\/]bin[\\/]node(?:\.exe)?$/.test(path),
  );
  return status === 0 && found !== undefined ? join(folder, found) : undefined;
}

/** The environment in which scripts of npm find this Node.js. */
export function envOf(node: string): NodeJS.ProcessEnv {
  return { ...process.env, PATH: [resolve(dirname(node)), process.env["PATH"]].join(":") };
}
