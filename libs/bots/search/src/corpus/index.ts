import { BANK } from './bank-english';
import type { CorpusBot } from './corpus';
import { SHOP } from './shop-english';
import { SOFTWARE } from './software-japanese';
import { TELECOM } from './telecom-german';
import { TRAVEL } from './travel-spanish';
import { UTILITY } from './utility-hindi';

/** Bots in six languages, with what visitors ask them. */
export const CORPUS: readonly CorpusBot[] = [SHOP, BANK, TELECOM, TRAVEL, UTILITY, SOFTWARE];
