import { trusted } from "./trusted-html.ts";

const inert = new DOMParser().parseFromString(trusted("<p>"), "text/html").body;

/** What `&name;` stands for. Replaces micromark's own function in the page, whose HTML no policy trusts. */
export function decodeNamedCharacterReference(name: string): string | false {
  inert.innerHTML = trusted(`&${name};`);
  const character = inert.textContent ?? "";
  // `&notit;` is read as `¬it;`.
  const isWhole = name === "semi" || !character.endsWith(";");
  return isWhole && character;
}
