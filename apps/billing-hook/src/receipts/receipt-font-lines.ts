import { runsFromRight, runsOf, type Run } from './receipt-font';

/** A run and its offset from the start of the line, in points. */
export interface PlacedRun extends Run {
  x: number;
}

export interface Line {
  runs: PlacedRun[];
  width: number;
}

/** Width of a run in points. */
type Measure = (run: Run) => number;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Breaks text with several fonts into lines, which pdfkit does not support: at spaces, and within words that are
 * wider than a line.
 */
export function linesOf(text: string, bold: boolean, width: number, measure: Measure): Line[] {
  const widthOf = (part: string) => runsOf(part, bold).reduce((sum, run) => sum + measure(run), 0);
  const blank = widthOf(' ');
  const lines: Line[] = [];
  for (const word of text.split(' ')) {
    for (const [index, part] of partsOf(word, width, widthOf).entries()) {
      const last = lines.at(-1);
      const fits = last !== undefined && index === 0 && last.width + blank + widthOf(part) <= width;
      const line = fits ? withBlank(last, blank) : { runs: [], width: 0 };
      if (!fits) lines.push(line);
      for (const run of runsOf(part, bold)) {
        line.runs.push({ ...run, x: line.width });
        line.width += measure(run);
      }
    }
  }
  return lines;
}

/** Returns the whole word if it fits on a line, otherwise pieces that fit on a line. */
function partsOf(word: string, width: number, widthOf: (part: string) => number): string[] {
  if (widthOf(word) <= width) return [word];
  const parts = [''];
  for (const { segment } of graphemes.segment(word)) {
    const longer = `${parts.at(-1) ?? ''}${segment}`;
    if (longer === segment || widthOf(longer) <= width) parts[parts.length - 1] = longer;
    else parts.push(segment);
  }
  return parts;
}

/** The space is set together with the preceding run, so that copied text contains it. */
function withBlank(line: Line, blank: number): Line {
  const run = line.runs.at(-1);
  if (run && !runsFromRight(run.text)) run.text += ' ';
  line.width += blank;
  return line;
}
