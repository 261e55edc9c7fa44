const OURS = /\/src\/sqlite\/engine\.ts(?=$|\?)/;

export async function resolve(specifier, context, next) {
  const resolved = await next(specifier, context);
  return { ...resolved, url: resolved.url.replace(OURS, "/scripts/sqljs/engine.ts") };
}
