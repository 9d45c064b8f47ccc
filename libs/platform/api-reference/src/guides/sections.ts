import { slugOf } from '../api-view';
import type { Guide } from './guide';

export interface GuideSection {
  /** Empty for the part before the first heading. */
  anchor: string;
  title: string;
  text: string;
}

/** The parts of a guide between its headings, for the search. */
export function sectionsOf({ title, description, markdown }: Guide): GuideSection[] {
  const [intro = '', ...parts] = markdown.split(/^#{2,3} /m);
  return [
    { anchor: '', title, text: `${description} ${intro}` },
    ...parts.map((part) => {
      const end = part.indexOf('\n');
      const heading = (end < 0 ? part : part.slice(0, end)).trim();
      return { anchor: slugOf(heading), title: heading.replaceAll('`', ''), text: part.slice(heading.length) };
    }),
  ];
}
