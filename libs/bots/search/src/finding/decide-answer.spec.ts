import { CALIBRATION } from './calibration';
import type { Finding } from './find-answers';
import { decideAnswer } from './decide-answer';

const finding = (kind: Finding['kind'], score: number, id = `${kind} ${score}`): Finding => {
  return { kind, id, title: id, text: 'Text.', passage: 0, score };
};
const faqs = (...scores: number[]) => scores.map((score) => finding('faq', score));
const { answersFarAhead, answers, lead, farAhead, bestChoice } = CALIBRATION;
const { passageAnswersFarAhead, passageFarAhead } = CALIBRATION;

describe('the decision on an answer', () => {
  it('is none without a sufficiently good finding', () => {
    expect(decideAnswer({ faqs: [], knowledge: [] })).toEqual({ kind: 'none', near: [] });
    const [near] = faqs(answersFarAhead - 0.01);
    expect(decideAnswer({ faqs: [near!], knowledge: [finding('knowledge', passageAnswersFarAhead - 0.01)] })).toEqual({
      kind: 'none',
      near: [near],
    });
  });

  it('accepts a lower score if no other finding is close', () => {
    const [alone, other] = faqs(answersFarAhead, answersFarAhead - farAhead);
    expect(decideAnswer({ faqs: [alone!, other!], knowledge: [] })).toEqual({ kind: 'answer', finding: alone });
    const [rival] = faqs(answersFarAhead - farAhead + 0.01);
    expect(decideAnswer({ faqs: [alone!, rival!], knowledge: [] }).kind).toBe('none');
    const passage = finding('knowledge', passageAnswersFarAhead);
    const next = finding('knowledge', passageAnswersFarAhead - passageFarAhead);
    expect(decideAnswer({ faqs: [], knowledge: [passage, next] })).toEqual({ kind: 'answer', finding: passage });
    const close = { ...next, score: next.score + 0.01 };
    expect(decideAnswer({ faqs: [], knowledge: [passage, close] }).kind).toBe('none');
    // Another passage of the same article does not count as a competing finding.
    const sibling = { ...close, id: passage.id };
    expect(decideAnswer({ faqs: [], knowledge: [passage, sibling] })).toEqual({ kind: 'answer', finding: passage });
  });

  it('is an FAQ that has a good score and a lead', () => {
    const [best, second] = faqs(answers + lead, answers - 0.01);
    expect(decideAnswer({ faqs: [best!, second!], knowledge: [] })).toEqual({ kind: 'answer', finding: best });
  });

  it('is two to four choices if their scores are close', () => {
    const close = faqs(0.8, 0.79, 0.78, 0.77, 0.76);
    expect(decideAnswer({ faqs: close, knowledge: [] })).toEqual({ kind: 'choices', findings: close.slice(0, 4) });
    const two = faqs(bestChoice, bestChoice - 0.01, 0.1);
    expect(decideAnswer({ faqs: two, knowledge: [] })).toEqual({ kind: 'choices', findings: two.slice(0, 2) });
  });

  it('is an exact match, even if another score is close', () => {
    const [best, second] = faqs(1, 0.96);
    expect(decideAnswer({ faqs: [best!, second!], knowledge: [] })).toEqual({ kind: 'answer', finding: best });
  });

  it('prefers a good FAQ over an article, but not over an article with a much better score', () => {
    const [faq] = faqs(0.6);
    expect(decideAnswer({ faqs: [faq!], knowledge: [finding('knowledge', 0.9)] })).toMatchObject({ finding: faq });
    const passage = finding('knowledge', 0.96);
    expect(decideAnswer({ faqs: faqs(0.4), knowledge: [passage] })).toEqual({ kind: 'answer', finding: passage });
    expect(decideAnswer({ faqs: [], knowledge: [passage] })).toEqual({ kind: 'answer', finding: passage });
  });
});
