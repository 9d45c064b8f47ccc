import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { CachedLookup, ChangeFeed } from '@heliograph/database';
import { IsNull, Repository } from 'typeorm';
import { ChatappAllowance } from './prices/allowance.entity';
import type { Category } from './prices/category';
import { ANY_COUNTRY, ChatappPrice } from './prices/price.entity';
import { ChatappSendingSwitch } from './sending-switch.entity';
import { ChatappTemplate } from './template.entity';

/** The free messages of a category. */
export interface Allowance {
  isFree: boolean;
  /** Free messages of a workspace per calendar month; null is unlimited. */
  monthlyLimit: number | null;
}

/** Cached prices, allowances, templates and the sending switch. Every send reads them; changes invalidate the cache. */
@Injectable()
export class ChatappCatalog {
  private readonly prices: CachedLookup<Map<string, ChatappPrice[]>>;
  private readonly allowances: CachedLookup<Map<string, ChatappAllowance[]>>;
  private readonly switches: CachedLookup<boolean | null>;
  private readonly templates: CachedLookup<ChatappTemplate[]>;

  constructor(
    @InjectRepository(ChatappPrice) priceTable: Repository<ChatappPrice>,
    @InjectRepository(ChatappAllowance) allowanceTable: Repository<ChatappAllowance>,
    @InjectRepository(ChatappSendingSwitch) switchTable: Repository<ChatappSendingSwitch>,
    @InjectRepository(ChatappTemplate) private readonly templateTable: Repository<ChatappTemplate>,
    changes: ChangeFeed,
  ) {
    this.prices = new CachedLookup(changes, {
      tables: ['chatapp.prices'],
      load: async () => groupBy(await newestFirst(priceTable), ({ country, category }) => `${country} ${category}`),
    });
    this.allowances = new CachedLookup(changes, {
      tables: ['chatapp.allowances'],
      load: async () => groupBy(await newestFirst(allowanceTable), ({ category }) => category),
    });
    this.switches = new CachedLookup(changes, {
      tables: ['chatapp.sending_switch'],
      load: async () => {
        const [row] = await switchTable.find();
        return row?.isEnabled ?? null;
      },
    });
    this.templates = new CachedLookup(changes, {
      tables: ['chatapp.templates'],
      load: (name) => this.templateTable.findBy({ name }),
      isCached: (templates) => templates.some(({ status }) => status === 'APPROVED'),
    });
  }

  /** The valid price of the country, else the default price. Throws if there is neither. */
  async priceOf(country: string | null, category: Category, at: Date): Promise<ChatappPrice> {
    const prices = await this.prices.get('');
    for (const where of [country ?? ANY_COUNTRY, ANY_COUNTRY]) {
      const price = inForce(prices.get(`${where} ${category}`), at);
      if (price) return price;
    }
    throw new Error(`no default price for the category ${category}`);
  }

  /** The valid rule; without a rule, no message is free. */
  async allowanceOf(category: Category, at: Date): Promise<Allowance> {
    const rule = inForce((await this.allowances.get('')).get(category), at);
    return rule ?? { isFree: false, monthlyLimit: null };
  }

  /** The operator's switch; null when the configuration of the service decides. */
  isSendingEnabled(): Promise<boolean | null> {
    return this.switches.get('');
  }

  /** All templates of this name: own, shared, and those of other organizations. */
  templatesNamedAcrossTenants(name: string): Promise<ChatappTemplate[]> {
    return this.templates.get(name);
  }

  /** The templates that the organization can send, own and shared, sorted by name. */
  listTemplates(organizationId: string, status: string | null): Promise<ChatappTemplate[]> {
    const filter = status === null ? {} : { status };
    return this.templateTable.find({
      where: [
        { organizationId, ...filter },
        { organizationId: IsNull(), ...filter },
      ],
      order: { name: 'ASC', language: 'ASC' },
    });
  }
}

function newestFirst<E extends { validFrom: Date }>(table: Repository<E>): Promise<E[]> {
  return table.createQueryBuilder('row').orderBy('row.validFrom', 'DESC').getMany();
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
