/**
 * The numbers by which questions are scored and judged, found by search over two thirds of the corpus; its spec holds
 * the other third against them. Weights are relative to a content word that a bot has once, factors are of a score.
 */
export const CALIBRATION = {
  /** Weights of words that are not content. */
  light: 0.25,
  ask: 0.15,
  not: 0.15,
  stop: 0.02,
  /** A content word weighs this at least, however common it is in the bot. */
  leastRarity: 0.2,
  /** A content word that the bot has nowhere. */
  unknown: 1,
  /** What each content word after the third takes from that: who says much says more than the subject. */
  unknownDecay: 0.07,
  unknownFloor: 0.4,
  /** How much of a word is had by one that is a slip or two away, of its family, or a part of its compound. */
  oneSlip: 0.72,
  twoSlips: 0.84,
  cousin: 0.92,
  part: 0.6,
  compound: 0.89,
  /** What a synonym is worth. */
  ownerSynonym: 0.87,
  commonSynonym: 0.78,
  /** A word that is not in the question but in the answer, or in the passage below its title. */
  inAnswer: 0.4,
  inPassage: 0.86,
  /** Score of a question that is in an entry though little of the entry is in the question, and the other way round. */
  shortExponent: 0.78,
  shortFloor: 0.49,
  longExponent: 1.3,
  longFloor: 0.6,
  longShared: 0.66,
  /** Content words of a segment from which on the second way counts fully. */
  longWords: 3.5,
  /** Weight of shared content below which a score shrinks. */
  leastShared: 0.42,
  clause: 1,
  window: 1,
  passageClause: 0.65,
  /** How much of a passage's score is for having what is asked close together. */
  together: 0.29,
  answerFactor: 0.8,
  titleOfPassage: 0.12,
  /** A short question has a word that the bot has nowhere, and there is something else in the form instead. */
  substitution: 0.9,
  negationDiffers: 0.97,
  numbersDiffer: 0.5,
  /** A FAQ answers from this score on, when it is so far ahead of the next. */
  answers: 0.34,
  lead: 0.07,
  bestChoice: 0.38,
  choice: 0.24,
  choiceWithin: 0.13,
  passageAnswers: 0.59,
  /** A passage goes before FAQs that are only close, when it is so much better; and before a good one. */
  passageLead: 0.1,
  passageLeadOverGood: 0.35,
};
