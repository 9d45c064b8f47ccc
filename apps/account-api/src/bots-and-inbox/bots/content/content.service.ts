import { Inject, Injectable } from '@nestjs/common';
import { BotContentService, type ContentKind, type LiveItem, type PutResult } from '@heliograph/bot-catalog';
import type { PageOf } from '@heliograph/database';
import { CONFIG, pageOf } from '@heliograph/service-kit';
import { type Workspace, AuditedKind, excerptOf, type RecordChange, UnitOfWork, type Write } from '@heliograph/tenancy';
import { DataSource } from 'typeorm';
import type { AccountApiConfig } from '../../../account-api.config';
import type { PageQuery } from '../../../http/page.query';
import { botKey, placeOf } from '../about-bot';

/** The maximum number of objects per bot. */
const SETTINGS = {
  faq: 'LIMITS_BOT_FAQS',
  article: 'LIMITS_BOT_ARTICLES',
  shortcut: 'LIMITS_BOT_SHORTCUTS',
  form: 'LIMITS_BOT_FORMS',
} as const satisfies Readonly<Record<string, keyof AccountApiConfig>>;

/** Identifies a bot in a workspace. */
export interface BotReference {
  workspace: Workspace;
  botId: string;
}

/** A kind of content, with its name in the audit log (`bot.faq.created`) and the format of its responses. */
export interface ManagedContent<
  Item extends LiveItem,
  Details extends object,
  One extends object,
  Page extends object,
> extends ContentKind<Item, Details> {
  noun: keyof typeof SETTINGS;
  one: { of(item: Item): One };
  page: { of(page: PageOf<Item>): Page };
}

/** Manages the content of bots; each write is audited. */
@Injectable()
export class ContentService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly content: BotContentService,
    private readonly unitOfWork: UnitOfWork,
    @Inject(CONFIG) private readonly config: AccountApiConfig,
  ) {}

  async list<Item extends LiveItem, Details extends object, One extends object, Page extends object>(
    { workspace, botId }: BotReference,
    kind: ManagedContent<Item, Details, One, Page>,
    query: PageQuery,
  ): Promise<Page> {
    const key = botKey(workspace, botId);
    return kind.page.of(await this.content.list(this.dataSource.manager, key, kind, pageOf(query)));
  }

  async get<Item extends LiveItem, Details extends object, One extends object, Page extends object>(
    { workspace, botId }: BotReference,
    kind: ManagedContent<Item, Details, One, Page>,
    id: string,
  ): Promise<One> {
    return kind.one.of(await this.content.read(this.dataSource.manager, botKey(workspace, botId), kind, id));
  }

  create<Item extends LiveItem, Details extends object, One extends object, Page extends object>(
    write: Write,
    bot: BotReference,
    kind: ManagedContent<Item, Details, One, Page>,
    details: Details,
  ): Promise<One> {
    const { workspace, botId } = bot;
    return this.unitOfWork.change(write, changeOf(bot, kind, 'created'), async (transaction) => ({
      after: await this.content.create(transaction, botKey(workspace, botId), this.limited(kind), details),
    }));
  }

  update<Item extends LiveItem, Details extends object, One extends object, Page extends object>(
    write: Write,
    bot: BotReference,
    kind: ManagedContent<Item, Details, One, Page>,
    id: string,
    changes: Partial<Details>,
  ): Promise<One> {
    const { workspace, botId } = bot;
    return this.unitOfWork.change(write, changeOf(bot, kind, 'changed'), (transaction) =>
      this.content.change(transaction, botKey(workspace, botId), kind, id, changes),
    );
  }

  remove<Item extends LiveItem, Details extends object, One extends object, Page extends object>(
    write: Write,
    bot: BotReference,
    kind: ManagedContent<Item, Details, One, Page>,
    id: string,
  ): Promise<One> {
    const { workspace, botId } = bot;
    return this.unitOfWork.change(write, changeOf(bot, kind, 'removed'), async (transaction) => ({
      before: await this.content.remove(transaction, botKey(workspace, botId), kind, id),
    }));
  }

  /** Imports the whole list or nothing, with a single audit entry. `place` is the field of the list in error messages. */
  import<Item extends LiveItem, Details extends object, One extends object, Page extends object, Answer extends object>(
    write: Write,
    { workspace, botId }: BotReference,
    kind: ManagedContent<Item, Details, One, Page>,
    { list, place }: { list: readonly Partial<Details>[]; place: string },
    answerOf: (result: PutResult<Item>) => Answer,
  ): Promise<{ import: Answer }> {
    return this.unitOfWork.run(write, async ({ transaction, audit }) => {
      const key = botKey(workspace, botId);
      const after = answerOf(await this.content.put(transaction, key, this.limited(kind), list, place));
      await audit({
        ...placeOf(workspace),
        action: `bot.${kind.noun}s.imported`,
        target: { type: 'bot', id: botId },
        before: null,
        after,
      });
      return { import: after };
    });
  }

  private limited<Kind extends { noun: keyof typeof SETTINGS }>(kind: Kind): Kind {
    return { ...kind, most: this.config[SETTINGS[kind.noun]] };
  }
}

function changeOf<Item extends LiveItem, Details extends object, One extends object, Page extends object>(
  { workspace, botId }: BotReference,
  { noun, idField, detailsOf, one }: ManagedContent<Item, Details, One, Page>,
  done: string,
): RecordChange<Item, One> {
  const kind = new AuditedKind<Item>(
    `bot.${noun}`,
    (item) => ({ ...placeOf(workspace), id: String(Reflect.get(item, idField) ?? item.id) }),
    (item) => ({ botId, ...shortened(detailsOf(item)) }),
  );
  return { kind, done, answer: (item) => one.of(item) };
}

function shortened(details: object): object {
  return Object.fromEntries(
    Object.entries(details).map(([name, value]) => [name, typeof value === 'string' ? excerptOf(value) : value]),
  );
}
