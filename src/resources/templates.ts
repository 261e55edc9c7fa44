/** The shapes of address, as clients list them; `{+file}` may hold further `/`. */
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
