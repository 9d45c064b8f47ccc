/**
 * The numbers of North America that are reserved for fiction, 555-0100 to 555-0199 in every area code, so that no subscriber has
 * them. Two digits remain to choose an outcome.
 */
const FICTITIOUS = /^\+?1\d{3}55501(\d{2})$/;

/** The outcome that a number chooses in test mode, its last two digits. Null for every other number. */
export function simulatedOutcomeOf(number: string): string | null {
  return FICTITIOUS.exec(number)?.[1] ?? null;
}
