import { html, type Html } from '../html';
import type { Highlight } from './highlight';

export interface Sample {
  /** The name of its language in a fence, such as `js`. */
  language: string;
  code: string;
}

/** What the reader chooses. Other languages are shown without a choice. */
const CHOICES: Readonly<Record<string, string>> = {
  sh: 'curl',
  js: 'Node.js',
  py: 'Python',
  cli: 'Command line',
};

/**
 * The same in several languages, of which the reader chooses one. The choice works without scripts; a script remembers it and
 * applies it to the whole page. A single sample has no choice.
 * @param id distinguishes the groups of a page
 */
export function renderSamples(samples: readonly Sample[], highlight: Highlight, id: string): Html {
  const [only, ...others] = samples;
  if (only && others.length === 0) return codeBlock(only, highlight);
  return html`<div class="choice" role="group" aria-label="Sample">
    ${samples.map(
      ({ language }, at) =>
        html`<input
            type="radio"
            name="${id}"
            id="${id}-${language}"
            value="${language}"
            class="choose-${language}"
            ${at === 0 && html`checked`}
          /><label for="${id}-${language}">${CHOICES[language] ?? language}</label>`,
    )}
    ${samples.map((sample) => html`<div class="chosen-${sample.language}">${codeBlock(sample, highlight)}</div>`)}
  </div>`;
}

/** A block of code, which scrolls and can therefore be focused. */
export function codeBlock({ language, code }: Sample, highlight: Highlight): Html {
  return html`<pre tabindex="0"><code>${highlight(code, language)}</code></pre>`;
}

/** Whether samples of this language are alternatives to those beside them. */
export const isAlternative = (language: string): boolean => Object.hasOwn(CHOICES, language);
