import { AppError } from '@heliograph/errors';
import { inTurns } from '@heliograph/service-kit';
import type { RegisteredTemplate } from '@heliograph/sms-catalog';
import { closestTemplate, fixedLength, matchTemplate, withLineFeeds } from '@heliograph/sms-text';

const EXCERPT_LENGTH = 30;

/**
 * Finds the template with a DLT template id that matches a whole text. If several match, returns the template with the
 * longest fixed text. Throws TEMPLATE_NOT_MATCHED with the closest template and the first difference, and
 * TEMPLATE_AMBIGUOUS for a tie. `active` are the active templates of the sender.
 */
export async function findMatchingTemplate(
  active: readonly RegisteredTemplate[],
  given: string,
): Promise<RegisteredTemplate> {
  const templates = active.filter(({ dltTemplateId }) => dltTemplateId !== null);
  if (templates.length === 0) throw noTemplates(active);
  const text = withLineFeeds(given);
  // Yields after each comparison, which can take a few milliseconds; an organization can have thousands of templates.
  const matching = await inTurns(matchingTemplates(templates, text), 1);
  const [best, second] = matching.toSorted((a, b) => fixedLength(b.parsed) - fixedLength(a.parsed));
  if (!best) throw notMatched(await inTurns(closestTemplate(templates, text), 1), text);
  if (second && fixedLength(second.parsed) === fixedLength(best.parsed)) {
    throw new AppError(
      'TEMPLATE_AMBIGUOUS',
      `message matches the templates ${best.name} and ${second.name} equally well. Send template_id and variables.`,
    );
  }
  return best;
}

function* matchingTemplates(
  templates: readonly RegisteredTemplate[],
  text: string,
): Generator<void, RegisteredTemplate[]> {
  const matching: RegisteredTemplate[] = [];
  for (const template of templates) {
    if (matchTemplate(template.parsed, text).matches) matching.push(template);
    yield;
  }
  return matching;
}

function noTemplates([unregistered]: readonly RegisteredTemplate[]): AppError {
  const reason = unregistered
    ? `no active template of the sender has a DLT template id. Copy the ids from the DLT registry to dltTemplateId of the templates, such as ${unregistered.name}: PATCH /api/organization/sms/templates/${unregistered.id}.`
    : 'the sender has no active template. Create one for its onboarding with POST /api/v1/sms/templates, with the text and the dlt_template_id of the DLT registry.';
  return new AppError('TEMPLATE_NOT_MATCHED', `message matches no template, because ${reason}`);
}

function notMatched(closest: RegisteredTemplate | null, text: string): AppError {
  if (!closest) return noTemplates([]);
  const { reached, expected } = matchTemplate(closest.parsed, text);
  return new AppError(
    'TEMPLATE_NOT_MATCHED',
    `message matches no active registered template of the sender. The closest is ${closest.name} (${closest.id}); at character ${reached + 1} it has ${excerpt(expected)}, but message has ${excerpt(text.slice(reached))}.`,
  );
}

function excerpt(text: string): string {
  if (text === '') return 'nothing more';
  return JSON.stringify(text.length > EXCERPT_LENGTH ? `${text.slice(0, EXCERPT_LENGTH).toWellFormed()}…` : text);
}
