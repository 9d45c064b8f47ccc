import { runsFromRight, runsOf, type Run } from './receipt-font';

/** A run and where it begins, in points from the start of its line. */
export interface PlacedRun extends Run {
  x: number;
}

export interface Line {
  runs: PlacedRun[];
  width: number;
}

/** How wide a run is when it is set, in points. */
type Measure = (run: Run) => number;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Breaks text in several fonts, which pdfkit cannot, into lines: at blanks, and within a word that is wider than a line. */
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

/** The whole word where it fits on a line; else its pieces, each as long as a line allows. */
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

/** The blank is set with the run before it, so that it is there for whoever copies the text. */
function withBlank(line: Line, blank: number): Line {
  const run = line.runs.at(-1);
  if (run && !runsFromRight(run.text)) run.text += ' ';
  line.width += blank;
  return line;
}
