import type { FormField } from './form-field';
import type { BotSettings } from './settings';

export const DEFAULT_COLOR = '#4f46e5';

export interface Branding {
  /** `#rgb` or `#rrggbb` */
  color: string;
  logo: string | null;
  welcome: string;
}

export interface AvailableShortcut {
  /** Public, unique within the bot. */
  id: string;
  label: string;
  command: string;
  description: string;
  type: string;
  query: string | null;
  displayOrder: number;
}

export interface AvailableForm {
  /** Public, unique within the bot. */
  id: string;
  title: string;
  triggerKeywords: string[];
  fields: FormField[];
  confirmation: string | null;
}

/** An FAQ that the bot suggests before the visitor asks a question. */
export interface Suggestion {
  /** Public, unique within the bot. */
  id: string;
  label: string;
}

/** A bot that visitors can reach, with everything that a turn needs. It contains only enabled and published content. */
export interface AvailableBot {
  id: string;
  organizationId: string;
  workspaceId: string;
  publicId: string;
  name: string;
  slug: string;
  locale: string;
  version: { id: string; number: number; tone: string };
  branding: Branding;
  /** See `BotSettings`. */
  allowedDomains: string[] | null;
  settings: BotSettings;
  /** Sorted by display order. */
  shortcuts: AvailableShortcut[];
  forms: AvailableForm[];
  suggestions: Suggestion[];
}
