import { CALIBRATION } from './calibration';
import type { Finding, Found } from './find-answers';

/** The decision of the bot. */
export type AnswerDecision =
  | { kind: 'answer'; finding: Finding }
  /** 2 to 4 FAQs with similar scores. */
  | { kind: 'choices'; findings: Finding[] }
  | { kind: 'none'; near: Finding[] };

/** From this score on, only an almost equal second FAQ makes it a choice. */
const CERTAIN = 0.95;
const CERTAIN_LEAD = 0.03;
const MAX_CHOICES = 4;
const NEAR = 0.2;

/**
 * Decides by scores whether to answer, to offer choices, or to give no answer. The order is: a good FAQ, a good
 * passage, a choice of FAQs. Below the thresholds it gives no answer instead of a wrong one.
 */
export function decideAnswer({ faqs, knowledge }: Found): AnswerDecision {
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
  if (faq && (isClear || (best >= CERTAIN && ahead >= CERTAIN_LEAD))) return { kind: 'answer', finding: faq };
  const choices = best >= bestChoice ? choicesOf(faqs) : [];
  if (choices.length >= 2) return { kind: 'choices', findings: choices };
  if (passageIs) return { kind: 'answer', finding: passageIs };
  return { kind: 'none', near: faqs.filter(({ score }) => score >= NEAR).slice(0, MAX_CHOICES) };
}

function choicesOf(faqs: readonly Finding[]): Finding[] {
  const least = Math.max(CALIBRATION.choice, (faqs[0]?.score ?? 0) - CALIBRATION.choiceWithin);
  return faqs.filter(({ score }) => score >= least).slice(0, MAX_CHOICES);
}
