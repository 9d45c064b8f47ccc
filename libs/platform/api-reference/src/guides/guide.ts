/** A page of the documentation, written in Markdown. */
export interface Guide {
  /** The name of its file, and the last part of its address. */
  slug: string;
  title: string;
  /** One sentence, for lists and search engines. */
  description: string;
  /** The text below the head. */
  markdown: string;
}

/** Guides under one heading of the menu, in reading order. */
export interface GuideGroup {
  title: string;
  guides: readonly Guide[];
}

const HEAD = /^---\ntitle: (.+)\ndescription: (.+)\n---\n+/;

/**
 * Reads a guide from the text of its file, which starts with a head: `title` and `description` between two lines `---`. Throws if
 * the head is missing.
 */
export function parseGuide(slug: string, text: string): Guide {
  const head = HEAD.exec(text);
  const [, title, description] = head ?? [];
  if (!head || title === undefined || description === undefined)
    throw new Error(`The guide ${slug} has no head with title and description.`);
  return { slug, title, description, markdown: text.slice(head[0].length) };
}
