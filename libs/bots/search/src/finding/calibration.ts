/**
 * Parameters of the scoring, optimized on the questions of a set of large and small bots. The corpus spec evaluates
 * them on bots that were not used for the optimization. Weights are relative to a content word that occurs once in the
 * bot; factors multiply a score.
 */
export const CALIBRATION = {
  /** Weights of words other than content words. */
  light: 0.23,
  ask: 0.14,
  not: 0.15,
  stop: 0.015,
  /** Weight of a phrase of such words that has a synonym: `how much` means price. */
  telling: 0.39,
  /** Minimum weight of a content word, for words that are frequent in the bot. */
  leastRarity: 0.34,
  /** Weight of a content word that does not occur in the bot. */
  unknown: 1,
  /**
   * Reduction of that weight for each content word after the third, because long questions contain more than the
   * subject.
   */
  unknownDecay: 0.09,
  unknownFloor: 0.81,
  /** Match strength of a misspelling, of a word with the same stem prefix, and of a part of a compound. */
  oneSlip: 0.97,
  twoSlips: 0.58,
  cousin: 0.5,
  part: 0.55,
  compound: 1,
  /** Match strength of a synonym. */
  ownerSynonym: 0.96,
  commonSynonym: 0.79,
  /** Match strength of a related word, such as Sunday for weekend. */
  relatedWord: 0.56,
  /** Factor for a word that occurs in the answer only, or in the passage but not in its title. */
  inAnswer: 0.4,
  inPassage: 0.86,
  /** Parameters for a question shorter than the entry, and for a question longer than the entry. */
  shortExponent: 0.76,
  shortFloor: 0.45,
  longExponent: 1.31,
  longFloor: 0.52,
  longShared: 1.71,
  /** Number of content words from which the parameters for long questions apply fully. */
  longWords: 1.74,
  /** Total weight of shared content words below which a score is reduced. */
  leastShared: 0.52,
  clause: 0.78,
  window: 1,
  passageClause: 1,
  /** Share of a passage score that depends on the proximity of the matched words. */
  together: 0.29,
  answerFactor: 0.8,
  titleOfPassage: 0.13,
  /** Penalty if a short question has an unknown word and the entry has another word in its place. */
  substitution: 0.9,
  negationDiffers: 0.66,
  numbersDiffer: 0.35,
  /** Thresholds for a single FAQ answer: minimum score and lead over the next FAQ. */
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
  /** Weight of a number that does not occur in the bot. */
  unknownNumber: 0.28,
  /** Weight of an unknown generic word. */
  unknownGeneric: 0.42,
  /** Lead that a passage needs over a weak FAQ, and over a good FAQ. */
  passageLead: 0.094,
  passageLeadOverGood: 0.41,
};
