import {
  ARTICLES,
  cleanAddress,
  cleanText,
  FAQS,
  FORMS,
  SHORTCUTS,
  type BotKey,
  type ContentKind,
  type LiveItem,
} from '@heliograph/bot-catalog';
import { Workspace } from '@heliograph/tenancy';
import type { EntityManager } from 'typeorm';
import type { Writers } from './writers';
import { showPath, type FilePath } from '../file-positions';
import type { ProvisionedBot } from '../schema/bots';

/** Returns a note for each entry that was omitted because it contains no text. */
export async function applyBots(
  organizationId: string,
  bots: readonly ProvisionedBot[],
  path: FilePath,
  writers: Writers,
  transaction: EntityManager,
): Promise<string[]> {
  const notes: string[] = [];
  for (const [index, bot] of bots.entries()) {
    notes.push(...(await applyBot(organizationId, bot, [...path, index], writers, transaction)));
  }
  return notes;
}

async function applyBot(
  organizationId: string,
  { workspace, version, faqs, knowledge, shortcuts, forms, ...bot }: ProvisionedBot,
  path: FilePath,
  writers: Writers,
  transaction: EntityManager,
): Promise<string[]> {
  const { at, botCatalog } = writers;
  const key = await at(path, async (): Promise<BotKey> => {
    const home = await transaction.getRepository(Workspace).findOneByOrFail({ organizationId, slug: workspace });
    const place = { organizationId, workspaceId: home.id };
    // The texts and the avatar URL of a bot are sanitized; an unsafe URL is dropped.
    await botCatalog.put(transaction, place, { ...bot, avatarUrl: cleanAddress(bot.avatarUrl) });
    return { ...place, publicId: bot.publicId };
  });
  const notes: string[] = [];
  /** The entries that contain text, with their positions in the file. */
  const legible = <Entry>(entries: readonly Entry[], list: string, textsOf: (entry: Entry) => string[]) =>
    entries.flatMap((entry, index) => {
      const place = [...path, list, index];
      if (textsOf(entry).every((text) => cleanText(text) !== '')) return [{ entry, place }];
      notes.push(`note: ${showPath(place)}: contains no text besides markup; it was omitted`);
      return [];
    });
  const order = (displayOrder: number | undefined, index: number): number => displayOrder ?? index + 1;

  await applyList(
    key,
    FAQS,
    legible(
      faqs.map(({ displayOrder, ...faq }, index) => ({ ...faq, displayOrder: order(displayOrder, index) })),
      'faqs',
      ({ question, answer }) => [question, answer],
    ),
    writers,
    transaction,
  );
  const articles = legible(knowledge, 'knowledge', ({ title, body }) => [title, body]);
  await applyList(key, ARTICLES, articles, writers, transaction);
  await applyList(
    key,
    SHORTCUTS,
    legible(shortcuts, 'shortcuts', () => []),
    writers,
    transaction,
  );
  await applyList(
    key,
    FORMS,
    legible(
      forms.map(({ displayOrder, ...form }, index) => ({ ...form, displayOrder: order(displayOrder, index) })),
      'forms',
      ({ title }) => [title],
    ),
    writers,
    transaction,
  );
  // Last, so that no visitor reaches a bot without content.
  if (version) await at([...path, 'version'], () => botCatalog.putVersion(transaction, key, version));
  return notes;
}

/** Writes a whole list; an error is reported at the line of its entry. */
async function applyList<Item extends LiveItem, Details extends object>(
  key: BotKey,
  kind: ContentKind<Item, Details>,
  entries: readonly { entry: Partial<Details>; place: FilePath }[],
  { at, botContent }: Writers,
  transaction: EntityManager,
): Promise<void> {
  const first = entries[0];
  if (!first) return;
  for (const { entry, place } of entries) {
    await at(place, () => Promise.resolve().then(() => kind.valuesOf({ ...kind.defaults, ...entry } as Details)));
  }
  const list = entries.map(({ entry }) => entry);
  await at(first.place.slice(0, -1), () => botContent.put(transaction, key, kind, list, kind.name));
}
