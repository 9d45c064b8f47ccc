const WORD = /[\p{L}\p{N}]+/gu;
/** So many words of the rules in a row are no coincidence. */
const RULE_WORDS = 8;
/** What an owner wants said may be said; that all of it is recited is what must not be. */
const INSTRUCTION_WORDS = 16;
const SHORTEST_KEY = 8;

/** What no visitor may see: the rules, the owner's instructions, the key. */
export class Confidential {
  private readonly runs: readonly { length: number; known: ReadonlySet<string> }[];

  constructor(
    rules: readonly string[],
    instructions: string | null,
    private readonly key: string | null,
  ) {
    this.runs = [
      { length: RULE_WORDS, known: new Set(rules.flatMap((rule) => runsOf(wordsOf(rule), RULE_WORDS))) },
      { length: INSTRUCTION_WORDS, known: new Set(runsOf(wordsOf(instructions ?? ''), INSTRUCTION_WORDS)) },
    ];
  }

  /** Whether the text recites any of it, however it is set. */
  isIn(text: string): boolean {
    if (this.key !== null && this.key.length >= SHORTEST_KEY && text.includes(this.key)) return true;
    const words = wordsOf(text);
    return this.runs.some(({ length, known }) => known.size > 0 && runsOf(words, length).some((run) => known.has(run)));
  }
}

function wordsOf(text: string): string[] {
  return text.normalize('NFKC').toLowerCase().match(WORD) ?? [];
}

function runsOf(words: readonly string[], length: number): string[] {
  const runs: string[] = [];
  for (let from = 0; from + length <= words.length; from++) runs.push(words.slice(from, from + length).join(' '));
  return runs;
}
