import { AppError } from '@heliograph/errors';
import { inTurns } from '@heliograph/service-kit';
import type { RegisteredTemplate } from '@heliograph/sms-catalog';
import { fixedLength, matchTemplate, type TemplateMatch } from '@heliograph/sms-text';

const EXCERPT_LENGTH = 30;

interface Comparison {
  matching: RegisteredTemplate[];
  closest: { template: RegisteredTemplate; match: TemplateMatch } | null;
}

/**
 * Finds the template that matches a whole text. If several match, returns the template with the longest fixed text.
 * Throws TEMPLATE_NOT_MATCHED with the closest template and the first difference, and TEMPLATE_AMBIGUOUS for a tie.
 */
export async function findMatchingTemplate(
  templates: readonly RegisteredTemplate[],
  text: string,
): Promise<RegisteredTemplate> {
  // Yields after each comparison, which can take a few milliseconds; an organization can have thousands of templates.
  const { matching, closest } = await inTurns(compare(templates, text), 1);
  const [best, second] = matching.toSorted((a, b) => fixedLength(b.parsed) - fixedLength(a.parsed));
  if (!best) throw notMatched(closest, text);
  if (second && fixedLength(second.parsed) === fixedLength(best.parsed)) {
    throw new AppError(
      'TEMPLATE_AMBIGUOUS',
      `message matches the templates ${best.name} and ${second.name} equally well. Send template_id and variables.`,
    );
  }
  return best;
}

function* compare(templates: readonly RegisteredTemplate[], text: string): Generator<void, Comparison> {
  const matching: RegisteredTemplate[] = [];
  let closest: Comparison['closest'] = null;
  for (const template of templates) {
    const match = matchTemplate(template.parsed, text);
    if (match.matches) matching.push(template);
    else if (!closest || match.reached > closest.match.reached) closest = { template, match };
    yield;
  }
  return { matching, closest };
}

function notMatched(closest: Comparison['closest'], text: string): AppError {
  if (!closest) {
    return new AppError(
      'TEMPLATE_NOT_MATCHED',
      'message matches no template: the sender has no active registered template. Register one first.',
    );
  }
  const { template, match } = closest;
  const [given, expected] = [text.slice(match.reached), match.expected].map(excerpt);
  return new AppError(
    'TEMPLATE_NOT_MATCHED',
    `message matches no active registered template of the sender. The closest is ${template.name} (${template.id}); at character ${match.reached + 1} it has ${expected}, but message has ${given}.`,
  );
}

function excerpt(text: string): string {
  if (text === '') return 'nothing more';
  return JSON.stringify(text.length > EXCERPT_LENGTH ? `${text.slice(0, EXCERPT_LENGTH).toWellFormed()}…` : text);
}
