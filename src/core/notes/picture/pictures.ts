/** The folder of a project for all that is no document: its files count whatever their kind. */
export const ASSETS = "assets";
export const MAX_PICTURE_BYTES = 5 * 1024 * 1024;

const TYPES: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  avif: "image/avif",
  svg: "image/svg+xml",
};

/** The media type of the picture at a workspace-relative path; null for what is no picture, or not below a project's `assets/`. */
export function pictureType(path: string): string | null {
  const [, folder, ...inner] = path.split("/");
  const extension = /\.([a-z]+)$/i.exec(inner.at(-1) ?? "")?.[1]?.toLowerCase() ?? "";
  return folder === ASSETS && Object.hasOwn(TYPES, extension) ? (TYPES[extension] ?? null) : null;
}
