import { Inject, Injectable } from '@nestjs/common';
import { CachedLookup, ChangeFeed } from '@heliograph/database';
import { DataSource, IsNull } from 'typeorm';
import { ChatappAllowance } from './allowance.entity';
import type { Category } from './category';
import { ANY_COUNTRY, ChatappPrice } from './price.entity';
import { ChatappSendingSwitch } from './sending-switch.entity';
import { ChatappTemplate } from './template.entity';

/** What of a category is free. */
export interface Allowance {
  isFree: boolean;
  /** Free messages of a workspace in a calendar month; null is any number. */
  monthlyLimit: number | null;
}

/** Prices, allowances, templates and the switch. Remembered in process until they change: every send looks here. */
@Injectable()
export class ChatappCatalog {
  private readonly prices: CachedLookup<Map<string, ChatappPrice[]>>;
  private readonly allowances: CachedLookup<Map<string, ChatappAllowance[]>>;
  private readonly switches: CachedLookup<boolean | null>;
  private readonly templates: CachedLookup<ChatappTemplate[]>;

  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(ChangeFeed) changes: ChangeFeed,
  ) {
    this.prices = new CachedLookup(changes, {
      tables: ['chatapp.prices'],
      load: async () =>
        groupBy(await this.newestFirst(ChatappPrice), ({ country, category }) => `${country} ${category}`),
    });
    this.allowances = new CachedLookup(changes, {
      tables: ['chatapp.allowances'],
      load: async () => groupBy(await this.newestFirst(ChatappAllowance), ({ category }) => category),
    });
    this.switches = new CachedLookup(changes, {
      tables: ['chatapp.sending_switch'],
      load: async () => {
        const [row] = await dataSource.getRepository(ChatappSendingSwitch).find();
        return row?.isEnabled ?? null;
      },
    });
    this.templates = new CachedLookup(changes, {
      tables: ['chatapp.templates'],
      load: (name) => dataSource.getRepository(ChatappTemplate).findBy({ name }),
    });
  }

  /** The price in force: the country's, else that of any country. Throws when there is neither. */
  async priceOf(country: string | null, category: Category, at: Date): Promise<ChatappPrice> {
    const prices = await this.prices.get('');
    for (const where of [country ?? ANY_COUNTRY, ANY_COUNTRY]) {
      const price = inForce(prices.get(`${where} ${category}`), at);
      if (price) return price;
    }
    throw new Error(`there is no price of ${category} for any country`);
  }

  /** The rule in force; nothing is free without one. */
  async allowanceOf(category: Category, at: Date): Promise<Allowance> {
    const rule = inForce((await this.allowances.get('')).get(category), at);
    return rule ?? { isFree: false, monthlyLimit: null };
  }

  /** What the operator has set; null while the service's setting decides. */
  isSendingEnabled(): Promise<boolean | null> {
    return this.switches.get('');
  }

  /** Every template of this name, whoever made it: the organization's own, everybody's, and others'. */
  templatesNamedAcrossTenants(name: string): Promise<ChatappTemplate[]> {
    return this.templates.get(name);
  }

  /** What the organization may send: its own and everybody's, in the order of names. */
  listTemplates(organizationId: string, status: string | null): Promise<ChatappTemplate[]> {
    const filter = status === null ? {} : { status };
    return this.dataSource.getRepository(ChatappTemplate).find({
      where: [
        { organizationId, ...filter },
        { organizationId: IsNull(), ...filter },
      ],
      order: { name: 'ASC', language: 'ASC' },
    });
  }

  private newestFirst<E extends { validFrom: Date }>(entity: new () => E): Promise<E[]> {
    return this.dataSource.getRepository(entity).createQueryBuilder('row').orderBy('row.validFrom', 'DESC').getMany();
  }
}

function inForce<E extends { validFrom: Date }>(newestFirst: readonly E[] | undefined, at: Date): E | undefined {
  return newestFirst?.find(({ validFrom }) => validFrom <= at);
}

function groupBy<E>(rows: readonly E[], keyOf: (row: E) => string): Map<string, E[]> {
  const groups = new Map<string, E[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}
