import { kubernetes } from './kubernetes/kubernetes';
import type { Rehearsal } from './rehearsal';

/** The rehearsals by their names on the command line. */
export const REHEARSALS: Readonly<Record<string, Rehearsal>> = {
  kubernetes,
};
