/** As clients list them; `{+file}` may contain further `/`. */
export const TEMPLATES = [
  {
    uriTemplate: "vibe://projects/{name}",
    name: "project",
    title: "Project",
    description: "A project's files by folder, tasks with their status.",
  },
  {
    uriTemplate: "vibe://projects/{name}/{folder}/{+file}",
    name: "document",
    title: "Document",
    description: "One document with its metadata, e.g. folder tasks, file 004-add-login.md.",
  },
  {
    uriTemplate: "vibe://projects/{name}/{+file}",
    name: "root-file",
    title: "Root file",
    description: "A document in the project's own folder, e.g. status.md.",
  },
];

/** What a `vibe://` address names. */
export type Address =
  | { kind: "projects" }
  | { kind: "project"; project: string }
  | { kind: "document"; project: string; folder: string; filename: string };

export const PROJECTS_URI = "vibe://projects";

const SCHEME = /^vibe:\/\/projects(?=\/|$)/i;
// Longer than any file system allows.
const MAX_NAME_BYTES = 255;

/** Decodes each part once; null for any other address. The names still have to pass the path gate. */
export function parseUri(uri: string): Address | null {
  const scheme = SCHEME.exec(uri);
  if (scheme === null) return null;
  const parts = decodeParts(uri.slice(scheme[0].length).replace(/\/$/, ""));
  if (parts === null) return null;
  const [project, second, ...rest] = parts;
  if (project === undefined) return { kind: "projects" };
  if (second === undefined) return { kind: "project", project };
  if (rest.length === 0) return { kind: "document", project, folder: "", filename: second };
  return { kind: "document", project, folder: second, filename: rest.join("/") };
}

export function projectUri(project: string): string {
  return `${PROJECTS_URI}/${encode(project)}`;
}

/** `path` is relative to the workspace, so that it starts with the project. */
export function documentUri(path: string): string {
  return `${PROJECTS_URI}/${path.split("/").map(encode).join("/")}`;
}

function decodeParts(path: string): string[] | null {
  try {
    const parts = path.split("/").slice(1).map(decodeURIComponent);
    const names = parts.flatMap((part) => part.split("/"));
    return names.some((name) => Buffer.byteLength(name) > MAX_NAME_BYTES) ? null : parts;
  } catch {
    return null; // Malformed percent-encoding.
  }
}

function encode(part: string): string {
  return encodeURIComponent(part.toWellFormed());
}
