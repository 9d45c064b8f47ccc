import { Inject, Injectable } from '@nestjs/common';
import { BotContentService, type ContentKind, type LiveItem, type PutResult } from '@heliograph/bot-catalog';
import type { Page, PageOf } from '@heliograph/database';
import type { Workspace } from '@heliograph/tenancy';
import { DataSource } from 'typeorm';
import { excerptOf } from '../../writes/excerpt';
import { Writes, type OpenWrite, type WriteCall } from '../../writes/writes.service';
import { botKey, placeOf } from '../about-bot';

/** Which bot of which workspace. */
export interface OfBot {
  workspace: Workspace;
  botId: string;
}

/** A kind of content, as the catalog writes it and the audit log calls it: `bot.faq.created`. */
export interface NotedKind<Item extends LiveItem, Details extends object> extends ContentKind<Item, Details> {
  noun: 'faq' | 'article' | 'shortcut' | 'form';
}

/** What a bot knows and shows, on the record. */
@Injectable()
export class ContentService {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(BotContentService) private readonly content: BotContentService,
    @Inject(Writes) private readonly writes: Writes,
  ) {}

  list<Item extends LiveItem, Details extends object>(
    { workspace, botId }: OfBot,
    kind: NotedKind<Item, Details>,
    page: Page,
  ): Promise<PageOf<Item>> {
    return this.content.list(this.dataSource.manager, botKey(workspace, botId), kind, page);
  }

  one<Item extends LiveItem, Details extends object>(
    { workspace, botId }: OfBot,
    kind: NotedKind<Item, Details>,
    id: string,
  ): Promise<Item> {
    return this.content.read(this.dataSource.manager, botKey(workspace, botId), kind, id);
  }

  create<Item extends LiveItem, Details extends object, Shown extends object>(
    call: WriteCall,
    { workspace, botId }: OfBot,
    kind: NotedKind<Item, Details>,
    details: Details,
    show: (item: Item) => Shown,
  ): Promise<Shown> {
    return this.writes.run(call, async (open) => {
      const after = await this.content.create(open.transaction, botKey(workspace, botId), kind, details);
      await note(open, workspace, botId, kind, 'created', { after });
      return show(after);
    });
  }

  change<Item extends LiveItem, Details extends object, Shown extends object>(
    call: WriteCall,
    { workspace, botId }: OfBot,
    kind: NotedKind<Item, Details>,
    id: string,
    changes: Partial<Details>,
    show: (item: Item) => Shown,
  ): Promise<Shown> {
    return this.writes.run(call, async (open) => {
      const changed = await this.content.change(open.transaction, botKey(workspace, botId), kind, id, changes);
      await note(open, workspace, botId, kind, 'changed', changed);
      return show(changed.after);
    });
  }

  remove<Item extends LiveItem, Details extends object, Shown extends object>(
    call: WriteCall,
    { workspace, botId }: OfBot,
    kind: NotedKind<Item, Details>,
    id: string,
    show: (item: Item) => Shown,
  ): Promise<Shown> {
    return this.writes.run(call, async (open) => {
      const before = await this.content.remove(open.transaction, botKey(workspace, botId), kind, id);
      await note(open, workspace, botId, kind, 'removed', { before });
      return show(before);
    });
  }

  /** All of a list or nothing; one entry of the audit log tells of it. */
  import<Item extends LiveItem, Details extends object, Shown extends object>(
    call: WriteCall,
    { workspace, botId }: OfBot,
    kind: NotedKind<Item, Details>,
    { list, place }: { list: readonly Partial<Details>[]; place: string },
    show: (result: PutResult<Item>) => Shown,
  ): Promise<Shown> {
    return this.writes.run(call, async ({ transaction, record }) => {
      const result = await this.content.put(transaction, botKey(workspace, botId), kind, list, place);
      const shown = show(result);
      await record({
        ...placeOf(workspace),
        action: `bot.${kind.noun}s.imported`,
        target: { type: 'bot', id: botId },
        before: null,
        after: shown,
      });
      return shown;
    });
  }
}

async function note<Item extends LiveItem, Details extends object>(
  { record }: OpenWrite,
  workspace: Workspace,
  botId: string,
  { noun, idField, detailsOf }: NotedKind<Item, Details>,
  done: string,
  { before, after }: { before?: Item; after?: Item },
): Promise<void> {
  const item = after ?? before;
  if (!item) return;
  const noted = (one: Item): object => ({ botId, ...shortened(detailsOf(one)) });
  await record({
    ...placeOf(workspace),
    action: `bot.${noun}.${done}`,
    target: { type: `bot.${noun}`, id: (item as unknown as Record<string, string>)[idField] ?? item.id },
    before: before ? noted(before) : null,
    after: after ? noted(after) : null,
  });
}

function shortened(details: object): object {
  return Object.fromEntries(
    Object.entries(details).map(([name, value]) => [name, typeof value === 'string' ? excerptOf(value) : value]),
  );
}
