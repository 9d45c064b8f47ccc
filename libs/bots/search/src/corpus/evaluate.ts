import type { AnswerDecision } from '../finding/decide-answer';
import type { CorpusBot } from './corpus';

/** `missed`: there was an answer, and none was given. `false`: something was shown though there is none. */
export type Outcome = 'answered' | 'offered' | 'wrong' | 'missed' | 'fell back' | 'false';

export interface Asked {
  bot: CorpusBot;
  text: string;
  /** Any of them; none where the bot has no answer. */
  expected: readonly string[];
  decision: AnswerDecision;
  outcome: Outcome;
  /** Of the third that nobody looks at while tuning. */
  isHeldOut: boolean;
}

export function outcomeOf(expected: readonly string[], decision: AnswerDecision): Outcome {
  if (expected.length === 0) return decision.kind === 'none' ? 'fell back' : 'false';
  switch (decision.kind) {
    case 'none':
      return 'missed';
    case 'answer':
      return expected.includes(decision.finding.id) ? 'answered' : 'wrong';
    case 'choices':
      return decision.findings.some(({ id }) => expected.includes(id)) ? 'offered' : 'wrong';
  }
}

export interface Rates {
  answerable: number;
  /** Of the answerable ones: the right answer, or it was among the choices. */
  hits: number;
  /** Of all: an answer or choices that were not right, for questions of either kind. */
  wrong: number;
  /** Of the answerable ones: nothing was shown. */
  missed: number;
  /** Of the hits: choices were offered. */
  offered: number;
  unanswerable: number;
  /** Of the unanswerable ones. */
  fellBack: number;
}

export function ratesOf(asked: readonly Asked[]): Rates {
  const count = (...outcomes: Outcome[]) => asked.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const unanswerable = count('fell back', 'false');
  const answerable = asked.length - unanswerable;
  const hits = count('answered', 'offered');
  return {
    answerable,
    hits: hits / answerable,
    wrong: count('wrong', 'false') / asked.length,
    missed: count('missed') / answerable,
    offered: count('offered') / hits,
    unanswerable,
    fellBack: count('fell back') / unanswerable,
  };
}

/** A table for people, a line for each of the groups. */
export function tableOf(groups: readonly [string, readonly Asked[]][]): string {
  const percent = (rate: number) => (Number.isNaN(rate) ? '-' : `${(100 * rate).toFixed(1)} %`).padStart(9);
  const lines = groups.map(([name, asked]) => {
    const { answerable, hits, wrong, missed, offered, unanswerable, fellBack } = ratesOf(asked);
    const figures = [hits, offered, missed, wrong].map(percent).join('');
    return `${name.padEnd(30)}${String(answerable).padStart(6)}${figures}${String(unanswerable).padStart(8)}${percent(fellBack)}`;
  });
  const head = `${''.padEnd(30)}${'asked'.padStart(6)}${['hit', 'offered', 'missed', 'wrong'].map((h) => h.padStart(9)).join('')}${'no answer'.padStart(10)}${'back'.padStart(7)}`;
  return [head, ...lines].join('\n');
}
