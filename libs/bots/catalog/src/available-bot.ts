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

/** A FAQ that the bot offers by itself. */
export interface Suggestion {
  /** Public, unique within the bot. */
  id: string;
  label: string;
}

/** A bot that visitors can reach, with all that every turn needs: enabled and published things alone. */
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
  /** In the order in which they are shown. */
  shortcuts: AvailableShortcut[];
  forms: AvailableForm[];
  suggestions: Suggestion[];
}
