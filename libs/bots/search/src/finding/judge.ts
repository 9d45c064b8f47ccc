import { CALIBRATION } from './calibration';
import type { Finding, Found } from './find-answers';

/** What the bot does with what was found. */
export type Judgement =
  | { kind: 'answer'; finding: Finding }
  /** 2 to 4 FAQs that are close. */
  | { kind: 'choices'; findings: Finding[] }
  | { kind: 'none'; near: Finding[] };

/** So good that only an equal one makes it a choice. */
const CERTAIN = 0.95;
const CERTAINLY = 0.03;
const MAX_CHOICES = 4;
const NEAR = 0.2;

/**
 * Answers, offers or gives up, by the scores alone: a good FAQ before an article, a good passage before FAQs that are
 * only close, and nothing rather than something wrong.
 */
export function judge({ faqs, knowledge }: Found): Judgement {
  const { answers, lead, answersFarAhead, farAhead, bestChoice } = CALIBRATION;
  const { passageAnswers, passageAnswersFarAhead, passageFarAhead, passageLead, passageLeadOverGood } = CALIBRATION;
  const best = faqs[0]?.score ?? 0;
  const ahead = best - (faqs[1]?.score ?? 0);
  const [faq] = faqs;
  const [passage] = knowledge;
  const isClear = (best >= answers && ahead >= lead) || (best >= answersFarAhead && ahead >= farAhead);
  const next = knowledge.find(({ id }) => id !== passage?.id)?.score ?? 0;
  const isPassageClear = (score: number): boolean =>
    score >= passageAnswers || (score >= passageAnswersFarAhead && score - Math.max(next, best) >= passageFarAhead);
  const passageIs = passage && isPassageClear(passage.score) ? passage : undefined;
  if (passageIs && passageIs.score >= best + (best < answers ? passageLead : passageLeadOverGood))
    return { kind: 'answer', finding: passageIs };
  if (faq && (isClear || (best >= CERTAIN && ahead >= CERTAINLY))) return { kind: 'answer', finding: faq };
  const choices = best >= bestChoice ? choicesOf(faqs) : [];
  if (choices.length >= 2) return { kind: 'choices', findings: choices };
  if (passageIs) return { kind: 'answer', finding: passageIs };
  return { kind: 'none', near: faqs.filter(({ score }) => score >= NEAR).slice(0, MAX_CHOICES) };
}

function choicesOf(faqs: readonly Finding[]): Finding[] {
  const least = Math.max(CALIBRATION.choice, (faqs[0]?.score ?? 0) - CALIBRATION.choiceWithin);
  return faqs.filter(({ score }) => score >= least).slice(0, MAX_CHOICES);
}
