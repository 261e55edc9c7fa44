/** Takes the place of a package that the SDK imports and this server never calls. It may be constructed: the SDK does so. */
// biome-ignore lint/style/noDefaultExport: the packages whose place it takes have one
export default function leftOut(): void {}
