/** The web page, as one text. The bundler replaces this module by one that carries the text itself. */
export async function readPage(): Promise<string> {
  const { buildBoard } = await import("../../../scripts/board.ts");
  return (await buildBoard()).html;
}
