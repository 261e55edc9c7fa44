import { UserError } from "../../lib/errors.ts";
import { byteLength } from "../../lib/text.ts";
import { projectOf, ROOT_PROJECT } from "../names.ts";

/** What a `vibe://` address names. */
export type Address =
  | { kind: "projects" }
  | { kind: "project"; project: string }
  | { kind: "document"; project: string; folder: string; filename: string };

export const PROJECTS_URI = "vibe://projects";

const SCHEME = /^vibe:\/\/projects(?=\/|$)/i;
// Longer than any file system allows.
const MAX_NAME_BYTES = 255;

/** Throws FILE_NOT_FOUND for an invalid address. The path gate still has to check the names. */
export function addressOf(uri: string): Address {
  const address = parse(uri);
  if (address !== null) return address;
  const message = "Addresses look like vibe://projects/{name}/{folder}/{file}, names percent-encoded.";
  throw new UserError("FILE_NOT_FOUND", message);
}

/** Decodes each part once; null for an invalid address. */
function parse(uri: string): Address | null {
  const scheme = SCHEME.exec(uri);
  if (scheme === null) return null;
  const parts = decodeParts(uri.slice(scheme[0].length).replace(/\/$/, ""));
  if (parts === null) return null;
  const [project, second, ...rest] = parts;
  if (project === undefined) return { kind: "projects" };
  if (second === undefined && projectOf(project) === ROOT_PROJECT)
    return { kind: "document", project: ROOT_PROJECT, folder: "", filename: project };
  if (second === undefined) return { kind: "project", project };
  if (rest.length === 0) return { kind: "document", project, folder: "", filename: second };
  return { kind: "document", project, folder: second, filename: rest.join("/") };
}

export function projectUri(project: string): string {
  return `${PROJECTS_URI}/${encode(project)}`;
}

/** The path starts with the project. */
export function documentUri(path: string): string {
  return `${PROJECTS_URI}/${path.split("/").map(encode).join("/")}`;
}

function decodeParts(path: string): string[] | null {
  try {
    const parts = path.split("/").slice(1).map(decodeURIComponent);
    const names = parts.flatMap((part) => part.split("/"));
    return names.some((name) => byteLength(name) > MAX_NAME_BYTES) ? null : parts;
  } catch {
    return null; // Malformed percent-encoding.
  }
}

function encode(part: string): string {
  return encodeURIComponent(part.toWellFormed());
}
