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

/** By the first bytes, as browsers tell them, whatever the name says. */
const STARTS: readonly (readonly [start: RegExp, extension: string])[] = [
  [/^\x89PNG/, "png"],
  [/^GIF8/, "gif"],
  [/^\xff\xd8/, "jpg"],
  [/^RIFF....WEBP/s, "webp"],
  [/^....ftypavi[fs]/s, "avif"],
  [/^\s*<(?:svg|!--|\?xml|!DOCTYPE svg)[\s>]/i, "svg"],
];

/** The extension for bytes that are a picture; undefined for others. */
export function pictureExtension(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 1000)).replace(/^\xef\xbb\xbf/, "");
  return STARTS.find(([start]) => start.test(head))?.[1];
}
