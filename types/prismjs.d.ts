// @types/prismjs refers to the types of browsers; these cover the used part.
declare module 'prismjs' {
  interface Grammar {
    readonly [token: string]: unknown;
  }
  interface Prism {
    languages: Readonly<Record<string, Grammar | undefined>>;
    /** Returns HTML whose text is escaped. */
    highlight(code: string, grammar: Grammar, language: string): string;
  }
  const prism: Prism;
  export default prism;
}
declare module 'prismjs/components/index.js' {
  /** Adds the grammars of languages. */
  export default function loadLanguages(names: readonly string[]): void;
}
