import { decidedLength, readAnswer, wholeSentences, type Grounds } from './read-answer';

/** Maximum length of an answer. It is greater than the length that the prompt requests. */
const MAX_CHARACTERS = 8_000;
/** Number of new characters, or share of the text, after which the whole text is cleaned again. */
const STEP = 24;
const STEP_PART = 1 / 32;

export type WrittenAnswer =
  { kind: 'answer'; text: string; cited: number[] } | { kind: 'none'; why: 'no-answer' | 'leak' | 'ungrounded' };

/**
 * Collects a streamed answer and forwards its visible parts as soon as they are final. Nothing is forwarded before the
 * first citation, because an answer without citations is discarded.
 */
export class AnswerWriter {
  private raw = '';
  private shown = '';
  private readTo = 0;
  private refusal: 'no-answer' | 'leak' | null = null;

  constructor(
    private readonly grounds: Grounds,
    private onDelta: ((text: string) => void) | null,
  ) {}

  /** True if further input is ignored. */
  get isDone(): boolean {
    return this.refusal !== null || this.raw.length >= MAX_CHARACTERS;
  }

  get characters(): string {
    return this.raw;
  }

  write(part: string): void {
    if (this.isDone) return;
    this.raw += part.slice(0, MAX_CHARACTERS - this.raw.length);
    if (this.raw.length - this.readTo < Math.max(STEP, this.raw.length * STEP_PART)) return;
    this.readTo = this.raw.length;
    this.look();
  }

  /** Returns the result. `isCut` is true if the answer ended before it was complete. */
  end(isCut: boolean): WrittenAnswer {
    const raw = isCut || this.raw.length >= MAX_CHARACTERS ? wholeSentences(this.raw) : this.raw;
    const read = readAnswer(raw, this.grounds);
    // Checks the whole text, because the truncated part may be confidential.
    const whole = readAnswer(this.raw, this.grounds);
    if (whole.kind === 'refused') return { kind: 'none', why: whole.why };
    if (read.kind === 'refused') return { kind: 'none', why: read.why };
    if (read.cited.length === 0 || read.text === '') return { kind: 'none', why: 'ungrounded' };
    return { kind: 'answer', text: read.text, cited: read.cited };
  }

  private look(): void {
    const read = readAnswer(this.raw.slice(0, decidedLength(this.raw)), this.grounds);
    if (read.kind === 'refused') {
      this.refusal = read.why;
      return;
    }
    if (!this.onDelta || read.cited.length === 0) return;
    // If cleaning changes text that was already shown, nothing more is shown, and the complete answer replaces the text.
    if (!read.text.startsWith(this.shown) || read.text.length === this.shown.length) return;
    const delta = read.text.slice(this.shown.length);
    this.shown = read.text;
    this.show(delta);
  }

  private show(delta: string): void {
    try {
      this.onDelta?.(delta);
    } catch {
      // The client has disconnected, but the answer is still stored.
      this.onDelta = null;
    }
  }
}
