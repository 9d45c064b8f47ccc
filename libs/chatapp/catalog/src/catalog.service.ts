import { Injectable } from '@nestjs/common';
import { isId, given, putEntry, readPage, toPage, type Changed, type Page, type PageOf } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { IsNull, MoreThan, type EntityManager } from 'typeorm';
import { ChatappAllowance } from './prices/allowance.entity';
import { checkCatalogValues } from './catalog-rules';
import type { Category } from './prices/category';
import { ChatappPrice } from './prices/price.entity';
import { ChatappTemplate } from './template.entity';
import { ALWAYS, changeRule, createRule, removeRule } from './prices/validity';

export interface PriceDetails {
  /** ISO 3166-1 alpha-2, or `*`. */
  country: string;
  category: Category;
  /** Minor units. */
  baseCost: number;
  markup: number;
  currency: string;
  validFrom?: Date;
}

export interface PriceChanges {
  baseCost?: number;
  markup?: number;
  currency?: string;
  validFrom?: Date;
}

export interface AllowanceDetails {
  category: Category;
  isFree: boolean;
  monthlyLimit: number | null;
  validFrom?: Date;
}

export interface AllowanceChanges {
  isFree?: boolean;
  monthlyLimit?: number | null;
  validFrom?: Date;
}

const PRICE_KEY = 'country, category and validFrom';
const ALLOWANCE_KEY = 'category and validFrom';

/**
 * Writes prices and allowances for the operator and for provisioning (`put…`), and lists mirrored templates. Throws
 * VALIDATION_ERROR for invalid values. A rule that is already valid cannot be changed, because messages have been
 * charged by it.
 */
@Injectable()
export class ChatappCatalogService {
  /** Without `validFrom`: valid from now on. Throws NAME_TAKEN. */
  async createPrice(
    transaction: EntityManager,
    { country, category, baseCost, markup, currency, validFrom }: PriceDetails,
  ): Promise<ChatappPrice> {
    checkCatalogValues({ country, category, baseCost, markup, currency });
    const values = given({ country, category, baseCost, markup, currency, validFrom });
    return createRule<ChatappPrice>(transaction, ChatappPrice, values, PRICE_KEY);
  }

  /** Changes a future price. Throws NOT_FOUND, STATE_CONFLICT, NAME_TAKEN. */
  async changePrice(
    transaction: EntityManager,
    id: string,
    { baseCost, markup, currency, validFrom }: PriceChanges,
  ): Promise<Changed<ChatappPrice>> {
    checkCatalogValues({ baseCost, markup, currency });
    return changeRule<ChatappPrice>(
      transaction,
      ChatappPrice,
      id,
      given({ baseCost, markup, currency, validFrom }),
      PRICE_KEY,
    );
  }

  /** Deletes a future price. Throws NOT_FOUND, STATE_CONFLICT. */
  async removePrice(transaction: EntityManager, id: string): Promise<ChatappPrice> {
    return removeRule(transaction, ChatappPrice, id);
  }

  async listPrices(
    transaction: EntityManager,
    page: Page,
    { country, category }: { country?: string; category?: Category } = {},
  ): Promise<PageOf<ChatappPrice>> {
    return readPage<ChatappPrice>(transaction, ChatappPrice, page, given({ country, category }));
  }

  /** Without `validFrom`: valid from now on. Throws NAME_TAKEN. */
  async createAllowance(
    transaction: EntityManager,
    { category, isFree, monthlyLimit, validFrom }: AllowanceDetails,
  ): Promise<ChatappAllowance> {
    checkCatalogValues({ category, monthlyLimit });
    const values = given({ category, isFree, monthlyLimit, validFrom });
    return createRule<ChatappAllowance>(transaction, ChatappAllowance, values, ALLOWANCE_KEY);
  }

  /** Changes a future allowance. Throws NOT_FOUND, STATE_CONFLICT, NAME_TAKEN. */
  async changeAllowance(
    transaction: EntityManager,
    id: string,
    { isFree, monthlyLimit, validFrom }: AllowanceChanges,
  ): Promise<Changed<ChatappAllowance>> {
    checkCatalogValues({ monthlyLimit });
    return changeRule<ChatappAllowance>(
      transaction,
      ChatappAllowance,
      id,
      given({ isFree, monthlyLimit, validFrom }),
      ALLOWANCE_KEY,
    );
  }

  /** Deletes a future allowance. Throws NOT_FOUND, STATE_CONFLICT. */
  async removeAllowance(transaction: EntityManager, id: string): Promise<ChatappAllowance> {
    return removeRule(transaction, ChatappAllowance, id);
  }

  async listAllowances(
    transaction: EntityManager,
    page: Page,
    { category }: { category?: Category } = {},
  ): Promise<PageOf<ChatappAllowance>> {
    return readPage<ChatappAllowance>(transaction, ChatappAllowance, page, given({ category }));
  }

  /** Identified by country, category and start time. Without `validFrom`: the rule that is valid from the beginning. */
  async putPrice(
    transaction: EntityManager,
    { country, category, baseCost, markup, currency, validFrom = ALWAYS }: PriceDetails,
  ): Promise<ChatappPrice> {
    checkCatalogValues({ country, category, baseCost, markup, currency });
    const key = { country, category, validFrom };
    return putEntry(transaction, ChatappPrice, key, () => ({ baseCost, markup, currency }));
  }

  /** The organization's own and the shared templates, one page, sorted by id. */
  async listTemplates(
    transaction: EntityManager,
    organizationId: string,
    page: Page,
    { status }: { status?: string } = {},
  ): Promise<PageOf<ChatappTemplate>> {
    const { limit, after } = page;
    if (after !== null && !isId(after)) {
      throw new AppError('VALIDATION_ERROR', 'cursor: must be the cursor of the previous page.');
    }
    const filter = given({ status, ...(after === null ? {} : { id: MoreThan(after) }) });
    const templates = await transaction.getRepository(ChatappTemplate).find({
      where: [
        { organizationId, ...filter },
        { organizationId: IsNull(), ...filter },
      ],
      order: { id: 'ASC' },
      take: limit + 1,
    });
    return toPage(templates, page, ({ id }) => id);
  }
}
