const WORD = /[\p{L}\p{N}]+/gu;
/** An answer that contains this many consecutive words of the rules is treated as a leak. */
const RULE_WORDS = 8;
/** Higher than for the rules, because an answer may quote short parts of the owner's instructions. */
const INSTRUCTION_WORDS = 16;
const SHORTEST_KEY = 8;

/** Texts that answers must not contain: the rules, the owner's instructions and the API key. */
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

  /** Whether the text contains a long part of a confidential text, regardless of formatting. */
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
