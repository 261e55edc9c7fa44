interface MarkdownProps {
  text: string;
  /** Of the document, from the workspace's root: its relative links start there. */
  path: string;
}

/** Rendered Markdown. */
export function Markdown({ text }: MarkdownProps) {
  return <pre class="markdown">{text}</pre>;
}
