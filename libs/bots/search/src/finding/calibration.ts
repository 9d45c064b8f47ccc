/**
 * The numbers by which questions are scored and judged, found by search over the questions of large and of small bots;
 * the spec of the corpus holds bots against them that were not looked at. Weights are relative to a content word that a
 * bot has once, factors are of a score.
 */
export const CALIBRATION = {
  /** Weights of words that are not content. */
  light: 0.23,
  ask: 0.14,
  not: 0.15,
  stop: 0.015,
  /** What a phrase of such words that has another name weighs, as `how much` for price. */
  telling: 0.39,
  /** A content word weighs this at least, however common it is in the bot. */
  leastRarity: 0.34,
  /** A content word that the bot has nowhere. */
  unknown: 1,
  /** What each content word after the third takes from that: who says much says more than the subject. */
  unknownDecay: 0.09,
  unknownFloor: 0.81,
  /** How much of a word is had by one that is a slip or two away, of its family, or a part of its compound. */
  oneSlip: 0.97,
  twoSlips: 0.58,
  cousin: 0.5,
  part: 0.55,
  compound: 1,
  /** What a synonym is worth. */
  ownerSynonym: 0.96,
  commonSynonym: 0.79,
  /** A word that goes with the subject, as Sunday with weekends. */
  relatedWord: 0.56,
  /** A word that is not in the question but in the answer, or in the passage below its title. */
  inAnswer: 0.4,
  inPassage: 0.86,
  /** Score of a question that is in an entry though little of the entry is in the question, and the other way round. */
  shortExponent: 0.76,
  shortFloor: 0.45,
  longExponent: 1.31,
  longFloor: 0.52,
  longShared: 1.71,
  /** Content words of a segment from which on the second way counts fully. */
  longWords: 1.74,
  /** Weight of shared content below which a score shrinks. */
  leastShared: 0.52,
  clause: 0.78,
  window: 1,
  passageClause: 1,
  /** How much of a passage's score is for having what is asked close together. */
  together: 0.29,
  answerFactor: 0.8,
  titleOfPassage: 0.13,
  /** A short question has a word that the bot has nowhere, and there is something else in the form instead. */
  substitution: 0.9,
  negationDiffers: 0.66,
  numbersDiffer: 0.35,
  /** A FAQ answers from this score on, when it is so far ahead of the next. */
  answers: 0.38,
  lead: 0.12,
  answersFarAhead: 0.32,
  farAhead: 0.19,
  bestChoice: 0.39,
  choice: 0.24,
  choiceWithin: 0.28,
  passageAnswers: 0.95,
  passageAnswersFarAhead: 0.36,
  passageFarAhead: 0.23,
  /** A number that the bot has nowhere. */
  unknownNumber: 0.28,
  /** One of the words of any talk. */
  unknownGeneric: 0.42,
  /** A passage goes before FAQs that are only close, when it is so much better; and before a good one. */
  passageLead: 0.094,
  passageLeadOverGood: 0.41,
};
