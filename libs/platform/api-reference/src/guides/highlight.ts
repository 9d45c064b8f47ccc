import { html, Html } from '../html';

/** Renders code with marked-up syntax. An unknown language is rendered as plain text. */
export type Highlight = (code: string, language: string) => Html;

/** The grammars of the samples, by the names that fences use. */
const GRAMMARS: ReadonlyMap<string, string> = new Map([
  ['sh', 'bash'],
  ['cli', 'bash'],
  ['js', 'javascript'],
  ['py', 'python'],
  ['python', 'python'],
  ['go', 'go'],
  ['php', 'php'],
  ['json', 'json'],
  ['html', 'markup'],
  ['xml', 'markup'],
]);

let loaded: Promise<Highlight> | undefined;

/** Loads the highlighter. It is loaded on the first use, because most services never render a page. */
export function loadHighlight(): Promise<Highlight> {
  return (loaded ??= load());
}

async function load(): Promise<Highlight> {
  const [{ default: prism }, { default: loadLanguages }] = await Promise.all([
    import('prismjs'),
    import('prismjs/components/index.js'),
  ]);
  loadLanguages([...GRAMMARS.values()]);
  return (code, language) => {
    const name = GRAMMARS.get(language);
    const grammar = name === undefined ? undefined : prism.languages[name];
    return name === undefined || !grammar ? html`${code}` : new Html(prism.highlight(code, grammar, name));
  };
}
