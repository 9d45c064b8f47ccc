import { aBot, SourcesInMemory, type Knowledge } from './bot.fixture';
import type { Action, EngineState, Replied } from './reply';
import { replyTo } from './reply-engine';

interface Turn {
  bot?: ReturnType<typeof aBot>;
  state?: EngineState;
  sources?: SourcesInMemory;
  action?: Action | null;
  isOpening?: boolean;
}

export const say = (
  text: string,
  { bot = aBot(), state = {}, sources = new SourcesInMemory(), action = null, isOpening = false }: Turn = {},
): Promise<Replied> => replyTo({ kind: 'message', text, action, isOpening }, bot, state, sources);

export const viaOf = async (text: string, turn: Turn = {}): Promise<string> =>
  (await say(text, turn)).reply.metadata.via;
export const knowing = (knows: Knowledge): { sources: SourcesInMemory } => ({ sources: new SourcesInMemory(knows) });
export const idsOf = ({ reply }: Replied): string[] => reply.quickReplies?.map(({ id }) => id) ?? [];
