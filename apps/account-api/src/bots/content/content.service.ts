import { Injectable } from '@nestjs/common';
import { BotContentService, type ContentKind, type LiveItem, type PutResult } from '@heliograph/bot-catalog';
import type { Page, PageOf } from '@heliograph/database';
import type { Workspace } from '@heliograph/tenancy';
import { DataSource } from 'typeorm';
import { excerptOf } from '../../unit-of-work/excerpt';
import { UnitOfWork, type UnitOfWorkContext, type WriteRequest } from '../../unit-of-work/unit-of-work.service';
import { botKey, placeOf } from '../about-bot';

/** Identifies a bot in a workspace. */
export interface BotReference {
  workspace: Workspace;
  botId: string;
}

/** A kind of content with its catalog and its audit name: `bot.faq.created`. */
export interface AuditedContentKind<Item extends LiveItem, Details extends object> extends ContentKind<Item, Details> {
  noun: 'faq' | 'article' | 'shortcut' | 'form';
}

/** Manages the content of bots; each write is audited. */
@Injectable()
export class ContentService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly content: BotContentService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  list<Item extends LiveItem, Details extends object>(
    { workspace, botId }: BotReference,
    kind: AuditedContentKind<Item, Details>,
    page: Page,
  ): Promise<PageOf<Item>> {
    return this.content.list(this.dataSource.manager, botKey(workspace, botId), kind, page);
  }

  get<Item extends LiveItem, Details extends object>(
    { workspace, botId }: BotReference,
    kind: AuditedContentKind<Item, Details>,
    id: string,
  ): Promise<Item> {
    return this.content.read(this.dataSource.manager, botKey(workspace, botId), kind, id);
  }

  create<Item extends LiveItem, Details extends object, Shown extends object>(
    write: WriteRequest,
    { workspace, botId }: BotReference,
    kind: AuditedContentKind<Item, Details>,
    details: Details,
    show: (item: Item) => Shown,
  ): Promise<Shown> {
    return this.unitOfWork.run(write, async (work) => {
      const after = await this.content.create(work.transaction, botKey(workspace, botId), kind, details);
      await auditChange(work, workspace, botId, kind, 'created', { after });
      return show(after);
    });
  }

  update<Item extends LiveItem, Details extends object, Shown extends object>(
    write: WriteRequest,
    { workspace, botId }: BotReference,
    kind: AuditedContentKind<Item, Details>,
    id: string,
    changes: Partial<Details>,
    show: (item: Item) => Shown,
  ): Promise<Shown> {
    return this.unitOfWork.run(write, async (work) => {
      const changed = await this.content.change(work.transaction, botKey(workspace, botId), kind, id, changes);
      await auditChange(work, workspace, botId, kind, 'changed', changed);
      return show(changed.after);
    });
  }

  remove<Item extends LiveItem, Details extends object, Shown extends object>(
    write: WriteRequest,
    { workspace, botId }: BotReference,
    kind: AuditedContentKind<Item, Details>,
    id: string,
    show: (item: Item) => Shown,
  ): Promise<Shown> {
    return this.unitOfWork.run(write, async (work) => {
      const before = await this.content.remove(work.transaction, botKey(workspace, botId), kind, id);
      await auditChange(work, workspace, botId, kind, 'removed', { before });
      return show(before);
    });
  }

  /** Imports the whole list or nothing, with a single audit entry. */
  import<Item extends LiveItem, Details extends object, Shown extends object>(
    write: WriteRequest,
    { workspace, botId }: BotReference,
    kind: AuditedContentKind<Item, Details>,
    { list, place }: { list: readonly Partial<Details>[]; place: string },
    show: (result: PutResult<Item>) => Shown,
  ): Promise<Shown> {
    return this.unitOfWork.run(write, async ({ transaction, audit }) => {
      const result = await this.content.put(transaction, botKey(workspace, botId), kind, list, place);
      const response = show(result);
      await audit({
        ...placeOf(workspace),
        action: `bot.${kind.noun}s.imported`,
        target: { type: 'bot', id: botId },
        before: null,
        after: response,
      });
      return response;
    });
  }
}

async function auditChange<Item extends LiveItem, Details extends object>(
  { audit }: UnitOfWorkContext,
  workspace: Workspace,
  botId: string,
  { noun, idField, detailsOf }: AuditedContentKind<Item, Details>,
  done: string,
  { before, after }: { before?: Item; after?: Item },
): Promise<void> {
  const item = after ?? before;
  if (!item) return;
  const toAuditData = (one: Item): object => ({ botId, ...shortened(detailsOf(one)) });
  await audit({
    ...placeOf(workspace),
    action: `bot.${noun}.${done}`,
    target: { type: `bot.${noun}`, id: (item as unknown as Record<string, string>)[idField] ?? item.id },
    before: before ? toAuditData(before) : null,
    after: after ? toAuditData(after) : null,
  });
}

function shortened(details: object): object {
  return Object.fromEntries(
    Object.entries(details).map(([name, value]) => [name, typeof value === 'string' ? excerptOf(value) : value]),
  );
}
