import type { ImportedFaq } from '@heliograph/sdk';
import { parse, stringify } from 'yaml';
import { CommandError, EXIT } from './exit-codes';

type Faq = Required<Pick<ImportedFaq, 'id' | 'question' | 'answer'>> & ImportedFaq;

const FRONT_MATTER = /^---\r?\n([^]*?)\r?\n---\r?\n?([^]*)$/;

/** A FAQ as Markdown: its fields in front matter, its answer below. Fields with their defaults are left out. */
export function markdownOf({ question, phrasings = [], answer, enabled, published, label, displayOrder }: Faq): string {
  const fields = {
    question,
    ...(phrasings.length > 0 ? { phrasings } : {}),
    ...(label ? { label } : {}),
    ...(enabled === false ? { enabled } : {}),
    ...(published === false ? { published } : {}),
    ...(displayOrder ? { displayOrder } : {}),
  };
  return `---\n${stringify(fields, { lineWidth: 0 })}---\n\n${answer.trim()}\n`;
}

/** Reads a FAQ. Throws with the name of the file if it is incomplete. */
export function faqOf(id: string, text: string): Faq {
  const [, front, answer] = FRONT_MATTER.exec(text) ?? [];
  if (front === undefined || answer === undefined) {
    throw new CommandError(
      `${id}.md must start with a line of ---, its question, and another line of ---.`,
      EXIT.usage,
    );
  }
  const fields = fieldsOf(id, front);
  const { question, phrasings = [], label = null, enabled = true, published = true, displayOrder = 0 } = fields;
  if (typeof question !== 'string' || question.trim() === '' || answer.trim() === '') {
    throw new CommandError(`${id}.md needs a question, and an answer below the second line of ---.`, EXIT.usage);
  }
  // The API checks the types of the others and names the field.
  return { id, question, phrasings, answer: answer.trim(), label, enabled, published, displayOrder };
}

function fieldsOf(id: string, front: string): Partial<Faq> {
  try {
    const fields: unknown = parse(front);
    if (typeof fields === 'object' && fields !== null) return fields as Partial<Faq>;
  } catch (error) {
    throw new CommandError(`${id}.md: ${(error as Error).message}`, EXIT.usage);
  }
  throw new CommandError(`${id}.md has no fields between its lines of ---.`, EXIT.usage);
}
