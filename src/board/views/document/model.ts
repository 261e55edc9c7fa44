/** A document as `read_doc` gives it, whole. */
export interface Doc {
  project: string;
  folder: string;
  filename: string;
  path: string;
  hash: string;
  content: string;
  backlinks: { total: number; paths: readonly string[] };
  broken_links: readonly BrokenLink[];
}

export interface BrokenLink {
  link: string;
  line: number;
  reason: "missing" | "ambiguous" | "heading";
  candidates?: readonly string[];
}

/** A change as `history` lists it; without `bytes` there is no text to restore. */
export interface Version {
  version: string;
  path: string;
  time: string;
  tool: string;
  client: string;
  change: "created" | "replaced" | "deleted" | "moved";
  bytes?: number;
}
