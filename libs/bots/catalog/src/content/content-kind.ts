import type { SearchItem, SearchKind } from '@heliograph/bot-search';
import type { LiveItem } from '../entities/live-item';

/** Flags of every content item. Visitors see an item only if both are true. */
export interface Liveness {
  enabled: boolean;
  published: boolean;
}

export interface UniqueColumn {
  column: 'publicId' | 'title' | 'command';
  field: string;
}

/**
 * The differences between the four kinds of content, for `BotContentService`. `Details` is what callers write and read.
 */
export interface ContentKind<Item extends LiveItem, Details extends object> {
  entity: new () => Item;
  /** The name in messages. */
  name: string;
  /** Prefix of generated ids. */
  idPrefix: string;
  /** Maximum number per bot. */
  most: number;
  /** The field by which callers identify an item. */
  idField: 'publicId' | 'id';
  /** The columns that are unique within a bot, with their names in the API. A put finds an item by the first one. */
  unique: readonly [UniqueColumn, ...UniqueColumn[]];
  /** The stored value by which a put finds an item; undefined if the put creates a new one. Throws VALIDATION_ERROR. */
  naturalKeyOf(details: Partial<Details>): string | undefined;
  /** Default values of a new item. */
  defaults: Partial<Details>;
  /** A column that is too long for lists. */
  unlisted?: keyof Item & string;
  /** Returns the sanitized columns. Throws VALIDATION_ERROR. */
  valuesOf(details: Details): Partial<Item>;
  detailsOf(item: Item): Details;
  /** Its entry in the search index; null for a kind that is not searched. */
  search: { kind: SearchKind; itemOf(item: Item): SearchItem } | null;
}

export const LIVE: Liveness = { enabled: true, published: true };

export function livenessOf({ isEnabled, isPublished }: LiveItem): Liveness {
  return { enabled: isEnabled, published: isPublished };
}

export function liveColumns({ enabled, published }: Liveness): Pick<LiveItem, 'isEnabled' | 'isPublished'> {
  return { isEnabled: enabled, isPublished: published };
}
