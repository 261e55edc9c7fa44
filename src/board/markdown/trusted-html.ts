interface Policy {
  createHTML(html: string): string;
  createScriptURL(url: string): string;
}

const { trustedTypes } = globalThis as {
  trustedTypes?: { createPolicy(name: string, rules: Policy): Policy };
};
const policy = trustedTypes?.createPolicy("markdown", {
  createHTML: (html) => html,
  createScriptURL: (url) => url,
});

/** HTML that the content security policy lets the page read; for inert elements only. */
export function trusted(html: string): string {
  return policy?.createHTML(html) ?? html;
}

/** The bundler puts the text of `worker.ts` here. */
declare const MARKDOWN_WORKER: string;

export function startWorker(): Worker {
  const url = URL.createObjectURL(new Blob([MARKDOWN_WORKER], { type: "text/javascript" }));
  return new Worker(policy?.createScriptURL(url) ?? url);
}
