import { createHash } from 'node:crypto';
import script from './reference.client.mjs';
import base from './styles/base.css';
import guides from './styles/guides.css';
import header from './styles/header.css';
import lists from './styles/lists.css';
import operations from './styles/operations.css';
import screens from './styles/screens.css';

/** The rules for small screens come last. */
const style = [base, header, lists, operations, guides, screens].join('\n');

export interface ReferenceAsset {
  contentType: string;
  text: string;
}

const named = (text: string, extension: string): string =>
  `reference.${createHash('sha256').update(text).digest('hex').slice(0, 16)}.${extension}`;

/** The names of the files contain a hash of their content, so that browsers keep them. */
export const ASSET_NAMES = { style: named(style, 'css'), script: named(script, 'js') };

/** The files that the pages of the reference load, by name. */
export const ASSETS: ReadonlyMap<string, ReferenceAsset> = new Map([
  [ASSET_NAMES.style, { contentType: 'text/css; charset=utf-8', text: style }],
  [ASSET_NAMES.script, { contentType: 'text/javascript; charset=utf-8', text: script }],
]);
