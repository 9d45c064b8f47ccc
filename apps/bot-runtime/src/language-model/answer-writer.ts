import { decidedLength, readAnswer, wholeSentences, type Grounds } from './read-answer';

/** More than any answer that was asked for. */
const MOST_CHARACTERS = 8_000;
/** Looked at again after so many characters, or this part of what there is: it is read anew as a whole each time. */
const STEP = 24;
const STEP_PART = 1 / 32;

export type WrittenAnswer =
  { kind: 'answer'; text: string; cited: number[] } | { kind: 'none'; why: 'no-answer' | 'leak' | 'ungrounded' };

/**
 * Takes an answer in parts, and passes on what a visitor may see of it as soon as that is decided: nothing before the
 * first passage is named, because an answer without one does not count.
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

  /** True: there is no use in more. */
  get isDone(): boolean {
    return this.refusal !== null || this.raw.length >= MOST_CHARACTERS;
  }

  get characters(): string {
    return this.raw;
  }

  write(part: string): void {
    if (this.isDone) return;
    this.raw += part.slice(0, MOST_CHARACTERS - this.raw.length);
    if (this.raw.length - this.readTo < Math.max(STEP, this.raw.length * STEP_PART)) return;
    this.readTo = this.raw.length;
    this.look();
  }

  /** What has come of it. `isCut`: it was ended before it was complete. */
  end(isCut: boolean): WrittenAnswer {
    const raw = isCut || this.raw.length >= MOST_CHARACTERS ? wholeSentences(this.raw) : this.raw;
    const read = readAnswer(raw, this.grounds);
    // Looked at whole: what was cut off may be what must not be seen.
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
    // Should cleaning ever change what was shown, the whole answer is what corrects it.
    if (!read.text.startsWith(this.shown) || read.text.length === this.shown.length) return;
    const delta = read.text.slice(this.shown.length);
    this.shown = read.text;
    this.show(delta);
  }

  private show(delta: string): void {
    try {
      this.onDelta?.(delta);
    } catch {
      // Whoever listened is gone. The answer is still wanted.
      this.onDelta = null;
    }
  }
}
