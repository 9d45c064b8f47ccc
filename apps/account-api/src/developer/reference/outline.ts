import type { OutlineGroup } from '@heliograph/api-reference';
import { ACCOUNT_GROUPS } from './outline-account';
import { AUDIENCE_GROUPS } from './outline-audience';
import { CHANNEL_GROUPS } from './outline-channels';
import { OPERATOR_GROUPS } from './outline-operators';

/** The pages of the API reference, by channel and resource across all services, in the order of the menu. */
export const OUTLINE: readonly OutlineGroup[] = [
  ...CHANNEL_GROUPS,
  ...AUDIENCE_GROUPS,
  ...ACCOUNT_GROUPS,
  ...OPERATOR_GROUPS,
];
