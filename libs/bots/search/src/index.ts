export { findAnswers, type Finding } from './finding/find-answers';
export { decideAnswer, type AnswerDecision } from './finding/decide-answer';
export type { Question } from './finding/question';
export type { SearchItem, SearchKind } from './indexing/entries';
export { indexItems, unindexItems } from './indexing/index-items';
export { botSearchMigrations } from './migration-set';
