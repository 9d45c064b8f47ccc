import { compose } from './docker/compose';
import { release } from './docker/release';
import { kubernetes } from './kubernetes/kubernetes';
import { losses } from './losses/losses';
import type { Rehearsal } from './rehearsal';
import { restore } from './restore/restore';
import { soak } from './soak/soak';

/** The rehearsals by their names on the command line. */
export const REHEARSALS: Readonly<Record<string, Rehearsal>> = {
  compose,
  kubernetes,
  losses,
  release,
  restore,
  soak,
};
